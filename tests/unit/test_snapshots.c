/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms printed several times: cleared or cumulative, and at what times. */
#include "tests/unit/building.h"

enum { WIDTH = 10 };

/* Prints of one operation; a print of no calls at all is not printed. */
static struct profile *profile_of(struct building *t, const uint64_t print[][WIDTH], size_t n)
{
	struct builder *b = begin(t, "");

	for (size_t i = 0; i < n; i++) {
		build_next_interval(b, NAN);
		operation(b, "read");
		counts(b, print[i], WIDTH);
	}
	return finish(t);
}

static uint64_t interval_count(const struct profile *p, size_t i)
{
	assert_true(i < p->op[0].n_intervals);
	return p->op[0].interval[i].hist.count;
}

/* --- cleared and cumulative -------------------------------------------------------- */

/* 10 buckets, none ever smaller: certain enough. */
static void counts_that_never_shrink_are_cumulative(void **state)
{
	static const uint64_t print[][WIDTH] = {
		{ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
		{ 1, 2, 1, 1, 5, 1, 1, 1, 1, 1 },
		{ 4, 2, 1, 1, 5, 1, 1, 1, 1, 9 },
	};
	struct building t = { 0 };
	struct profile *p = profile_of(&t, print, 3);

	(void)state;
	assert_int_equal(t.seen[DIAG_INTERVALS_CUMULATIVE], 1);
	assert_int_equal(p->op[0].hist.count, 26); /* the last one */
	assert_int_equal(p->op[0].n_intervals, 3);
	assert_int_equal(interval_count(p, 0), 10);
	assert_int_equal(interval_count(p, 1), 5);
	assert_int_equal(interval_count(p, 2), 11);
	assert_bucket(&p->op[0].interval[2].hist, 0, 1, 2, 3);
	assert_bucket(&p->op[0].interval[2].hist, 1, 512, 1024, 8);
	profile_free(p);
}

static void one_count_that_shrinks_means_cleared(void **state)
{
	static const uint64_t print[][WIDTH] = {
		{ 1, 1, 1, 1, 1, 1, 1, 1, 1, 3 },
		{ 9, 9, 9, 9, 9, 9, 9, 9, 9, 2 },
	};
	struct building t = { 0 };
	struct profile *p = profile_of(&t, print, 2);

	(void)state;
	assert_int_equal(t.seen[DIAG_INTERVALS_DELTA], 1);
	assert_int_equal(p->op[0].hist.count, 12 + 83);
	assert_bucket(&p->op[0].hist, 9, 512, 1024, 5);
	assert_int_equal(interval_count(p, 0), 12);
	assert_int_equal(interval_count(p, 1), 83);
	profile_free(p);
}

static void a_bucket_that_disappears_means_cleared(void **state)
{
	static const uint64_t print[][WIDTH] = { { 1, 1 }, { 0, 5 }, { 1, 7 } };
	struct building t = { 0 };
	struct profile *p = profile_of(&t, print, 3);

	(void)state;
	assert_int_equal(t.seen[DIAG_INTERVALS_DELTA], 1);
	assert_int_equal(p->op[0].hist.count, 15);
	profile_free(p);
}

/* An operation that is in the first print and not in the last was cleared. */
static void an_operation_that_disappears_means_cleared(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	operation(b, "once");
	counts(b, (uint64_t[]){ 5 }, 1);
	operation(b, "always");
	counts(b, (uint64_t[]){ 5 }, 1);
	build_next_interval(b, NAN);
	operation(b, "always");
	counts(b, (uint64_t[]){ 6 }, 1);
	p = finish(&t);
	assert_int_equal(t.seen[DIAG_INTERVALS_DELTA], 1);
	assert_int_equal(p->op[1].hist.count, 11);
	profile_free(p);
}

/* A collector that was started again counts from zero: (6, 3) was the last before that, and
 * (5, 1) the last of all.  Also where nothing has been counted since. */
static void what_came_before_counts_began_anew_is_added(void **state)
{
	static const uint64_t print[][WIDTH] = { { 4, 2 }, { 6, 3 }, { 1, 0 }, { 5, 1 }, { 0 } };
	static const uint64_t since[] = { 6, 3, 1, 5 };

	(void)state;
	for (size_t n = 4; n <= 5; n++) {
		struct building t = { 0 };
		struct builder *b = begin(&t, "");
		struct profile *p;

		build_snapshots(b, SNAPSHOTS_CUMULATIVE);
		for (size_t k = 0; k < n; k++) {
			if (k > 0)
				build_next_interval(b, NAN);
			operation(b, "read");
			counts(b, print[k], WIDTH);
			assert_true(build_count(b, print[k][0] + print[k][1], nowhere));
			build_max(b, (double)(k < 2 ? 7 + k : 2 + k));
		}
		p = finish(&t);
		assert_int_equal(t.seen[DIAG_COUNTER_RESET], 1);
		assert_int_equal(t.seen[DIAG_COUNT_MISMATCH], 0);
		assert_bucket(&p->op[0].hist, 0, 1, 2, 11);
		assert_bucket(&p->op[0].hist, 1, 2, 4, 4);
		assert_int_equal(p->op[0].hist.count, 15);
		assert_true(p->op[0].stated.has_count && p->op[0].stated.count == 15);
		assert_true(p->op[0].stated.has_max && p->op[0].stated.max == 8);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(interval_count(p, k), k < 4 ? since[k] : 0);
		profile_free(p);
	}
}

/* Several operations whose counts were reset are one message. */
static void counts_that_began_anew_are_reported_once(void **state)
{
	static const uint64_t print[][WIDTH] = { { 4, 2 }, { 6, 3 }, { 1, 0 } };
	static const char *const name[] = { "read", "write", "lseek" };
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	build_snapshots(b, SNAPSHOTS_CUMULATIVE);
	for (size_t k = 0; k < COUNT_OF(print) * COUNT_OF(name); k++) {
		if (k > 0 && k % COUNT_OF(name) == 0)
			build_next_interval(b, NAN);
		operation(b, name[k % COUNT_OF(name)]);
		counts(b, print[k / COUNT_OF(name)], WIDTH);
	}
	p = finish(&t);
	assert_int_equal(t.seen[DIAG_COUNTER_RESET], 1);
	assert_int_equal(p->op[2].hist.count, 10);
	profile_free(p);
}

/* Two buckets that happen not to shrink: taken as cumulative, but said so. */
static void few_buckets_are_not_sure(void **state)
{
	static const uint64_t print[][WIDTH] = { { 1, 2 }, { 2, 2 } };
	struct building t = { 0 };
	struct profile *p = profile_of(&t, print, 2);

	(void)state;
	assert_int_equal(t.seen[DIAG_INTERVALS_AMBIGUOUS], 1);
	assert_int_equal(p->op[0].hist.count, 4);
	profile_free(p);
}

static void the_user_settles_it_without_a_word(void **state)
{
	static const uint64_t print[][WIDTH] = { { 1, 2 }, { 2, 2 } },
			      shrinks[][WIDTH] = { { 5 }, { 3 } };
	struct building t = { .options = { .snapshots = SNAPSHOTS_DELTA } };
	struct profile *p = profile_of(&t, print, 2);

	(void)state;
	assert_int_equal(p->op[0].hist.count, 7);
	assert_int_equal(t.diag.seen[SEV_WARNING], 0);
	profile_free(p);
	t.options.snapshots = SNAPSHOTS_CUMULATIVE;
	p = profile_of(&t, shrinks, 2);
	assert_int_equal(p->op[0].hist.count, 3);
	assert_int_equal(interval_count(p, 1), 3); /* counting were reset */
	assert_int_equal(t.diag.seen[SEV_WARNING], 0);
	profile_free(p);
}

static void a_histogram_that_comes_again_begins_an_interval(void **state)
{
	struct building t = { .options = { .snapshots = SNAPSHOTS_DELTA } };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	operation(b, "read");
	counts(b, (uint64_t[]){ 1 }, 1);
	operation(b, "write");
	counts(b, (uint64_t[]){ 2 }, 1);
	operation(b, "read");
	counts(b, (uint64_t[]){ 3 }, 1);
	operation(b, "write");
	counts(b, (uint64_t[]){ 4 }, 1);
	p = finish(&t);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(p->op[i].n_intervals, 2);
		assert_true(p->op[i].interval[1].start == 1 && p->op[i].interval[1].end == 2);
	}
	assert_true(p->untimed);
	assert_int_equal(p->op[1].interval[1].hist.count, 4);
	profile_free(p);
}

