/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/idle.h"
#include "analyze/rank/likeness.h"
#include "analyze/representative.h"
#include "base/diag_kept.h"
#include "base/glob.h"
#include "base/input/input_file.h"
#include "base/out.h"
#include "base/parallel.h"
#include "base/xalloc.h"
#include "load/gather.h"
#include "load/load_options.h"
#include "load/read_file.h"
#include "profile/merge.h"
#include "profile/names.h"
#include "profile/rebin.h"
#include "profile/repeats.h"
#include "profile/syscalls.h"

static void report_unknown_architecture(const char *name, struct diag *diag)
{
	struct out *list = out_to_memory();

	for (size_t i = 0; syscall_architectures[i] != NULL; i++)
		out_printf(list, "%s%s", i > 0 ? ", " : "", syscall_architectures[i]);
	diag_plain(diag, DIAG_USAGE, "--names %s: expected a file or one of %.*s", name,
		   STR_ARG(out_memory(list)));
	out_free(list);
}

/* Reads the names that --names gives for keys: from a file or, if there is no such file, those of
 * an architecture.  NULL when an error was reported. */
static struct names *open_names(struct input *in, const struct load_options *q, struct diag *diag)
{
	struct str name = str_from(q->names_path);

	if (access(q->names_path, F_OK) != 0 && strpbrk(q->names_path, "./") == NULL) {
		if (!syscall_architecture_is_known(name))
			report_unknown_architecture(q->names_path, diag);
		return syscall_names(name);
	}
	return input_open(in, q->names_path, q->max_input, diag) ? names_read(in, diag) : NULL;
}

bool reading_options_of(const struct load_options *q, struct reading_options *ret,
			struct diag *diag)
{
	*ret = (struct reading_options){ .read = q->read };
	if (q->names_path == NULL)
		return true;
	ret->names = open_names(&ret->in, q, diag);
	ret->read.build.names = ret->names;
	if (ret->names == NULL)
		input_release(&ret->in);
	return ret->names != NULL;
}

void reading_options_release(struct reading_options *o)
{
	names_free(o->names);
	input_release(&o->in);
}

bool load_runs(struct gathered *ret, char *const *operand, size_t n, const struct load_options *q,
	       struct diag *diag)
{
	struct reading_options options;
	bool ok;

	if (!reading_options_of(q, &options, diag))
		return false;
	ok = gather(ret, operand, n, q, &options.read, diag);
	for (size_t i = 0; ok && i < ret->n; i++)
		nest_option_mark(&q->nest, ret->v[i].profile, diag);
	reading_options_release(&options);
	return ok;
}

struct profile *load_file(const char *path, const struct load_options *q,
			  const struct read_options *options, uint64_t *ret_digest,
			  struct diag *diag)
{
	struct file_read r;

	read_file(&r, path, q, options, diag);
	if (ret_digest != NULL)
		*ret_digest = r.digest;
	return r.profile;
}

static bool read_files(struct loaded *l, char *const *operand, size_t n,
		       const struct load_options *q, struct diag *diag)
{
	struct gathered g;

	if (!load_runs(&g, operand, n, q, diag))
		return false;
	l->n_files = g.n;
	l->file = xcalloc(g.n, sizeof(*l->file));
	l->whole = xcalloc(g.n, sizeof(*l->whole));
	for (size_t i = 0; i < g.n; i++) {
		l->file[i] = g.v[i].path;
		l->whole[i] = g.v[i].profile;
	}
	free(g.v);
	return true;
}

static size_t runs_in(const struct profile *p)
{
	return p->baseline.n_runs > 0 ? p->baseline.n_runs : 1;
}

/* Makes runs of all files; runs taken from a baseline borrow from it. */
static void part_files(struct loaded *l)
{
	for (size_t i = 0; i < l->n_files; i++)
		l->n_runs += runs_in(l->whole[i]);
	l->single = xcalloc(l->n_runs, sizeof(*l->single));
	l->n_runs = 0;
	for (size_t i = 0; i < l->n_files; i++) {
		struct profile *p = l->whole[i];

		if (p->baseline.n_runs > 0) {
			profile_part(p, &l->single[l->n_runs]);
			l->n_runs += p->baseline.n_runs;
		} else {
			l->single[l->n_runs++] = p;
			l->whole[i] = NULL;
		}
	}
}

/* Returns the number of the file that holds a run. */
static size_t file_of(const struct loaded *l, size_t run)
{
	size_t i = 0, n;

	if (l->n_files == 1)
		return 0;
	for (; (n = l->whole[i] != NULL ? runs_in(l->whole[i]) : 1) <= run; i++)
		run -= n;
	return i;
}

