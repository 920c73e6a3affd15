/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores what a line of a report states in its operation. */
#include <math.h>

#include "base/arena.h"
#include "formats/report/report_operation.h"

static bool take_count(struct lines *l, const struct capture *c, uint64_t *ret)
{
	decimal_int n = c->value.number.billionths / 1000000000;

	if (!c->value.known)
		return true;
	if (c->value.number.billionths < 0 || c->value.number.billionths % 1000000000 != 0)
		return lines_fail(l, DIAG_NUMBER_BAD, l->text, "expected a whole number, not %.*s",
				  STR_ARG(c->text));
	if (n > UINT64_MAX)
		return lines_fail(l, DIAG_COUNT_OVERFLOW, l->text, "more than 2^64-1");
	*ret = (uint64_t)n;
	return true;
}

static void add_point(struct lines *l, struct report_operation *o, double percent,
		      struct printed time)
{
	if (!time.known || !(percent >= 0 && percent <= 100))
		return;
	o->point =
		arena_grow(l->arena, o->point, &o->cap_points, o->n_points + 1, sizeof(*o->point));
	o->point[o->n_points++] = (struct report_point){ percent, time };
}

/* Adds a bucket by its upper edge and its share of the calls, unless there are percentiles. */
static void add_share(struct lines *l, struct report_operation *o, double share,
		      struct printed high)
{
	if (o->share == 0 && o->n_points > 0)
		return;
	high.step = 0;
	o->share = fmin(o->share + share, 100);
	add_point(l, o, o->share, high);
}

/* Returns the latest value of this meaning before value i of the line. */
static struct printed value_before(const struct captures *c, size_t i, enum field field)
{
	while (i > 0 && c->of[--i].field != field)
		;
	return c->of[i].value;
}

static double rate_of(const struct printed *period)
{
	double ns = decimal_f64(period->number) * (double)period->ns;

	return period->known && ns > 0 ? 1e9 / ns : 0;
}

/* The member that a value of this meaning is stored in; NULL: none. */
static struct printed *member_of(struct report_operation *o, enum field field)
{
	switch (field) {
	case FIELD_MEAN:
	case FIELD_THROUGHPUT:
		return &o->mean;
	case FIELD_DEVIATION:
		return &o->deviation;
	case FIELD_MIN:
		return &o->min;
	case FIELD_MAX:
		return &o->max;
	case FIELD_TOTAL:
		return &o->total;
	case FIELD_ELAPSED:
		return &o->elapsed;
	default:
		return NULL;
	}
}

/* Whether a value of this meaning is before value i of the line. */
static bool is_before(const struct captures *c, size_t i, enum field field)
{
	while (i > 0 && c->of[i - 1].field != field)
		i--;
	return i > 0;
}

/* Stores how many calls there were, those of several kinds in a line together. */
static bool take_calls(struct lines *l, struct report_operation *o, const struct captures *c,
		       size_t i)
{
	uint64_t before = is_before(c, i, FIELD_CALLS) ? o->calls : 0, calls;

	o->has_calls = true;
	o->rounded |= c->of[i].value.rounded;
	if (!c->of[i].value.known)
		return true;
	return take_count(l, &c->of[i], &calls) &&
	       (!__builtin_add_overflow(before, calls, &o->calls) ||
		lines_fail(l, DIAG_COUNT_OVERFLOW, l->text, "the sum passes 2^64-1 here"));
}

/* Stores value i of the line. */
static bool take_value(struct lines *l, struct report_operation *o, const struct captures *c,
		       size_t i)
{
	const struct capture *v = &c->of[i];
	struct printed *member = member_of(o, v->field);

	if (member != NULL) {
		*member = v->value;
		return true;
	}
	switch (v->field) {
	case FIELD_CALLS:
		return take_calls(l, o, c, i);
	case FIELD_FAILED:
		return take_count(l, v, &o->failed);
	case FIELD_PERCENTILE:
		add_point(l, o, v->percent, v->value);
		break;
	case FIELD_VALUE:
		add_point(l, o, decimal_f64(value_before(c, i, FIELD_PERCENT).number), v->value);
		break;
	case FIELD_LOSS:
		o->loss = decimal_f64(v->value.number);
		break;
	case FIELD_RATE:
		o->rate = decimal_f64(v->value.number);
		break;
	case FIELD_SECONDS:
		o->seconds = decimal_f64(v->value.number);
		break;
	case FIELD_PERIOD:
		o->rate = rate_of(&v->value);
		break;
	case FIELD_SHARE:
		add_share(l, o, decimal_f64(v->value.number), value_before(c, i, FIELD_HIGH));
		break;
	default:
		break;
	}
	return true;
}

static bool take_each(struct lines *l, struct report_operation *o, const struct captures *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->of[i].field >= FIELD_MEAN && c->of[i].value.number.billionths < 0)
			return lines_fail(l, DIAG_NUMBER_BAD, l->text, "%.*s is negative",
					  STR_ARG(c->of[i].text));
		if (!take_value(l, o, c, i))
			return false;
	}
	return true;
}

/* Whether the line has buckets: counts after their edges. */
static bool captures_ranges(const struct captures *c)
{
	bool edge = false, any = false;

	for (size_t i = 0; i < c->n; i++) {
		any |= edge && c->of[i].field == FIELD_CALLS;
		edge |= c->of[i].field == FIELD_LOW || c->of[i].field == FIELD_HIGH;
	}
	return any;
}

static bool add_range(struct lines *l, struct report_operation *o, struct report_range range)
{
	if (!range.low.known && !range.high.known)
		return lines_fail(l, DIAG_BUCKET_BOUNDS, l->text, "expected two bounds");
	if (__builtin_add_overflow(o->calls, range.calls, &o->calls))
		return lines_fail(l, DIAG_COUNT_OVERFLOW, l->text, "the sum passes 2^64-1 here");
	o->has_calls = true;
	o->range =
		arena_grow(l->arena, o->range, &o->cap_ranges, o->n_ranges + 1, sizeof(*o->range));
	o->range[o->n_ranges++] = range;
	return true;
}

/* Adds the buckets of a line: their edges, each before its calls. */
static bool take_ranges(struct lines *l, struct report_operation *o, const struct captures *c)
{
	struct report_range range = { .where = l->text };

	for (size_t i = 0; i < c->n; i++) {
		const struct capture *v = &c->of[i];

		if (v->field == FIELD_LOW)
			range.low = v->value;
		else if (v->field == FIELD_HIGH)
			range.high = v->value;
		else if (v->field != FIELD_CALLS)
			continue;
		else if (!take_count(l, v, &range.calls) || !add_range(l, o, range))
			return false;
		else
			range = (struct report_range){ .where = l->text };
	}
	return true;
}

bool report_take_values(struct report_operation *o, struct lines *l, const struct captures *c)
{
	return captures_ranges(c) ? take_ranges(l, o, c) : take_each(l, o, c);
}
