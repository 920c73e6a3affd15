/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes operations of a profile of what reports state. */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/out.h"
#include "base/tables/str_table.h"
#include "base/xalloc.h"
#include "formats/percentile_buckets.h"
#include "formats/report/report.h"
#include "formats/report/report_operation.h"
#include "profile/nest.h"

struct pusher {
	const struct report_format *format;
	struct lines *lines;
	struct report_operations *ops;
	enum unit unit;	 /* of all times of the profile, the smallest that is printed */
	uint64_t ns;	 /* of that unit */
	size_t *last;	 /* by number of the operation's name: where it is reported last */
	size_t *number;	 /* by operation: the number of its name */
	size_t *times;	 /* by number: how often it is reported */
	size_t untimed;	 /* operations with calls, but without a latency */
	size_t left_out; /* percentiles of operations that are reported again */
	bool rounded;
};

/* --- units ---------------------------------------------------------------------------- */

static void look_at_unit(struct pusher *p, const struct printed *t)
{
	if (t->known && t->ns > 0 && (p->ns == 0 || t->ns < p->ns))
		p->ns = t->ns;
}

static void find_unit(struct pusher *p)
{
	static const enum unit units[] = { UNIT_S, UNIT_MS, UNIT_US, UNIT_NS };

	p->unit = p->format->kept;
	for (size_t i = 0; i < p->ops->n; i++) {
		const struct report_operation *o = &p->ops->of[i];

		look_at_unit(p, &o->mean);
		look_at_unit(p, &o->min);
		look_at_unit(p, &o->max);
		look_at_unit(p, &o->total);
		for (size_t k = 0; k < o->n_points; k++)
			look_at_unit(p, &o->point[k].time);
		for (size_t k = 0; k < o->n_ranges; k++) {
			look_at_unit(p, &o->range[k].low);
			look_at_unit(p, &o->range[k].high);
		}
	}
	for (size_t i = 0; i < COUNT_OF(units) && p->ns > 0 && p->unit == UNIT_UNKNOWN; i++) {
		if (unit_nanoseconds(units[i]) <= p->ns)
			p->unit = units[i];
	}
	p->ns = unit_nanoseconds(p->unit);
}

static uint64_t factor_of(const struct pusher *p, const struct printed *t)
{
	return p->ns > 0 && t->ns > p->ns ? t->ns / p->ns : 1;
}

/* A deviation may have a smaller unit than all else. */
static double in_unit(const struct pusher *p, const struct printed *t)
{
	struct decimal exact;

	if (t->ns > 0 && t->ns < p->ns)
		return decimal_f64(t->number) * (double)t->ns / (double)p->ns;
	return decimal_times(t->number, factor_of(p, t), &exact)
		       ? decimal_f64(exact)
		       : decimal_f64(t->number) * (double)factor_of(p, t);
}

static double seconds_of(const struct printed *t)
{
	return decimal_f64(t->number) * (double)t->ns / 1e9;
}

/* --- operations reported again ---------------------------------------------------------------- */

/* Names the operation, its layer first. */
static struct str key_of(struct out *key, const struct report_operation *o)
{
	struct str bytes;

	out_bytes(key, o->layer);
	out_char(key, '\0');
	out_bytes(key, o->name);
	bytes = out_memory(key);
	return bytes;
}

static void count_reports(struct pusher *p)
{
	struct str_table table = { .n = 0 };
	struct arena *a = p->lines->arena;

	p->last = xcalloc(p->ops->n + 1, sizeof(*p->last));
	p->number = xcalloc(p->ops->n + 1, sizeof(*p->number));
	p->times = xcalloc(p->ops->n + 1, sizeof(*p->times));
	for (size_t i = 0; i < p->ops->n; i++) {
		struct out *key = out_to_memory();
		bool is_new;

		p->number[i] = str_table_add(&table, key_of(key, &p->ops->of[i]), a, &is_new);
		p->last[p->number[i]] = i;
		p->times[p->number[i]]++;
		out_free(key);
	}
	str_table_release(&table);
}

