/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding profiles up: in any order, exactly, or not at all. */
#include "tests/unit/building.h"

#include "profile/merge.h"
#include "tests/mean_alone.h"

static bool eq_stated(const struct stated *a, const struct stated *b)
{
	return a->has_count == b->has_count && a->has_total == b->has_total &&
	       a->has_min == b->has_min && a->has_max == b->has_max &&
	       a->count_agrees == b->count_agrees && a->total_agrees == b->total_agrees &&
	       a->count == b->count && decimal_eq(a->total, b->total) && a->min == b->min &&
	       a->max == b->max;
}

static bool eq_histogram(const struct histogram *a, const struct histogram *b)
{
	if (!bucket_scheme_eq(a->scheme, b->scheme) || a->n != b->n || a->count != b->count ||
	    a->approximate != b->approximate)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct bucket *x = &a->bucket[i], *y = &b->bucket[i];

		if (x->edges->index != y->edges->index || x->count != y->count ||
		    x->edges->low != y->edges->low || x->edges->high != y->edges->high)
			return false;
	}
	return true;
}

static void assert_same_operation(const struct operation *a, const struct operation *b)
{
	assert_true(str_eq(a->name, b->name) && str_eq(a->layer, b->layer));
	assert_true(a->unit == b->unit && a->lost == b->lost && a->threshold == b->threshold);
	assert_true(eq_histogram(&a->hist, &b->hist));
	assert_true(eq_stated(&a->stated, &b->stated));
	assert_int_equal(a->n_intervals, b->n_intervals);
	for (size_t i = 0; i < a->n_intervals; i++) {
		assert_true(a->interval[i].start == b->interval[i].start);
		assert_true(a->interval[i].end == b->interval[i].end);
		assert_true(eq_histogram(&a->interval[i].hist, &b->interval[i].hist));
		assert_true(eq_stated(&a->interval[i].stated, &b->interval[i].stated));
	}
}

/* All but the name of the first file. */
static void assert_same_profile(const struct profile *a, const struct profile *b)
{
	assert_true(a->unit == b->unit && a->hz == b->hz && a->elapsed == b->elapsed);
	assert_true(a->elapsed_source == b->elapsed_source && a->started == b->started);
	assert_true(a->concurrency == b->concurrency && a->fixed_duration == b->fixed_duration);
	assert_true(a->untimed == b->untimed && a->lost == b->lost);
	assert_string_equal(a->format, b->format);
	assert_int_equal(a->n_ops, b->n_ops);
	for (size_t i = 0; i < a->n_ops; i++)
		assert_same_operation(&a->op[i], &b->op[i]);
}

static struct profile *merge_of(const struct profile *const *p, size_t n, enum diag_code *ret_code)
{
	struct captured captured;
	struct diag diag = diag_to(&captured);
	struct profile *r = profile_merge(p, n, &diag);

	assert_int_equal(r == NULL, captured.n > 0);
	*ret_code = captured.code;
	return r;
}

static struct profile *merged(const struct profile *a, const struct profile *b)
{
	const struct profile *both[] = { a, b };
	enum diag_code code;
	struct profile *r = merge_of(both, 2, &code);

	assert_non_null(r);
	return r;
}

/* --- random profiles ---------------------------------------------------------------- */

static void random_print(struct rng *r, struct builder *b, unsigned resolution)
{
	struct bucket_scheme s = bucket_log2(resolution);
	uint64_t sum = 0;

	assert_true(build_scheme(b, &s, nowhere));
	for (int i = -1; i < 40; i++) {
		uint64_t count = rng_below(r, 3) == 0 ? rng_u64(r) >> (8 + rng_below(r, 56)) : 0;

		if (count > 0)
			assert_true(build_bucket(b, i, count, nowhere));
		sum += count;
	}
	if (rng_below(r, 4) > 0)
		assert_true(build_count(b, sum, nowhere));
	if (rng_below(r, 4) > 0)
		assert_true(build_total(b, (struct decimal){ (decimal_int)(rng_u64(r) >> 10) },
					nowhere));
	if (rng_below(r, 2))
		build_min(b, rng_below(r, 100));
	if (rng_below(r, 2))
		build_max(b, 1000 + rng_below(r, 100));
}

static struct profile *random_profile(struct rng *r, struct building *t)
{
	static const unsigned resolution[] = { 1, 2, 3, 6 };
	static const char *const names[] = { "read", "write", "fsync", "open", "" };
	struct builder *b = begin(t, "");
	unsigned first = rng_below(r, COUNT_OF(names)), n = 1 + rng_below(r, 5);

