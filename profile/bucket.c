/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/bucket.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

const struct bucket_scheme bucket_octaves = {
	.kind = BUCKET_LOG2,
	.resolution = 1,
	.limit = BUCKET_NO_LIMIT,
};

struct bucket_scheme bucket_log2(unsigned resolution)
{
	return (struct bucket_scheme){
		.kind = BUCKET_LOG2,
		.resolution = resolution,
		.first = 0,
		.limit = BUCKET_NO_LIMIT,
	};
}

struct bucket_scheme bucket_linear(double origin, double step)
{
	return (struct bucket_scheme){
		.kind = BUCKET_LINEAR,
		.origin = origin,
		.step = step,
		.first = BUCKET_NO_FIRST,
		.limit = BUCKET_NO_LIMIT,
	};
}

struct bucket_scheme bucket_log_linear(unsigned resolution, double step)
{
	return (struct bucket_scheme){
		.kind = BUCKET_LOG_LINEAR,
		.resolution = resolution,
		.step = step,
		.first = 1,
		.limit = BUCKET_NO_LIMIT,
	};
}

struct bucket_scheme bucket_edges(const double *edge, size_t n_edges)
{
	return (struct bucket_scheme){
		.kind = BUCKET_EDGES,
		.edge = edge,
		.n_edges = n_edges,
		.first = 0,
		.limit = (int)n_edges - 1,
	};
}

const struct bucket_scheme *bucket_scheme_copy(struct arena *a, const struct bucket_scheme *s)
{
	struct bucket_scheme *copy = arena_make(a, struct bucket_scheme, 1);
	double *edge;

	*copy = *s;
	if (s->kind != BUCKET_EDGES || s->n_edges == 0)
		return copy;
	edge = arena_make(a, double, s->n_edges);
	memcpy(edge, s->edge, s->n_edges * sizeof(*edge));
	copy->edge = edge;
	return copy;
}

const struct bucket_scheme *bucket_scheme_keep(struct arena *a, const struct bucket_scheme *s,
					       const struct bucket_scheme *last)
{
	return last != NULL && bucket_scheme_eq(s, last) ? last : bucket_scheme_copy(a, s);
}

bool bucket_scheme_eq(const struct bucket_scheme *a, const struct bucket_scheme *b)
{
	if (a == b)
		return true;
	if (a->kind != b->kind || a->first != b->first || a->limit != b->limit)
		return false;
	switch (a->kind) {
	case BUCKET_LOG2:
		return a->resolution == b->resolution;
	case BUCKET_LINEAR:
		return a->origin == b->origin && a->step == b->step;
	case BUCKET_LOG_LINEAR:
		return a->resolution == b->resolution && a->step == b->step;
	case BUCKET_EDGES:
		break;
	}
	if (a->n_edges != b->n_edges)
		return false;
	if (a->n_edges == 0 || memcmp(a->edge, b->edge, a->n_edges * sizeof(*a->edge)) == 0)
		return true;
	for (size_t i = 0; i < a->n_edges; i++) { /* 0 is -0 */
		if (a->edge[i] != b->edge[i])
			return false;
	}
	return true;
}

static bool has_zero_bucket(const struct bucket_scheme *s)
{
	return s->kind == BUCKET_LOG2 || s->kind == BUCKET_LOG_LINEAR;
}

int bucket_lowest(const struct bucket_scheme *s)
{
	return s->first - (has_zero_bucket(s) ? 2 : 1);
}

/* i = ret_quotient * r + ret_rest, 0 <= ret_rest < r. */
static void divide(int i, unsigned r, int *ret_quotient, int *ret_rest)
{
	int rest = i % (int)r;

	if (rest < 0)
		rest += (int)r;
	*ret_rest = rest;
	*ret_quotient = (i - rest) / (int)r;
}

static double power_of_two(int i)
{
	return i >= 0 && i < 63 ? (double)(UINT64_C(1) << i) : ldexp(1, i);
}

static double log2_edge(unsigned r, int i)
{
	int octave, part;

	if (r == 1)
		return power_of_two(i);
	divide(i, r, &octave, &part);
	return ldexp(part == 0 ? 1 : exp2((double)part / r), octave);
}

/* r is a power of two. */
static double log_linear_edge(unsigned r, double step, int i)
{
	int octave, part;

	if (i <= (int)(2 * r))
		return step * i;
	octave = i >> __builtin_ctz(r);
	part = i & (int)(r - 1);
	return step * ((int)r + part) * power_of_two(octave - 1);
}

