/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads traces for osprof causes, in one pass if possible.  A trace is read again if something is
 * known only at its end: waits that come after the calls, calls in no order, or a function's name
 * that is a pattern for others, too.  Pipes are copied for that.
 */
#include "load/causes_load.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/input/seekable.h"
#include "base/nearest.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/foreign.h"
#include "load/causes_met.h"
#include "load/causes_options.h"
#include "load/file_list.h"
#include "load/load.h"
#include "load/load_options.h"
#include "load/read_file.h"
#include "load/reading.h"

/* A trace, and how it is read. */
struct reading_calls {
	const char *path;
	const struct load_options *q;
	const struct causes_options *causes;
	struct diag *diag;
	const struct format *format;
	struct call_grow_options o;
	struct call_grow *grow;
	struct seekable *seekable; /* copy of a pipe */
};

static bool begin_reading(const struct reading_calls *r, struct reading *reading, struct input *ret)
{
	bool ok;

	reading_begin(r->q->observer, reading, r->path);
	ok = seekable_is_needed(r->path)
		     ? input_begin_seekable(ret, r->path, r->seekable, INPUT_HEAD, r->q->max_input,
					    &reading->watch, r->diag)
		     : trace_begin(ret, r->path, r->q->max_input, &reading->watch, r->diag);
	if (!ok)
		reading_end(r->q->observer, reading);
	return ok;
}

static void end_reading(const struct reading_calls *r, struct reading *reading, struct input *in)
{
	input_release(in);
	reading_end(r->q->observer, reading);
}

/* Passes only errors on. */
static void take_error(void *ctx, const struct diag_msg *msg)
{
	struct diag *to = ctx;

	if (msg->severity == SEV_ERROR && to->emit != NULL)
		to->emit(to->ctx, msg);
}

/* Reads the trace once.  quiet: reports only errors, as another pass reports the rest. */
static bool read_once(struct reading_calls *r, enum call_pass pass, bool quiet)
{
	struct read_options options = r->q->read;
	struct diag errors = { .emit = take_error, .ctx = r->diag };
	struct reading reading;
	struct input in;
	bool ok;

	options.calls = call_grow_sink(r->grow, pass);
	if (!begin_reading(r, &reading, &in))
		return false;
	ok = format_read_calls(r->format != NULL ? r->format : r->q->from, &in, &options,
			       &r->format, quiet ? &errors : r->diag);
	end_reading(r, &reading, &in);
	return ok;
}

/* A table of latencies may also be a table of calls. */
static const struct format *table_instead(const struct input *in, const struct format *f)
{
	const struct format *table = format_by_name(STR("call-table"));
	struct clue clue = { .why = NULL };

	return format_probe(table, in, &clue) != PROBE_NO ? table : f;
}

/* Reports a file of a known foreign kind; other errors are reported by its reader. */
static bool check_foreign(struct input *in, struct diag *diag)
{
	const struct foreign *foreign = foreign_find(in);

	if (foreign != NULL)
		foreign_report(foreign, true, in, diag);
	return foreign == NULL;
}

static const struct format *format_of(struct input *in, const struct format *from,
				      struct diag *diag)
{
	const struct format *f = format_detect(from, in, diag);

	return f != NULL && from == NULL && f->calls == CALLS_NONE ? table_instead(in, f) : f;
}

/* Detects the format, which decides how the trace is read. */
static bool find_format(struct reading_calls *r)
{
	struct reading reading;
	struct input in;

	if (!begin_reading(r, &reading, &in))
		return false;
	if (check_foreign(&in, r->diag))
		r->format = format_of(&in, r->q->from, r->diag);
	end_reading(r, &reading, &in);
	return r->format != NULL;
}

bool causes_check(const char *path, const struct load_options *q, struct diag *diag)
{
	struct diag silent = { .emit = NULL };
	const struct format *f;
	struct input in;
	bool ok;

	if (seekable_is_needed(path) || !trace_begin(&in, path, q->max_input, NULL, &silent))
		return true;
	ok = check_foreign(&in, diag);
	f = ok ? format_of(&in, q->from, &silent) : NULL;
	if (f != NULL && f->calls == CALLS_NONE) {
		format_report_treeless(f, &in, diag);
		ok = false;
	}
	input_release(&in);
	return ok;
}

bool causes_functions_load(struct loaded *ret, char *const *operand, size_t n,
			   const struct load_options *q, struct diag *diag)
{
	struct load_options finer = *q;

	for (size_t i = 0; i < n; i++) {
		if (!causes_check(operand[i], q, diag))
			return false;
	}
	finer.read.resolution = CALL_TREE_RESOLUTION;
	finer.read.outermost = true;
	return load_run(ret, operand, n, &finer, diag);
}