/* --- pushing ---------------------------------------------------------------------------- */

static struct percentile_point percentile_of(const struct pusher *p, const struct printed *t,
					     double percent, struct str where)
{
	return (struct percentile_point){ percent, in_unit(p, t), t->step * (double)factor_of(p, t),
					  where };
}

static bool push_points(struct pusher *p, const struct report_operation *o)
{
	struct percentile_point min = percentile_of(p, &o->min, 0, o->where);
	struct percentile_point max = percentile_of(p, &o->max, 100, o->where);
	struct percentile_list q = { .point = arena_make(p->lines->arena, struct percentile_point,
							 o->n_points),
				     .n = o->n_points,
				     .calls = o->calls,
				     .min = o->min.known ? &min : NULL,
				     .max = o->max.known ? &max : NULL };

	for (size_t i = 0; i < o->n_points; i++)
		q.point[i] = percentile_of(p, &o->point[i].time, o->point[i].percent, o->where);
	return percentile_buckets_push(&q, p->lines->to, o->where);
}

/* The edges that the report does not print are those of the neighbours, or follow from the ratio. */
static double low_of(const struct pusher *p, const struct report_operation *o, size_t i)
{
	const struct report_range *r = &o->range[i];
	double below = i > 0 && r[-1].high.known ? in_unit(p, &r[-1].high) : 0;
	double low;

	if (i == 0 && p->format->from_zero)
		return 0;
	if (r->low.known)
		return in_unit(p, &r->low);
	low = p->format->ratio > 0 ? in_unit(p, &r->high) / p->format->ratio : 0;
	return below + r->high.step * (double)factor_of(p, &r->high) >= low ? below : low;
}

static double high_of(const struct pusher *p, const struct report_operation *o, size_t i)
{
	if (o->range[i].high.known)
		return in_unit(p, &o->range[i].high);
	return i + 1 < o->n_ranges && o->range[i + 1].low.known ? in_unit(p, &o->range[i + 1].low)
								: HUGE_VAL;
}

static bool push_ranges(const struct pusher *p, const struct report_operation *o)
{
	if (!build_histogram(p->lines->to, o->where))
		return false;
	build_approximate(p->lines->to);
	for (size_t i = 0; i < o->n_ranges; i++) {
		const struct report_range *r = &o->range[i];

		if (!build_range(p->lines->to, low_of(p, o, i), high_of(p, o, i), r->calls,
				 r->where))
			return false;
	}
	return true;
}

static bool push_total(const struct pusher *p, const struct report_operation *o)
{
	const struct printed *t = o->total.known ? &o->total : &o->mean;
	struct decimal total;

	if (!t->known)
		return true;
	if (!decimal_times(t->number, factor_of(p, t), &total))
		return format_fail(p->lines->in, p->lines->diag, DIAG_TOTAL_OVERFLOW, o->where,
				   "in %s", unit_name(p->unit));
	if (!o->total.known)
		return lines_push_mean(p->lines, total, o->calls, o->where, "mean times calls");
	return build_total(p->lines->to, total, o->where);
}

/* The name of the format that is read so. */
static const char *name_of(const struct report_format *f)
{
	const struct format *one;

	for (size_t i = 0; (one = format_at(i)) != NULL; i++) {
		if (one->spec == f)
			return one->name;
	}
	return "report";
}

static bool has_latency(const struct report_operation *o)
{
	return o->mean.known || o->total.known || o->n_points > 0 || o->n_ranges > 0;
}

static bool check_operation(const struct pusher *p, const struct report_operation *o)
{
	const struct lines *l = p->lines;

	if (!o->has_calls)
		return format_fail(l->in, l->diag, DIAG_COLUMN_MISSING, o->where,
				   "%s: no number of calls is stated, or it has been cut off",
				   name_of(p->format));
	if (o->calls > 0 && !has_latency(o))
		return format_fail(l->in, l->diag, DIAG_COLUMN_MISSING, o->where,
				   "%s: no latency is stated, or it has been cut off",
				   name_of(p->format));
	return true;
}

