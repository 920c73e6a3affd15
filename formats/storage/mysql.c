/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mysql: histograms of MySQL, MariaDB and Percona Server, in tables printed by a client
 * (formats/storage/client_table.h).
 *
 *	+----------------+-------+----------------+
 *	| TIME           | COUNT | TOTAL          |
 *	+----------------+-------+----------------+
 *	|       0.000001 |     0 |       0.000000 |
 *	|       0.000010 |     4 |       0.000011 |
 *	| TOO LONG       |     0 | TOO LONG       |
 *	+----------------+-------+----------------+
 *
 * QUERY_RESPONSE_TIME of the plugin of that name: each row has the queries that took less than TIME
 * seconds but not less than the previous row's, and their sum.  Times are 1 s times powers of
 * query_response_time_range_base, in whole us.  The operation is "query".
 *
 *	          SCHEMA_NAME: mydb
 *	               DIGEST: bb3f69453119b2d7b3ae40673a9d4c7c
 *	     BUCKET_TIMER_LOW: 66069344
 *	         COUNT_BUCKET: 1
 *
 * events_statements_histogram_global and _by_digest of MySQL's performance schema: bucket 0 ends at
 * 10 us, and each following edge is 10^(1/50) times as large, in whole ps; the last of 450 buckets
 * is open.  The operation is "statement", or the digest with its schema as the layer.
 *
 * Seen: MariaDB 10.11, 11.8; of the performance schema the example of its manual.  Not supported:
 * tables without titles (-N), XML and HTML.
 */
#include <stdlib.h>

#include "formats/storage/client_table.h"

enum column { TIME, COUNT, TOTAL, LOW, IN_BUCKET, SCHEMA, DIGEST, DIGEST_TEXT };

static bool is_wanted(const bool *has)
{
	return (has[TIME] && has[COUNT] && has[TOTAL]) || (has[LOW] && has[IN_BUCKET]);
}

static const struct client_wants wants = {
	.title = { "time", "count", "total", "bucket_timer_low", "count_bucket", "schema_name",
		   "digest", "digest_text" },
	.is_wanted = is_wanted,
};

static bool mysql_is_one(struct str head)
{
	return client_has_table(head, &wants);
}

enum { BOUNDS = 64, TIMERS = 450 };

struct reader {
	struct client_tables t;
	struct builder *to;

	/* QUERY_RESPONSE_TIME: the rows of the current table. */
	size_t n;
	uint64_t bound[BOUNDS], count[BOUNDS]; /* us */
	struct str where[BOUNDS];
	struct decimal total; /* us */
	bool ended, has_total;

	/* Performance schema: edges, and the operation of the previous row. */
	uint64_t timer[TIMERS]; /* ps */
	double edge[TIMERS];	/* ns */
	bool any;
	struct str layer, name;
};

/* --- QUERY_RESPONSE_TIME ------------------------------------------------------------------- */

/* Reads "0.000010" s as us. */
static bool read_seconds(const struct reader *r, enum column column, struct decimal *ret)
{
	enum { US = 1000000 };
	struct str s = r->t.field[column];

	return (number_decimal(s, ret) == NUMBER_OK && ret->billionths >= 0 &&
		decimal_times(*ret, US, ret)) ||
	       lines_fail(&r->t.lines, DIAG_NUMBER_BAD, s, "expected seconds or TOO LONG");
}

static bool read_bound(struct reader *r)
{
	const double max = 1e15;
	struct decimal bound;

	if (!read_seconds(r, TIME, &bound))
		return false;
	if (decimal_f64(bound) > max)
		return lines_fail(&r->t.lines, DIAG_NUMBER_RANGE, r->t.field[TIME],
				  "more than any bound is");
	r->bound[r->n] = (uint64_t)decimal_f64(bound);
	return true;
}

static bool add_time(struct reader *r)
{
	struct decimal total;

	if (r->n == BOUNDS || r->ended)
		return lines_fail(&r->t.lines, DIAG_LINE_UNEXPECTED, r->t.where,
				  "more rows than QUERY_RESPONSE_TIME has");
	r->where[r->n] = r->t.field[COUNT];
	if (!lines_count(&r->t.lines, r->t.field[COUNT], &r->count[r->n],
			 "expected how many queries"))
		return false;
	if (str_eq(r->t.field[TIME], STR("TOO LONG"))) {
		r->ended = true;
		r->has_total = r->count[r->n] == 0;
		return true;
	}
	if (!read_bound(r) || !read_seconds(r, TOTAL, &total))
		return false;
	if (!decimal_add(r->total, total, &r->total))
		return lines_fail(&r->t.lines, DIAG_TOTAL_OVERFLOW, r->t.field[TOTAL],
				  "the sum is too large");
	r->n++;
	return true;
}

/* Computes all bounds for a base, ascending; returns their number. */
static size_t make_bounds(uint64_t base, uint64_t *ret)
{
	const uint64_t second = 1000000, end = UINT64_C(10000000000000);
	uint64_t down[BOUNDS];
	size_t n_down = 0, n = 0;

	for (uint64_t v = second / base; v > 0; v /= base)
		down[n_down++] = v;
	while (n_down > 0)
		ret[n++] = down[--n_down];
	for (uint64_t v = second; v < end; v *= base)
		ret[n++] = v;
	return n;
}

