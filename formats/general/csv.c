/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv: tables, written by scripts, spreadsheets, database clients and ourselves.
 * The header tells which of two kinds a table is.
 *
 * A histogram, one row a bucket (details in formats/general/csv_buckets.c):
 *
 *	operation,low_ns,high_ns,count,total_ns
 *	read,512,1024,20210,31000000
 *	read,4096,8192,7198,
 *	"open, create",1024,inf,12,44100
 *	"open, create",0,1024,3,
 *
 * Individual samples, one row an event:
 *
 *	op,start,latency_us
 *	read,0.000120,12.5
 *	write,0.000371,8
 *	read,0.000402,13.25
 *	fsync,0.001733,1042
 *
 * Fields are separated by comma, semicolon, tab or bar, detected from the header, and quoted as in
 * RFC 4180.  CRLF, blank lines and # lines before the header are accepted.  There may be no header
 * if all columns are given by number.
 *
 * There may be no operation if all columns have a meaning ("start,latency_us"); it is "latency"
 * then.
 *
 * The unit is the suffix of a column's name.  A start without one is in seconds.
 * Each latency is rounded to a billionth of the unit, so that the order of rows does not matter.
 *
 * Not supported: decimal commas, thousands separators, units after the numbers.
 */
#include "base/input/input_file.h"
#include "formats/table/csv_rows.h"

/* --- detection ------------------------------------------------------------------ */

static enum probe probe_csv(struct str head, struct clue *clue)
{
	struct read_options options = { 0 };
	struct diag ignored = { 0 };
	struct columns c;
	struct input in;
	struct table t;
	bool found;

	input_borrow(&in, "", head.p, head.n);
	found = columns_find(&in, &options, &ignored, &t, &c);
	/* If one column was understood, say what is missing. */
	for (size_t role = 0; role < ROLE_N && !found && t.n_fields > 1; role++) {
		if (c.has[role])
			*clue = (struct clue){ (size_t)(t.record.p - head.p), c.why };
	}
	table_release(&t);
	input_release(&in);
	return found ? PROBE_MARKS : PROBE_NO;
}

/* --- reading ---------------------------------------------------------------------- */

/* Finds the header.  If only the beginning of the file has been read, reads the rest unless
 * individual samples follow; a header found before that is not analysed again. */
static bool find_header(struct rows *r)
{
	struct diag ignored = { 0 };
	bool found = r->in->rest != NULL &&
		     columns_find(r->in, r->options, &ignored, &r->table, &r->columns) &&
		     !r->table.cut_short;
	size_t at = r->table.at;

	r->table.diag = r->diag;
	if (found && r->columns.kind == KIND_SAMPLES)
		return true;
	if (!input_complete(r->in, r->diag))
		return false;
	if (!found) {
		table_release(&r->table);
		return columns_find(r->in, r->options, r->diag, &r->table, &r->columns) &&
		       (r->columns.kind == KIND_SAMPLES || format_is_text(r->in, r->diag));
	}
	if (!format_is_text(r->in, r->diag))
		return false;
	table_continue(&r->table, r->in, r->diag);
	r->table.at = at;
	return true;
}

static bool read_csv(const struct read_task *task)
{
	struct rows r = {
		.in = task->in, .options = task->options, .to = task->to, .diag = task->diag
	};
	bool ok = find_header(&r);

	r.name = r.columns.has[ROLE_OPERATION] ? STR("") : STR("latency");
	ok = ok && (r.columns.kind == KIND_BUCKETS ? rows_read_buckets(&r) : rows_read_samples(&r));
	table_release(&r.table);
	return ok;
}

const struct format format_csv = {
	.name = "csv",
	.title = "tables of buckets or of individual samples",
	.versions = "any",
	.unit = "from the names of columns",
	.totals = "exact for individual samples, else where a column has them",
	.suffix = SUFFIXES(".csv"),
	.probe = probe_csv,
	.streams = true,
	.read = read_csv,
	.write = table_write_profile,
};