static void one_print_has_no_intervals(void **state)
{
	static const uint64_t print[][WIDTH] = { { 1, 2, 3 } };
	struct building t = { 0 };
	struct profile *p = profile_of(&t, print, 1);

	(void)state;
	assert_int_equal(p->op[0].n_intervals, 0);
	assert_int_equal(t.diag.seen[SEV_WARNING], 0);
	profile_free(p);
}

/* What was stated at both prints belongs to the interval by its growth. */
static void cumulative_totals_and_counts_are_reported_apart_too(void **state)
{
	struct building t = { .options = { .snapshots = SNAPSHOTS_CUMULATIVE } };
	struct builder *b = begin(&t, "");
	const struct operation *op;
	struct profile *p;

	(void)state;
	operation(b, "read");
	counts(b, (uint64_t[]){ 10 }, 1); /* in [1, 2) */
	assert_true(build_total(b, total_of("12.5"), nowhere) && build_count(b, 10, nowhere));
	build_next_interval(b, NAN);
	operation(b, "read");
	counts(b, (uint64_t[]){ 14 }, 1);
	assert_true(build_total(b, total_of("18"), nowhere) && build_count(b, 14, nowhere));
	p = finish(&t);
	op = &p->op[0];
	assert_true(operation_total_exact(op) && operation_total(op) == 18);
	assert_true(decimal_eq(op->interval[1].stated.total, total_of("5.5")));
	assert_int_equal(op->interval[1].stated.count, 4);
	assert_true(op->interval[1].stated.total_agrees && op->interval[1].stated.count_agrees);
	profile_free(p);
}

