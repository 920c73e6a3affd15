/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/fold.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/diag_kept.h"
#include "base/out.h"
#include "base/parallel.h"
#include "base/xalloc.h"
#include "load/deliveries.h"
#include "load/expected.h"
#include "load/gather.h"
#include "load/host_files.h"
#include "load/inputs.h"
#include "load/load_options.h"
#include "load/parts.h"
#include "profile/merge.h"
#include "profile/spread.h"

enum { MAX_WORKERS = 8 }; /* one disk is not faster than that, and memory stays small */

/* The sums: one, or those of both sides and of the differences within hosts. */
enum { SUM, SUM_AFTER, SUM_DIFFERENCES, N_SUMS };

/* An input whose messages wait until all inputs before it are read. */
struct finished {
	size_t number;
	char *path;
	int side; /* the sum that it goes to */
	bool is_rest;
	bool bad;
	struct diag_kept kept;
	struct finished *next;
};

struct fold {
	const struct load_options *load;
	const struct read_options *options;
	struct diag *diag;
	struct expected *expected;

	pthread_mutex_t lock; /* of the members below */
	struct inputs inputs;
	struct host_files *files; /* used instead of `inputs`, host by host; NULL: not by host */
	bool pairs;		  /* hosts of two sides are paired */
	size_t n_taken;
	struct finished *finished; /* ascending */
	size_t n_reported, n_bad_reported;
	size_t n_bad;
	struct deliveries deliveries;
	bool stopped;
	bool failed;  /* an error in an input was reported */
	bool clashed; /* inputs do not fit together */
};

struct worker {
	struct fold *fold;
	struct parts sum[N_SUMS];
	struct diag_kept kept; /* messages about inputs that do not fit together */
	struct diag joining;
};

/* --- messages, in the order of inputs ------------------------------------------------ */

static void report_skipped(struct fold *f, const struct finished *it)
{
	f->n_bad_reported++;
	if (f->n_bad_reported > f->load->skip_bad) {
		f->failed = true;
		if (f->load->skip_bad > 0)
			diag_plain(f->diag, DIAG_INPUT_SKIPPED,
				   "%s would be number %zu, and --skip-bad allows %zu", it->path,
				   f->n_bad_reported, f->load->skip_bad);
		return;
	}
	diag_plain(f->diag, DIAG_INPUT_SKIPPED, "%s: left out, %zu of at most %zu", it->path,
		   f->n_bad_reported, f->load->skip_bad);
	expected_skipped(f->expected, inputs_host_of(it->path));
}

static void report_finished(struct fold *f)
{
	struct finished *it;

	while ((it = f->finished) != NULL && it->number == f->n_reported + 1) {
		if (!f->failed) {
			diag_forward(&it->kept, f->diag);
			if (it->bad)
				report_skipped(f, it);
		}
		f->n_reported++;
		f->finished = it->next;
		diag_kept_release(&it->kept);
		free(it->path);
		free(it);
	}
}

static void finish_file(struct fold *f, struct finished *it)
{
	struct finished **at = &f->finished;

	(void)pthread_mutex_lock(&f->lock);
	while (*at != NULL && (*at)->number < it->number)
		at = &(*at)->next;
	it->next = *at;
	*at = it;
	f->n_bad += it->bad;
	f->stopped |= f->n_bad > f->load->skip_bad;
	report_finished(f);
	(void)pthread_mutex_unlock(&f->lock);
}

/* Whether an input is to be added; reports it if it was delivered before. */
static bool is_new(struct fold *f, const struct profile *p, uint64_t digest, struct finished *it,
		   struct diag *diag)
{
	struct delivery now = { .number = it->number, .path = it->path, .side = it->side };
	struct delivery_seen seen;

	if (p->n_hosts == 0 || !p->epoch)
		return true;
	(void)pthread_mutex_lock(&f->lock);
	seen = deliveries_add(&f->deliveries, p, digest, &now);
	(void)pthread_mutex_unlock(&f->lock);
	if (seen.what == DELIVERED_AGAIN)
		diag_plain(diag, DIAG_DELIVERED_TWICE, "%s and %s; counted once", seen.first,
			   seen.second);
	if (seen.what == DELIVERED_OTHERWISE)
		diag_plain(diag, DIAG_DELIVERY_CLASH, "%.*s: %s and %s", STR_ARG(p->host[0]),
			   seen.first, seen.second);
	it->bad |= seen.what == DELIVERED_OTHERWISE;
	return seen.what == DELIVERED_FIRST;
}

/* --- reading ------------------------------------------------------------------------------ */

