/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv: tables, written by scripts, spreadsheets, database clients and ourselves.
 * Two kinds are read, told apart by the header.
 *
 * A histogram, one row a bucket (formats/csv_buckets.c has its details):
 *
 *	operation,low_ns,high_ns,count,total_ns
 *	read,512,1024,20210,31000000
 *	read,4096,8192,7198,
 *	"open, create",1024,inf,12,44100
 *	"open, create",0,1024,3,
 *
 * Single latencies, one row an event:
 *
 *	op,start,latency_us
 *	read,0.000120,12.5
 *	write,0.000371,8
 *	read,0.000402,13.25
 *	fsync,0.001733,1042
 *
 * Separated by comma, semicolon, tab or bar, which the header shows; quoted as in
 * RFC 4180; with a byte order mark, CRLF, blank lines and # lines before the
 * header.  Without a header when all columns are given by number.
 *
 * The unit is the suffix of a column's name.  A start without one is in seconds.
 * Digits finer than a billionth of the unit are rounded, each latency for itself,
 * so that the order of rows does not matter.
 *
 * Not supported: decimal commas, thousands separators, units behind the numbers.
 */
#include "formats/csv_rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/crew.h"
#include "formats/csv_plain.h"
#include "profile/profile.h"

static const char *const suffixes[] = { ".csv", NULL };

/* --- recognising ---------------------------------------------------------------- */

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
	/* One column understood makes it worth telling what the others lack. */
	for (size_t role = 0; role < ROLE_N && !found && t.n_fields > 1; role++) {
		if (c.has[role])
			*clue = (struct clue){ (size_t)(t.record.p - head.p), c.why };
	}
	table_release(&t);
	input_release(&in);
	return found ? PROBE_MARKS : PROBE_NO;
}

/* --- fields --------------------------------------------------------------------- */

static struct str place_of(const struct rows *r, enum role role)
{
	return table_place(&r->table, r->columns.at[role]);
}

bool rows_fail(struct rows *r, enum role role, enum diag_code code, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return format_fail(r->in, r->diag, code, place_of(r, role), "%s", text);
}

bool rows_bad_number(struct rows *r, enum role role, const char *expected)
{
	struct str s = rows_field(r, role);

	if (s.n > 0 && memchr(s.p, ',', s.n) != NULL)
		return rows_fail(r, role, DIAG_NUMBER_BAD,
				 "expected %s: with a decimal point, not a comma, and without "
				 "thousands separators",
				 expected);
	return rows_fail(r, role, DIAG_NUMBER_BAD, "expected %s", expected);
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
	return rows_bad_number(r, role, "a number");
}

bool rows_count(struct rows *r, enum role role, uint64_t *ret)
{
	switch (number_u64(rows_field(r, role), ret)) {
	case NUMBER_OK:
		return true;
	case NUMBER_TOO_LARGE:
		return rows_fail(r, role, DIAG_COUNT_OVERFLOW, "more than 2^64-1");
	case NUMBER_NONE:
		break;
	}
	return rows_bad_number(r, role, "a whole number");
}

bool rows_f64(struct rows *r, enum role role, double *ret)
{
	double v;

	if (number_f64(rows_field(r, role), &v) != NUMBER_OK || !isfinite(v))
		return rows_bad_number(r, role, "a number");
	*ret = v;
	return true;
}

bool rows_time_rate(struct rows *r, enum role role, double *ret)
{
	double seconds;

	switch (r->columns.unit[role]) {
	case UNIT_NS:
		*ret = 1e9;
		return true;
	case UNIT_US:
		*ret = 1e6;
		return true;
	case UNIT_MS:
		*ret = 1e3;
		return true;
	case UNIT_CYCLES:
		if (!unit_seconds(UNIT_CYCLES, r->options->build.hz, &seconds))
			return rows_fail(r, role, DIAG_HZ_MISSING, "--hz says it");
		*ret = r->options->build.hz;
		return true;
	case UNIT_S:
	case UNIT_UNKNOWN:
	case UNIT_PLAIN:
		break;
	}
	*ret = 1;
	return true;
}

/* --- rows ------------------------------------------------------------------------- */

