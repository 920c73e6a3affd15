/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ceph: what daemons of Ceph tell of latencies, perf histogram dump and perf dump.
 *
 *	{"osd": {"op_w_latency_in_bytes_histogram": {
 *		"axes": [
 *			{"name": "Latency (usec)", "quant_size": 100000, "scale_type": "log2",
 *			 "ranges": [{"max": -1}, {"min": 0, "max": 99999}, {"min": 100000}]},
 *			{"name": "Request size (bytes)", "ranges": [{"max": -1}, {"min": 0}]}],
 *		"values": [[0, 0], [0, 12], [0, 3]]}}}
 *
 *	{"osd": {"op_w_latency": {"avgcount": 15, "sum": 0.01583, "avgtime": 0.001055333}}}
 *
 * A group of counters is a layer.  A histogram has a row for each range of its first axis
 * and in it a count for each of the second: counts are added up along the axis that is no
 * latency.  Ranges hold both of their edges; the first has what is below all others, the
 * last what is above.  Daemons count nanoseconds, although the axis of the OSD says usec:
 * its unit of quantisation is 100 us.
 *
 * An average has calls and their sum in seconds where it has an avgtime; without one it is
 * of sizes or numbers and is left out with a note, as are histograms of them.  Dumps that
 * follow each other are prints.
 *
 * Seen: 18.2.7.  Not supported: averages of versions that print no avgtime.
 */
#include <math.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/format.h"

enum { AXES = 2, RANGES = 128 };

static enum probe probe_ceph(struct str head, struct clue *clue)
{
	bool histograms = format_has_marks(head, MARKS("", "\"axes\":", "\"quant_size\":"));
	bool averages = format_has_marks(head, MARKS("", "\"avgcount\":", "\"sum\":"));

	(void)clue;
	return str_has_prefix(json_without_space(head), STR("{")) && (histograms || averages)
		       ? PROBE_MAGIC
		       : PROBE_NO;
}

struct axis {
	bool latency;
	size_t n;
	double low[RANGES], high[RANGES];
};

/* What an object tells of a counter. */
struct counter {
	struct axis axis[AXES];
	size_t n_axes;
	bool has_values, has_count, has_sum, has_mean;
	uint64_t value[RANGES]; /* of the ranges of latencies */
	uint64_t count;
	struct decimal sum; /* s */
	struct str values_at, count_at, sum_at;
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct json j;
	struct counter counter;
	bool histograms; /* some were met */
	size_t left_out; /* histograms and averages that are of no latencies */
};

/* --- histograms ---------------------------------------------------------------------- */

/* {"min": 100000, "max": 199999} */
static bool read_range(struct reader *r, struct axis *axis)
{
	size_t from = json_begin(&r->j);
	struct str key;
	int64_t edge;

	if (axis->n == RANGES)
		return json_unexpected(&r->j, "more than 128 ranges");
	axis->low[axis->n] = -HUGE_VAL;
	axis->high[axis->n] = HUGE_VAL;
	for (json_object(&r->j); json_key(&r->j, &key);) {
		bool low = str_eq(key, STR("min"));

		if (!low && !str_eq(key, STR("max"))) {
			if (!json_skip(&r->j))
				return false;
			continue;
		}
		if (!json_i64(&r->j, &edge))
			return false;
		if (low)
			axis->low[axis->n] = (double)edge;
		else
			axis->high[axis->n] = (double)edge + 1;
	}
	if (!r->j.failed && axis->low[axis->n] >= axis->high[axis->n])
		return format_fail(r->in, r->diag, DIAG_BUCKET_BOUNDS, json_since(&r->j, from),
				   "a range of nothing");
	axis->n++;
	return !r->j.failed;
}

