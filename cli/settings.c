/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/settings.h"

#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "cli/command.h"
#include "cli/nearest.h"
#include "cli/option_value.h"
#include "cli/watching_options.h"
#include "report/calls.h"

enum {
	MAX_SPLITS = 100000,
};

static bool bad_format(enum option_id id, const char *arg, struct diag *diag)
{
	struct out *expected = out_to_memory();
	const char *near = nearest_format(arg);
	const struct format *f;

	if (id == OPT_TO) {
		out_text(expected, "a format that is written:");
		for (size_t i = 0; (f = format_at(i)) != NULL; i++) {
			if (f->write != NULL)
				out_printf(expected, " %s", f->name);
		}
	} else {
		out_text(expected, "a name that `osprof formats` lists");
		if (near != NULL)
			out_printf(expected, " (did you mean %s?)", near);
	}
	out_char(expected, '\0');
	(void)bad_argument(id, arg, out_memory(expected).p, diag);
	out_free(expected);
	return false;
}

static bool take_format(enum option_id id, const char *arg, const struct format **ret,
			struct diag *diag)
{
	const struct format *f = format_by_name(str_from(arg));

	if (f == NULL || (id == OPT_TO && f->write == NULL))
		return bad_format(id, arg, diag);
	*ret = f;
	return true;
}

static bool take_column(const char *arg, struct table_columns *to, struct diag *diag)
{
	const struct {
		const char *name;
		struct str *column;
	} known[] = {
		{ "operation", &to->operation }, { "latency", &to->latency },
		{ "start", &to->start },	 { "low", &to->low },
		{ "high", &to->high },		 { "count", &to->count },
		{ "layer", &to->layer },	 { "total", &to->total },
	};
	struct str rest = str_from(arg), one, what, column;

	while (rest.n > 0) {
		bool found = false;

		if (!str_cut(rest, ',', &one, &rest)) {
			one = rest;
			rest.n = 0;
		}
		if (!str_cut(one, '=', &what, &column) || column.n == 0)
			return bad_argument(OPT_COLUMN, arg, "WHAT=COLUMN[,WHAT=COLUMN...]", diag);
		for (size_t i = 0; i < COUNT_OF(known); i++) {
			if (str_eq(what, str_from(known[i].name))) {
				*known[i].column = column;
				found = true;
			}
		}
		if (!found)
			return bad_argument(OPT_COLUMN, arg, option_row(OPT_COLUMN)->help, diag);
	}
	return true;
}

static bool take_separator(const char *arg, char *ret, struct diag *diag)
{
	if (strcmp(arg, "\\t") == 0 || strcmp(arg, "tab") == 0)
		arg = "\t";
	if (strlen(arg) != 1 || *arg == '"' || *arg == '\n' || *arg == '\r')
		return bad_argument(OPT_SEPARATOR, arg, "one character, or tab", diag);
	*ret = *arg;
	return true;
}

static bool take_resolution(const char *arg, struct settings *s, struct diag *diag)
{
	uint64_t r;

	if (number_u64(str_from(arg), &r) != NUMBER_OK || r < 1 || r > BUCKET_MAX_RESOLUTION)
		return bad_argument(OPT_RESOLUTION, arg, "a whole number from 1 to 4096", diag);
	s->read.resolution = (unsigned)r;
	s->rebin = true;
	return true;
}

static bool take_recent(const char *arg, struct settings *s, struct diag *diag)
{
	uint64_t n;

	if (number_u64(str_from(arg), &n) != NUMBER_OK || n < 1 || n > UINT32_MAX)
		return bad_argument(OPT_RECENT, arg, "a whole number of runs, 1 or more", diag);
	s->recent = (size_t)n;
	return true;
}

/* One time for the runs of both sides, or one for each side. */
static bool take_elapsed(const char *arg, struct settings *s, struct diag *diag)
{
	struct str before = str_from(arg), after = before;
	double b, a;

	(void)str_cut(before, ',', &before, &after);
	if (number_f64(before, &b) != NUMBER_OK || number_f64(after, &a) != NUMBER_OK ||
	    !(b > 0 && a > 0) || isinf(b) || isinf(a))
		return bad_argument(OPT_ELAPSED, arg, "seconds, or SECONDS,SECONDS", diag);
	s->elapsed_before = b;
	s->elapsed_after = a;
	return true;
}