static bool read_all(struct reading_calls *r)
{
	call_grow_free(r->grow);
	r->grow = call_grow_new(&r->o);
	if (r->format->calls == CALLS_WAITS_AFTER) {
		if (!read_once(r, CALL_PASS_WAITS, true) || !read_once(r, CALL_PASS_CALLS, false))
			return false;
	} else if (!read_once(r, CALL_PASS_ALL, false)) {
		return false;
	}
	call_grow_finish(r->grow);
	return true;
}

/* --- checks ------------------------------------------------------------------------ */

static void report_unknown(const struct reading_calls *r, const char *function)
{
	const struct call_tree *t = call_grow_tree(r->grow);
	const char **name = xcalloc(t->names.n + 1, sizeof(*name)), *near;
	size_t n = 0;

	for (size_t i = 0; i < t->names.n; i++) {
		if (t->names.key[i].n > 0)
			name[n++] = t->names.key[i].p;
	}
	near = n > 0 ? nearest_name(function, name, n) : NULL;
	diag_plain(r->diag, DIAG_FUNCTION_UNKNOWN, "%s: %s in %zu names%s%s%s", r->path, function,
		   n, near != NULL ? " (did you mean " : "", near != NULL ? near : "",
		   near != NULL ? "?)" : "");
	free(name);
}

static bool report_several(const struct reading_calls *r, const uint32_t *match, size_t n)
{
	struct out *list = out_to_memory();

	for (size_t i = 0; i < n; i++) {
		if (!out_listed(list, call_tree_str(call_grow_tree(r->grow), match[i])))
			break;
	}
	diag_plain(r->diag, DIAG_FUNCTION_UNKNOWN, "%s: %s fits %zu functions: %.*s", r->path,
		   r->o.function, n, STR_ARG(out_memory(list)));
	out_free(list);
	return false;
}

static bool is_among(const struct reading_calls *r, const uint32_t *match, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (str_eq(call_tree_str(call_grow_tree(r->grow), match[i]),
			   str_from(r->o.function)))
			return true;
	}
	return false;
}

static bool check_function(struct reading_calls *r)
{
	const uint32_t *match;
	size_t n = call_grow_matches(r->grow, &match);
	const struct call_tree *t = call_grow_tree(r->grow);

	if (n > 1 && is_among(r, match, n)) {
		r->o.exact = true;
		if (!read_all(r))
			return false;
	} else if (n > 1) {
		return report_several(r, match, n);
	}
	t = call_grow_tree(r->grow);
	if (t->tally.calls > 0)
		return true;
	causes_report_met(r->path, r->o.function, r->grow, r->diag);
	if (n == 0)
		report_unknown(r, r->o.function);
	else
		diag_plain(r->diag, DIAG_FUNCTION_UNKNOWN,
			   "%s: no call of %s has ended%s; %llu are unfinished", r->path,
			   r->o.function,
			   r->o.task != NULL || r->o.within != NULL
				   ? " that --task and --within take"
				   : "",
			   (unsigned long long)t->tally.unfinished);
	return false;
}

static bool is_known(const struct reading_calls *r, struct str name)
{
	const struct str_table *names = &call_grow_tree(r->grow)->names;

	for (size_t i = 0; i < names->n; i++) {
		if (str_eq(names->key[i], name))
			return true;
	}
	return false;
}

/* Checks one end of --link; `n` calls have the argument. */
static bool check_link_end(const struct reading_calls *r, struct str function, unsigned argument,
			   uint64_t n)
{
	struct arena *a;

	if (n > 0)
		return true;
	if (is_known(r, function)) {
		diag_plain(r->diag, DIAG_FUNCTION_UNKNOWN,
			   "%s: --link: no call of %.*s has an argument %u", r->path,
			   STR_ARG(function), argument);
		return false;
	}
	a = arena_new();
	report_unknown(r, arena_str(a, function).p);
	arena_free(a);
	return false;
}

/* Checks --link only for a single side: one of two sides may lack linked calls. */
static bool check_link(const struct reading_calls *r)
{
	const struct call_link *l = &r->o.link;
	const struct call_link_counts *n = &call_grow_tree(r->grow)->links;

	if (l->submit.n == 0 || r->q->separated || r->q->n_operands > 1)
		return true;
	return check_link_end(r, l->submit, l->submit_argument, n->submits) &&
	       check_link_end(r, l->serve, l->serve_argument, n->serves);
}