static bool read_axis(struct reader *r, struct axis *axis)
{
	struct str key, name;

	axis->latency = false;
	axis->n = 0;
	for (json_object(&r->j); json_key(&r->j, &key);) {
		if (str_eq(key, STR("name"))) {
			if (!json_string(&r->j, &name))
				return false;
			axis->latency = str_eq(name, STR("Latency (usec)")) ||
					str_eq(name, STR("Latency (nsec)"));
		} else if (str_eq(key, STR("ranges"))) {
			for (json_array(&r->j); json_item(&r->j);) {
				if (!read_range(r, axis))
					return false;
			}
		} else if (!json_skip(&r->j)) {
			return false;
		}
	}
	return !r->j.failed;
}

static bool read_axes(struct reader *r)
{
	struct counter *c = &r->counter;

	c->n_axes = 0;
	for (json_array(&r->j); json_item(&r->j);) {
		if (c->n_axes == AXES)
			return json_unexpected(&r->j, "more than two axes");
		if (!read_axis(r, &c->axis[c->n_axes++]))
			return false;
	}
	return !r->j.failed;
}

/* The axis of latencies; AXES: there is none. */
static size_t latency_axis(const struct counter *c)
{
	size_t i = 0;

	while (i < c->n_axes && !c->axis[i].latency)
		i++;
	return i < c->n_axes ? i : AXES;
}

/* One count for each range of the last axis; `row`: the range of the first one. */
static bool read_counts(struct reader *r, size_t row)
{
	struct counter *c = &r->counter;
	const struct axis *last = &c->axis[c->n_axes - 1];
	bool along = latency_axis(c) == c->n_axes - 1;
	uint64_t count;
	size_t n = 0;

	for (json_array(&r->j); json_item(&r->j);) {
		size_t from = json_begin(&r->j), i = along ? n : row;

		if (n++ == last->n)
			return json_unexpected(&r->j, "expected as many counts as ranges");
		if (!json_u64(&r->j, &count))
			return false;
		if (__builtin_add_overflow(c->value[i], count, &c->value[i]))
			return format_fail(r->in, r->diag, DIAG_COUNT_OVERFLOW,
					   json_since(&r->j, from),
					   "the sum of a range passes 2^64-1");
	}
	return !r->j.failed &&
	       (n == last->n || json_unexpected(&r->j, "expected as many counts as ranges"));
}

/* A row for each range of the first of two axes; without a second the row alone. */
static bool read_values(struct reader *r)
{
	struct counter *c = &r->counter;
	size_t from = json_begin(&r->j), rows = 0;

	if (c->n_axes == 0)
		return json_unexpected(&r->j, "expected axes before their values");
	if (latency_axis(c) == AXES)
		return json_skip(&r->j);
	for (size_t i = 0; i < RANGES; i++)
		c->value[i] = 0;
	if (c->n_axes < AXES) {
		if (!read_counts(r, 0))
			return false;
	} else {
		for (json_array(&r->j); json_item(&r->j);) {
			if (rows == c->axis[0].n)
				return json_unexpected(&r->j, "expected as many rows as ranges");
			if (!read_counts(r, rows++))
				return false;
		}
		if (!r->j.failed && rows < c->axis[0].n)
			return json_unexpected(&r->j, "expected as many rows as ranges");
	}
	c->values_at = json_since(&r->j, from);
	return !r->j.failed;
}

static bool push_histogram(struct reader *r, struct str layer, struct str name)
{
	const struct counter *c = &r->counter;
	size_t which = latency_axis(c);

	if (which == AXES) {
		r->left_out++;
		return true;
	}
	r->histograms = true;
	if (!build_operation(r->to, layer, name, c->values_at) ||
	    !build_histogram(r->to, c->values_at))
		return false;
	build_unit(r->to, UNIT_NS, UNIT_STATED);
	for (size_t i = 0; i < c->axis[which].n; i++) {
		if (!build_range(r->to, c->axis[which].low[i], c->axis[which].high[i], c->value[i],
				 c->values_at))
			return false;
	}
	return true;
}

/* --- averages ------------------------------------------------------------------------ */