static bool bad_width(struct rows *r)
{
	const struct table *t = &r->table;
	bool few = t->n_fields < r->columns.n;
	/* A file that was cut off ends within a row. */
	enum diag_code code = few && t->cut_short ? DIAG_INPUT_TRUNCATED : DIAG_CSV_BAD;

	return format_fail(r->in, r->diag, code, few ? t->record : table_place(t, r->columns.n),
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

/* --- single latencies ---------------------------------------------------------------- */

static bool add_row(struct rows *r, struct samples *s, const struct block *block, bool with_start)
{
	bool stays = block->room != block->part.bytes.p; /* not gone with the block */

	struct sample sample = {
		.layer = rows_optional(r, ROLE_LAYER),
		.name = rows_field(r, ROLE_OPERATION),
		.place = block->at + (uint64_t)(r->table.record.p - block->part.bytes.p),
	};

	if (!rows_decimal(r, ROLE_LATENCY, &sample.latency) ||
	    (with_start && !rows_decimal(r, ROLE_START, &sample.start)))
		return false;
	/* In a row with quotes the name is a copy: the row itself is to blame then. */
	if (stays)
		sample.where = r->table.decoded ? r->table.record : sample.name;
	return samples_add(s, &sample, place_of(r, ROLE_LATENCY),
			   with_start ? place_of(r, ROLE_START) : (struct str){ 0 });
}

/* What the header says of latencies and starts. */
static bool find_sampling(struct rows *r, bool with_start, struct sampler_options *ret)
{
	ret->unit = r->columns.unit[ROLE_LATENCY];
	ret->unit_source = UNIT_STATED;
	if (ret->unit == UNIT_UNKNOWN) {
		ret->unit = r->options->build.unit;
		ret->unit_source = UNIT_GUESSED;
	}
	if (!with_start)
		return true;
	if (!r->columns.has[ROLE_START])
		return format_fail(r->in, r->diag, DIAG_COLUMN_MISSING, r->table.record,
				   "intervals need the time of each row: a column start, time or "
				   "timestamp; --column start=NAME says which");
	return rows_time_rate(r, ROLE_START, &ret->start_rate);
}

/* What reads the rows of single latencies, one for each member of a crew. */
struct row_reader {
	struct rows rows;
	struct plain_rows *plain; /* NULL: no row is plain */
	bool with_start;
};

static void *hire(const void *ctx, struct sampler *s)
{
	const struct row_reader *model = ctx;
	struct row_reader *r = xcalloc(1, sizeof(*r));
	const struct table *t = &model->rows.table;

	*r = *model;
	table_start(&r->rows.table, t->in, t->separator, r->rows.diag);
	r->plain = plain_new(&r->rows.columns, t->separator, r->with_start, s);
	return r;
}

static void dismiss(void *member)
{
	struct row_reader *r = member;

	plain_free(r->plain);
	table_release(&r->rows.table);
	free(r);
}

static bool finish(void *member)
{
	struct row_reader *r = member;

	return r->plain == NULL || plain_finish(r->plain);
}

/* The rows of a block: the plain ones at once, each of the others for itself. */
static bool read_block(void *member, const struct block *block, struct samples *s)
{
	struct row_reader *r = member;
	struct table *t = &r->rows.table;
	bool plain = r->plain != NULL && !block->has_quote;

	r->rows.in = s->in;
	r->rows.diag = s->diag;
	table_continue(t, s->in, s->diag);
	for (;;) {
		enum table_next what;

		if (plain)
			t->at = plain_take(r->plain, block, t->at);
		what = rows_next(&r->rows);
		if (what != TABLE_RECORD)
			return what == TABLE_END;
		if (!add_row(&r->rows, s, block, r->with_start))
			return false;
		if (plain)
			plain_learn(r->plain, t->record);
	}
}

/* The start of the first row, which comes again. */
static bool find_first(struct rows *r, struct decimal *ret)
{
	enum table_next what = rows_next(r);

	if (what == TABLE_RECORD) {
		if (!rows_decimal(r, ROLE_START, ret))
			return false;
		table_again(&r->table);
	}
	return what != TABLE_BAD;
}

static bool read_samples(struct rows *r)
{
	struct sampler_options sampling = { 0 };
	struct row_reader model = { .with_start = r->options->build.interval > 0 };
	struct decimal first = { 0 };
	struct crew_job job = { .in = r->in,
				.quote = '"',
				.options = r->options,
				.sampling = &sampling,
				.start_hint = "; times are in seconds unless the column's name "
					      "ends in another unit",
				.first = &first,
				.ctx = &model,
				.hire = hire,
				.read = read_block,
				.finish = finish,
				.dismiss = dismiss };

	if (!find_sampling(r, model.with_start, &sampling) ||
	    (model.with_start && !find_first(r, &first)))
		return false;
	job.from = r->table.at;
	model.rows = *r;
	return crew_read(&job, r->to, r->diag);
}

/* The header of a file of which only the beginning was read, if single latencies follow. */
static bool starts_samples(struct rows *r)
{
	struct diag ignored = { 0 };

	if (columns_find(r->in, r->options, &ignored, &r->table, &r->columns) &&
	    r->columns.kind == KIND_SAMPLES && !r->table.cut_short) {
		r->table.diag = r->diag;
		return true;
	}
	table_release(&r->table);
	return false;
}

/* All else is read whole. */
static bool starts_table(struct rows *r)
{
	return input_complete(r->in, r->diag) && format_is_text(r->in, r->diag) &&
	       columns_find(r->in, r->options, r->diag, &r->table, &r->columns);
}

static bool read_csv(struct input *in, const struct read_options *options, struct builder *to,
		     struct diag *diag)
{
	struct rows r = { .in = in, .options = options, .to = to, .diag = diag };
	bool fine = (in->rest != NULL && starts_samples(&r)) || starts_table(&r);

	if (fine)
		fine = r.columns.kind == KIND_BUCKETS ? rows_read_buckets(&r) : read_samples(&r);
	table_release(&r.table);
	return fine;
}

const struct format format_csv = {
	.name = "csv",
	.title = "tables of buckets or of single latencies",
	.versions = "any",
	.unit = "from the names of columns",
	.totals = "exact for single latencies, else where a column has them",
	.suffix = suffixes,
	.probe = probe_csv,
	.streams = true,
	.read = read_csv,
	.write = table_write_profile,
};
