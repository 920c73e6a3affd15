/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sipp: output of the SIP load generator SIPp with -trace_rtt and with -trace_stat.
 *
 *	Date_ms;response_time_ms;rtd_no
 *	24.001;12;1
 *
 * With -trace_rtt, each line is a response time in whole ms; the operation is the number of the
 * timer, in the layer ResponseTime; intervals use Date_ms.
 *
 *	StartTime;LastResetTime;CurrentTime;...;ResponseTimeRepartition1;
 *	ResponseTimeRepartition1_<10;ResponseTimeRepartition1_<20;...;
 *	ResponseTimeRepartition1_>=200;CallLengthRepartition;CallLengthRepartition_<10;...
 *	2026-11-22	10:09:52.280336	1795342192.280336;...;;89;5;3;...
 *
 * With -trace_stat (the header is one line), each line is a snapshot of the partitions, whose
 * counts are cumulative; edges are in ms.  The operations are ResponseTime1 etc., and CallLength.
 * Lines before the first call are skipped.
 *
 * Seen: 3.6.1.  Not read: screens.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "formats/bench/tool_table.h"
#include "formats/text.h"

/* --- recognising ------------------------------------------------------------------ */

static const struct tool_column time_columns[] = {
	{ .role = ROLE_START, .title = "Date_ms", .unit = UNIT_MS },
	{ .role = ROLE_LATENCY, .title = "response_time_ms", .unit = UNIT_MS },
	{ .role = ROLE_OPERATION, .title = "rtd_no" },
};

static const struct tool_table times = { .column = time_columns,
					 .n_columns = COUNT_OF(time_columns),
					 .separators = ";",
					 .layer = STR_INIT("ResponseTime"),
					 .granularity = 1 };

static bool is_statistics(struct str head)
{
	return str_has_prefix(head, STR("StartTime;LastResetTime;CurrentTime;"));
}

static bool sipp_is_one(struct str head)
{
	return tool_table_begins(&times, head) || is_statistics(head);
}

/* --- statistics ------------------------------------------------------------------- */

/* A bucket of a partition. */
struct column {
	size_t field;
	struct str name; /* the operation; its columns are adjacent */
	double low, high;
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct table table;
	struct arena *arena;
	struct column *column;
	size_t n, cap;
	size_t n_fields, now; /* fields of a record; index of CurrentTime */
};

/* Splits "ResponseTimeRepartition1_<10" into kind, timer and edge. */
static bool scan_title(struct str title, struct str *ret_kind, struct str *ret_timer,
		       struct str *ret_edge)
{
	struct str word = STR("Repartition");
	size_t at = str_find(title, word), edge = str_find_last(title, STR("_"));

	if (at == 0 || at == title.n || edge == title.n || edge < at + word.n)
		return false;
	*ret_kind = (struct str){ title.p, at };
	*ret_timer = (struct str){ title.p + at + word.n, edge - at - word.n };
	*ret_edge = str_skip(title, edge + 1);
	return true;
}

static bool read_edges(struct reader *r, size_t field, struct str edge, struct column *ret)
{
	bool last = str_has_prefix(edge, STR(">="));
	struct str digits = str_skip(edge, last ? 2 : 1);
	const struct column *before = r->n > 0 ? &r->column[r->n - 1] : NULL;
	double low = before != NULL && str_eq(before->name, ret->name) ? before->high : 0, v;

	if (!(last || str_has_prefix(edge, STR("<"))) || number_f64(digits, &v) != NUMBER_OK ||
	    (last ? v != low : !(v > low && isfinite(v))))
		return format_fail(r->in, r->diag, DIAG_BUCKET_BOUNDS,
				   table_where(&r->table, field),
				   "expected < or, of the last, >= and ms that ascend");
	ret->low = low;
	ret->high = last ? HUGE_VAL : v;
	return true;
}

