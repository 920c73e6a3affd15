/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * False alarms and delays on recorded intervals of programs that did not change.
 *
 *	watch_recorded [-v] [-d] [-r ALARMS-A-DAY] [-m MINUTES] [-n DRAWS] [-b HOURS] FOLDER...
 *
 * Each folder has intervals of 1 s of one program (osprof watch --keep), all recorded at the
 * same time, with four buckets an octave or one; folders of one name are recordings of one program
 * that followed each other.  They are judged as they are, program by program; all programs by one
 * judge; pieces in another order; in intervals of 10 s; and as 14 days of 10 s and of 1 s that are
 * drawn from them in blocks, -n times.  -d: known changes are put in, and what passes until they
 * raise an alarm is printed; -b: so many hours before it, drawn in blocks from the first half of
 * what was recorded.  -v: each alarm.  Seeds are fixed: the same folders give the same numbers.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/stats/poisson.h"
#include "analyze/watch/watch.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "watch/store/store.h"

enum { RESOLUTION = 4, BUCKETS = 64 * RESOLUTION, MAX_OPS = 512 };

static const double day = 86400;

/* One operation of one interval. */
struct seen {
	unsigned name; /* number in its program */
	uint64_t total;
	uint32_t count[BUCKETS];
};

struct second {
	struct seen *seen;
	size_t n;
	long long start;
	struct contention contention;
};

struct program {
	const char *title;
	char *name[MAX_OPS];
	size_t n_names;
	struct second *v;
	size_t n, cap;
};

static struct program *program;
static size_t n_programs;
static double allowed = 1 / 86400.; /* a second */
static double block_seconds = 600, hours_before;
static size_t draws = 1;
static bool verbose;
static uint64_t seed = 20061106;

