/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/fold.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/diag_kept.h"
#include "base/digest.h"
#include "base/hash.h"
#include "cli/expected.h"
#include "cli/inputs.h"
#include "cli/settings.h"
#include "profile/merge.h"
#include "profile/repeats.h"

enum {
	MAX_WORKERS = 8,   /* one disk feeds no more, and memory stays small */
	BATCH = 16,	   /* profiles that are added up at a time ... */
	BATCH_OPS = 20000, /* ... unless they have more operations than that */
};

/* An input that was read, until all before it were. */
struct finished {
	size_t number;
	char *path;
	bool bad;
	struct diag_kept kept;
	struct finished *next;
};

/* An input that says whose it is and when it was. */
struct delivery {
	uint64_t key, digest;
	size_t number;
	char *path;
	UT_hash_handle hh;
};

struct fold {
	const struct settings *settings;
	const struct read_options *options;
	struct diag *diag;
	struct expected *expected;

	pthread_mutex_t lock; /* of what follows */
	struct inputs inputs;
	struct finished *finished; /* ascending */
	size_t n_reported, n_bad_reported;
	size_t n_bad;
	struct delivery *deliveries;
	bool stopped;
	bool failed;  /* an input is to blame, and it was said */
	bool clashed; /* inputs do not fit together */
};

struct worker {
	struct fold *fold;
	struct profile *part[BATCH + 1]; /* the sum of those before comes first */
	size_t n, n_ops;
	struct diag_kept kept;
};

/* --- messages, in the order of inputs ------------------------------------------------ */

static void report_skipped(struct fold *f, const struct finished *it)
{
	f->n_bad_reported++;
	if (f->n_bad_reported > f->settings->skip_bad) {
		f->failed = true;
		if (f->settings->skip_bad > 0)
			diag_plain(f->diag, DIAG_INPUT_SKIPPED,
				   "%s would be number %zu, and --skip-bad allows %zu", it->path,
				   f->n_bad_reported, f->settings->skip_bad);
		return;
	}
	diag_plain(f->diag, DIAG_INPUT_SKIPPED, "%s: left out, %zu of at most %zu", it->path,
		   f->n_bad_reported, f->settings->skip_bad);
	expected_skipped(f->expected, inputs_host_of(it->path));
}