static bool take_machine(const char *arg, struct settings *s, struct diag *diag)
{
	if (*arg == '\0')
		return bad_argument(OPT_MACHINE, arg, "a name", diag);
	s->machine = arg;
	return true;
}

static bool take_top(const char *arg, struct settings *s, struct diag *diag)
{
	uint64_t n;

	if (number_u64(str_from(arg), &n) != NUMBER_OK || n < 1)
		return bad_argument(OPT_TOP, arg, "a whole number of rows, 1 or more", diag);
	s->top = (size_t)n;
	return true;
}

static bool take_section(enum option_id id, struct str name, unsigned *sections)
{
	const char *const *choices = option_choices(id);

	for (size_t i = 0; choices[i] != NULL; i++) {
		if (str_eq(name, str_from(choices[i]))) {
			*sections |= 1U << i;
			return true;
		}
	}
	return false;
}

static bool take_sections(enum option_id id, const char *arg, unsigned *sections, struct diag *diag)
{
	struct str rest = str_from(arg), one = rest, after = STR("");

	do {
		bool more = str_cut(rest, ',', &one, &after);

		if (!take_section(id, more ? one : rest, sections))
			return bad_choice(id, arg, diag);
		rest = more ? after : STR("");
	} while (rest.n > 0);
	return true;
}

static bool take_splits(const char *arg, struct settings *s, struct diag *diag)
{
	uint64_t n;

	if (number_u64(str_from(arg), &n) != NUMBER_OK || n < 1 || n > MAX_SPLITS)
		return bad_argument(OPT_SPLITS, arg, "a whole number from 1 to 100000", diag);
	s->splits = (size_t)n;
	return true;
}

static bool take_reading(struct settings *s, enum option_id id, const char *arg, struct diag *diag)
{
	double bytes;
	int which = 0;

	switch (id) {
	case OPT_FROM:
		return take_format(id, arg, &s->from, diag);
	case OPT_UNIT:
		return take_choice(id, arg, &which, diag) &&
		       unit_parse(str_from(arg), &s->read.build.unit);
	case OPT_HZ:
		return take_number(id, arg, 1e-9, &s->read.build.hz, diag);
	case OPT_SNAPSHOTS:
		if (!take_choice(id, arg, &which, diag))
			return false;
		s->read.build.snapshots = which == 0 ? SNAPSHOTS_DELTA : SNAPSHOTS_CUMULATIVE;
		return true;
	case OPT_INTERVAL:
		return take_seconds(id, arg, &s->read.build.interval, diag);
	case OPT_NUMBERING:
		if (!take_choice(id, arg, &which, diag))
			return false;
		s->read.numbering = which == 0 ? NUMBERING_OSPROF : NUMBERING_FSPROF;
		return true;
	case OPT_COLUMN:
		return take_column(arg, &s->read.columns, diag);
	case OPT_SEPARATOR:
		return take_separator(arg, &s->read.separator, diag);
	case OPT_RESOLUTION:
		return take_resolution(arg, s, diag);
	case OPT_NAMES:
		s->names_path = arg;
		return true;
	case OPT_UTC:
		s->read.utc = true;
		return true;
	case OPT_PLUGIN:
		return plugins_add(&s->plugins, arg, OSPROF_PLUGINS, diag);
	default: /* OPT_MAX_INPUT */
		if (!take_number(id, arg, 1, &bytes, diag))
			return false;
		s->max_input = bytes < 1e18 ? (size_t)bytes : (size_t)1e18;
		return true;
	}
}

static bool take_rename(const char *arg, struct settings *s, struct diag *diag)
{
	struct rename_rule rename;

	if (!str_cut(str_from(arg), '=', &rename.before, &rename.after) || rename.before.n == 0 ||
	    rename.after.n == 0)
		return bad_argument(OPT_RENAME, arg, "OLD=NEW, two names of operations", diag);
	s->rename = xgrow(s->rename, &s->renames_cap, s->rules.n_renames + 1, sizeof(rename));
	s->rename[s->rules.n_renames++] = rename;
	s->rules.rename = s->rename;
	return true;
}