/* Whether an input can be added by host: a sum that does not keep hosts apart cannot. */
static bool has_one_host(const struct fold *f, const struct profile *p, struct finished *it,
			 struct diag *diag)
{
	if (f->files == NULL || (p->by_host ? !f->pairs : p->n_hosts == 1))
		return true;
	if (p->by_host)
		diag_plain(diag, DIAG_HOSTS_MIXED,
			   "%s: a sum; --pairs needs the files of each host, such as a folder",
			   it->path);
	else
		diag_plain(diag, DIAG_HOSTS_MIXED, "%s: a sum of %zu hosts", it->path, p->n_hosts);
	it->bad = true;
	return false;
}

/* Reads an input; NULL if it cannot be read or is not to be added, which was reported. */
static struct profile *read_input(struct fold *f, struct finished *it)
{
	struct diag diag = { .emit = diag_keep, .ctx = &it->kept };
	uint64_t digest = 0;
	struct profile *p = load_file(it->path, f->load, f->options, &digest, &diag);

	it->bad |= p == NULL;
	if (p != NULL)
		expected_name(f->expected, p, inputs_host_of(it->path));
	if (p != NULL && has_one_host(f, p, it, &diag) && is_new(f, p, digest, it, &diag))
		return p;
	profile_free(p);
	return NULL;
}

/* --- a host --------------------------------------------------------------------------------- */

static struct profile *sum_of_host(struct parts *own, struct diag *diag)
{
	struct profile *p;

	if (!parts_fold(own, diag) || own->n == 0)
		return NULL;
	p = own->part[0];
	own->n = 0;
	profile_make_spreads(p);
	return p;
}

/* Adds the inputs of one host to the sums; if hosts are paired, only a host that has both sides. */
static bool add_host(struct worker *w, struct parts own[2])
{
	bool pairs = w->fold->pairs, both = own[0].n > 0 && own[1].n > 0, ok = true;
	struct profile *of_host[2] = { NULL, NULL };

	for (int side = 0; side < 2 && ok && (both || !pairs); side++) {
		bool any = own[side].n > 0;

		of_host[side] = sum_of_host(&own[side], &w->joining);
		ok = !any || of_host[side] != NULL;
	}
	if (ok && pairs && both)
		ok = parts_add(&w->sum[SUM_DIFFERENCES],
			       profile_spread_differences(of_host[0], of_host[1]), &w->joining);
	for (int side = 0; side < 2; side++) {
		if (of_host[side] != NULL && ok)
			ok = parts_add(&w->sum[side], of_host[side], &w->joining);
		else
			profile_free(of_host[side]);
		parts_release(&own[side]);
	}
	return ok;
}

/* Adds each run of a folder's rest (gather_rest()); by host, each is a host of its own. */
static bool add_rest(struct worker *w, struct finished *it)
{
	struct diag diag = { .emit = diag_keep, .ctx = &it->kept };
	struct gathered g;
	bool ok = true;

	if (!gather_rest(&g, it->path, w->fold->load, w->fold->options, &diag)) {
		it->bad = true;
		return true;
	}
	if (w->fold->pairs && g.n > 0) {
		diag_plain(&diag, DIAG_HOSTS_MIXED,
			   "%s: only osprof(5) states the host; convert the files in %s", it->path,
			   g.v[0].path);
		gathered_release(&g);
		it->bad = true;
		return true;
	}
	for (size_t i = 0; i < g.n; i++) {
		struct profile *p = g.v[i].profile;
		struct parts own[2] = { { .n = 0 } };

		g.v[i].profile = NULL;
		expected_name(w->fold->expected, p, inputs_host_of(g.v[i].path));
		if (!ok || !has_one_host(w->fold, p, it, &diag))
			profile_free(p);
		else if (w->fold->files == NULL)
			ok = parts_add_runs(&w->sum[SUM], p, &w->joining);
		else
			ok = parts_add_runs(&own[it->side], p, &w->joining) && add_host(w, own);
	}
	gathered_release(&g);
	return ok;
}

/* --- a worker --------------------------------------------------------------------------- */

static struct finished *finished_of(struct fold *f, char *path, int side, bool is_rest)
{
	struct finished *it = xcalloc(1, sizeof(*it));

	it->number = ++f->n_taken;
	it->path = path;
	it->side = side;
	it->is_rest = is_rest;
	return it;
}

/* Takes the next input; NULL at the end, or if workers are to stop. */
static struct finished *take_input(struct fold *f)
{
	struct finished *it = NULL;
	char *path = NULL;

	(void)pthread_mutex_lock(&f->lock);
	if (!f->stopped && !f->clashed)
		path = inputs_next(&f->inputs, f->diag);
	if (path != NULL)
		it = finished_of(f, path, SUM, f->inputs.is_rest);
	(void)pthread_mutex_unlock(&f->lock);
	return it;
}

