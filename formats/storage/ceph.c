/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ceph: latencies of Ceph daemons, from perf histogram dump and perf dump.
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
 * A group of counters is a layer.  A histogram has a row for each range of its first axis, and in
 * it a count for each range of the second: counts are summed over the axis that is not latency.
 * Ranges include both edges; the first has everything below the others, the last everything above.
 * Daemons count ns, although the axis of the OSD says usec: its quantum is 100 us.
 *
 * An average with an avgtime has calls and their sum in seconds.  One without an avgtime is about
 * sizes or numbers and is left out with a note, as are histograms of these.  Consecutive dumps are
 * snapshots.
 *
 * Seen: 18.2.7.  Not supported: averages of versions that print no avgtime.
 */
#include <math.h>

#include "base/json.h"
#include "formats/lines.h"
#include "formats/statistics.h"

enum { AXES = 2, RANGES = 128 };

static bool ceph_is_one(struct str head)
{
	return str_has_prefix(json_without_space(head), STR("{")) &&
	       (format_has_marks(head, MARKS("", "\"axes\":", "\"quant_size\":")) ||
		format_has_marks(head, MARKS("", "\"avgcount\":", "\"sum\":")));
}

struct axis {
	bool latency;
	size_t n;
	double low[RANGES], high[RANGES];
};

/* The contents of a counter's object. */
struct counter {
	struct axis axis[AXES];
	size_t n_axes;
	bool has_values, has_count, has_sum, has_mean;
	uint64_t value[RANGES]; /* counts by range of latency */
	struct str values_at;
	struct statistics of; /* total in s */
};

struct reader {
	struct lines lines;
	struct json j;
	struct counter counter;
	bool histograms; /* a histogram was read */
};

/* --- histograms ---------------------------------------------------------------------- */

/* Reads {"min": 100000, "max": 199999}. */
static bool read_range(void *reader)
{
	struct reader *r = reader;
	struct axis *axis = &r->counter.axis[r->counter.n_axes - 1];
	int64_t low, high;
	bool has_low = false, has_high = false;
	size_t from = json_begin(&r->j);
	const struct json_member members[] = { JSON_I64("min", &low, &has_low),
					       JSON_I64("max", &high, &has_high) };

	if (axis->n == RANGES)
		return json_unexpected(&r->j, "more than 128 ranges");
	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	axis->low[axis->n] = has_low ? (double)low : -HUGE_VAL;
	axis->high[axis->n] = has_high ? (double)high + 1 : HUGE_VAL;
	if (axis->low[axis->n] >= axis->high[axis->n])
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, json_since(&r->j, from),
				  "an empty range");
	axis->n++;
	return true;
}

static bool read_axis(void *reader)
{
	struct reader *r = reader;
	struct counter *c = &r->counter;
	struct str name = STR("");
	const struct json_member members[] = { JSON_STRING("name", &name),
					       JSON_EACH("ranges", read_range, r) };

	if (c->n_axes == AXES)
		return json_unexpected(&r->j, "more than two axes");
	c->axis[c->n_axes++].n = 0;
	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	c->axis[c->n_axes - 1].latency =
		str_eq(name, STR("Latency (usec)")) || str_eq(name, STR("Latency (nsec)"));
	return true;
}

static bool read_axes(void *reader)
{
	struct reader *r = reader;

	r->counter.n_axes = 0;
	r->counter.has_values = false;
	return json_each(&r->j, read_axis, r);
}

/* Returns the axis of latencies; AXES if there is none. */
static size_t latency_axis(const struct counter *c)
{
	size_t i = 0;

	while (i < c->n_axes && !c->axis[i].latency)
		i++;
	return i < c->n_axes ? i : AXES;
}

/* Reads a count for each range of the last axis; `row` is the range of the first. */
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
			return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, json_since(&r->j, from),
					  "the sum of a range passes 2^64-1");
	}
	return !r->j.failed &&
	       (n == last->n || json_unexpected(&r->j, "expected as many counts as ranges"));
}

/* Reads a row for each range of the first axis; with only one axis, a single row. */
static bool read_values(void *reader)
{
	struct reader *r = reader;
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
		r->lines.left_out++;
		return true;
	}
	r->histograms = true;
	if (!build_operation(r->lines.to, layer, name, c->values_at) ||
	    !build_histogram(r->lines.to, c->values_at))
		return false;
	build_unit(r->lines.to, UNIT_NS, UNIT_STATED);
	for (size_t i = 0; i < c->axis[which].n; i++) {
		if (!build_range(r->lines.to, c->axis[which].low[i], c->axis[which].high[i],
				 c->value[i], c->values_at))
			return false;
	}
	return true;
}

/* --- averages ------------------------------------------------------------------------ */

static bool push_average(struct reader *r, struct str layer, struct str name)
{
	struct statistics *of = &r->counter.of;

	if (!r->counter.has_mean) {
		r->lines.left_out++;
		return true;
	}
	if (of->count == 0)
		return true;
	if (!decimal_times(of->total, 1000000000, &of->total))
		return lines_fail(&r->lines, DIAG_TOTAL_OVERFLOW, of->total_at, "a sum");
	of->layer = layer;
	of->name = name;
	of->where = of->count_at;
	of->unit = UNIT_NS;
	return statistics_push(of, r->lines.to);
}

static bool read_sum(void *reader)
{
	struct reader *r = reader;
	struct statistics *of = &r->counter.of;

	if (!json_number(&r->j, &of->total_at))
		return false;
	return number_decimal(of->total_at, &of->total) == NUMBER_OK ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, of->total_at, "expected seconds");
}

/* --- counters ------------------------------------------------------------------------ */

/* Reads a histogram, an average, or another object. */
static bool read_counter(struct reader *r, struct str layer, struct str name)
{
	struct counter *c = &r->counter;
	struct json ignored;
	const struct json_member members[] = {
		JSON_READ("axes", read_axes, r),
		JSON_READ("values", read_values, r, &c->has_values),
		JSON_U64("avgcount", &c->of.count, &c->has_count, .where = &c->of.count_at),
		JSON_READ("sum", read_sum, r, &c->has_sum),
		JSON_MARK("avgtime", &ignored, &c->has_mean),
	};

	c->n_axes = 0;
	c->has_values = c->has_count = c->has_sum = c->has_mean = false;
	if (!json_members(&r->j, members, COUNT_OF(members)))
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

static bool ceph_text(void *reader)
{
	struct reader *r = reader;
	bool ok;

	lines_json(&r->lines, &r->j);
	for (ok = read_dump(r); ok && json_peek(&r->j) != 0; ok = read_dump(r))
		build_next_interval(r->lines.to, NAN);
	if (!r->histograms) /* otherwise the builder infers it from the counts */
		build_snapshots(r->lines.to, SNAPSHOTS_CUMULATIVE);
	return ok;
}

const struct format format_ceph = {
	.name = "ceph",
	.title = "Ceph's perf histogram dump and perf dump",
	.versions = "18.2.7",
	.unit = "nanoseconds, always",
	.totals = "exact in perf dump; not printed in histograms",
	.is_one = ceph_is_one,
	.read = lines_read,
	.spec =
		&(const struct line_format){
			.size = sizeof(struct reader),
			.end = ceph_text,
			.left_out = "histograms and averages of sizes and numbers" },
};