/* Calls follow from their rate, and the total from the elapsed time if one call follows another. */
static void complete_operation(const struct pusher *p, struct report_operation *o)
{
	double seconds = o->seconds > 0 ? o->seconds : seconds_of(&o->elapsed);
	double calls = round(o->rate * seconds);

	if ((!o->has_calls || o->rounded) && seconds > 0 && calls >= 1 && calls < 0x1p53) {
		o->has_calls = o->rounded = true;
		o->calls = (uint64_t)calls;
	}
	if (p->format->one_at_a_time && !o->mean.known && !o->total.known)
		o->total = o->elapsed;
	if (o->loss > 0)
		o->failed += (uint64_t)round((double)o->calls * fmin(o->loss, 100) / 100);
	o->calls -= o->failed < o->calls ? o->failed : o->calls;
	if (o->failed > 0 && o->max.known && o->max.number.billionths == 0)
		o->calls = 0; /* those that did not fail had no answer yet */
}

static bool push_operation(struct pusher *p, struct report_operation *o, bool again)
{
	struct builder *to = p->lines->to;
	bool points;

	if ((!o->has_calls && p->format->headings) ||
	    (p->format->omit_uncalled && (o->calls == 0 || !has_latency(o)))) {
		p->untimed += o->calls > 0;
		return true;
	}
	if (!o->has_calls && p->format->omit_uncounted) {
		p->lines->left_out++;
		return true;
	}
	points = o->n_points > 0 && o->calls > 0;
	if (!check_operation(p, o) ||
	    (p->format->repeated == REPEATED_REFUSED &&
	     !build_new_operation(to, o->layer, o->name, o->where)) ||
	    !build_operation_in(to, p->unit, o->layer, o->name, o->where))
		return false;
	p->rounded |= o->rounded;
	p->left_out += points && again ? o->n_points : 0;
	if (points && !again && !push_points(p, o))
		return false;
	if (o->n_ranges > 0 && !push_ranges(p, o))
		return false;
	if (o->calls > 0 && o->min.known)
		build_min(to, in_unit(p, &o->min));
	if (o->calls > 0 && o->max.known)
		build_max(to, in_unit(p, &o->max));
	if (o->calls > 0 && o->deviation.known)
		build_deviation(to, in_unit(p, &o->deviation));
	return (o->n_ranges > 0 || build_count(to, o->calls, o->where)) && push_total(p, o);
}

static bool push_all(struct pusher *p)
{
	enum report_repeated repeated = p->format->repeated;
	bool intervals = repeated == REPEATED_INTERVAL || repeated == REPEATED_SNAPSHOT;
	/* By number of a name: the last interval that has it, from 1. */
	size_t *seen = xcalloc(p->ops->n + 1, sizeof(*seen)), interval = 1;
	bool ok = true;

	for (size_t i = 0; i < p->ops->n && ok; i++) {
		size_t k = p->number[i];

		if (repeated == REPEATED_LATEST && p->last[k] != i)
			continue;
		if (seen[k] == interval && intervals) {
			build_next_interval(p->lines->to, NAN);
			interval++;
		}
		seen[k] = interval;
		ok = push_operation(p, &p->ops->of[i],
				    p->times[k] > 1 && repeated != REPEATED_LATEST);
	}
	free(seen);
	return ok;
}

/* Whether there is such a layer or operation that is below no other operation yet. */
static bool has_free_end(const struct pusher *p, const char *name)
{
	struct str s = str_from(name);

	for (size_t i = 0; i < p->ops->n; i++) {
		const struct report_operation *o = &p->ops->of[i];

		if (o->head == 0 && (str_eq(o->layer, s) || str_eq(o->name, s)))
			return true;
	}
	return false;
}