/* Takes all inputs of the next host, as a NULL-terminated array on the heap; NULL as above. */
static struct finished **take_host(struct fold *f)
{
	struct finished **host = NULL;
	const struct host_file *file;
	size_t n = 0;

	(void)pthread_mutex_lock(&f->lock);
	if (!f->stopped && !f->clashed)
		n = host_files_next(f->files, &file);
	if (n > 0)
		host = xcalloc(n + 1, sizeof(*host));
	for (size_t i = 0; i < n; i++)
		host[i] = finished_of(f, path_join(NULL, file[i].path), file[i].side,
				      file[i].is_rest);
	(void)pthread_mutex_unlock(&f->lock);
	return host;
}

static void note_clash(struct fold *f)
{
	(void)pthread_mutex_lock(&f->lock);
	f->clashed = true;
	(void)pthread_mutex_unlock(&f->lock);
}

static bool work_on_input(struct worker *w, struct finished *it)
{
	struct profile *p = NULL;
	bool ok = true;

	if (it->is_rest)
		ok = add_rest(w, it);
	else
		p = read_input(w->fold, it);
	finish_file(w->fold, it);
	return ok && (p == NULL || parts_add_runs(&w->sum[SUM], p, &w->joining));
}

static bool work_on_host(struct worker *w, struct finished **host)
{
	struct parts own[2] = { { .n = 0 } };
	bool ok = true;

	for (size_t i = 0; host[i] != NULL; i++) {
		int side = host[i]->side;
		struct profile *p = NULL;

		if (host[i]->is_rest)
			ok = ok && add_rest(w, host[i]);
		else
			p = read_input(w->fold, host[i]);
		finish_file(w->fold, host[i]);
		if (p != NULL && ok)
			ok = parts_add_runs(p->by_host ? &w->sum[side] : &own[side], p,
					    &w->joining);
		else
			profile_free(p);
	}
	free(host);
	return add_host(w, own) && ok;
}

static void fold_files(void *workers, size_t number)
{
	struct worker *w = (struct worker *)workers + number;
	struct fold *f = w->fold;
	struct finished **host, *it;
	bool ok = true;

	if (f->files == NULL) {
		while (ok && (it = take_input(f)) != NULL)
			ok = work_on_input(w, it);
	} else {
		while (ok && (host = take_host(f)) != NULL)
			ok = work_on_host(w, host);
	}
	for (int i = 0; i < N_SUMS; i++)
		ok = parts_fold(&w->sum[i], &w->joining) && ok;
	if (!ok)
		note_clash(f);
}

/* --- all of them ---------------------------------------------------------------------- */

/* Adds up the workers' parts of a sum; NULL if they do not fit together. */
static struct profile *join_parts(struct worker *worker, size_t n, int which, struct diag *diag)
{
	struct profile *empty = profile_new("merged"), *sum;
	const struct profile *part[MAX_WORKERS + 1];
	size_t n_parts = 0;

	for (size_t i = 0; i < n; i++) {
		if (worker[i].sum[which].n > 0)
			part[n_parts++] = worker[i].sum[which].part[0];
	}
	if (n_parts == 0)
		part[n_parts++] = empty;
	sum = profile_merge(part, n_parts, diag);
	profile_free(empty);
	return sum;
}

static void fold_release(struct fold *f)
{
	deliveries_release(&f->deliveries);
	inputs_close(&f->inputs);
	(void)pthread_mutex_destroy(&f->lock);
}

static void join_all(struct fold *f, struct worker *worker, size_t n, struct profile **sum)
{
	for (int i = 0; i < (f->pairs ? N_SUMS : 1) && !f->clashed; i++) {
		sum[i] = join_parts(worker, n, i, &worker[0].joining);
		f->clashed = sum[i] == NULL;
	}
}

static void release_workers(struct worker *worker, size_t n, struct diag *blame)
{
	for (size_t i = 0; i < n; i++) {
		if (blame != NULL)
			diag_forward(&worker[i].kept, blame);
		diag_kept_release(&worker[i].kept);
		for (int k = 0; k < N_SUMS; k++)
			parts_release(&worker[i].sum[k]);
	}
	free(worker);
}

/* Adds everything up with n workers; false if there is no sum.  Sets *ret_clashed if inputs do not
 * fit together, and reports how to `blame` (may be NULL); with one worker, the report depends on
 * the order of inputs only. */
