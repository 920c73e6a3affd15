/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What two bucket schemes have in common. */
#include "tests/unit/unit.h"

#include <math.h>

#include "profile/bucket.h"

enum { EDGES = 12 };

/* A scheme and room for its edges. */
struct made {
	struct bucket_scheme s;
	double edge[EDGES];
};

/* Schemes of one family, so that some of them fit together. */
static void make_scheme(struct rng *r, unsigned family, struct made *m)
{
	static const unsigned resolution[] = { 1, 2, 3, 4, 6, 12 };
	static const double step[] = { 1, 2, 5, 10, 30 };

	switch (family) {
	case 0:
		m->s = bucket_log2(resolution[rng_below(r, 6)]);
		break;
	case 1:
		m->s = bucket_log_linear(1U << rng_below(r, 6), 1);
		break;
	case 2:
		m->s = bucket_linear((double)rng_below(r, 7) * 5 - 20, step[rng_below(r, 5)]);
		break;
	default:
		for (size_t i = 0; i < EDGES; i++)
			m->edge[i] = (double)(i * 5 + rng_below(r, 2));
		m->s = bucket_edges(m->edge, 2 + rng_below(r, EDGES - 2));
		return;
	}
	if (family != 1 && rng_below(r, 2))
		m->s.limit = 20 + (int)rng_below(r, 30);
	if (family != 1 && rng_below(r, 2))
		m->s.first = (int)rng_below(r, 12);
}

/* By trying all whole numbers: two that share a bucket of s share one of c. */
static void nests(const struct bucket_scheme *s, const struct bucket_scheme *c)
{
	for (int v = -60; v < 5000; v++) {
		int here = bucket_find(s, v), next = bucket_find(s, v + 1);

		if (here == next && bucket_find(c, v) != bucket_find(c, v + 1))
			fail_msg("%d and %d share a bucket of kind %d, not the common one", v,
				 v + 1, (int)s->kind);
	}
}

/* ... and all edges: each bucket's lies within the one found for it. */
static void lies_within(const struct bucket_scheme *s, const struct bucket_scheme *c)
{
	int from = bucket_lowest(s), to = s->limit < 300 ? s->limit : 300;

	if (from < -300)
		from = -300;
	for (int i = from; i <= to; i++) {
		double low = bucket_low(s, i), high = bucket_high(s, i);
		int k;

		if (!bucket_exists(s, i) || isinf(low))
			continue;
		k = bucket_find(c, low);
		if (bucket_low(c, k) > low || bucket_high(c, k) < high)
			fail_msg("[%g, %g) is not within [%g, %g)", low, high, bucket_low(c, k),
				 bucket_high(c, k));
	}
}

static void exact_means_that_all_buckets_nest(void **state)
{
	struct rng r = rng_start(21);
	unsigned n_exact = 0;

	(void)state;
	for (int i = 0; i < 1500; i++) {
		unsigned family = rng_below(&r, 4);
		struct made a, b, c;

		make_scheme(&r, family, &a);
		make_scheme(&r, family == 1 ? rng_below(&r, 2) : family, &b);
		if (bucket_scheme_common(&a.s, &b.s, c.edge, &c.s) == COMMON_SPLIT)
			continue;
		n_exact++;
		nests(&a.s, &c.s);
		nests(&b.s, &c.s);
		lies_within(&a.s, &c.s);
		lies_within(&b.s, &c.s);
	}
	assert_true(n_exact > 400);
}

static void the_order_of_two_does_not_matter(void **state)
{
	struct rng r = rng_start(22);

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct made a, b, ab, ba;
		enum bucket_common what;

		make_scheme(&r, rng_below(&r, 4), &a);
		make_scheme(&r, rng_below(&r, 4), &b);
		what = bucket_scheme_common(&a.s, &b.s, ab.edge, &ab.s);
		assert_int_equal(bucket_scheme_common(&b.s, &a.s, ba.edge, &ba.s), what);
		if (what != COMMON_SPLIT && !bucket_scheme_eq(&ab.s, &ba.s))
			fail_msg("kinds %d and %d, origins %g and %g, steps %g and %g",
				 (int)a.s.kind, (int)b.s.kind, a.s.origin, b.s.origin, a.s.step,
				 b.s.step);
	}
}