static double draw(void)
{
	uint64_t v = seed += UINT64_C(0x9e3779b97f4a7c15);

	v = (v ^ v >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	v = (v ^ v >> 27) * UINT64_C(0x94d049bb133111eb);
	v ^= v >> 31;
	return (double)(v >> 11) * 0x1p-53;
}

/* --- reading ------------------------------------------------------------------------------ */

static unsigned number_of(struct program *p, struct str name)
{
	unsigned i = 0;

	while (i < p->n_names && !str_eq(str_from(p->name[i]), name))
		i++;
	if (i == p->n_names) {
		p->name[p->n_names++] = xmemdup(name.p, name.n);
	}
	return i;
}

/* Into buckets of RESOLUTION: a coarser one goes to the first that lies in it. */
static int bucket_of(const struct histogram *h, size_t i)
{
	int resolution = (int)h->scheme->resolution, at = h->bucket[i].edges->index;

	if (h->scheme->kind != BUCKET_LOG2 || (resolution != 1 && resolution != RESOLUTION)) {
		(void)fprintf(stderr, "buckets are neither one nor %d an octave\n", RESOLUTION);
		exit(2);
	}
	at *= RESOLUTION / resolution;
	return at < 0 ? 0 : at < BUCKETS ? at : BUCKETS - 1;
}

static void take(struct program *p, const struct profile *from, double start)
{
	struct second *v;

	p->v = xgrow(p->v, &p->cap, p->n + 1, sizeof(*p->v));
	v = &p->v[p->n++];
	*v = (struct second){ .seen = xcalloc(from->n_ops + 1, sizeof(*v->seen)),
			      .n = from->n_ops,
			      .start = llround(start),
			      .contention = from->contention };
	for (size_t i = 0; i < from->n_ops; i++) {
		struct seen *s = &v->seen[i];
		const struct histogram *h = &from->op[i].hist;

		s->name = number_of(p, from->op[i].name);
		s->total = (uint64_t)operation_total(&from->op[i]);
		for (size_t k = 0; k < h->n; k++)
			s->count[bucket_of(h, k)] += (uint32_t)h->bucket[k].count;
	}
}

static void read_program(struct program *p, const char *folder, struct diag *diag)
{
	struct arena *a = arena_new();
	struct kept_interval *k;
	size_t n;

	if (!store_list(folder, a, &k, &n, diag))
		exit(2);
	for (size_t i = 0; i < n; i++) {
		struct profile *from = NULL;

		if (fabs(k[i].span.end - k[i].span.start - 1) < 1e-3)
			from = store_read(k[i].path, diag);
		if (from != NULL)
			take(p, from, k[i].span.start);
		profile_free(from);
	}
	arena_free(a);
}

/* The program that is named as its folder. */
static struct program *program_of(const char *folder)
{
	const char *title = strrchr(folder, '/') != NULL ? strrchr(folder, '/') + 1 : folder;
	size_t g = 0;

	while (g < n_programs && strcmp(program[g].title, title) != 0)
		g++;
	if (g == n_programs)
		program[n_programs++].title = title;
	return &program[g];
}

/* --- changes ------------------------------------------------------------------------------- */

enum change { NO_CHANGE, A_FIFTH_SLOWER, TWICE, SLOW_CALLS, N_CHANGES };

static const char *const change_name[] = { "none", "+19 %", "2x", "5 % of calls 16x slower" };

/* So much of each bucket goes so many buckets up; what is no whole call is drawn. */
static void move_up(struct seen *s, double share, int by)
{
	uint32_t to[BUCKETS] = { 0 };

	for (int i = 0; i < BUCKETS; i++) {
		double moved = s->count[i] * share;
		uint32_t n = (uint32_t)floor(moved) + (draw() < moved - floor(moved));
		int at = i + by < BUCKETS ? i + by : BUCKETS - 1;

		to[i] += s->count[i] - n;
		to[at] += n;
	}
	memcpy(s->count, to, sizeof(to));
}

static void change_it(struct seen *s, enum change how)
{
	if (how == A_FIFTH_SLOWER) {
		move_up(s, 1, RESOLUTION / 4);
		s->total = (uint64_t)((double)s->total * exp2(0.25));
	} else if (how == TWICE) {
		move_up(s, 1, RESOLUTION);
		s->total *= 2;
	} else if (how == SLOW_CALLS) {
		move_up(s, 0.05, 4 * RESOLUTION);
		s->total = (uint64_t)((double)s->total * 1.75);
	}
}

/* --- judging ------------------------------------------------------------------------------- */

static struct bucket_scheme scheme; /* of RESOLUTION */
static struct edges edge[BUCKETS];

/* Intervals i ... i + n - 1 of the programs from to `to`, as one profile; the operation `which`
 * is changed. */
static struct profile *profile_of(const struct program *from, const struct program *to, size_t i,
				  size_t n, size_t which, enum change how)
{
	struct profile *p = profile_new("recorded");
	size_t n_ops = 0;

	for (const struct program *g = from; g < to; g++)
		n_ops += g->n_names;
	p->unit = UNIT_NS;
	p->op = arena_make(p->arena, struct operation, n_ops);
	for (const struct program *g = from; g < to; g++) {
		struct seen sum[MAX_OPS];

		memset(sum, 0, g->n_names * sizeof(*sum));
		for (size_t k = i; k < i + n && k < g->n; k++) {
			contention_add(&p->contention, &g->v[k].contention);
			for (size_t o = 0; o < g->v[k].n; o++) {
				const struct seen *s = &g->v[k].seen[o];

				sum[s->name].total += s->total;
				for (int b = 0; b < BUCKETS; b++)
					sum[s->name].count[b] += s->count[b];
			}
		}
		for (size_t o = 0; o < g->n_names; o++) {
			struct operation *op = &p->op[p->n_ops];
			struct histogram *h = &op->hist;

			if (o == which)
				change_it(&sum[o], how);
			op->layer = str_from(g->title);
			op->name = str_from(g->name[o]);
			op->unit = UNIT_NS;
			h->scheme = &scheme;
			h->bucket = arena_make(p->arena, struct bucket, BUCKETS);
			for (int b = 0; b < BUCKETS; b++) {
				if (sum[o].count[b] == 0)
					continue;
				h->bucket[h->n++] = (struct bucket){ &edge[b], sum[o].count[b] };
				h->count += sum[o].count[b];
			}
			op->stated.has_total = op->stated.total_agrees = true;
			op->stated.total = decimal_from_u64(sum[o].total);
			p->n_ops += h->count > 0;
		}
	}
	return p;
}

static int in_order(const void *a, const void *b)
{
	return operation_cmp_key(a, b);
}

static size_t push(struct watch *w, struct profile *p, const char *title, long long at)
{
	const struct watch_event *event;
	size_t n, alarms = 0;

	qsort(p->op, p->n_ops, sizeof(*p->op), in_order);
	watch_push(w, p, true, &event, &n);
	for (size_t i = 0; i < n; i++) {
		const struct watch_event *e = &event[i];

		alarms += e->what == WATCH_ALARM;
		if (verbose && e->what == WATCH_ALARM)
			printf("  %s at %lld: %.*s/%.*s%s %s %s %.2f, %zu intervals, evidence %.3g "
			       "of %.3g\n",
			       title, at, STR_ARG(e->layer), STR_ARG(e->name),
			       e->common ? "(all)" : "", watch_feature_names[e->feature],
			       e->up ? "up" : "down", e->effect, e->since, e->evidence,
			       e->threshold);
	}
	profile_free(p);
	return alarms;
}

static struct watch_rules rules_of(double every)
{
	struct watch_rules rules = watch_rules_default;

	rules.interval = every;
	rules.false_alarms = allowed;
	return rules;
}

static void print_rate(const char *title, size_t alarms, size_t intervals, double every)
{
	double low, high, days = (double)intervals * every / day;

	poisson_interval(alarms, &low, &high);
	printf("%-34s %7zu intervals, %6.2f days: %4zu alarms, %.3g a day (95 %%: %.3g to %.3g); "
	       "allowed %.3g\n",
	       title, intervals, days, alarms, (double)alarms / days, low / days, high / days,
	       allowed * day);
	(void)fflush(stdout);
}

/* Each program by itself, `each` seconds an interval. */
static void as_they_are(size_t each)
{
	const struct watch_rules rules = rules_of((double)each);
	size_t alarms = 0, intervals = 0;

	for (size_t g = 0; g < n_programs; g++) {
		struct watch *w = watch_new(&rules);

		for (size_t i = 0; i + each <= program[g].n; i += each) {
			alarms += push(
				w, profile_of(program + g, program + g + 1, i, each, 0, NO_CHANGE),
				program[g].title, (long long)i);
			intervals++;
		}
		watch_free(w);
	}
	print_rate(each == 1 ? "programs by themselves, 1 s" : "programs by themselves, 10 s",
		   alarms, intervals, (double)each);
}

static void all_in_one(size_t each)
{
	const struct watch_rules rules = rules_of((double)each);
	struct watch *w = watch_new(&rules);
	size_t alarms = 0, intervals = 0, n = program[0].n;

	for (size_t g = 1; g < n_programs; g++)
		n = program[g].n < n ? program[g].n : n;
	for (size_t i = 0; i + each <= n; i += each) {
		alarms += push(w, profile_of(program, program + n_programs, i, each, 0, NO_CHANGE),
			       "all", (long long)i);
		intervals++;
	}
	watch_free(w);
	print_rate(each == 1 ? "all programs at once, 1 s" : "all programs at once, 10 s", alarms,
		   intervals, (double)each);
}

/* Blocks of each program, drawn with replacement, until there are so many days in all: once for
 * each draw, which a judge begins that has seen nothing. */
static void bootstrap(size_t each, double days)
{
	const size_t block = (size_t)(block_seconds / (double)each);
	const struct watch_rules rules = rules_of((double)each);
	size_t alarms = 0, intervals = 0;

	for (size_t i = 0; i < draws * n_programs; i++) {
		size_t g = i % n_programs;
		struct watch *w = watch_new(&rules);
		size_t all = program[g].n / each;
		size_t wanted = (size_t)(days * day / (double)each / (double)n_programs);

		for (size_t done = 0; done < wanted && all > block;) {
			size_t from = (size_t)(draw() * (double)(all - block + 1));

			for (size_t k = from; k < from + block; k++, done++)
				alarms += push(w,
					       profile_of(program + g, program + g + 1, k * each,
							  each, 0, NO_CHANGE),
					       program[g].title, (long long)done);
			intervals += block;
		}
		watch_free(w);
	}
	print_rate(each == 1 ? "drawn in blocks, 1 s" : "drawn in blocks, 10 s", alarms, intervals,
		   (double)each);
}

static void shuffled(void)
{
	const size_t block = (size_t)block_seconds;
	const struct watch_rules rules = rules_of(1);
	size_t alarms = 0, intervals = 0;

	for (size_t g = 0; g < n_programs; g++) {
		struct watch *w = watch_new(&rules);
		size_t n = program[g].n / block, *order = xcalloc(n + 1, sizeof(*order));

		for (size_t i = 0; i < n; i++) {
			size_t k = (size_t)(draw() * (double)(i + 1));

			order[i] = order[k];
			order[k] = i;
		}
		for (size_t k = 0; k < n * block; k++) {
			size_t i = order[k / block] * block + k % block;

			alarms += push(w,
				       profile_of(program + g, program + g + 1, i, 1, 0, NO_CHANGE),
				       program[g].title, (long long)k);
			intervals++;
		}
		free(order);
		watch_free(w);
	}
	print_rate("pieces in another order, 1 s", alarms, intervals, 1);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static size_t found_by(const double *delay, size_t n, double max)
{
	size_t found = 0;

	while (found < n && delay[found] < max)
		found++;
	return found;
}

/* What a program did in the hours before, of `all` intervals that were recorded. */
static void push_hours_before(struct watch *w, size_t g, size_t each, size_t all)
{
	const size_t block = (size_t)(block_seconds / (double)each);
	const size_t wanted = (size_t)(hours_before * 3600 / (double)each);

	for (size_t done = 0; done < wanted && all > block; done += block) {
		size_t from = (size_t)(draw() * (double)(all - block + 1));

		for (size_t i = from; i < from + block; i++)
			(void)push(w,
				   profile_of(program + g, program + g + 1, i * each, each, 0,
					      NO_CHANGE),
				   program[g].title, (long long)done);
	}
}

/* A change of one operation in the middle of what was recorded: intervals until an alarm of
 * that operation, and how many had none within 600 intervals, and within half an hour. */
static void delays(size_t each, enum change how)
{
	const struct watch_rules rules = rules_of((double)each);
	const size_t longest = 1800 / each > 600 ? 1800 / each : 600;
	double delay[4096];
	size_t trials = 0, missed = 0;

	for (size_t g = 0; g < n_programs; g++) {
		for (size_t o = 0; o < program[g].n_names && trials < 4096; o++) {
			size_t all = program[g].n / each, at = all / 2, i, hit = 0;
			struct watch *w = watch_new(&rules);

			seed = 20061106 + trials; /* a trial is the same whatever came before it */
			push_hours_before(w, g, each, at);
			for (i = 0; i < all && i < at + longest && hit == 0; i++) {
				struct profile *p =
					profile_of(program + g, program + g + 1, i * each, each, o,
						   i >= at ? how : NO_CHANGE);
				const struct watch_event *event;
				size_t n;

				qsort(p->op, p->n_ops, sizeof(*p->op), in_order);
				watch_push(w, p, true, &event, &n);
				for (size_t k = 0; k < n; k++)
					hit += i >= at && event[k].what == WATCH_ALARM &&
					       event[k].up && event[k].feature != WATCH_CALLS &&
					       str_eq(event[k].name, str_from(program[g].name[o]));
				profile_free(p);
			}
			if (hit > 0)
				delay[trials - missed] = (double)(i - at);
			missed += hit == 0;
			trials++;
			watch_free(w);
		}
	}
	qsort(delay, trials - missed, sizeof(*delay), by_value);
	printf("%-26s %2zu s: %3zu of %3zu raised an alarm; half of these within %.0f intervals, "
	       "90 %% within %.0f; within 600 intervals %zu, half an hour %zu\n",
	       change_name[how], each, trials - missed, trials,
	       trials > missed ? delay[(trials - missed) / 2] : NAN,
	       trials > missed ? delay[(trials - missed) * 9 / 10] : NAN,
	       found_by(delay, trials - missed, 600),
	       found_by(delay, trials - missed, 1800. / (double)each));
	(void)fflush(stdout);
}

int main(int argc, char **argv)
{
	struct diag diag = { .emit = NULL };
	bool with_delays = false;
	int c;

	while ((c = getopt(argc, argv, "vdr:m:n:b:")) != -1) {
		verbose |= c == 'v';
		with_delays |= c == 'd';
		if (c == 'r')
			allowed = strtod(optarg, NULL) / day;
		if (c == 'm')
			block_seconds = strtod(optarg, NULL) * 60;
		if (c == 'n')
			draws = (size_t)strtod(optarg, NULL);
		if (c == 'b')
			hours_before = strtod(optarg, NULL);
	}
	scheme = bucket_log2(RESOLUTION);
	for (int i = 0; i < BUCKETS; i++)
		edge[i] = edges_at(&scheme, i);
	program = xcalloc((size_t)(argc - optind) + 1, sizeof(*program));
	for (int i = optind; i < argc; i++)
		read_program(program_of(argv[i]), argv[i], &diag);
	if (with_delays) {
		for (size_t each = 1; each <= 10; each += 9) {
			for (enum change how = A_FIFTH_SLOWER; how < N_CHANGES; how++)
				delays(each, how);
		}
		return 0;
	}
	as_they_are(1);
	all_in_one(1);
	shuffled();
	as_they_are(10);
	all_in_one(10);
	bootstrap(10, 14);
	bootstrap(1, 14);
	return 0;
}