static bool read_head(struct reader *r)
{
	struct str kind, timer, edge;

	r->n_fields = r->table.n_fields;
	for (size_t i = 0; i < r->n_fields; i++) {
		struct column c = { .field = i };

		if (str_eq(r->table.field[i], STR("CurrentTime")))
			r->now = i;
		if (!scan_title(r->table.field[i], &kind, &timer, &edge))
			continue;
		c.name = arena_printf(r->arena, "%.*s%.*s", STR_ARG(kind), STR_ARG(timer));
		if (!read_edges(r, i, edge, &c))
			return false;
		r->column = xgrow(r->column, &r->cap, r->n + 1, sizeof(*r->column));
		r->column[r->n++] = c;
	}
	return r->n > 0 || format_fail(r->in, r->diag, DIAG_COLUMN_MISSING, r->table.record,
				       "no column of a partition: ResponseTimeRepartition1_<10");
}

/* Returns the last number of "2026-11-22	10:09:53.321747	1795342193.321747". */
static double stamp_of(const struct reader *r)
{
	struct str time = r->table.field[r->now];
	size_t at = str_find_last(time, STR("\t"));
	double v;

	return at < time.n && number_f64(str_skip(time, at + 1), &v) == NUMBER_OK ? v : NAN;
}

static bool push_column(struct reader *r, const struct column *c, bool begins)
{
	uint64_t count;

	if (!table_u64(&r->table, c->field, &count))
		return false;
	if (begins) {
		if (!build_operation_in(r->to, UNIT_MS, STR(""), c->name, r->table.record))
			return false;
		if (!build_histogram(r->to, r->table.record))
			return false;
	}
	return build_range(r->to, c->low, c->high, count, table_where(&r->table, c->field));
}

static bool is_before_calls(const struct reader *r)
{
	for (size_t i = 0; i < r->n; i++) {
		if (!str_eq(r->table.field[r->column[i].field], STR("0")))
			return false;
	}
	return true;
}

static bool push_record(struct reader *r)
{
	build_next_interval(r->to, stamp_of(r));
	for (size_t i = 0; i < r->n; i++) {
		bool begins = i == 0 || !str_eq(r->column[i].name, r->column[i - 1].name);

		if (!push_column(r, &r->column[i], begins))
			return false;
	}
	return true;
}

static bool read_records(struct reader *r)
{
	bool calls = false;
	enum table_next next;

	while ((next = table_next(&r->table)) == TABLE_RECORD) {
		if (r->table.n_fields != r->n_fields)
			return format_fail(r->in, r->diag,
					   r->table.cut_short ? DIAG_INPUT_TRUNCATED : DIAG_CSV_BAD,
					   r->table.record, "%zu fields, where the header has %zu",
					   r->table.n_fields, r->n_fields);
		calls = calls || !is_before_calls(r);
		if (calls && !push_record(r))
			return false;
	}
	return next == TABLE_END;
}

static bool read_statistics(struct input *in, struct builder *to, struct diag *diag)
{
	struct reader r = { .in = in, .to = to, .diag = diag, .arena = arena_new() };
	bool ok;

	build_snapshots(to, SNAPSHOTS_CUMULATIVE);
	table_start(&r.table, in, ';', diag);
	ok = table_next(&r.table) == TABLE_RECORD && read_head(&r) && read_records(&r);
	table_release(&r.table);
	free(r.column);
	arena_free(r.arena);
	return ok;
}

static bool read_sipp(const struct read_task *task)
{
	if (is_statistics(task->in->bytes))
		return format_complete(task->in, task->diag) &&
		       read_statistics(task->in, task->to, task->diag);
	return tool_table_read(task);
}

const struct format format_sipp = {
	.name = "sipp",
	.title = "SIPp: response times of -trace_rtt, partitions of -trace_stat",
	.versions = "3.6.1",
	.unit = "ms, always",
	.totals = "exact of -trace_rtt",
	.is_one = sipp_is_one,
	.streams = true,
	.read = read_sipp,
	.spec = &times,
};
