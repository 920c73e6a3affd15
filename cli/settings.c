/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/settings.h"
#include "cli/amount.h"

#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/scan.h"
#include "cli/command.h"
#include "cli/nearest.h"
#include "report/calls.h"

enum {
	MOST_SPLITS = 100000,
};

static const struct option_row rows[] = {
#define OPTION(id, letter, name, arg, help) { letter, name, arg, help },
#include "cli/options.def"
#undef OPTION
};

static const char *const units[] = { "ns", "us", "ms", "s", "cycles", "plain", NULL };
static const char *const prints[] = { "cleared", "cumulative", NULL };
static const char *const numberings[] = { "osprof", "fsprof", NULL };
static const char *const dresses[] = { "text", "json", "csv", "markdown", "junit", "html", NULL };
static const char *const colors[] = { "auto", "always", "never", NULL };
static const char *const clocks[] = { "counter", "ns", NULL };
static const char *const gates[] = { "any", NULL };
static const char *const palettes[] = { "safe", "grey", "paper", NULL };
static const char *const axis_units[] = { "auto", "ns", "us", "ms", "s", "cycles", NULL };
static const char *const terminals[] = { "png", "svg", "pdf", "eps", "tikz", "dumb", NULL };

const struct option_row *option_row(enum option_id id)
{
	return &rows[id];
}

const char *const *option_choices(enum option_id id)
{
	switch (id) {
	case OPT_UNIT:
		return units;
	case OPT_PRINTS:
		return prints;
	case OPT_NUMBERING:
		return numberings;
	case OPT_FORMAT:
		return dresses;
	case OPT_COLOR:
		return colors;
	case OPT_EXIT_CODE:
		return gates;
	case OPT_BY:
		return recording_bys;
	case OPT_CLOCK:
		return clocks;
	case OPT_PALETTE:
		return palettes;
	case OPT_AXIS_UNIT:
		return axis_units;
	case OPT_TERMINAL:
		return terminals;
	case OPT_SECTION:
		return calls_sections;
	default:
		return NULL;
	}
}

/* --- arguments of options --------------------------------------------------------- */

static bool bad_argument(enum option_id id, const char *arg, const char *expected,
			 struct diag *diag)
{
	diag_plain(diag, DIAG_USAGE, "--%s %s: expected %s", rows[id].name, arg, expected);
	return false;
}

static bool bad_choice(enum option_id id, const char *arg, struct diag *diag)
{
	const char *const *choices = option_choices(id);
	struct out *list = out_to_memory();

	for (size_t i = 0; choices[i] != NULL; i++)
		out_printf(list, "%s%s",
			   i == 0		    ? ""
			   : choices[i + 1] == NULL ? " or "
						    : ", ",
			   choices[i]);
	out_char(list, '\0');
	(void)bad_argument(id, arg, out_memory(list).p, diag);
	out_free(list);
	return false;
}

static bool take_choice(enum option_id id, const char *arg, int *ret, struct diag *diag)
{
	const char *const *choices = option_choices(id);

	for (int i = 0; choices[i] != NULL; i++) {
		if (strcmp(choices[i], arg) == 0) {
			*ret = i;
			return true;
		}
	}
	return bad_choice(id, arg, diag);
}

static bool take_number(enum option_id id, const char *arg, double least, double *ret,
			struct diag *diag)
{
	double v;

	if (number_f64(str_from(arg), &v) != NUMBER_OK || !(v >= least) || isinf(v))
		return bad_argument(id, arg, least > 0 ? "a number above 0" : "a number", diag);
	*ret = v;
	return true;
}

/* Seconds, or a time with its unit. */
static bool take_seconds(enum option_id id, const char *arg, double *ret, struct diag *diag)
{
	struct amount a;
	double v;

	if (!amount_parse(str_from(arg), &a) || !((v = amount_in(a, UNIT_S, 0)) >= 1e-9))
		return bad_argument(id, arg, "a time above 0, such as 250ms, or seconds", diag);
	*ret = v;
	return true;
}

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
			return bad_argument(OPT_COLUMN, arg, rows[OPT_COLUMN].help, diag);
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