/* False when a step on the way had to split.  Schemes borrow edges: from the
 * step before, where both are equal. */
static bool common_of_three(const struct made *a, const struct made *b, const struct made *c,
			    struct made *step, struct made *ret)
{
	return bucket_scheme_common(&a->s, &b->s, step->edge, &step->s) != COMMON_SPLIT &&
	       bucket_scheme_common(&step->s, &c->s, ret->edge, &ret->s) != COMMON_SPLIT;
}

static void the_order_of_three_does_not_matter(void **state)
{
	struct rng r = rng_start(23);
	unsigned n_exact = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		unsigned family = rng_below(&r, 4);
		struct made a, b, c, ab, bc, left, right;

		make_scheme(&r, family, &a);
		make_scheme(&r, family == 1 ? rng_below(&r, 2) : family, &b);
		make_scheme(&r, family == 1 ? rng_below(&r, 2) : family, &c);
		if (!common_of_three(&a, &b, &c, &ab, &left) ||
		    !common_of_three(&b, &c, &a, &bc, &right))
			continue;
		n_exact++;
		if (!bucket_scheme_eq(&left.s, &right.s))
			fail_msg("kinds %d %d %d", (int)a.s.kind, (int)b.s.kind, (int)c.s.kind);
	}
	assert_true(n_exact > 1000);
}

static void equal_schemes_have_themselves_in_common(void **state)
{
	struct rng r = rng_start(24);

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct made a, c;

		make_scheme(&r, rng_below(&r, 4), &a);
		assert_int_equal(bucket_scheme_common(&a.s, &a.s, c.edge, &c.s), COMMON_SAME);
		assert_true(bucket_scheme_eq(&a.s, &c.s));
	}
}

/* log2 of 4 and 6 buckets a doubling share every second and third edge: those of 2. */
static void log2_by_hand(void **state)
{
	struct bucket_scheme a = bucket_log2(4), b = bucket_log2(6), c;

	(void)state;
	a.first = 3; /* its lowest edge in buckets of 2 a doubling: 1.5, so from 2 on */
	b.limit = 20;
	assert_int_equal(bucket_scheme_common(&a, &b, NULL, &c), COMMON_EXACT);
	assert_int_equal(c.kind, BUCKET_LOG2);
	assert_int_equal(c.resolution, 2);
	assert_int_equal(c.first, 2);
	assert_int_equal(c.limit, 6); /* 20 / 3 */
}

/* hist() and hist(x, 3): powers of two are edges of both. */
static void a_log_linear_scheme_shares_octaves_with_log2(void **state)
{
	struct bucket_scheme a = bucket_log_linear(8, 1), b = bucket_log2(1), c;

	(void)state;
	assert_int_equal(bucket_scheme_common(&a, &b, NULL, &c), COMMON_EXACT);
	assert_int_equal(c.kind, BUCKET_LOG2);
	assert_int_equal(c.resolution, 1);
	a.step = 3;
	assert_int_equal(bucket_scheme_common(&a, &b, NULL, &c), COMMON_SPLIT);
}

/* One that begins at 5: what it holds below is not distinguished into octaves. */
static void a_log_linear_scheme_that_begins_later_is_split(void **state)
{
	struct bucket_scheme a = bucket_log_linear(8, 1), b = bucket_log2(1), c;
	struct bucket_scheme ok = bucket_log_linear(16, 1);

	(void)state;
	a.first = 5;
	if (bucket_scheme_common(&a, &b, NULL, &c) != COMMON_SPLIT)
		lies_within(&a, &c);
	if (bucket_scheme_common(&a, &ok, NULL, &c) != COMMON_SPLIT) {
		lies_within(&a, &c);
		lies_within(&ok, &c);
	}
}