/* The lower edge of regular bucket i. */
static double edge_at(const struct bucket_scheme *s, int i)
{
	switch (s->kind) {
	case BUCKET_LOG2:
		return log2_edge(s->resolution, i);
	case BUCKET_LINEAR:
		return s->origin + i * s->step;
	case BUCKET_LOG_LINEAR:
		return log_linear_edge(s->resolution, s->step, i);
	case BUCKET_EDGES:
		break;
	}
	return s->edge[i];
}

double bucket_low(const struct bucket_scheme *s, int i)
{
	if (i >= s->first)
		return edge_at(s, i);
	return has_zero_bucket(s) && i == s->first - 1 ? 0 : -HUGE_VAL;
}

double bucket_high(const struct bucket_scheme *s, int i)
{
	if (i >= s->limit)
		return HUGE_VAL;
	if (i >= s->first - 1)
		return edge_at(s, i + 1);
	return 0;
}

bool bucket_bounds(const struct bucket_scheme *s, int i, double *ret_low, double *ret_high)
{
	bool regular = i >= s->first && i < s->limit;
	double low, high;

	if (!regular && (i < bucket_lowest(s) || i > s->limit))
		return false;
	low = regular ? edge_at(s, i) : bucket_low(s, i);
	high = regular ? edge_at(s, i + 1) : bucket_high(s, i);
	if (!(low < high)) /* so far out that edges are no longer told apart */
		return false;
	*ret_low = low;
	*ret_high = high;
	return true;
}

bool bucket_exists(const struct bucket_scheme *s, int i)
{
	double low, high;

	return bucket_bounds(s, i, &low, &high);
}

static int find_log2(unsigned r, double value)
{
	int exponent, i;

	(void)frexp(value, &exponent);
	if (r == 1)
		return exponent - 1;
	i = (int)floor(log2(value) * r);
	while (log2_edge(r, i) > value)
		i--;
	while (log2_edge(r, i + 1) <= value)
		i++;
	return i;
}

static int find_log_linear(unsigned r, double step, double value)
{
	double steps = value / step;
	int exponent, octave, i;

	if (steps < 2 * (double)r) {
		i = (int)floor(steps);
	} else {
		(void)frexp(steps / r, &exponent); /* steps/r in [2^(exponent-1), 2^exponent) */
		octave = exponent - 1;
		i = octave * (int)r + (int)floor(ldexp(steps, -octave));
	}
	/* The quotient was rounded. */
	while (log_linear_edge(r, step, i) > value)
		i--;
	while (log_linear_edge(r, step, i + 1) <= value)
		i++;
	return i;
}

static int find_linear(const struct bucket_scheme *s, double value)
{
	double steps = floor((value - s->origin) / s->step);
	int i;

	if (!(steps < BUCKET_NO_LIMIT))
		return BUCKET_NO_LIMIT;
	if (steps < BUCKET_NO_FIRST)
		return BUCKET_NO_FIRST - 1;
	i = (int)steps;
	while (edge_at(s, i) > value)
		i--;
	while (edge_at(s, i + 1) <= value)
		i++;
	return i;
}

static int find_edge(const struct bucket_scheme *s, double value)
{
	size_t low = 0, high = s->n_edges;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (s->edge[middle] <= value)
			low = middle;
		else
			high = middle;
	}
	return (int)low;
}

int bucket_find(const struct bucket_scheme *s, double value)
{
	int i = 0;

	if (value == HUGE_VAL)
		return s->limit;
	if (value < 0 && has_zero_bucket(s))
		return s->first - 2;
	if (s->first != BUCKET_NO_FIRST && value < edge_at(s, s->first))
		return s->first - 1;
	if (s->limit != BUCKET_NO_LIMIT && value >= edge_at(s, s->limit))
		return s->limit;
	switch (s->kind) {
	case BUCKET_LOG2:
		i = find_log2(s->resolution, value);
		break;
	case BUCKET_LINEAR:
		i = find_linear(s, value);
		break;
	case BUCKET_LOG_LINEAR:
		i = find_log_linear(s->resolution, s->step, value);
		break;
	case BUCKET_EDGES:
		i = find_edge(s, value);
		break;
	}
	return i;
}