static bool check_tangle(const struct reading_calls *r)
{
	const struct call_tally *t = &call_grow_tree(r->grow)->tally;

	if (!call_grow_is_tangled(r->grow))
		return true;
	if (t->backwards > t->off_order) {
		diag_plain(r->diag, DIAG_CALLS_TANGLED,
			   "%s: %llu of %llu events of a thread come before the last one: put them "
			   "into the order of time",
			   r->path, (unsigned long long)t->backwards,
			   (unsigned long long)(2 * t->ends));
		return false;
	}
	diag_plain(
		r->diag, DIAG_CALLS_TANGLED,
		"%s: %llu of %llu ends of calls do not fit: a thread runs several tasks by turns "
		"(coroutines?), longjmp leaves calls without their ends, or times are in no order",
		r->path, (unsigned long long)t->off_order, (unsigned long long)t->ends);
	return false;
}

/* --- one trace ------------------------------------------------------------------------------ */

static struct call_grow_options options_of(const struct causes_options *c)
{
	return (struct call_grow_options){
		.function = c->function,
		.task = c->task,
		.within = c->within,
		.interrupt = c->interrupt,
		.unfold = c->unfold,
		.exact = c->exact,
		.filter = c->question.range,
		.low = c->question.low,
		.high = c->question.high,
		.decision = c->decision,
		.no_maxcounts = c->no_maxcounts,
		.overhead = c->overhead,
		.link = c->link,
		.pauses = true,
	};
}

/* Options that decide how a tree is built cannot apply to a saved tree. */
static bool check_kept(const struct reading_calls *r)
{
	const struct call_grow_options *o = &r->o;

	if (r->format->calls != CALLS_TREE ||
	    (o->task == NULL && o->within == NULL && o->interrupt == NULL && !o->unfold &&
	     o->decision == 0 && o->overhead == 0 && !r->causes->overhead_auto &&
	     o->link.submit.n == 0))
		return true;
	diag_plain(r->diag, DIAG_USAGE,
		   "%s is a kept tree: --task, --within, --interrupt, --unfold, --overhead, "
		   "--link and --decision need its trace",
		   r->path);
	return false;
}

static bool load_one(struct reading_calls *r)
{
	if (!find_format(r) || !check_kept(r) || !read_all(r))
		return false;
	if (call_grow_wants_order(r->grow)) {
		r->o.sort = true;
		if (!read_all(r))
			return false;
	}
	if (r->causes->overhead_auto) {
		r->o.overhead = call_tree_short_gap(call_grow_tree(r->grow));
		if (!read_all(r))
			return false;
	}
	return check_tangle(r) && check_function(r) && check_link(r);
}

static void keep_pauses(struct causes_side *side, const struct reading_calls *r)
{
	const struct call_pause *pause;
	bool more;
	size_t n = call_grow_pauses(r->grow, &pause, &more);

	if (side->n != 1 || n == 0)
		return;
	side->pause = xcalloc(n, sizeof(*pause));
	memcpy(side->pause, pause, n * sizeof(*pause));
	side->n_pauses = n;
}

/* Adds a trace's tree to the sum, which gets the edges added by ranges, too. */
static void add_tree(struct causes_side *side, size_t i, struct call_tree *t)
{
	if (side->n == 1) {
		side->tree = t;
		return;
	}
	side->each[i] = t;
	if (side->tree == NULL) {
		side->tree = call_tree_new();
		for (uint32_t k = 1; k < t->n_edges; k++)
			call_tree_add_edge(side->tree, t->edge[k]);
	}
	call_tree_merge(side->tree, t);
}

static bool load_trace(struct causes_side *side, size_t i, const struct load_options *q,
		       const struct causes_options *causes, struct diag *diag)
{
	struct reading_calls r = { .path = side->file[i],
				   .q = q,
				   .causes = causes,
				   .diag = diag,
				   .o = options_of(causes),
				   .seekable = &side->seekable[i] };
	bool ok = load_one(&r);

	if (ok) {
		struct call_tree *t = call_grow_tree(r.grow);

		(void)cause_peaks(side->arena, t, &side->hist[i]);
		causes_report_met(r.path, r.o.function, r.grow, diag);
		keep_pauses(side, &r);
		side->run[i] = (struct causes_run){ .path = r.path,
						    .format = r.format->name,
						    .tally = t->tally,
						    .links = t->links,
						    .filtered = t->filtered,
						    .full = t->full };
		add_tree(side, i, call_grow_take(r.grow));
	}
	call_grow_free(r.grow);
	return ok;
}