static void report_finished(struct fold *f)
{
	struct finished *it;

	while ((it = f->finished) != NULL && it->number == f->n_reported + 1) {
		if (!f->failed) {
			diag_hand_on(&it->kept, f->diag);
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

static void finish(struct fold *f, struct finished *it)
{
	struct finished **at = &f->finished;

	(void)pthread_mutex_lock(&f->lock);
	while (*at != NULL && (*at)->number < it->number)
		at = &(*at)->next;
	it->next = *at;
	*at = it;
	f->n_bad += it->bad;
	f->stopped |= f->n_bad > f->settings->skip_bad;
	report_finished(f);
	(void)pthread_mutex_unlock(&f->lock);
}

/* --- delivered twice ------------------------------------------------------------------ */

/* Whose it is and when it was, as a number. */
static uint64_t delivery_key(const struct profile *p)
{
	uint64_t key = DIGEST_START;
	double span[2] = { 0, 0 };

	for (size_t i = 0; i < p->n_hosts; i++)
		key = digest_more(key, p->host[i].p, p->host[i].n + 1); /* with the NUL after it */
	for (size_t i = 0; i < p->n_ops; i++) {
		for (size_t k = 0; k < p->op[i].n_intervals; k++) {
			const struct interval *v = &p->op[i].interval[k];

			span[0] = span[1] == 0 || v->start < span[0] ? v->start : span[0];
			span[1] = v->end > span[1] ? v->end : span[1];
		}
	}
	return digest_more(key, span, sizeof(span));
}

enum delivered { DELIVERED_FIRST, DELIVERED_AGAIN, DELIVERED_OTHERWISE };

static enum delivered deliver(struct fold *f, const struct profile *p, uint64_t digest,
			      const struct finished *it, const struct delivery **ret_earlier)
{
	uint64_t key = delivery_key(p);
	struct delivery *d;

	HASH_FIND(hh, f->deliveries, &key, sizeof(key), d);
	*ret_earlier = d;
	if (d != NULL)
		return d->digest == digest ? DELIVERED_AGAIN : DELIVERED_OTHERWISE;
	d = xcalloc(1, sizeof(*d));
	*d = (struct delivery){ .key = key,
				.digest = digest,
				.number = it->number,
				.path = path_join(NULL, it->path) };
	HASH_ADD(hh, f->deliveries, key, sizeof(d->key), d);
	return DELIVERED_FIRST;
}

/* False where it is not to be added. */
static bool is_new(struct fold *f, const struct profile *p, uint64_t digest, struct finished *it,
		   struct diag *diag)
{
	const struct delivery *earlier;
	const char *first, *second;
	enum delivered what;

	if (p->n_hosts == 0 || !p->epoch)
		return true;
	(void)pthread_mutex_lock(&f->lock);
	what = deliver(f, p, digest, it, &earlier);
	(void)pthread_mutex_unlock(&f->lock);
	if (what == DELIVERED_FIRST)
		return true;
	first = earlier->number < it->number ? earlier->path : it->path;
	second = earlier->number < it->number ? it->path : earlier->path;
	if (what == DELIVERED_AGAIN)
		diag_plain(diag, DIAG_DELIVERED_TWICE, "%s and %s; counted once", first, second);
	else
		diag_plain(diag, DIAG_DELIVERY_CLASH, "%.*s: %s and %s", STR_ARG(p->host[0]), first,
			   second);
	it->bad |= what == DELIVERED_OTHERWISE;
	return false;
}

/* --- a worker --------------------------------------------------------------------------- */

static void release_parts(struct worker *w)
{
	for (size_t i = 0; i < w->n; i++)
		profile_free(w->part[i]);
	w->n = w->n_ops = 0;
}

/* All that it has becomes one. */
static bool fold_parts(struct worker *w, struct diag *diag)
{
	struct profile *sum;

	if (w->n == 0)
		return true;
	sum = profile_merge((const struct profile *const *)w->part, w->n, diag);
	release_parts(w);
	if (sum == NULL)
		return false;
	w->part[w->n++] = sum;
	return true;
}

static bool add_part(struct worker *w, struct profile *p, struct diag *diag)
{
	w->part[w->n++] = p;
	w->n_ops += p->n_ops;
	return (w->n <= BATCH && w->n_ops < BATCH_OPS) || fold_parts(w, diag);
}

/* A baseline stands for the runs that it holds. */
static bool add_profile(struct worker *w, struct profile *p, struct diag *diag)
{
	size_t n = p->baseline.n_runs;
	struct profile **run, *sum;

	if (n == 0)
		return add_part(w, p, diag);
	run = xcalloc(n, sizeof(*run));
	profile_part(p, run);
	sum = profile_merge((const struct profile *const *)run, n, diag);
	for (size_t i = 0; i < n; i++)
		profile_free(run[i]);
	free(run);
	profile_free(p);
	return sum != NULL && add_part(w, sum, diag);
}

/* The next input; NULL when there is none, or none is wanted any more. */
static struct finished *take_input(struct fold *f)
{
	struct finished *it = NULL;
	char *path = NULL;

	(void)pthread_mutex_lock(&f->lock);
	if (!f->stopped && !f->clashed)
		path = inputs_next(&f->inputs, f->diag);
	if (path != NULL) {
		it = xcalloc(1, sizeof(*it));
		it->number = f->inputs.number;
		it->path = path;
	}
	(void)pthread_mutex_unlock(&f->lock);
	return it;
}

static void clash(struct fold *f)
{
	(void)pthread_mutex_lock(&f->lock);
	f->clashed = true;
	(void)pthread_mutex_unlock(&f->lock);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct fold *f = w->fold;
	struct diag joining = { .emit = diag_keep, .ctx = &w->kept };
	struct finished *it;

	while ((it = take_input(f)) != NULL) {
		struct diag diag = { .emit = diag_keep, .ctx = &it->kept };
		uint64_t digest = 0;
		struct profile *p = load_file(it->path, f->settings, f->options, &digest, &diag);
		bool added = p != NULL && is_new(f, p, digest, it, &diag);

		it->bad |= p == NULL;
		if (added)
			expected_name(f->expected, p, inputs_host_of(it->path));
		else
			profile_free(p);
		finish(f, it);
		if (added && !add_profile(w, p, &joining)) {
			clash(f);
			break;
		}
	}
	if (!fold_parts(w, &joining))
		clash(f);
	return NULL;
}

/* --- all of them ---------------------------------------------------------------------- */

static void work_together(struct worker *worker, size_t n)
{
	pthread_t thread[MAX_WORKERS];
	bool started[MAX_WORKERS] = { false };

	for (size_t i = 1; i < n; i++)
		started[i] = pthread_create(&thread[i], NULL, work, &worker[i]) == 0;
	(void)work(&worker[0]);
	for (size_t i = 1; i < n; i++) {
		if (started[i])
			(void)pthread_join(thread[i], NULL);
	}
}

/* What the workers have, as one; NULL where that does not fit together. */
static struct profile *join(struct worker *worker, size_t n, struct diag *diag)
{
	struct profile *empty = profile_new("merged"), *sum;
	const struct profile *part[MAX_WORKERS + 1];
	size_t n_parts = 0;

	for (size_t i = 0; i < n; i++) {
		if (worker[i].n > 0)
			part[n_parts++] = worker[i].part[0];
	}
	if (n_parts == 0)
		part[n_parts++] = empty;
	sum = profile_merge(part, n_parts, diag);
	profile_free(empty);
	return sum;
}

static void fold_release(struct fold *f)
{
	struct delivery *d, *next;

	HASH_ITER(hh, f->deliveries, d, next)
	{
		HASH_DEL(f->deliveries, d);
		free(d->path);
		free(d);
	}
	inputs_close(&f->inputs);
	(void)pthread_mutex_destroy(&f->lock);
}

/* By n workers.  *ret_clashed: inputs do not fit together; `blame` says how, which depends on
 * nothing but their order where there is one worker. */
static struct profile *fold_by(size_t n, struct fold *f, struct diag *blame, bool *ret_clashed)
{
	struct worker *worker;
	struct profile *sum = NULL;

	*ret_clashed = false;
	(void)pthread_mutex_init(&f->lock, NULL);
	if (!inputs_open(&f->inputs, f->settings, f->diag)) {
		fold_release(f);
		return NULL;
	}
	worker = xcalloc(n, sizeof(*worker));
	for (size_t i = 0; i < n; i++)
		worker[i].fold = f;
	work_together(worker, n);
	if (!f->failed && !f->inputs.failed && !f->clashed) {
		struct diag joining = { .emit = diag_keep, .ctx = &worker[0].kept };

		sum = join(worker, n, &joining);
		f->clashed = sum == NULL;
	}
	*ret_clashed = f->clashed && !f->failed && !f->inputs.failed;
	for (size_t i = 0; i < n; i++) {
		if (*ret_clashed && blame != NULL)
			diag_hand_on(&worker[i].kept, blame);
		diag_kept_release(&worker[i].kept);
		release_parts(&worker[i]);
	}
	free(worker);
	return sum;
}

static size_t count_workers(const struct settings *s)
{
	return s->rules.threads < MAX_WORKERS ? s->rules.threads : MAX_WORKERS;
}

/* Looks for what does not fit together in the order of inputs, without what was said of each. */
static void report_clash(const struct fold *before, struct diag *diag)
{
	struct diag ignored = { 0 };
	struct fold again = { .settings = before->settings,
			      .options = before->options,
			      .diag = &ignored };
	bool clashed;

	profile_free(fold_by(1, &again, diag, &clashed));
	fold_release(&again);
}

struct profile *fold_inputs(const struct settings *s, size_t *ret_n_skipped, struct diag *diag)
{
	struct reading_options options;
	struct expected expected;
	struct fold fold = { .settings = s, .diag = diag, .expected = &expected };
	struct profile *sum = NULL;
	bool clashed;

	*ret_n_skipped = 0;
	if (!reading_options_of(s, &options, diag))
		return NULL;
	fold.options = &options.read;
	if (s->skip_bad > 0)
		diag->max_each = UINT_MAX; /* each of them is named */
	if (expected_read(&expected, s, diag)) {
		size_t n = count_workers(s);

		sum = fold_by(n, &fold, n == 1 ? diag : NULL, &clashed);
		if (clashed && n > 1)
			report_clash(&fold, diag);
		fold_release(&fold);
	}
	if (sum != NULL)
		expected_add(&expected, sum);
	*ret_n_skipped = fold.n_bad;
	expected_release(&expected);
	reading_options_release(&options);
	return sum;
}