double bucket_place(const struct bucket_scheme *s, int i)
{
	double low, high, above;
	int zero;

	if (s->kind == BUCKET_LOG2)
		return (double)i / s->resolution;
	low = bucket_low(s, i);
	high = bucket_high(s, i);
	if (low > 0)
		return isinf(high) ? log2(low) : log2((low + high) / 2);
	if (i >= s->limit)
		return 0;
	/* It holds zero: one bucket below the next one up. */
	above = bucket_high(s, i + 1);
	if (high > 0)
		return bucket_place(s, i + 1) - (isinf(above) ? 1 : log2(above / high));
	/* Negative: an octave for each bucket. */
	zero = bucket_find(s, 0);
	return bucket_place(s, zero) - ((double)zero - i);
}

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

/* A log-linear scheme that begins with its first step and never ends. */
static bool is_whole(const struct bucket_scheme *s)
{
	return s->first == bucket_log_linear(s->resolution, s->step).first &&
	       s->limit == BUCKET_NO_LIMIT;
}

/* A log-linear scheme's octaves are whole: what a power-of-two resolution of
 * LOG2 shares with it are the powers of two above its finest buckets. */
static enum bucket_common common_octaves(const struct bucket_scheme *fine,
					 const struct bucket_scheme *log2_scheme,
					 struct bucket_scheme *ret)
{
	struct bucket_scheme octaves = bucket_log2(1);
	int exponent;

	*ret = *log2_scheme;
	if (frexp(fine->step, &exponent) != 0.5 || !is_whole(fine))
		return COMMON_SPLIT;
	octaves.first = exponent - 1;
	return common_log2(&octaves, log2_scheme, ret);
}

static enum bucket_common common_log_linear(const struct bucket_scheme *a,
					    const struct bucket_scheme *b,
					    struct bucket_scheme *ret)
{
	*ret = a->resolution < b->resolution ? *a : *b;
	if (a->step != b->step || !is_whole(a) || !is_whole(b))
		return COMMON_SPLIT;
	return COMMON_EXACT;
}

static bool is_multiple(double value, double of)
{
	return fmod(value, of) == 0;
}

static double linear_floor(const struct bucket_scheme *s)
{
	return s->first == BUCKET_NO_FIRST ? -HUGE_VAL : edge_at(s, s->first);
}

static double linear_top(const struct bucket_scheme *s)
{
	return s->limit == BUCKET_NO_LIMIT ? HUGE_VAL : edge_at(s, s->limit);
}

/* The same edges, from the first one that is not negative. */
static double lowest_origin(const struct bucket_scheme *s)
{
	double origin = fmod(s->origin, s->step);

	return origin < 0 ? origin + s->step : origin;
}

static enum bucket_common common_linear(const struct bucket_scheme *a,
					const struct bucket_scheme *b, struct bucket_scheme *ret)
{
	const struct bucket_scheme *wide = a->step >= b->step ? a : b, *fine = wide == a ? b : a;
	double low = fmax(linear_floor(a), linear_floor(b));
	double top = fmin(linear_top(a), linear_top(b));

	*ret = bucket_linear(lowest_origin(wide), wide->step);
	if (!is_multiple(wide->step, fine->step) ||
	    !is_multiple(wide->origin - fine->origin, fine->step))
		return COMMON_SPLIT;
	low = ceil((low - ret->origin) / ret->step);
	top = floor((top - ret->origin) / ret->step);
	if (!isinf(low) && !(fabs(low) < BUCKET_NO_LIMIT))
		return COMMON_SPLIT; /* no numbers for buckets this far out */
	if (!isinf(top) && !(fabs(top) < BUCKET_NO_LIMIT))
		return COMMON_SPLIT;
	if (!isinf(low))
		ret->first = (int)low;
	if (!isinf(top))
		ret->limit = (int)top;
	return ret->first <= ret->limit ? COMMON_EXACT : COMMON_SPLIT;
}

static enum bucket_common common_edges(const struct bucket_scheme *a, const struct bucket_scheme *b,
				       double *edges, struct bucket_scheme *ret)
{
	size_t n = 0, smaller = a->n_edges < b->n_edges ? a->n_edges : b->n_edges;

	for (size_t i = 0, k = 0; i < a->n_edges && k < b->n_edges;) {
		if (a->edge[i] == b->edge[k])
			edges[n++] = a->edge[i];
		if (a->edge[i] <= b->edge[k])
			i++;
		else
			k++;
	}
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
	/* Nothing in common: on the logarithmic one, else on the one whose edges were written. */
	if (b->kind == BUCKET_LOG2 || (b->kind == BUCKET_EDGES && a->kind != BUCKET_LOG2) ||
	    (b->kind == BUCKET_LOG_LINEAR && a->kind == BUCKET_LINEAR))
		*ret = *b;
	return COMMON_SPLIT;
}
