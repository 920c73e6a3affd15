/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/bucket.h"

#include <float.h>
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

/* Divides so that i = ret_quotient * r + ret_rest, 0 <= ret_rest < r. */
static void divide_index(int i, unsigned r, int *ret_quotient, int *ret_rest)
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

/* 2^(k/8), correctly rounded: the edges of an octave at 2, 4 and 8 buckets an octave. */
enum { EIGHTHS = 8 };
static const double eighth[EIGHTHS] = { 0x1p+0,
					0x1.172b83c7d517bp+0,
					0x1.306fe0a31b715p+0,
					0x1.4bfdad5362a27p+0,
					0x1.6a09e667f3bcdp+0,
					0x1.8ace5422aa0dbp+0,
					0x1.ae89f995ad3adp+0,
					0x1.d5818dcfba487p+0 };

static double log2_edge(unsigned r, int i)
{
	int octave, part;

	if (r == 1)
		return power_of_two(i);
	divide_index(i, r, &octave, &part);
	return ldexp(EIGHTHS % r == 0 ? eighth[part * (EIGHTHS / (int)r)] : exp2((double)part / r),
		     octave);
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

/* Returns the lower edge of bucket i by its number alone, whatever first and limit are. */
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
	if (!(low < high)) /* too far out for doubles to tell the edges apart */
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

/* Returns which of r parts of an octave holds a number from 1 to 2; r is 2, 4 or 8. */
static int part_of_octave(int r, double mantissa)
{
	int part = 0;

	for (int half = r / 2; half > 0; half /= 2)
		part += mantissa >= eighth[(part + half) * (EIGHTHS / r)] ? half : 0;
	return part;
}

static int find_log2(unsigned r, double value)
{
	int exponent, i;
	double mantissa = 2 * frexp(value, &exponent);

	if (r == 1)
		return exponent - 1;
	if (EIGHTHS % r == 0 && value >= DBL_MIN)
		return (exponent - 1) * (int)r + part_of_octave((int)r, mantissa);
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
	/* The quotient may have been rounded over an edge. */
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

double bucket_position(const struct bucket_scheme *s, int i)
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
	/* The bucket of zero lies one bucket below the next one. */
	above = bucket_high(s, i + 1);
	if (high > 0)
		return bucket_position(s, i + 1) - (isinf(above) ? 1 : log2(above / high));
	/* Negative buckets lie an octave apart. */
	zero = bucket_find(s, 0);
	return bucket_position(s, zero) - ((double)zero - i);
}