static bool fold_by(size_t n, struct fold *f, struct profile **sum, struct diag *blame,
		    bool *ret_clashed)
{
	struct worker *worker;

	*ret_clashed = false;
	(void)pthread_mutex_init(&f->lock, NULL);
	if (f->files == NULL && !inputs_open(&f->inputs, f->load, f->diag)) {
		fold_release(f);
		return false;
	}
	if (f->files != NULL)
		f->files->taken = 0;
	worker = xcalloc(n, sizeof(*worker));
	for (size_t i = 0; i < n; i++) {
		worker[i].fold = f;
		worker[i].joining = (struct diag){ .emit = diag_keep, .ctx = &worker[i].kept };
	}
	parallel_run(n, fold_files, worker);
	if (!f->failed && !f->inputs.failed && !f->clashed)
		join_all(f, worker, n, sum);
	*ret_clashed = f->clashed && !f->failed && !f->inputs.failed;
	release_workers(worker, n, *ret_clashed ? blame : NULL);
	return sum[0] != NULL && !f->clashed;
}

static void free_sums(struct profile **sum)
{
	for (int i = 0; i < N_SUMS; i++) {
		profile_free(sum[i]);
		sum[i] = NULL;
	}
}

/* Reads the inputs again in order, and reports only those that do not fit together. */
static void report_clash(const struct fold *before, struct diag *diag)
{
	struct diag ignored = { 0 };
	struct fold again = { .load = before->load,
			      .options = before->options,
			      .files = before->files,
			      .pairs = before->pairs,
			      .expected = before->expected,
			      .diag = &ignored };
	struct profile *sum[N_SUMS] = { NULL };
	bool clashed;

	(void)fold_by(1, &again, sum, diag, &clashed);
	free_sums(sum);
	fold_release(&again);
}

static bool fold_all(struct fold *f, struct profile **sum)
{
	size_t n = f->load->threads < MAX_WORKERS ? f->load->threads : MAX_WORKERS;
	bool clashed, ok = fold_by(n, f, sum, n == 1 ? f->diag : NULL, &clashed);

	if (clashed && n > 1)
		report_clash(f, f->diag);
	if (!ok)
		free_sums(sum);
	fold_release(f);
	return ok;
}

struct profile *fold_inputs(const struct load_options *q, size_t *ret_n_skipped, struct diag *diag)
{
	struct reading_options options;
	struct expected expected;
	struct host_files files = { .n = 0 };
	struct fold fold = { .load = q, .diag = diag, .expected = &expected };
	struct profile *sum[N_SUMS] = { NULL };

	*ret_n_skipped = 0;
	if (!reading_options_of(q, &options, diag))
		return NULL;
	fold.options = &options.read;
	if (q->skip_bad > 0)
		diag->max_each = UINT_MAX; /* name every input left out */
	if (q->by_host)
		fold.files = &files;
	if (expected_read(&expected, q, diag) &&
	    (!q->by_host || host_files_add(&files, q, 0, diag))) {
		host_files_sort(&files);
		if (fold_all(&fold, sum))
			expected_add(&expected, sum[SUM]);
	}
	*ret_n_skipped = fold.n_bad;
	host_files_release(&files);
	expected_release(&expected);
	reading_options_release(&options);
	return sum[SUM];
}

/* --- two sides ------------------------------------------------------------------------- */

/* Reports hosts that only one side has. */
static void report_unpaired(struct host_files *files, struct diag *diag)
{
	struct out *names = out_to_memory();
	const struct host_file *file;
	size_t n_hosts = 0, n_alone = 0, reported = 0, n;

	files->taken = 0;
	while ((n = host_files_next(files, &file)) > 0) {
		n_hosts++;
		if (file[0].is_rest || file[0].side != file[n - 1].side)
			continue;
		if (reported == n_alone++ && out_listed(names, str_from(file[0].host)))
			reported++;
	}
	if (n_alone > 0)
		diag_plain(diag, DIAG_HOSTS_UNPAIRED, "%zu of %zu: %.*s%s", n_alone, n_hosts,
			   STR_ARG(out_memory(names)), reported < n_alone ? ", ..." : "");
	out_free(names);
}

bool fold_pairs(const struct load_options *before, const struct load_options *after,
		struct paired_sums *ret, struct diag *diag)
{
	struct reading_options options;
	struct expected expected;
	struct host_files files = { .n = 0 };
	struct fold fold = {
		.load = before, .diag = diag, .expected = &expected, .files = &files, .pairs = true
	};
	struct profile *sum[N_SUMS] = { NULL };
	bool ok;

	if (!reading_options_of(before, &options, diag))
		return false;
	fold.options = &options.read;
	ok = expected_read(&expected, before, diag) && host_files_add(&files, before, 0, diag) &&
	     host_files_add(&files, after, 1, diag);
	host_files_sort(&files);
	ok = ok && fold_all(&fold, sum);
	if (ok) {
		report_unpaired(&files, diag);
		*ret = (struct paired_sums){ sum[SUM], sum[SUM_AFTER], sum[SUM_DIFFERENCES] };
	}
	host_files_release(&files);
	expected_release(&expected);
	reading_options_release(&options);
	return ok;
}