/* Nothing can be said of the growth since a print that stated nothing, and a
 * stated count that shrinks is no growth. */
static void growth_of_what_was_not_stated_is_not_known(void **state)
{
	struct building t = { .options = { .snapshots = SNAPSHOTS_CUMULATIVE } };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	operation(b, "read");
	counts(b, (uint64_t[]){ 10 }, 1);
	assert_true(build_count(b, 20, nowhere));
	build_next_interval(b, NAN);
	operation(b, "read");
	counts(b, (uint64_t[]){ 11 }, 1);
	assert_true(build_total(b, total_of("15"), nowhere) && build_count(b, 11, nowhere));
	p = finish(&t);
	assert_false(p->op[0].interval[1].stated.has_total);
	assert_false(p->op[0].interval[1].stated.has_count);
	profile_free(p);
}

static void a_total_of_the_run_needs_one_of_every_print(void **state)
{
	struct building t = { .options = { .snapshots = SNAPSHOTS_DELTA } };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	operation(b, "read");
	counts(b, (uint64_t[]){ 1 }, 1);
	assert_true(build_total(b, total_of("1.5"), nowhere) && build_count(b, 1, nowhere));
	build_next_interval(b, NAN);
	operation(b, "read");
	counts(b, (uint64_t[]){ 2 }, 1);
	assert_true(build_count(b, 2, nowhere));
	p = finish(&t);
	assert_false(operation_total_exact(&p->op[0]));
	assert_true(p->op[0].stated.has_count && p->op[0].stated.count == 3);
	profile_free(p);
}

/* --- times ---------------------------------------------------------------------------- */