/* Warns of traces whose distributions differ from the others, as DARC checks before it resumes
 * (3.4). */
static void report_apart(struct causes_side *side, struct diag *diag)
{
	static const double max = 0.5; /* octaves */
	struct histogram all;

	(void)cause_peaks(side->arena, side->tree, &all);
	for (size_t i = 0; i < side->n; i++) {
		double apart = cause_distance(&side->hist[i], &all);

		if (apart > max)
			diag_plain(diag, DIAG_RUNS_UNLIKE,
				   "%s: latencies lie %.2f octaves from those of all traces",
				   side->file[i], apart);
	}
}

bool causes_are_reported(const struct run *run)
{
	const struct format *f = format_by_name(str_from(run->profile->format));

	return f != NULL && f->calls != CALLS_NONE;
}

char *causes_function_of(const struct operation *op)
{
	bool layer = operation_has_layer(op);
	size_t n = layer ? op->layer.n + 1 : 0;
	char *name = xcalloc(n + op->name.n + 1, 1);

	if (layer) {
		memcpy(name, op->layer.p, op->layer.n);
		name[op->layer.n] = '/';
	}
	memcpy(name + n, op->name.p, op->name.n);
	return name;
}

bool causes_load(struct causes_side *ret, char *const *operand, size_t n,
		 const struct load_options *q, const struct causes_options *causes,
		 struct diag *diag)
{
	struct file_list list;
	bool ok;

	*ret = (struct causes_side){ .n = 0 };
	ok = file_list_of(&list, operand, n, diag);
	ret->n = list.n;
	ret->file = xcalloc(list.n + 1, sizeof(*ret->file));
	for (size_t i = 0; i < list.n; i++)
		ret->file[i] = list.v[i].path;
	free(list.v);
	ret->seekable = xcalloc(list.n + 1, sizeof(*ret->seekable));
	ret->run = xcalloc(list.n + 1, sizeof(*ret->run));
	ret->each = xcalloc(list.n + 1, sizeof(struct call_tree *));
	ret->arena = arena_new();
	ret->hist = arena_alloc(ret->arena, list.n + 1, sizeof(*ret->hist));
	for (size_t i = 0; ok && i < ret->n; i++)
		ok = load_trace(ret, i, q, causes, diag);
	if (ok && ret->n > 1)
		report_apart(ret, diag);
	return ok;
}

void causes_side_release(struct causes_side *side)
{
	call_tree_free(side->tree);
	for (size_t i = 0; i < side->n; i++) {
		call_tree_free(side->each[i]);
		seekable_release(&side->seekable[i]);
		free(side->file[i]);
	}
	free(side->seekable);
	free(side->each);
	free(side->file);
	free(side->run);
	free(side->pause);
	arena_free(side->arena);
}

/* --- other threads ----------------------------------------------------------------- */

size_t causes_meanwhile(const struct causes_side *side, const struct causes *c,
			const struct load_options *q, const struct causes_options *causes,
			struct arena *a, struct meanwhile_calls **ret)
{
	enum { MIN_TENTHS = 5 };
	struct reading_calls r = { .q = q, .causes = causes, .o = options_of(causes) };
	struct diag silent = { .emit = NULL };
	size_t n = 0, found = 0;

	if (side->n != 1 || side->n_pauses == 0 || side->run[0].tally.threads < 2)
		return 0;
	r.path = side->file[0];
	r.seekable = &side->seekable[0];
	for (size_t i = 0; i < side->n_pauses; i++) {
		if (c->chosen.bucket[side->pause[i].bucket])
			side->pause[n++] = side->pause[i];
	}
	if (n == 0)
		return 0;
	r.diag = &silent;
	r.o.meanwhile = call_meanwhile_new(side->pause, n);
	r.o.link = (struct call_link){ .submit_argument = 0 };
	r.grow = call_grow_new(&r.o);
	if (read_once(&r, CALL_PASS_CALLS, true)) {
		call_grow_finish(r.grow);
		found = call_meanwhile_find(r.o.meanwhile, a, call_grow_tree(r.grow),
					    MIN_TENTHS / 10.0, ret);
		for (size_t i = 0; i < found; i++) {
			struct str *path = arena_alloc(a, (*ret)[i].n, sizeof(*path));

			for (size_t k = 0; k < (*ret)[i].n; k++)
				path[k] = arena_str(a, (*ret)[i].path[k]);
			(*ret)[i].path = path;
		}
	}
	call_meanwhile_free(r.o.meanwhile);
	call_grow_free(r.grow);
	return found;
}