static bool take_part(const char *arg, struct settings *s, struct diag *diag)
{
	struct str k, n;
	uint64_t part, parts;

	if (!str_cut(str_from(arg), '/', &k, &n) || number_u64(k, &part) != NUMBER_OK ||
	    number_u64(n, &parts) != NUMBER_OK || part < 1 || part > parts || parts > UINT32_MAX)
		return bad_argument(OPT_PART, arg, "K/N, K from 1 to N", diag);
	s->read.part = (size_t)part - 1;
	s->read.n_parts = (size_t)parts;
	return true;
}

static bool take_skip_bad(const char *arg, struct settings *s, struct diag *diag)
{
	uint64_t n;

	if (number_u64(str_from(arg), &n) != NUMBER_OK)
		return bad_argument(OPT_SKIP_BAD, arg, "a whole number of inputs", diag);
	s->skip_bad = (size_t)n;
	return true;
}

static bool take_rule(struct settings *s, enum option_id id, const char *arg, struct diag *diag)
{
	struct rank_rules *r = &s->rules;
	int which = 0;

	switch (id) {
	case OPT_METRIC:
		if (distance_by_name(str_from(arg), &r->metric) && distance_at(r->metric)->ranks) {
			if (!s->sort_given)
				r->sort = SORT_SCORE;
			return true;
		}
		return bad_argument(
			id, arg,
			"emd chi_square chi_square_effect kl jeffrey jensen_shannon "
			"minkowski_l1 minkowski_l2 ks total_operations or total_latency",
			diag);
	case OPT_SORT:
		s->sort_given = take_choice(id, arg, &which, diag);
		r->sort = (enum rank_sort)which;
		return s->sort_given;
	case OPT_FIXED_DURATION:
	case OPT_FIXED_WORK:
		r->workload = id == OPT_FIXED_WORK ? WORKLOAD_FIXED_WORK : WORKLOAD_FIXED_DURATION;
		return true;
	case OPT_RENAME:
		return take_rename(arg, s, diag);
	case OPT_THRESHOLD:
		return take_number(id, arg, 0, &r->threshold, diag);
	case OPT_MIN_SHARE:
		return take_percent(id, arg, &r->min_share, diag);
	case OPT_MIN_OPS:
		return take_percent(id, arg, &r->min_ops, diag);
	case OPT_MIN_DIFFERENCE:
		return take_percent(id, arg, &r->min_difference, diag) &&
		       take_percent(id, arg, &s->runs.min_difference, diag);
	case OPT_MIN_EFFECT:
		return take_octaves(id, arg, &r->min_effect, diag) &&
		       take_octaves(id, arg, &s->runs.min_effect, diag);
	case OPT_MIN_CALLS:
		return take_octaves(id, arg, &r->min_calls, diag) &&
		       take_octaves(id, arg, &s->runs.min_calls, diag);
	case OPT_MIN_SHAPE:
		return take_number(id, arg, 0, &r->min_shape, diag);
	case OPT_MIN_SLOW:
		return take_number(id, arg, 0, &r->min_slow, diag);
	case OPT_SMALL_SAMPLE:
		return take_number(id, arg, 0, &r->small_sample, diag);
	default: /* OPT_MARGIN */
		return take_number(id, arg, 0, &r->margin, diag);
	}
}

static bool take_flag(struct settings *s, enum option_id id)
{
	bool *const flags[N_OPTIONS] = {
		[OPT_ASCII] = &s->ascii,
		[OPT_ALL] = &s->all,
		[OPT_STRICT] = &s->strict,
		[OPT_PAIRWISE] = &s->within,
		[OPT_FORCE] = &s->force,
		[OPT_IGNORE_ANNOTATIONS] = &s->ignore_annotations,
		[OPT_QUIET] = &s->quiet,
		[OPT_HELP] = &s->help,
		[OPT_THIS_MACHINE] = &s->this_machine,
		[OPT_KERNEL] = &s->record.kernel,
		[OPT_SUBTRACT] = &s->record.subtract,
		[OPT_EQUATION] = &s->preempt.equation,
		[OPT_NUL] = &s->nul,
		[OPT_PAIRS] = &s->pairs,
	};

	*flags[id] = true;
	return true;
}

static bool take_plot_option(struct settings *s, enum option_id id, const char *arg,
			     struct diag *diag)
{
	struct plot_options *w = &s->figure;
	const char *expected = NULL;
	int which = 0;

