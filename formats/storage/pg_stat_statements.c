/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pg-stat-statements: the view of PostgreSQL's extension of that name in CSV, from psql --csv or
 * COPY ... CSV HEADER, with all or some of its columns.
 *
 *	query,calls,total_exec_time,min_exec_time,max_exec_time,mean_exec_time,stddev_exec_time
 *	SELECT sum(total) FROM orders WHERE customer = $1,60,411.99383400000016,2.475,...
 *
 * The operation is the query.  calls and total_exec_time are required; minima and maxima are read
 * if present, as are plans and total_plan_time, in the layer plan.  Rows of one query from several
 * users or databases are added up.  Times are in ms, counted since the last reset.  No
 * distribution.
 *
 * Seen: 15.18.  Before 13 the columns were total_time, min_time and max_time.
 */
#include "formats/format.h"
#include "formats/statistics.h"
#include "formats/table/table.h"
#include "formats/text.h"

enum column { QUERY, CALLS, TOTAL, MIN, MAX, PLANS, PLAN_TOTAL, PLAN_MIN, PLAN_MAX, COLUMNS };

/* The second title is that of versions before 13. */
static const char *const titles[COLUMNS][2] = {
	[QUERY] = { "query", NULL },
	[CALLS] = { "calls", NULL },
	[TOTAL] = { "total_exec_time", "total_time" },
	[MIN] = { "min_exec_time", "min_time" },
	[MAX] = { "max_exec_time", "max_time" },
	[PLANS] = { "plans", NULL },
	[PLAN_TOTAL] = { "total_plan_time", NULL },
	[PLAN_MIN] = { "min_plan_time", NULL },
	[PLAN_MAX] = { "max_plan_time", NULL },
};

static bool is_title(struct str field, size_t column)
{
	for (size_t i = 0; i < 2; i++) {
		if (titles[column][i] != NULL && str_eq(field, str_from(titles[column][i])))
			return true;
	}
	return false;
}

/* Returns the column with this title; COLUMNS if it is not read. */
static size_t column_of(struct str field)
{
	size_t column = 0;

	while (column < COLUMNS && !is_title(field, column))
		column++;
	return column;
}

static bool pg_stat_statements_is_one(struct str head)
{
	bool has[COLUMNS + 1] = { false };
	struct str line, field;
	bool more = true;

	if (!text_line(&head, &line))
		return false;
	while (more) {
		more = str_cut(line, ',', &field, &line);
		has[column_of(more ? field : line)] = true;
	}
	return has[QUERY] && has[CALLS] && has[TOTAL];
}

/* --- rows --------------------------------------------------------------------------- */

struct reader {
	struct table table;
	struct builder *to;
	struct input *in;
	struct diag *diag;
	size_t n; /* number of fields of the header */
	bool has[COLUMNS];
	size_t at[COLUMNS];
};

static bool find_columns(struct reader *r)
{
	r->n = r->table.n_fields;
	for (size_t i = 0; i < r->n; i++) {
		size_t column = column_of(r->table.field[i]);

		if (column == COLUMNS)
			continue;
		r->has[column] = true;
		r->at[column] = i;
	}
	return (r->has[QUERY] && r->has[CALLS] && r->has[TOTAL]) ||
	       format_fail(r->in, r->diag, DIAG_COLUMN_MISSING, r->table.record,
			   "expected columns query, calls and total_exec_time");
}

static bool read_ms(struct reader *r, enum column column, struct decimal *ret)
{
	struct str s = r->table.field[r->at[column]];

	return (number_decimal(s, ret) == NUMBER_OK && ret->billionths >= 0) ||
	       table_bad_number(&r->table, r->at[column], "expected ms");
}

/* Pushes the statistics of the current row in `calls`, `total` and the extremes. */
static bool pg_stat_statements_push(struct reader *r, struct str layer, enum column calls,
				    enum column total)
{
	enum column min = total + 1, max = total + 2;
	struct statistics of = { .layer = layer,
				 .name = r->table.field[r->at[QUERY]],
				 .where = table_where(&r->table, r->at[QUERY]),
				 .unit = UNIT_MS,
				 .count_at = table_where(&r->table, r->at[calls]),
				 .total_at = table_where(&r->table, r->at[total]),
				 .has_min = r->has[min],
				 .has_max = r->has[max] };

	if (!table_u64(&r->table, r->at[calls], &of.count) || !read_ms(r, total, &of.total))
		return false;
	return of.count == 0 ||
	       ((!of.has_min || read_ms(r, min, &of.min)) &&
		(!of.has_max || read_ms(r, max, &of.max)) && statistics_push(&of, r->to));
}

static bool pg_stat_statements_read_row(struct reader *r)
{
	struct str record = r->table.record;

	if (r->table.cut_short)
		return format_fail(r->in, r->diag, DIAG_INPUT_TRUNCATED, str_skip(record, record.n),
				   "expected a newline after the last field");
	if (r->table.n_fields != r->n)
		return format_fail(r->in, r->diag, DIAG_CSV_BAD, str_skip(record, record.n),
				   "expected as many fields as the header has");
	if (r->table.field[r->at[QUERY]].n == 0)
		return format_fail(r->in, r->diag, DIAG_NAME_BAD, record, "a row without a query");
	return pg_stat_statements_push(r, STR("execute"), CALLS, TOTAL) &&
	       (!r->has[PLANS] || !r->has[PLAN_TOTAL] ||
		pg_stat_statements_push(r, STR("plan"), PLANS, PLAN_TOTAL));
}

static bool pg_stat_statements_read_table(struct reader *r)
{
	enum table_next next = table_next(&r->table);

	if (next != TABLE_RECORD)
		return next == TABLE_END;
	if (!find_columns(r))
		return false;
	while ((next = table_next(&r->table)) == TABLE_RECORD) {
		if (!pg_stat_statements_read_row(r))
			return false;
	}
	return next == TABLE_END;
}

static bool read_pg_stat_statements(const struct read_task *task)
{
	struct reader r = { .to = task->to, .in = task->in, .diag = task->diag };
	bool ok;

	build_drop_single_layer(task->to);
	table_start(&r.table, task->in, ',', task->diag);
	ok = pg_stat_statements_read_table(&r);
	table_release(&r.table);
	return ok;
}

const struct format format_pg_stat_statements = {
	.name = "pg-stat-statements",
	.title = "pg_stat_statements as CSV: calls and totals only",
	.versions = "15.18",
	.unit = "ms, always",
	.totals = "exact",
	.is_one = pg_stat_statements_is_one,
	.read = read_pg_stat_statements,
};