/* One print at each stamp; what comes out is compared with pairs of start and end. */
static void expect_times(struct building *t, const double *stamp, size_t n, const double *expected,
			 bool untimed)
{
	struct builder *b;
	struct profile *p;

	t->options.snapshots = SNAPSHOTS_DELTA;
	b = begin(t, "");
	for (size_t i = 0; i < n; i++) {
		build_next_interval(b, stamp[i]);
		operation(b, "read");
		counts(b, (uint64_t[]){ 1 }, 1);
	}
	p = finish(t);
	assert_int_equal(p->op[0].n_intervals, n);
	for (size_t i = 0; i < n; i++) {
		const struct interval *k = &p->op[0].interval[i];

		if (k->start != expected[2 * i] || k->end != expected[2 * i + 1])
			fail_msg("interval %zu from %g to %g", i, k->start, k->end);
	}
	assert_int_equal(p->untimed, untimed);
	profile_free(p);
}

/* The first is taken to be as long as the second: from 90 on. */
static void stamps_are_ends_and_time_begins_with_the_first(void **state)
{
	struct building t = { 0 };

	(void)state;
	expect_times(&t, (double[]){ 100, 110, 125 }, 3, (double[]){ 0, 10, 10, 20, 20, 35 },
		     false);
}

static void stamps_go_past_midnight(void **state)
{
	struct building t = { 0 };

	(void)state;
	expect_times(&t, (double[]){ 86390, 86395, 0, 5, 86399, 4 }, 6,
		     (double[]){ 0, 5, 5, 10, 10, 15, 15, 20, 20, 86414, 86414, 86419 }, false);
}

/* The last print, at the collector's end, has none: as long as the one before. */
static void a_missing_last_stamp_is_made_up_for(void **state)
{
	struct building t = { 0 };

	(void)state;
	expect_times(&t, (double[]){ 100, 110, NAN }, 3, (double[]){ 0, 10, 10, 20, 20, 30 },
		     false);
}

static void without_stamps_intervals_are_numbers(void **state)
{
	struct building t = { 0 };

	(void)state;
	expect_times(&t, (double[]){ NAN, NAN }, 2, (double[]){ 0, 1, 1, 2 }, true);
	expect_times(&t, (double[]){ 5, NAN }, 2, (double[]){ 0, 1, 1, 2 }, true);
	expect_times(&t, (double[]){ 5, NAN, NAN, 9 }, 4, (double[]){ 0, 1, 1, 2, 2, 3, 3, 4 },
		     true);
}

static void the_user_says_how_long_intervals_are(void **state)
{
	struct building t = { .options = { .interval = 2.5 } };

	(void)state;
	expect_times(&t, (double[]){ NAN, NAN }, 2, (double[]){ 0, 2.5, 2.5, 5 }, false);
	expect_times(&t, (double[]){ 3, 9 }, 2, (double[]){ 0, 2.5, 2.5, 5 }, false);
}

/* A stamp before the first histogram, one after it without another one: the
 * first print ends with the stamp that follows it only where there is one. */
static void two_stamps_with_nothing_between_are_one(void **state)
{
	struct building t = { .options = { .snapshots = SNAPSHOTS_DELTA } };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	build_next_interval(b, 10);
	build_next_interval(b, 20);
	operation(b, "read");
	counts(b, (uint64_t[]){ 1 }, 1);
	build_next_interval(b, 23);
	operation(b, "read");
	counts(b, (uint64_t[]){ 1 }, 1);
	p = finish(&t);
	assert_int_equal(p->op[0].n_intervals, 2);
	assert_true(p->op[0].interval[1].start == 3 && p->op[0].interval[1].end == 6);
	assert_true(p->elapsed == 6);
	profile_free(p);
}

/* --- stated intervals ------------------------------------------------------------------- */

static void timed(struct builder *b, double start, double end, uint64_t count)
{
	assert_true(build_interval(b, start, end, nowhere));
	counts(b, &count, 1);
}