static bool push_average(struct reader *r, struct str layer, struct str name)
{
	const struct counter *c = &r->counter;
	struct decimal total;

	if (!c->has_mean) {
		r->left_out++;
		return true;
	}
	if (c->count == 0)
		return true;
	if (!decimal_times(c->sum, 1000000000, &total))
		return format_fail(r->in, r->diag, DIAG_TOTAL_OVERFLOW, c->sum_at, "a sum");
	if (!build_operation(r->to, layer, name, c->count_at))
		return false;
	build_unit(r->to, UNIT_NS, UNIT_STATED);
	return build_count(r->to, c->count, c->count_at) && build_total(r->to, total, c->sum_at);
}

static bool read_sum(struct reader *r)
{
	struct counter *c = &r->counter;

	if (!json_number(&r->j, &c->sum_at))
		return false;
	return number_decimal(c->sum_at, &c->sum) == NUMBER_OK ||
	       format_fail(r->in, r->diag, DIAG_NUMBER_BAD, c->sum_at, "expected seconds");
}

/* --- counters ------------------------------------------------------------------------ */

/* A histogram, an average, or another object. */
static bool read_counter(struct reader *r, struct str layer, struct str name)
{
	struct counter *c = &r->counter;
	struct str key;

	c->n_axes = 0;
	c->has_values = c->has_count = c->has_sum = c->has_mean = false;
	for (json_object(&r->j); json_key(&r->j, &key);) {
		size_t from = json_begin(&r->j);
		bool done;

		if (str_eq(key, STR("axes"))) {
			c->has_values = false;
			done = read_axes(r);
		} else if (str_eq(key, STR("values"))) {
			done = c->has_values = read_values(r);
		} else if (str_eq(key, STR("avgcount"))) {
			done = c->has_count = json_u64(&r->j, &c->count);
			c->count_at = json_since(&r->j, from);
		} else if (str_eq(key, STR("sum"))) {
			done = c->has_sum = read_sum(r);
		} else {
			c->has_mean |= str_eq(key, STR("avgtime"));
			done = json_skip(&r->j);
		}
		if (!done)
			return false;
	}
	if (r->j.failed)
		return false;
	if (c->has_values)
		return push_histogram(r, layer, name);
	return !c->has_count || !c->has_sum || push_average(r, layer, name);
}

static bool read_group(struct reader *r, struct str layer)
{
	struct str name;

	for (json_object(&r->j); json_key(&r->j, &name);) {
		if (json_peek(&r->j) == '{' ? !read_counter(r, layer, name) : !json_skip(&r->j))
			return false;
	}
	return !r->j.failed;
}

static bool read_dump(struct reader *r)
{
	struct str layer;

	for (json_object(&r->j); json_key(&r->j, &layer);) {
		if (json_peek(&r->j) == '{' ? !read_group(r, layer) : !json_skip(&r->j))
			return false;
	}
	return !r->j.failed;
}

static bool read_ceph(const struct read_task *task)
{
	struct reader r = { .in = task->in, .to = task->to, .diag = task->diag };
	struct arena *strings = arena_new();
	bool ok;

	json_start(&r.j, cursor_on(task->in), strings, task->diag);
	for (ok = read_dump(&r); ok && json_peek(&r.j) != 0; ok = read_dump(&r))
		build_next_interval(task->to, NAN);
	if (!r.histograms) /* whose counts would tell */
		build_snapshots(task->to, SNAPSHOTS_CUMULATIVE);
	if (ok && r.left_out > 0)
		diag_file(task->diag, DIAG_NOT_A_HISTOGRAM, task->in,
			  "%zu histograms and averages of sizes and numbers", r.left_out);
	arena_free(strings);
	return ok;
}

const struct format format_ceph = {
	.name = "ceph",
	.title = "Ceph's perf histogram dump and perf dump",
	.versions = "18.2.7",
	.unit = "nanoseconds, always",
	.totals = "exact in perf dump; not printed in histograms",
	.probe = probe_ceph,
	.read = read_ceph,
};