	if (id == OPT_TITLE)
		w->title = str_from(arg);
	else if (id == OPT_SIZE)
		expected = take_size(w, arg);
	else if (id == OPT_FONT)
		expected = take_font(w, arg);
	else if (id == OPT_X_RANGE)
		expected = take_range(&w->x_from, &w->x_to, arg);
	else if (id == OPT_Y_RANGE)
		expected = take_range(&w->y_from, &w->y_to, arg);
	else if (id == OPT_AXIS_UNIT)
		expected = take_axis_unit(w, arg);
	else if (id == OPT_TERMINAL)
		expected = take_terminal(w, arg);
	else if (!take_choice(id, arg, &which, diag))
		return false;
	else
		w->look.palette = (enum palette)which;
	return expected == NULL || bad_argument(id, arg, expected, diag);
}

static bool take_preempting_option(struct settings *s, enum option_id id, const char *arg,
				   struct diag *diag)
{
	struct preempting *p = &s->preempt;
	const char *expected = id == OPT_QUANTUM   ? take_quantum(p, arg)
			       : id == OPT_YIELD   ? take_yield(p, arg)
			       : id == OPT_TPERIOD ? take_time(&p->tperiod, arg)
						   : take_time(&p->tcpu, arg);

	return expected == NULL || bad_argument(id, arg, expected, diag);
}

static bool take_recording_option(struct settings *s, enum option_id id, const char *arg,
				  struct diag *diag)
{
	int which = 0;

	switch (id) {
	case OPT_REPEAT:
		return take_repeat(&s->record, arg) ||
		       bad_argument(id, arg, "a number from 1 to 100000", diag);
	case OPT_CALLS:
		return take_calls(&s->record, arg) ||
		       bad_argument(id, arg, "a number from 1 to 1000000000", diag);
	case OPT_INTERLEAVE:
		s->record.interleave = arg;
		return true;
	case OPT_CLOCK:
		if (!take_choice(id, arg, &which, diag))
			return false;
		s->record.system_clock = which == 1;
		return true;
	case OPT_FUNCTIONS:
		s->record.functions = arg;
		return true;
	default:
		return take_choice(id, arg, &which, diag) && take_by(&s->record, which);
	}
}

static bool take_causing_choice(struct settings *s, enum option_id id, const char *arg,
				struct diag *diag)
{
	int which = 0;

	if (id == OPT_CAUSES_SECTION)
		return take_sections(id, arg, &s->causing.sections, diag);
	if (!take_choice(id, arg, &which, diag))
		return false;
	if (id == OPT_METHOD)
		s->causing.question.method = (enum cause_method)which;
	else
		s->output_format = which == OUTPUT_FORMAT_JUNIT ? OUTPUT_FORMAT_FOLDED
								: (enum output_format)which;
	return true;
}

static bool take_causing_option(struct settings *s, enum option_id id, const char *arg,
				struct diag *diag)
{
	struct causing *c = &s->causing;
	const char *expected;

	if (id == OPT_METHOD || id == OPT_CAUSES_SECTION || id == OPT_CAUSES_FORMAT)
		return take_causing_choice(s, id, arg, diag);
	if (id == OPT_CAUSE_SHARE)
		return take_percent(id, arg, &c->rules.min_share, diag);
	expected = take_causing(c, id, arg);
	return expected == NULL || bad_argument(id, arg, expected, diag);
}

static bool take_merging_option(struct settings *s, enum option_id id, const char *arg,
				struct diag *diag)
{
	if (id == OPT_PART)
		return take_part(arg, s, diag);
	if (id == OPT_SKIP_BAD)
		return take_skip_bad(arg, s, diag);
	if (id == OPT_FILES_FROM)
		s->files_from = arg;
	else if (id == OPT_CHECKPOINT)
		s->checkpoint = arg;
	else
		s->expect = arg;
	return true;
}

/* What is taken as it is: names, patterns, files. */
static bool take_text(struct settings *s, enum option_id id, const char *arg)
{
	const char **const texts[N_OPTIONS] = {
		[OPT_OP] = &s->op,
		[OPT_LAYER] = &s->layer,
		[OPT_IDLE] = &s->idle,
		[OPT_POLICY] = &s->policy_path,
		[OPT_TIMES] = &s->times_path,
		[OPT_OUTPUT] = &s->output,
		[OPT_RECORD_CAUSES] = &s->record.causes,
		[OPT_REFERENCE] = &s->watch.reference,
		[OPT_KEEP] = &s->watch.keep,
		[OPT_PROMETHEUS] = &s->watch.textfile,
		[OPT_ON_ALARM] = &s->watch.on_alarm,
		[OPT_REPLAY] = &s->watch.replay,
	};

	if (texts[id] == NULL)
		return false;
	*texts[id] = arg;
	return true;
}