	for (unsigned i = 0; i < n; i++) {
		const char *name = names[(first + i * 2) % COUNT_OF(names)];
		unsigned scheme = resolution[rng_below(r, 4)];

		assert_true(build_operation(b, rng_below(r, 2) ? STR("vfs") : STR(""),
					    str_from(name), nowhere));
		build_whole_run(b);
		build_unit(b, UNIT_NS, UNIT_STATED);
		if (rng_below(r, 3) == 0)
			build_threshold(b, rng_below(r, 3));
		for (unsigned k = rng_below(r, 4); k < 4; k++) {
			double start = k;

			assert_true(build_interval(b, start, start + 1, nowhere));
			random_print(r, b, scheme);
		}
	}
	if (rng_below(r, 2))
		assert_true(build_lost(b, rng_below(r, 100), nowhere));
	return builder_finish(b);
}

static void three_profiles_are_the_same_in_every_order(void **state)
{
	static const size_t order[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					   { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
	struct rng r = rng_start(50);

	(void)state;
	for (int i = 0; i < 500; i++) {
		static struct building t[3]; /* no options */
		struct profile *p[3], *one = NULL, *step, *steps;

		for (size_t k = 0; k < 3; k++) {
			p[k] = random_profile(&r, &t[k]);
			assert_non_null(p[k]);
		}
		for (size_t k = 0; k < COUNT_OF(order); k++) {
			const struct profile *in[] = { p[order[k][0]], p[order[k][1]],
						       p[order[k][2]] };
			enum diag_code code;
			struct profile *all = merge_of(in, 3, &code);

			assert_non_null(all);
			step = merged(in[0], in[1]);
			steps = merged(step, in[2]); /* two by two */
			assert_same_profile(all, steps);
			if (one != NULL)
				assert_same_profile(one, all);
			profile_free(step);
			profile_free(steps);
			profile_free(one);
			one = all;
		}
		profile_free(one);
		for (size_t k = 0; k < 3; k++)
			profile_free(p[k]);
	}
}

/* --- single rules ----------------------------------------------------------------------- */

/* One operation, n calls in [1, 2). */
static struct profile *simple(const char *name, uint64_t n, const char *total)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");

	operation(b, name);
	build_unit(b, UNIT_NS, UNIT_STATED);
	counts(b, &n, 1);
	if (total != NULL)
		assert_true(build_total(b, total_of(total), nowhere));
	return finish(&t);
}

static void assert_refused(const struct profile *a, const struct profile *b,
			   enum diag_code expected)
{
	const struct profile *both[] = { a, b }, *turned[] = { b, a };
	enum diag_code code;

	assert_null(merge_of(both, 2, &code));
	assert_int_equal(code, expected);
	assert_null(merge_of(turned, 2, &code));
	assert_int_equal(code, expected);
}

static void free_two(struct profile *a, struct profile *b)
{
	profile_free(a);
	profile_free(b);
}

/* In doubles 1.1 + 2.2 is 3.3000000000000003. */
static void totals_add_as_decimals(void **state)
{
	struct profile *a = simple("read", 1, "1.1"), *b = simple("read", 2, "2.2");
	struct profile *r = merged(a, b);

	(void)state;
	assert_true(decimal_eq(r->op[0].stated.total, total_of("3.3")));
	assert_true(operation_total(&r->op[0]) == 3.3);
	assert_int_equal(r->op[0].hist.count, 3);
	free_two(a, b);
	assert_str(r->op[0].name, "read"); /* borrows nothing */
	assert_bucket(&r->op[0].hist, 0, 1, 2, 3);
	profile_free(r);
}

static void a_total_is_lost_when_one_run_has_none(void **state)
{
	struct profile *a = simple("read", 1, "1.5"), *b = simple("read", 2, NULL);
	struct profile *r = merged(a, b);

	(void)state;
	assert_false(operation_total_exact(&r->op[0]));
	assert_true(is_near(operation_total(&r->op[0]), 3 * mean_alone)); /* from the buckets */
	profile_free(r);
	free_two(a, b);
}

static void operations_of_one_side_stay_and_all_are_sorted(void **state)
{
	struct profile *a = simple("write", 1, "1.5"), *b = simple("read", 2, NULL);
	struct profile *r = merged(a, b);

	(void)state;
	assert_int_equal(r->n_ops, 2);
	assert_str(r->op[0].name, "read");
	assert_str(r->op[1].name, "write");
	assert_true(operation_total_exact(&r->op[1]));
	profile_free(r);
	free_two(a, b);
}

static void units_and_clocks_that_differ_are_refused(void **state)
{
	struct profile *a = simple("read", 1, NULL), *b = simple("read", 1, NULL);

	(void)state;
	b->unit = UNIT_US;
	assert_refused(a, b, DIAG_UNIT_CLASH);
	b->unit = UNIT_NS;
	b->op[0].unit = UNIT_US;
	assert_refused(a, b, DIAG_UNIT_CLASH);
	b->op[0].unit = UNIT_NS;
	b->hz = 1e9;
	assert_refused(a, b, DIAG_UNIT_CLASH);
	free_two(a, b);
}

static void sums_past_64_bits_are_refused(void **state)
{
	struct profile *a = simple("read", UINT64_MAX, NULL), *b = simple("read", 1, NULL);

	(void)state;
	assert_refused(a, b, DIAG_COUNT_OVERFLOW);
	free_two(a, b);
}

static struct profile *with_scheme(struct bucket_scheme s)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");

	operation(b, "read");
	build_unit(b, UNIT_NS, UNIT_STATED);
	assert_true(build_scheme(b, &s, nowhere) && build_bucket(b, 3, 5, nowhere));
	return finish(&t);
}