void report_unlike(const char *path, const struct likeness *l, struct diag *diag)
{
	diag_plain(diag, DIAG_RUNS_UNLIKE,
		   "%s has %zu of %zu operations in common with most of the others, which hold "
		   "%.0f %% of its latency and %.0f %% of theirs",
		   path, l->shared, l->of, 100 * (isnan(l->own) ? 0 : l->own),
		   100 * (isnan(l->theirs) ? 0 : l->theirs));
}

enum { COMMON_RESOLUTION = 4 };

static bool holds_code(const struct diag_kept *k, enum diag_code code)
{
	for (size_t i = 0; i < k->n; i++) {
		if (k->msg[i].code == code)
			return true;
	}
	return false;
}

/* Runs of a tool that chooses new edges each time, as hey does, have no common edges.  As the sum
 * is only used for comparing, calls are then spread evenly over common buckets. */
static struct profile *merge_runs(struct loaded *l, struct diag *diag)
{
	const struct profile *const *run = (const struct profile *const *)l->single;
	struct diag_kept kept = { .n = 0 };
	struct diag quiet = { .emit = diag_keep, .ctx = &kept };
	struct profile *sum = profile_merge(run, l->n_runs, &quiet);

	if (sum != NULL || !holds_code(&kept, DIAG_MERGE_INEXACT)) {
		diag_forward(&kept, diag);
		return sum;
	}
	diag_kept_release(&kept);
	for (size_t k = 0; k < l->n_runs; k++)
		(void)profile_rebin(l->single[k], COMMON_RESOLUTION);
	diag_plain(diag, DIAG_APPROXIMATED,
		   "%s: runs have different buckets; all are put on %d for each doubling, as by "
		   "--resolution",
		   l->file[0], COMMON_RESOLUTION);
	return profile_merge(run, l->n_runs, diag);
}

/* Makes runs of the repetitions in a file; returns their sum. */
static struct profile *take_repetitions(struct loaded *l)
{
	struct profile *sum = l->whole[0];

	l->whole[0] = NULL;
	l->n_runs = sum->n_replicates;
	l->single = xcalloc(l->n_runs, sizeof(*l->single));
	for (size_t k = 0; k < l->n_runs; k++)
		l->single[k] = sum->replicate[k];
	sum->n_replicates = 0;
	return sum;
}

static bool holds_repetitions(const struct loaded *l)
{
	return l->n_files == 1 && l->whole[0]->n_replicates > 1;
}

static struct profile *merge_files(struct loaded *l, struct diag *diag)
{
	const struct profile *const *run;
	struct profile *r;

	part_files(l);
	run = (const struct profile *const *)l->single;
	l->representative = file_of(l, representative(run, l->n_runs));
	if (l->n_runs > 1)
		return merge_runs(l, diag);
	r = l->single[0];
	free(l->single);
	l->single = NULL;
	return r;
}

const struct profile *loaded_baseline(const struct loaded *l)
{
	return l->n_files == 1 && l->whole != NULL ? l->whole[0] : NULL;
}

/* Returns the name as tables show it: "block/read". */
static struct str name_shown(struct out *room, const struct operation *op)
{
	if (!operation_has_layer(op))
		return op->name;
	out_reset(room);
	out_bytes(room, op->layer);
	out_char(room, '/');
	out_bytes(room, op->name);
	return out_memory(room);
}

/* A pattern with a slash may also match what tables show. */
static bool is_named(const struct operation *op, const char *pattern)
{
	struct out *room;
	bool matches = glob_matches(pattern, op->name);

	if (matches || strchr(pattern, '/') == NULL)
		return matches;
	room = out_to_memory();
	matches = glob_matches(pattern, name_shown(room, op));
	out_free(room);
	return matches;
}

bool is_wanted(const struct operation *op, const struct load_options *q)
{
	return (q->layer == NULL || str_eq(op->layer, str_from(q->layer))) &&
	       (q->op == NULL || is_named(op, q->op));
}

static void report_none_wanted(const struct profile *p, const struct load_options *q,
			       struct diag *diag)
{
	struct out *names = out_to_memory(), *room = out_to_memory();
	size_t n = 0;

	while (n < p->n_ops && out_listed(names, name_shown(room, &p->op[n])))
		n++;
	diag_plain(diag, DIAG_NOTHING_CHOSEN, "%.*s: none %s%s%s%s, among: %.*s%s",
		   STR_ARG(p->source), q->op != NULL ? "has a name like " : "is",
		   q->op != NULL ? q->op : "", q->layer != NULL ? " in the layer " : "",
		   q->layer != NULL ? q->layer : "", STR_ARG(out_memory(names)),
		   n < p->n_ops ? ", ..." : "");
	out_free(names);
	out_free(room);
}

void choose_operations(struct profile *p, const struct load_options *q, struct diag *diag)
{
	size_t kept = 0;

	if (q->op == NULL && q->layer == NULL)
		return;
	for (size_t i = 0; i < p->n_ops; i++) {
		if (is_wanted(&p->op[i], q))
			p->op[kept++] = p->op[i];
	}
	if (kept == 0)
		report_none_wanted(p, q, diag);
	p->n_ops = kept;
}