static bool take_handler(const char *arg, struct settings *s, struct diag *diag)
{
	if (s->n_handlers == COUNT_OF(s->handler))
		return bad_argument(OPT_HANDLER, arg, "8 handlers at most", diag);
	s->handler[s->n_handlers++] = arg;
	return true;
}

/* Options whose argument is one of a few words. */
static bool take_choice_option(struct settings *s, enum option_id id, const char *arg,
			       struct diag *diag)
{
	int which = 0;

	/* --exit-code may have no argument. */
	if (arg != NULL && !take_choice(id, arg, &which, diag))
		return false;
	if (id == OPT_FORMAT)
		s->output_format = (enum output_format)which;
	else if (id == OPT_COLOR)
		s->color = (enum color)which;
	else if (id == OPT_EXIT_CODE)
		s->gate = arg != NULL ? GATE_ANY : GATE_REGRESSED;
	else
		s->by_host = true;
	return true;
}

bool settings_take(struct settings *s, enum option_id id, const char *arg, struct diag *diag)
{
	const char *expected;

	if (take_text(s, id, arg))
		return true;
	if (id <= OPT_MAX_INPUT)
		return take_reading(s, id, arg, diag);
	if (id >= OPT_METRIC && id <= OPT_MARGIN)
		return take_rule(s, id, arg, diag);
	if (id >= OPT_FUNCTION && id <= OPT_CAUSES_FORMAT)
		return take_causing_option(s, id, arg, diag);
	if (id >= OPT_EVERY && id <= OPT_CALIBRATE)
		return take_watching_option(s, id, arg, diag);
	if (id >= OPT_QUANTUM && id <= OPT_TCPU)
		return take_preempting_option(s, id, arg, diag);
	switch (id) {
	case OPT_FORMAT:
	case OPT_COLOR:
	case OPT_EXIT_CODE:
	case OPT_BY_HOST:
		return take_choice_option(s, id, arg, diag);
	case OPT_NEST:
		expected = nest_option_take(&s->nest, arg);
		return expected == NULL || bad_argument(id, arg, expected, diag);
	case OPT_RECENT:
		return take_recent(arg, s, diag);
	case OPT_MACHINE:
		return take_machine(arg, s, diag);
	case OPT_SPLITS:
		return take_splits(arg, s, diag);
	case OPT_SEED:
		return number_u64(str_from(arg), &s->seed) == NUMBER_OK ||
		       bad_argument(id, arg, "a whole number", diag);
	case OPT_QUANTILES:
		return quantiles_parse(str_from(arg), &s->quantiles) ||
		       bad_argument(id, arg, "up to 8 numbers from 0 to 100", diag);
	case OPT_SECTION:
	case OPT_TIMELINE_SECTION:
		return take_sections(id, arg, &s->sections, diag);
	case OPT_TOP:
		return take_top(arg, s, diag);
	case OPT_ELAPSED:
		return take_elapsed(arg, s, diag);
	case OPT_CLUSTER_DISTANCE:
		return take_number(id, arg, 0, &s->similar, diag);
	case OPT_PART:
	case OPT_FILES_FROM:
	case OPT_CHECKPOINT:
	case OPT_EXPECT:
	case OPT_SKIP_BAD:
		return take_merging_option(s, id, arg, diag);
	case OPT_HANDLER:
		return take_handler(arg, s, diag);
	case OPT_TO:
		return take_format(id, arg, &s->to, diag);
	case OPT_TITLE:
	case OPT_SIZE:
	case OPT_FONT:
	case OPT_PALETTE:
	case OPT_X_RANGE:
	case OPT_Y_RANGE:
	case OPT_AXIS_UNIT:
	case OPT_TERMINAL:
		return take_plot_option(s, id, arg, diag);
	case OPT_REPEAT:
	case OPT_CALLS:
	case OPT_INTERLEAVE:
	case OPT_FUNCTIONS:
	case OPT_CLOCK:
	case OPT_BY:
		return take_recording_option(s, id, arg, diag);
	default:
		return take_flag(s, id);
	}
}