static void buckets_that_do_not_fit_are_refused(void **state)
{
	struct profile *a = with_scheme(bucket_log2(1)), *b = with_scheme(bucket_linear(0, 10));

	(void)state;
	assert_refused(a, b, DIAG_MERGE_INEXACT);
	free_two(a, b);
}

/* Four calls known by their number only are in no bucket: the sum of both would
 * either lose them or not be that of its buckets. */
static void moments_and_buckets_do_not_add_up(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *summary, *buckets = simple("read", 3, "4");

	(void)state;
	operation(b, "read");
	build_unit(b, UNIT_NS, UNIT_STATED);
	assert_true(build_count(b, 4, nowhere));
	summary = finish(&t);
	assert_refused(summary, buckets, DIAG_MERGE_INEXACT);
	free_two(summary, buckets);
}

static struct profile *with_intervals(const double *start, size_t n)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");

	operation(b, "read");
	build_unit(b, UNIT_NS, UNIT_STATED);
	for (size_t i = 0; i < n; i++) {
		assert_true(build_interval(b, start[i], start[i] + 1, nowhere));
		counts(b, (uint64_t[]){ 1 }, 1);
	}
	return finish(&t);
}

/* Those of equal time add up; 0 1 3 and 1 2 in any order give 0 1 2 3. */
static void intervals_are_united_by_time(void **state)
{
	struct profile *a = with_intervals((double[]){ 3, 0, 1 }, 3);
	struct profile *b = with_intervals((double[]){ 2, 1 }, 2), *r = merged(a, b);

	(void)state;
	assert_int_equal(r->op[0].n_intervals, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_true(r->op[0].interval[i].start == (double)i);
		assert_int_equal(r->op[0].interval[i].hist.count, i == 1 ? 2 : 1);
	}
	assert_int_equal(r->op[0].hist.count, 5);
	assert_true(r->elapsed == 4);
	profile_free(r);
	free_two(a, b);
}

/* Shorter calls are missing from the sum from the higher threshold down; one rounded total
 * rounds it; a floor is that of one baseline; runs took turns, so the longest one counts. */
static void what_is_known_of_one_run_is_known_of_both(void **state)
{
	struct profile *a = simple("read", 1, "1.5"), *b = simple("read", 2, "3"), *r;
	const struct noise_floor floor = { 1, 1, 1, 1 };

	(void)state;
	a->op[0].threshold = 1000;
	b->op[0].threshold = 10;
	b->op[0].rounded_totals = true;
	b->op[0].fixed_duration = true;
	a->op[0].hist.granularity = 100;
	a->op[0].floor = b->op[0].floor = &floor;
	a->op[0].lost = 3;
	b->op[0].lost = 4;
	a->lost = 5;
	b->lost = 6;
	a->elapsed = 30;
	b->elapsed = 20;
	b->started = 1763855000.25;
	r = merged(a, b);
	assert_true(r->started == 1763855000.25); /* the other does not say */
	profile_free(r);
	a->started = 1763855000.125;
	r = merged(a, b);
	assert_true(r->started == 1763855000.125);
	assert_true(r->op[0].threshold == 1000);
	assert_true(r->op[0].rounded_totals);
	assert_true(r->op[0].fixed_duration);
	assert_true(r->op[0].hist.granularity == 0); /* the other's clock has none that is known */
	assert_null(r->op[0].floor);
	assert_int_equal(r->op[0].lost, 7);
	assert_int_equal(r->lost, 11);
	assert_true(r->elapsed == 30);
	profile_free(r);
	b->lost = UINT64_MAX;
	r = merged(b, a);
	assert_true(r->lost == UINT64_MAX);
	assert_true(r->op[0].threshold == 1000 && r->elapsed == 30);
	profile_free(r);
	free_two(a, b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_profiles_are_the_same_in_every_order),
		cmocka_unit_test(totals_add_as_decimals),
		cmocka_unit_test(a_total_is_lost_when_one_run_has_none),
		cmocka_unit_test(operations_of_one_side_stay_and_all_are_sorted),
		cmocka_unit_test(units_and_clocks_that_differ_are_refused),
		cmocka_unit_test(sums_past_64_bits_are_refused),
		cmocka_unit_test(buckets_that_do_not_fit_are_refused),
		cmocka_unit_test(moments_and_buckets_do_not_add_up),
		cmocka_unit_test(intervals_are_united_by_time),
		cmocka_unit_test(what_is_known_of_one_run_is_known_of_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
