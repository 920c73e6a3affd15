/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/table/csv_rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* --- fields --------------------------------------------------------------------- */

struct str rows_where(const struct rows *r, enum role role)
{
	return table_where(&r->table, r->columns.at[role]);
}

bool rows_fail(struct rows *r, enum role role, enum diag_code code, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return format_fail(r->in, r->diag, code, rows_where(r, role), "%s", text);
}

static bool bad_number(struct rows *r, enum role role)
{
	return table_bad_number(&r->table, r->columns.at[role], "a number");
}

bool rows_decimal(struct rows *r, enum role role, struct decimal *ret)
{
	switch (number_decimal(rows_field(r, role), ret)) {
	case NUMBER_OK:
		return true;
	case NUMBER_TOO_LARGE:
		return rows_fail(r, role, DIAG_NUMBER_RANGE, "beyond 1.7e29");
	case NUMBER_NONE:
		break;
	}
	return bad_number(r, role);
}

bool rows_f64(struct rows *r, enum role role, double *ret)
{
	double v;

	if (number_f64(rows_field(r, role), &v) != NUMBER_OK || !isfinite(v))
		return bad_number(r, role);
	*ret = v;
	return true;
}

bool rows_time_rate(struct rows *r, enum role role, double *ret)
{
	enum unit unit = r->columns.unit[role];
	double hz = r->options->build.hz;

	if (unit == UNIT_CYCLES && !(hz > 0))
		return rows_fail(r, role, DIAG_HZ_MISSING, "use --hz to set it");
	*ret = unit == UNIT_CYCLES  ? hz
	       : unit_is_time(unit) ? 1e9 / (double)unit_nanoseconds(unit)
				    : 1;
	return true;
}

/* --- rows ------------------------------------------------------------------------- */

static bool bad_width(struct rows *r)
{
	const struct table *t = &r->table;
	bool few = t->n_fields < r->columns.n;
	/* A file that was cut off ends within a row. */
	enum diag_code code = few && t->cut_short ? DIAG_INPUT_TRUNCATED : DIAG_CSV_BAD;

	return format_fail(r->in, r->diag, code, few ? t->record : table_where(t, r->columns.n),
			   "%zu fields where %s has %zu", t->n_fields,
			   r->columns.headless ? "the first row" : "the header", r->columns.n);
}

enum table_next rows_next(struct rows *r)
{
	enum table_next what = table_next(&r->table);

	if (what == TABLE_RECORD && r->table.n_fields != r->columns.n)
		return bad_width(r) ? TABLE_RECORD : TABLE_BAD;
	return what;
}