static void linear_by_hand(void **state)
{
	struct bucket_scheme a = bucket_linear(0, 10), b = bucket_linear(5, 5), c;

	(void)state;
	assert_int_equal(bucket_scheme_common(&a, &b, NULL, &c), COMMON_EXACT);
	assert_true(c.step == 10 && c.origin == 0);
	b = bucket_linear(3, 10); /* shifted: every bucket of one is cut by the other */
	assert_int_equal(bucket_scheme_common(&a, &b, NULL, &c), COMMON_SPLIT);
	b = bucket_linear(0, 15);
	assert_int_equal(bucket_scheme_common(&a, &b, NULL, &c), COMMON_SPLIT);
}

/* Bucket 0 at 10^15: the same edges, counted from an origin near zero, would need
 * numbers that an int cannot hold. */
static void linear_schemes_far_out_do_not_overflow(void **state)
{
	struct bucket_scheme a = bucket_linear(1e15, 1), b = bucket_linear(1e15, 2), c;

	(void)state;
	a.first = b.first = 0;
	a.limit = b.limit = 10;
	if (bucket_scheme_common(&a, &b, NULL, &c) != COMMON_SPLIT) {
		lies_within(&a, &c);
		lies_within(&b, &c);
	}
}

static void edges_by_hand(void **state)
{
	const double one[] = { 1, 2, 5, 10, 20 }, other[] = { 0, 2, 4, 10, 20, 50 };
	const double far[] = { 7, 8, 9, 20 };
	struct bucket_scheme a = bucket_edges(one, 5), b = bucket_edges(other, 6);
	struct bucket_scheme f = bucket_edges(far, 4);
	struct made c;

	(void)state;
	assert_int_equal(bucket_scheme_common(&a, &b, c.edge, &c.s), COMMON_EXACT);
	assert_int_equal(c.s.n_edges, 3); /* 2, 10, 20 */
	assert_true(c.s.edge[0] == 2 && c.s.edge[1] == 10 && c.s.edge[2] == 20);
	/* One edge of four is no scheme worth having. */
	assert_int_equal(bucket_scheme_common(&a, &f, c.edge, &c.s), COMMON_SPLIT);
}

static void different_kinds_have_nothing_in_common(void **state)
{
	static const double edge[] = { 1, 2, 4 };
	struct bucket_scheme a = bucket_log2(1), b = bucket_linear(0, 1), e = bucket_edges(edge, 3);
	double room[3];
	struct bucket_scheme c;

	(void)state;
	assert_int_equal(bucket_scheme_common(&a, &b, NULL, &c), COMMON_SPLIT);
	assert_int_equal(c.kind, BUCKET_LOG2);
	assert_int_equal(bucket_scheme_common(&b, &a, NULL, &c), COMMON_SPLIT);
	assert_int_equal(c.kind, BUCKET_LOG2);
	assert_int_equal(bucket_scheme_common(&b, &e, room, &c), COMMON_SPLIT);
	assert_int_equal(c.kind, BUCKET_EDGES);
}

static void edges_are_compared_by_value(void **state)
{
	const double one[] = { 1, 2 }, other[] = { 1, 2 }, third[] = { 1, 3 };
	struct bucket_scheme a = bucket_edges(one, 2), b = bucket_edges(other, 2);
	struct bucket_scheme c = bucket_edges(third, 2);

	(void)state;
	assert_true(bucket_scheme_eq(&a, &b));
	assert_false(bucket_scheme_eq(&a, &c));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_means_that_all_buckets_nest),
		cmocka_unit_test(the_order_of_two_does_not_matter),
		cmocka_unit_test(the_order_of_three_does_not_matter),
		cmocka_unit_test(equal_schemes_have_themselves_in_common),
		cmocka_unit_test(log2_by_hand),
		cmocka_unit_test(a_log_linear_scheme_shares_octaves_with_log2),
		cmocka_unit_test(a_log_linear_scheme_that_begins_later_is_split),
		cmocka_unit_test(linear_by_hand),
		cmocka_unit_test(linear_schemes_far_out_do_not_overflow),
		cmocka_unit_test(edges_by_hand),
		cmocka_unit_test(different_kinds_have_nothing_in_common),
		cmocka_unit_test(edges_are_compared_by_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