static bool take_percent(enum option_id id, const char *arg, double *ret, struct diag *diag)
{
	if (!take_number(id, arg, 0, ret, diag))
		return false;
	*ret /= 100;
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

static bool take_section(struct str name, struct settings *s)
{
	for (size_t i = 0; calls_sections[i] != NULL; i++) {
		if (str_eq(name, str_from(calls_sections[i]))) {
			s->sections |= 1U << i;
			return true;
		}
	}
	return false;
}

static bool take_sections(const char *arg, struct settings *s, struct diag *diag)
{
	struct str rest = str_from(arg), one = rest, after = STR("");

	do {
		bool more = str_cut(rest, ',', &one, &after);

		if (!take_section(more ? one : rest, s))
			return bad_choice(OPT_SECTION, arg, diag);
		rest = more ? after : STR("");
	} while (rest.n > 0);
	return true;
}

static bool take_splits(const char *arg, struct settings *s, struct diag *diag)
{
	uint64_t n;

	if (number_u64(str_from(arg), &n) != NUMBER_OK || n < 1 || n > MOST_SPLITS)
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
	case OPT_PRINTS:
		if (!take_choice(id, arg, &which, diag))
			return false;
		s->read.build.prints = which == 0 ? PRINTS_CLEARED : PRINTS_CUMULATIVE;
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
	default: /* OPT_MAX_INPUT */
		if (!take_number(id, arg, 1, &bytes, diag))
			return false;
		s->max_input = bytes < 1e18 ? (size_t)bytes : (size_t)1e18;
		return true;
	}
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

	switch (id) {
	case OPT_METRIC:
		if (distance_by_name(str_from(arg), &r->metric) && distance_at(r->metric)->ranks)
			return true;
		return bad_argument(
			id, arg,
			"emd chi_square chi_square_effect kl jeffrey jensen_shannon "
			"minkowski_l1 minkowski_l2 ks total_operations or total_latency",
			diag);
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
		return take_number(id, arg, 0, &r->min_effect, diag) &&
		       take_number(id, arg, 0, &s->runs.min_effect, diag);
	case OPT_MIN_CALLS:
		return take_number(id, arg, 0, &r->min_calls, diag) &&
		       take_number(id, arg, 0, &s->runs.min_calls, diag);
	case OPT_MIN_SHAPE:
		return take_number(id, arg, 0, &r->min_shape, diag);
	case OPT_FEW_CALLS:
		return take_number(id, arg, 0, &r->few_calls, diag);
	default: /* OPT_BLUR */
		return take_number(id, arg, 0, &r->blur, diag);
	}
}

static bool take_flag(struct settings *s, enum option_id id)
{
	bool *const flags[N_OPTIONS] = {
		[OPT_ASCII] = &s->ascii,
		[OPT_ALL] = &s->all,
		[OPT_STRICT] = &s->strict,
		[OPT_WITHIN] = &s->within,
		[OPT_FORCE] = &s->force,
		[OPT_NO_REMARKS] = &s->no_remarks,
		[OPT_QUIET] = &s->quiet,
		[OPT_HELP] = &s->help,
		[OPT_THIS_MACHINE] = &s->this_machine,
		[OPT_KERNEL] = &s->record.kernel,
		[OPT_SUBTRACT] = &s->record.subtract,
		[OPT_EQUATION] = &s->preempt.equation,
		[OPT_NUL] = &s->nul,
	};

	*flags[id] = true;
	return true;
}

static bool take_wish(struct settings *s, enum option_id id, const char *arg, struct diag *diag)
{
	struct figure_wishes *w = &s->figure;
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

bool settings_take(struct settings *s, enum option_id id, const char *arg, struct diag *diag)
{
	int which = 0;

	if (id <= OPT_MAX_INPUT)
		return take_reading(s, id, arg, diag);
	if (id >= OPT_METRIC && id <= OPT_BLUR)
		return take_rule(s, id, arg, diag);
	if (id >= OPT_QUANTUM && id <= OPT_TCPU)
		return take_preempting_option(s, id, arg, diag);
	switch (id) {
	case OPT_OP:
		s->op = arg;
		return true;
	case OPT_LAYER:
		s->layer = arg;
		return true;
	case OPT_FORMAT:
		if (!take_choice(id, arg, &which, diag))
			return false;
		s->dress = (enum dress)which;
		return true;
	case OPT_COLOR:
		if (!take_choice(id, arg, &which, diag))
			return false;
		s->color = (enum color)which;
		return true;
	case OPT_EXIT_CODE:
		if (arg != NULL && !take_choice(id, arg, &which, diag))
			return false;
		s->gate = arg != NULL ? GATE_ANY : GATE_REGRESSED;
		return true;
	case OPT_RECENT:
		return take_recent(arg, s, diag);
	case OPT_POLICY:
		s->policy_path = arg;
		return true;
	case OPT_MACHINE:
		return take_machine(arg, s, diag);
	case OPT_SPLITS:
		return take_splits(arg, s, diag);
	case OPT_SECTION:
		return take_sections(arg, s, diag);
	case OPT_TOP:
		return take_top(arg, s, diag);
	case OPT_TIMES:
		s->times_path = arg;
		return true;
	case OPT_ELAPSED:
		return take_elapsed(arg, s, diag);
	case OPT_ALIKE:
		return take_number(id, arg, 0, &s->alike, diag);
	case OPT_PART:
		return take_part(arg, s, diag);
	case OPT_FILES_FROM:
		s->files_from = arg;
		return true;
	case OPT_CHECKPOINT:
		s->checkpoint = arg;
		return true;
	case OPT_EXPECT:
		s->expect = arg;
		return true;
	case OPT_SKIP_BAD:
		return take_skip_bad(arg, s, diag);
	case OPT_OUTPUT:
		s->output = arg;
		return true;
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
		return take_wish(s, id, arg, diag);
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