/* Checks that all rows are there: without them, the lower edges of buckets are not known. */
static bool check_bounds(const struct reader *r)
{
	const uint64_t second = 1000000, max = 1000;
	uint64_t bound[BOUNDS], base = 0;
	size_t n = 0, i = 0;

	for (size_t k = 0; k + 1 < r->n; k++) {
		if (r->bound[k] == second)
			base = r->bound[k + 1] / second;
	}
	if (base > 1 && base <= max)
		n = make_bounds(base, bound);
	/* cppcheck-suppress uninitvar; make_bounds() sets n of them */
	while (i < n && i < r->n && r->bound[i] == bound[i])
		i++;
	return (n > 0 && i == n && i == r->n) ||
	       format_fail(r->t.lines.in, r->t.lines.diag, DIAG_BUCKET_BOUNDS,
			   r->where[i < r->n ? i : 0],
			   "not all bounds from 0.000001 on: a table has to have all of its rows");
}

static bool push_times(struct reader *r)
{
	struct bucket_scheme scheme;
	double edge[BOUNDS + 1] = { 0 };

	if (!r->ended)
		return format_fail(r->t.lines.in, r->t.lines.diag, DIAG_INPUT_TRUNCATED,
				   r->where[r->n > 0 ? r->n - 1 : 0],
				   "no row TOO LONG after it: a table has to have all of its rows");
	if (!check_bounds(r))
		return false;
	for (size_t i = 0; i < r->n; i++)
		edge[i + 1] = (double)r->bound[i];
	scheme = bucket_edges(edge, r->n + 1);
	if (!build_operation(r->to, STR(""), STR("query"), r->where[0]))
		return false;
	build_unit(r->to, UNIT_US, UNIT_STATED);
	if (!build_scheme(r->to, &scheme, r->where[0]))
		return false;
	for (size_t i = 0; i <= r->n; i++) {
		if (r->count[i] > 0 && !build_bucket(r->to, (int)i, r->count[i], r->where[i]))
			return false;
	}
	return !r->has_total || build_total(r->to, r->total, r->where[0]);
}

/* --- performance schema --------------------------------------------------------------------- */

/* Computes the edges like the server, which truncates them to ps. */
static void set_timers(struct reader *r)
{
	const double factor = 1.0471285480508996; /* 10^(1/50) */
	double timer = 1e7;

	for (size_t i = 1; i < TIMERS; i++) {
		r->timer[i] = (uint64_t)timer;
		r->edge[i] = (double)r->timer[i] / 1e3;
		timer *= factor;
	}
}

static int compare_timers(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool open_statement(struct reader *r)
{
	struct bucket_scheme scheme = bucket_edges(r->edge, TIMERS);
	struct str layer = r->t.field[SCHEMA], name = r->t.field[DIGEST_TEXT];

	if (name.n == 0)
		name = r->t.field[DIGEST].n > 0 ? r->t.field[DIGEST] : STR("statement");
	if (str_eq(layer, STR("NULL")))
		layer = STR("");
	if (r->any && str_eq(layer, r->layer) && str_eq(name, r->name))
		return true;
	r->any = true;
	r->layer = layer;
	r->name = name;
	if (!build_operation(r->to, layer, name, r->t.where))
		return false;
	build_unit(r->to, UNIT_NS, UNIT_STATED);
	return build_scheme(r->to, &scheme, r->t.where);
}

static bool add_bucket(struct reader *r)
{
	const uint64_t *found;
	uint64_t low, count;

	if (!lines_count(&r->t.lines, r->t.field[LOW], &low, "expected ps") ||
	    !lines_count(&r->t.lines, r->t.field[IN_BUCKET], &count,
			 "expected how many statements"))
		return false;
	found = bsearch(&low, r->timer, TIMERS, sizeof(low), compare_timers);
	if (found == NULL)
		return lines_fail(&r->t.lines, DIAG_BUCKET_BOUNDS, r->t.field[LOW],
				  "no bucket of the performance schema begins here");
	return open_statement(r) && (count == 0 || build_bucket(r->to, (int)(found - r->timer),
								count, r->t.field[IN_BUCKET]));
}

/* --- tables ----------------------------------------------------------------------------------- */

static bool begin_table(struct reader *r)
{
	if ((r->n > 0 || r->ended) && !push_times(r))
		return false;
	r->n = 0;
	r->total = (struct decimal){ 0 };
	r->any = r->ended = r->has_total = false;
	return true;
}

static bool read_tables(struct reader *r)
{
	enum client_next what;

	while ((what = client_next(&r->t)) != CLIENT_END) {
		if (what == CLIENT_BAD || (what == CLIENT_TABLE && !begin_table(r)))
			return false;
		if (what == CLIENT_ROW &&
		    !(r->t.field[IN_BUCKET].n > 0 ? add_bucket(r) : add_time(r)))
			return false;
	}
	return begin_table(r);
}

static bool read_mysql(const struct read_task *task)
{
	struct reader r = { .to = task->to };

	set_timers(&r);
	client_start(&r.t, task->in, &wants, task->diag);
	return read_tables(&r);
}

const struct format format_mysql = {
	.name = "mysql",
	.title = "histograms of MySQL and its forks: queries, statements",
	.versions = "MariaDB 10.11, 11.8, manual of MySQL 8",
	.unit = "s and ps, always",
	.totals = "exact of QUERY_RESPONSE_TIME",
	.is_one = mysql_is_one,
	.read = read_mysql,
};