static bool load_runs_of(struct loaded *ret, char *const *operand, size_t n,
			 const struct load_options *q, bool repetitions, struct diag *diag)
{
	struct loaded l = { .profile = NULL };
	struct runs_side runs;
	struct diag silent = { .emit = NULL }; /* load_runs() has reported it already */

	if (read_files(&l, operand, n, q, diag))
		l.profile = repetitions && holds_repetitions(&l) ? take_repetitions(&l)
								 : merge_files(&l, diag);
	if (l.profile == NULL) {
		loaded_release(&l);
		return false;
	}
	idle_mark(l.profile, q->idle);
	if (l.single != NULL)
		nest_option_mark(&q->nest, l.profile, &silent);
	for (size_t i = 0; l.single != NULL && i < l.n_runs; i++) {
		idle_mark(l.single[i], q->idle);
		nest_option_mark(&q->nest, l.single[i], &silent);
	}
	l.run = (struct run){
		.path = operand[0],
		.n_more = n - 1,
		.profile = l.profile,
		.totals = totals_of(l.profile),
		.n_runs = l.n_runs,
		.file = l.file,
		.n_files = l.n_files,
		.representative = l.file[l.representative],
	};
	runs = loaded_runs(&l);
	l.run.account = run_account_mean(runs.run, runs.n);
	choose_operations(l.profile, q, diag);
	*ret = l;
	return true;
}

bool load_run(struct loaded *ret, char *const *operand, size_t n, const struct load_options *q,
	      struct diag *diag)
{
	return load_runs_of(ret, operand, n, q, false, diag);
}

bool load_repetitions(struct loaded *ret, char *const *operand, size_t n,
		      const struct load_options *q, struct diag *diag)
{
	return load_runs_of(ret, operand, n, q, true, diag);
}

void loaded_release(struct loaded *l)
{
	profile_free(l->profile);
	for (size_t i = 0; l->single != NULL && i < l->n_runs; i++)
		profile_free(l->single[i]);
	for (size_t i = 0; i < l->n_files; i++) {
		if (l->whole != NULL)
			profile_free(l->whole[i]);
		free(l->file[i]);
	}
	free(l->single);
	free(l->whole);
	free(l->file);
	*l = (struct loaded){ .profile = NULL };
}

struct runs_side loaded_runs(const struct loaded *l)
{
	return (struct runs_side){ l->single != NULL ? (const struct profile *const *)l->single
						     : &l->run.profile,
				   l->n_runs, true };
}

void report_unlike_files(const struct loaded *l, const struct load_options *q, struct diag *diag)
{
	struct runs_side runs = loaded_runs(l);
	struct likeness likeness;
	size_t at;

	if (runs.n < 2 || q->op != NULL || q->layer != NULL)
		return;
	at = find_dissimilar_run(runs.run, runs.n, l->profile, &likeness);
	if (at < runs.n)
		report_unlike(l->file[file_of(l, at)], &likeness, diag);
}

/* --- two sides at once ------------------------------------------------------------- */

struct side {
	struct loaded loaded;
	char *const *operand;
	size_t n;
	const struct load_options *load;
	struct diag_kept kept;
	bool ok;
};

static void load_side(void *sides, size_t i)
{
	struct side *s = (struct side *)sides + i;
	struct diag diag = { .emit = diag_keep, .ctx = &s->kept };

	s->ok = load_repetitions(&s->loaded, s->operand, s->n, s->load, &diag);
}

/* A run without operations fits any unit. */
static void take_unit(struct profile *to, const struct profile *from)
{
	if (to->n_ops > 0 || to->unit != UNIT_UNKNOWN)
		return;
	to->unit = from->unit;
	to->hz = from->hz;
}

/* Reads both sides at the same time; messages keep their order. */
bool load_sides(struct loaded *ret_before, struct loaded *ret_after, const struct load_options *q,
		struct diag *diag)
{
	size_t n_before = q->separated ? q->n_before : 1;
	struct side side[] = {
		{ .operand = q->operand, .n = n_before, .load = q },
		{ .operand = q->operand + n_before, .n = q->n_operands - n_before, .load = q }
	};
	struct loaded *before = &side[0].loaded, *after = &side[1].loaded;

	parallel_run(2, load_side, side);
	diag_forward(&side[0].kept, diag);
	diag_forward(&side[1].kept, diag);
	if (side[0].ok && side[1].ok) {
		take_unit(before->profile, after->profile);
		take_unit(after->profile, before->profile);
		report_unlike_files(before, q, diag);
		report_unlike_files(after, q, diag);
		*ret_before = *before;
		*ret_after = *after;
		return true;
	}
	if (side[0].ok)
		loaded_release(before);
	if (side[1].ok)
		loaded_release(after);
	return false;
}