/* In the file in any order; in the profile by time, so that runs can be merged. */
static void stated_intervals_are_put_in_order(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	operation(b, "read");
	timed(b, 0, 1, 1);
	timed(b, 1, 2, 2);
	timed(b, 2, 4, 3);
	build_whole_run(b);
	operation(b, "write");
	timed(b, 2, 4, 13);
	timed(b, 0, 1, 11);
	p = finish(&t);
	assert_int_equal(p->op[0].n_intervals, 3);
	assert_int_equal(p->op[1].n_intervals, 2);
	assert_true(p->op[1].interval[0].end == 1 && p->op[1].interval[0].hist.count == 11);
	assert_true(p->op[1].interval[1].end == 4 && p->op[1].interval[1].hist.count == 13);
	assert_int_equal(p->op[0].hist.count, 6);
	assert_int_equal(p->op[1].hist.count, 24);
	assert_int_equal(t.diag.seen[SEV_WARNING], 0); /* no guessing */
	assert_true(p->elapsed == 4 && !p->untimed);
	profile_free(p);
}

/* Each operation has some, once each and in any order, with counts that tell them apart. */
static void intervals_in_any_order_are_reported_apart(void **state)
{
	enum { ROUNDS = 300, OPERATIONS = 4, EDGES = 5, SPANS = EDGES * EDGES };
	static const char *const names[OPERATIONS] = { "a", "b", "c", "d" };
	struct rng r = rng_start(7);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct building t = { .at = 0 };
		struct builder *b = begin(&t, "");
		uint64_t calls[OPERATIONS][EDGES][EDGES] = { 0 };
		struct profile *p;

		for (size_t k = 0; k < OPERATIONS; k++) {
			operation(b, names[k]);
			build_whole_run(b);
			for (int span = 0; span < SPANS; span++) {
				size_t start = (size_t)rng_below(&r, EDGES);
				size_t end = start + (size_t)rng_below(&r, EDGES - start);

				if (calls[k][start][end] > 0)
					continue;
				calls[k][start][end] = 1 + (uint64_t)rng_below(&r, 9);
				timed(b, start > 0 ? (double)start : -0.0, (double)end,
				      calls[k][start][end]);
			}
		}
		p = finish(&t);
		assert_int_equal(p->n_ops, OPERATIONS);
		for (size_t k = 0; k < OPERATIONS; k++) {
			for (size_t i = 0; i < p->op[k].n_intervals; i++) {
				const struct interval *at = &p->op[k].interval[i];
				uint64_t *reported = &calls[k][(size_t)at->start][(size_t)at->end];

				assert_int_equal(at->hist.count, *reported);
				*reported = 0;
			}
			for (size_t i = 0; i < SPANS; i++)
				assert_int_equal(calls[k][i / EDGES][i % EDGES], 0);
		}
		profile_free(p);
	}
}

static void an_interval_given_twice_or_backwards_is_refused(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");

	(void)state;
	operation(b, "read");
	timed(b, 0, 1, 1);
	assert_true(build_interval(b, 0, 1, nowhere));
	assert_false(build_histogram(b, nowhere));
	finish_with(&t, DIAG_OPERATION_TWICE);
	operation(b = begin(&t, ""), "read");
	assert_false(build_interval(b, 2, 1, nowhere));
	finish_with(&t, DIAG_INTERVAL_BAD);
	operation(b = begin(&t, ""), "read");
	assert_false(build_interval(b, -1, 1, nowhere));
	finish_with(&t, DIAG_INTERVAL_BAD);
}

/* What is stated of the whole run stands, before the intervals or after them. */
static void the_whole_run_is_what_was_stated_of_it(void **state)
{
	(void)state;
	for (int after = 0; after < 2; after++) {
		struct building t = { 0 };
		struct builder *b = begin(&t, "");
		struct profile *p;

		operation(b, "read");
		for (int part = 0; part < 2; part++) {
			if (part != after) {
				timed(b, 0, 1, 4);
				assert_true(build_count(b, 4, nowhere));
				timed(b, 1, 2, 5);
				assert_true(build_count(b, 5, nowhere));
				continue;
			}
			build_whole_run(b);
			counts(b, (uint64_t[]){ 9, 1 }, 2);
			assert_true(build_count(b, 10, nowhere));
		}
		p = finish(&t);
		assert_int_equal(p->op[0].hist.count, 10);
		assert_int_equal(p->op[0].stated.count, 10);
		assert_int_equal(p->op[0].n_intervals, 2);
		profile_free(p);
	}
}

