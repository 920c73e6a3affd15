/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * autocannon-json: results of autocannon --json.
 *
 *	{"url":"http://127.0.0.1/","connections":4,"pipelining":1,"duration":2.07,"errors":0,
 *	 "latency":{"average":0.83,"mean":0.83,"stddev":2.94,"min":1,"max":86,"p50":0,"p97_5":6,
 *	   "p99":8,"totalCount":5902},"requests":{"average":2951}}
 *
 * The operation is "latency", as in the table; times are in ms, percentiles whole ones.  The
 * minimum is left out, because it is above the first percentile where that is 0.
 *
 * Seen: 8.0; since 7.0 the number of latencies is stated.
 */
#include "base/json.h"
#include "formats/lines.h"
#include "formats/percentile_buckets.h"

enum { MAX_POINTS = 32 };

struct reader {
	struct lines lines;
	struct json j;
	struct percentile_point point[MAX_POINTS], max;
	size_t n_points;
	struct str mean, count, where; /* as printed; p NULL: missing */
	double duration, deviation;
};

/* Parses the name of a percentile, "p97_5"; false for other members. */
static bool percentile_in(struct str key, double *ret)
{
	char digits[16];
	size_t n = 0;

	if (!str_has_prefix(key, STR("p")) || key.n > sizeof(digits))
		return false;
	for (size_t i = 1; i < key.n; i++)
		digits[n++] = key.p[i] == '_' ? '.' : key.p[i];
	return number_f64((struct str){ digits, n }, ret) == NUMBER_OK && *ret >= 0 && *ret <= 100;
}

static bool read_number(struct reader *r, struct str key)
{
	struct percentile_point p = { .step = 1 };

	if (!json_number(&r->j, &p.where) || number_f64(p.where, &p.value) != NUMBER_OK)
		return !r->j.failed && json_unexpected(&r->j, "a number");
	if (percentile_in(key, &p.percent) && r->n_points < MAX_POINTS)
		r->point[r->n_points++] = p;
	else if (str_eq(key, STR("mean")))
		r->mean = p.where;
	else if (str_eq(key, STR("max")))
		r->max = p;
	else if (str_eq(key, STR("totalCount")))
		r->count = p.where;
	else if (str_eq(key, STR("stddev")))
		r->deviation = p.value;
	return true;
}

static bool read_latency(void *ctx)
{
	struct reader *r = ctx;
	size_t from = json_begin(&r->j);
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		bool number = json_peek(&r->j) == '-' || is_digit(json_peek(&r->j));

		if (number ? !read_number(r, key) : !json_skip(&r->j))
			return false;
	}
	r->where = json_since(&r->j, from);
	return !r->j.failed;
}

static bool push_latency(struct reader *r)
{
	struct percentile_list list = { .point = r->point, .n = r->n_points, .max = &r->max };
	struct builder *to = r->lines.to;
	struct decimal mean;

	if (r->count.p == NULL || r->mean.p == NULL)
		return lines_fail(&r->lines, DIAG_COLUMN_MISSING, r->where,
				  "no mean or totalCount, which autocannon has since 7.0");
	if (!lines_count(&r->lines, r->count, &list.calls, "expected a count") ||
	    number_decimal(r->mean, &mean) != NUMBER_OK ||
	    !build_operation_in(to, UNIT_MS, STR(""), STR("latency"), r->where))
		return false;
	if (list.calls > 0 && !percentile_buckets_push(&list, to, r->where))
		return false;
	if (list.calls > 0)
		build_max(to, r->max.value);
	build_deviation(to, r->deviation);
	return build_count(to, list.calls, r->count) &&
	       lines_push_mean(&r->lines, mean, list.calls, r->mean, "mean times calls");
}

static bool autocannon_json_text(void *ctx)
{
	struct reader *r = ctx;
	uint64_t connections = 0;
	const struct json_member members[] = { JSON_READ("latency", read_latency, r, .only = '{'),
					       JSON_F64_OR_NULL("duration", &r->duration),
					       JSON_U64("connections", &connections) };

	lines_json(&r->lines, &r->j);
	if (!json_members(&r->j, members, COUNT_OF(members)) || !json_end(&r->j))
		return false;
	if (r->duration > 0)
		build_elapsed(r->lines.to, r->duration);
	build_concurrency(r->lines.to, connections);
	return r->where.p == NULL || push_latency(r);
}

const struct format format_autocannon_json = {
	.name = "autocannon-json",
	.title = "autocannon --json: percentiles of requests",
	.versions = "8.0",
	.unit = "ms, always",
	.totals = "mean times requests, to 10 us",
	.marks = MARKS("{", "\"connections\"", "\"pipelining\"", "\"latency\"", "\"p97_5\""),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = autocannon_json_text },
};