static struct nest_end end_of(const struct report_operation *o)
{
	return (struct nest_end){ .both = o->layer.n > 0, .layer = o->layer, .name = o->name };
}

static void push_nests(const struct pusher *p)
{
	for (size_t i = 0; i < p->ops->n; i++) {
		const struct report_operation *o = &p->ops->of[i];
		struct nest nest = { .lower = end_of(o) };

		if (o->head == 0)
			continue;
		nest.upper = end_of(&p->ops->of[o->head - 1]);
		build_nest(p->lines->to, &nest);
	}
}

static void push_stated_nests(const struct pusher *p)
{
	for (const struct report_nest *n = p->format->nest; n != NULL && n->upper != NULL; n++) {
		struct nest nest = { .upper.name = str_from(n->upper),
				     .lower.name = str_from(n->lower) };

		if (has_free_end(p, n->upper) && has_free_end(p, n->lower))
			build_nest(p->lines->to, &nest);
	}
}

/* A single report took as long as its calls at their rate. */
static void push_elapsed_by_rate(struct pusher *p)
{
	double longest = 0;

	for (size_t i = 0; i < p->ops->n; i++) {
		const struct report_operation *o = &p->ops->of[i];

		if (o->run != p->ops->of[0].run)
			return;
		if (o->rate > 0 && o->has_calls && !(o->seconds > 0))
			longest = fmax(longest, (double)(o->calls + o->failed) / o->rate);
	}
	build_elapsed_from(p->lines->to, longest, ELAPSED_RATE);
}

/* The time of a report is that of its operations together, or of the longest. */
static void push_elapsed(struct pusher *p)
{
	double sum = 0, longest = 0;

	for (size_t i = 0; i < p->ops->n; i++) {
		const struct report_operation *o = &p->ops->of[i];

		if (i > 0 && o->run != o[-1].run) {
			sum += longest;
			longest = 0;
		}
		if (o->elapsed.known &&
		    (p->format->repeated != REPEATED_LATEST || p->last[p->number[i]] == i))
			longest = fmax(longest, seconds_of(&o->elapsed));
	}
	if (sum + longest > 0)
		build_elapsed(p->lines->to, sum + longest);
	else
		push_elapsed_by_rate(p);
}

bool report_push(const struct report_format *f, struct lines *l, struct report_operations *ops)
{
	struct pusher p = { .format = f, .lines = l, .ops = ops };
	bool ok;

	for (size_t i = 0; i < ops->n; i++)
		complete_operation(&p, &ops->of[i]);
	find_unit(&p);
	count_reports(&p);
	build_snapshots(l->to,
			f->repeated == REPEATED_SNAPSHOT ? SNAPSHOTS_CUMULATIVE : SNAPSHOTS_DELTA);
	build_drop_single_layer(l->to);
	if (f->fixed_duration)
		build_run_fixed_duration(l->to);
	ok = push_all(&p);
	push_nests(&p);
	push_stated_nests(&p);
	push_elapsed(&p);
	if (ok && l->left_out > 0)
		diag_file(l->diag, DIAG_NOT_A_HISTOGRAM, l->in,
			  "%zu operations without a number of calls", l->left_out);
	l->left_out = 0;
	if (ok && p.untimed > 0)
		diag_file(l->diag, DIAG_NOT_A_HISTOGRAM, l->in, "%zu operations without a latency",
			  p.untimed);
	if (ok && p.rounded)
		diag_file(l->diag, DIAG_COUNTS_ROUNDED, l->in,
			  "numbers of calls such as 12k, or a default of the tool");
	if (ok && p.left_out > 0)
		diag_file(l->diag, DIAG_NOT_A_HISTOGRAM, l->in,
			  "%zu percentiles of operations that are reported again: their buckets "
			  "differ",
			  p.left_out);
	free(p.last);
	free(p.number);
	free(p.times);
	return ok;
}