/* Edges that no scheme has; rows up to the highest with a call, as collectors print them. */
static void rows(struct builder *b, const double *edge, const uint64_t *count, size_t n)
{
	build_next_interval(b, NAN);
	operation(b, "read");
	assert_true(build_histogram(b, nowhere));
	for (size_t i = 0; i < n; i++)
		assert_true(build_range(b, edge[i], edge[i + 1], count[i], nowhere));
}

/* An edge counts wherever a row tells it: first, later, and among rows without a call. */
static void rows_without_a_call_report_edges_in_any_print(void **state)
{
	static const double edge[] = { 1, 3, 10, 31, 100 }, other[] = { 1, 3, 7, 10, 31 };
	struct building t = { .options.snapshots = SNAPSHOTS_DELTA };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	rows(b, edge, (uint64_t[]){ 0, 2 }, 2);
	rows(b, edge, (uint64_t[]){ 1, 0, 0, 4 }, 4);
	rows(b, edge, (uint64_t[]){ 0, 8, 0 }, 3);
	rows(b, other, (uint64_t[]){ 0, 0, 16, 0 }, 4);
	assert_null(builder_finish(t.b)); /* 3 to 10, and 3 to 7 */
	assert_int_equal(t.seen[DIAG_SCHEME_MIXED], 1);

	b = begin(&t, "");
	rows(b, edge, (uint64_t[]){ 0, 2 }, 2);
	rows(b, edge, (uint64_t[]){ 1, 0, 0, 4 }, 4);
	rows(b, edge, (uint64_t[]){ 0, 8, 0 }, 3);
	rows(b, edge + 3, (uint64_t[]){ 16 }, 1);
	p = finish(&t);
	assert_int_equal(p->op[0].hist.scheme->n_edges, 5);
	assert_int_equal(p->op[0].hist.n, 3);
	assert_bucket(&p->op[0].hist, 0, 1, 3, 1);
	assert_bucket(&p->op[0].hist, 1, 3, 10, 10);
	assert_bucket(&p->op[0].hist, 2, 31, 100, 20);
	assert_int_equal(p->op[0].interval[1].hist.n, 2);
	assert_int_equal(p->op[0].interval[2].hist.n, 1);
	assert_int_equal(p->op[0].interval[3].hist.bucket[0].edges->index, 3);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_that_never_shrink_are_cumulative),
		cmocka_unit_test(one_count_that_shrinks_means_cleared),
		cmocka_unit_test(a_bucket_that_disappears_means_cleared),
		cmocka_unit_test(an_operation_that_disappears_means_cleared),
		cmocka_unit_test(what_came_before_counts_began_anew_is_added),
		cmocka_unit_test(counts_that_began_anew_are_reported_once),
		cmocka_unit_test(few_buckets_are_not_sure),
		cmocka_unit_test(the_user_settles_it_without_a_word),
		cmocka_unit_test(a_histogram_that_comes_again_begins_an_interval),
		cmocka_unit_test(one_print_has_no_intervals),
		cmocka_unit_test(cumulative_totals_and_counts_are_reported_apart_too),
		cmocka_unit_test(growth_of_what_was_not_stated_is_not_known),
		cmocka_unit_test(a_total_of_the_run_needs_one_of_every_print),
		cmocka_unit_test(stamps_are_ends_and_time_begins_with_the_first),
		cmocka_unit_test(stamps_go_past_midnight),
		cmocka_unit_test(a_missing_last_stamp_is_made_up_for),
		cmocka_unit_test(without_stamps_intervals_are_numbers),
		cmocka_unit_test(the_user_says_how_long_intervals_are),
		cmocka_unit_test(two_stamps_with_nothing_between_are_one),
		cmocka_unit_test(stated_intervals_are_put_in_order),
		cmocka_unit_test(intervals_in_any_order_are_reported_apart),
		cmocka_unit_test(an_interval_given_twice_or_backwards_is_refused),
		cmocka_unit_test(the_whole_run_is_what_was_stated_of_it),
		cmocka_unit_test(rows_without_a_call_report_edges_in_any_print),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
