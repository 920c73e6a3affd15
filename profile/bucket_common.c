/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a common scheme of two bucket schemes, for comparing and for adding up. */
#include <math.h>
#include <stdint.h>

#include "profile/bucket.h"

#define MAX_EXACT 0x1p52 /* whole numbers below it, and their sums, are exact as doubles */

__extension__ typedef __int128 wide_int;

static unsigned gcd(unsigned a, unsigned b)
{
	return b == 0 ? a : gcd(b, a % b);
}

static int ceil_div(int a, int b)
{
	return a / b + (a % b > 0);
}

static int floor_div(int a, int b)
{
	return a / b - (a % b < 0);
}

/* `first` and `limit` of a LOG2 scheme in buckets of a coarser resolution. */
static void log2_range(const struct bucket_scheme *s, int ratio, int *ret_first, int *ret_limit)
{
	*ret_first = ceil_div(s->first, ratio);
	*ret_limit = s->limit == BUCKET_NO_LIMIT ? BUCKET_NO_LIMIT : floor_div(s->limit, ratio);
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static enum bucket_common common_log2(const struct bucket_scheme *a, const struct bucket_scheme *b,
				      struct bucket_scheme *ret)
{
	unsigned r = gcd(a->resolution, b->resolution);
	int first_a, first_b, limit_a, limit_b;

	log2_range(a, (int)(a->resolution / r), &first_a, &limit_a);
	log2_range(b, (int)(b->resolution / r), &first_b, &limit_b);
	*ret = bucket_log2(r);
	ret->first = max_int(first_a, first_b);
	ret->limit = min_int(limit_a, limit_b);
	return ret->first <= ret->limit ? COMMON_EXACT : COMMON_SPLIT;
}

/* Whether a log-linear scheme has no raised bottom and no open top. */
static bool is_whole(const struct bucket_scheme *s)
{
	return s->first == bucket_log_linear(s->resolution, s->step).first &&
	       s->limit == BUCKET_NO_LIMIT;
}

/* A log-linear scheme has an edge at each power of two above its finest buckets: these edges it
 * shares with LOG2. */
static enum bucket_common common_octaves(const struct bucket_scheme *ok,
					 const struct bucket_scheme *log2_scheme,
					 struct bucket_scheme *ret)
{
	struct bucket_scheme octaves = bucket_log2(1);
	int exponent;

	*ret = *log2_scheme;
	if (frexp(ok->step, &exponent) != 0.5 || !is_whole(ok))
		return COMMON_SPLIT;
	octaves.first = exponent - 1;
	return common_log2(&octaves, log2_scheme, ret);
}

static enum bucket_common common_log_linear(const struct bucket_scheme *a,
					    const struct bucket_scheme *b,
					    struct bucket_scheme *ret)
{
	int exponent;

	*ret = a->resolution < b->resolution ? *a : *b;
	if (frexp(a->step, &exponent) != frexp(b->step, &exponent) || !is_whole(a) || !is_whole(b))
		return COMMON_SPLIT;
	/* In each octave the widths of both are the smaller step times a power of two. */
	ret->step = fmax(a->step, b->step);
	return COMMON_EXACT;
}

static bool is_multiple(double value, double of)
{
	return fmod(value, of) == 0;
}

static double linear_floor(const struct bucket_scheme *s)
{
	return s->first == BUCKET_NO_FIRST ? -HUGE_VAL : bucket_high(s, s->first - 1);
}

static double linear_top(const struct bucket_scheme *s)
{
	return s->limit == BUCKET_NO_LIMIT ? HUGE_VAL : bucket_low(s, s->limit);
}

/* Returns the lowest edge that is not negative, as another origin of the same edges. */
static double lowest_origin(const struct bucket_scheme *s)
{
	double origin = fmod(s->origin, s->step);

	return origin < 0 ? origin + s->step : origin;
}

/* Limits a linear scheme to its buckets between low and top, and moves the origin if the file
 * format cannot hold their numbers; false when no bucket is left. */
static bool put_range(struct bucket_scheme *s, double low, double top)
{
	enum { FURTHEST = 1 << 24 };
	double first = ceil((low - s->origin) / s->step);
	double limit = floor((top - s->origin) / s->step);
	double shift = isinf(low) ? limit : first;

	if (first > limit)
		return false;
	if ((!isinf(low) && fabs(first) > FURTHEST) || (!isinf(top) && fabs(limit) > FURTHEST)) {
		s->origin += shift * s->step;
		first -= shift;
		limit -= shift;
	}
	if ((!isinf(low) && fabs(first) > FURTHEST) || (!isinf(top) && fabs(limit) > FURTHEST))
		return false; /* the buckets are too far apart to be numbered */
	if (!isinf(low))
		s->first = (int)first;
	if (!isinf(top))
		s->limit = (int)limit;
	return true;
}

static enum bucket_common common_linear(const struct bucket_scheme *a,
					const struct bucket_scheme *b, struct bucket_scheme *ret)
{
	const struct bucket_scheme *wide = a->step >= b->step ? a : b, *ok = wide == a ? b : a;
	double low = fmax(linear_floor(a), linear_floor(b));
	double top = fmin(linear_top(a), linear_top(b));

	*ret = bucket_linear(lowest_origin(wide), wide->step);
	if (!is_multiple(wide->step, ok->step) || !is_multiple(wide->origin - ok->origin, ok->step))
		return COMMON_SPLIT;
	return put_range(ret, low, top) ? COMMON_EXACT : COMMON_SPLIT;
}

/* Stores the edges that both have in `edges`; returns their number. */
static size_t shared_edges(const struct bucket_scheme *a, const struct bucket_scheme *b,
			   double *edges)
{
	size_t n = 0;

	for (size_t i = 0, k = 0; i < a->n_edges && k < b->n_edges;) {
		if (a->edge[i] == b->edge[k])
			edges[n++] = a->edge[i];
		if (a->edge[i] <= b->edge[k])
			i++;
		else
			k++;
	}
	return n;
}

static enum bucket_common common_edges(const struct bucket_scheme *a, const struct bucket_scheme *b,
				       double *edges, struct bucket_scheme *ret)
{
	size_t n = shared_edges(a, b, edges);
	size_t smaller = a->n_edges < b->n_edges ? a->n_edges : b->n_edges;

	if (n == 0 || n * 2 < smaller) {
		*ret = a->n_edges <= b->n_edges ? *a : *b;
		return COMMON_SPLIT;
	}
	*ret = bucket_edges(edges, n);
	return COMMON_EXACT;
}

enum bucket_common bucket_scheme_common(const struct bucket_scheme *a,
					const struct bucket_scheme *b, double *edges,
					struct bucket_scheme *ret)
{
	*ret = *a;
	if (bucket_scheme_eq(a, b))
		return COMMON_SAME;
	if (a->kind == BUCKET_LOG2 && b->kind == BUCKET_LOG2)
		return common_log2(a, b, ret);
	if (a->kind == BUCKET_LOG_LINEAR && b->kind == BUCKET_LOG2)
		return common_octaves(a, b, ret);
	if (a->kind == BUCKET_LOG2 && b->kind == BUCKET_LOG_LINEAR)
		return common_octaves(b, a, ret);
	if (a->kind == BUCKET_LOG_LINEAR && b->kind == BUCKET_LOG_LINEAR)
		return common_log_linear(a, b, ret);
	if (a->kind == BUCKET_LINEAR && b->kind == BUCKET_LINEAR)
		return common_linear(a, b, ret);
	if (a->kind == BUCKET_EDGES && b->kind == BUCKET_EDGES)
		return common_edges(a, b, edges, ret);
	/* Nothing in common: prefer LOG2, then explicit edges, then LOG_LINEAR. */
	if (b->kind == BUCKET_LOG2 || (b->kind == BUCKET_EDGES && a->kind != BUCKET_LOG2) ||
	    (b->kind == BUCKET_LOG_LINEAR && a->kind == BUCKET_LINEAR))
		*ret = *b;
	return COMMON_SPLIT;
}

/* --- joins ------------------------------------------------------------------------ */

/* Returns the largest number that both are whole multiples of; fmod() makes it exact. */
static double common_divisor(double a, double b)
{
	while (b > 0) {
		double rest = fmod(a, b);

		a = b;
		b = rest;
	}
	return a;
}

/* Returns x with a x = 1 (mod m), for a and m without a common divisor. */
static int64_t inverse_mod(int64_t a, int64_t m)
{
	int64_t r = m, next = a % m, t = 0, next_t = 1;

	while (next > 0) {
		int64_t q = r / next, rest = r - q * next, rest_t = t - q * next_t;

		r = next;
		next = rest;
		t = next_t;
		next_t = rest_t;
	}
	return t < 0 ? t + m : t;
}

/* Finds an edge that both have; false when there is none, or none that a double holds exactly. */
static bool shared_origin(const struct bucket_scheme *a, const struct bucket_scheme *b,
			  double divisor, double *ret)
{
	double apart = b->origin - a->origin, steps, beyond;
	int64_t of_a = (int64_t)(a->step / divisor), of_b = (int64_t)(b->step / divisor), k;

	if (a->origin + apart != b->origin || !is_multiple(apart, divisor) ||
	    !(fabs(apart / divisor) < MAX_EXACT))
		return false;
	k = (int64_t)(apart / divisor) % of_b;
	k = k < 0 ? k + of_b : k;
	steps = (double)(int64_t)((wide_int)k * inverse_mod(of_a, of_b) % of_b);
	beyond = steps * a->step;
	*ret = a->origin + beyond;
	return *ret - beyond == a->origin && *ret - a->origin == beyond;
}

static bool join_linear(const struct bucket_scheme *a, const struct bucket_scheme *b,
			struct bucket_scheme *ret)
{
	double divisor = common_divisor(a->step, b->step), origin;
	double step = a->step * (b->step / divisor);

	if (!(a->step / divisor < MAX_EXACT && b->step / divisor < MAX_EXACT) ||
	    step / a->step != b->step / divisor || !is_multiple(step, a->step) ||
	    !is_multiple(step, b->step) || !shared_origin(a, b, divisor, &origin))
		return false;
	*ret = bucket_linear(origin, step);
	ret->origin = lowest_origin(ret);
	return put_range(ret, fmax(linear_floor(a), linear_floor(b)),
			 fmin(linear_top(a), linear_top(b)));
}

bool bucket_scheme_join(const struct bucket_scheme *a, const struct bucket_scheme *b, double *edges,
			struct bucket_scheme *ret)
{
	size_t n;

	if (bucket_scheme_eq(a, b)) {
		*ret = *a;
		return true;
	}
	if (a->kind == BUCKET_LINEAR && b->kind == BUCKET_LINEAR)
		return join_linear(a, b, ret);
	if (a->kind == BUCKET_EDGES && b->kind == BUCKET_EDGES) {
		n = shared_edges(a, b, edges);
		if (n > 0)
			*ret = bucket_edges(edges, n);
		return n > 0;
	}
	return bucket_scheme_common(a, b, edges, ret) != COMMON_SPLIT;
}
