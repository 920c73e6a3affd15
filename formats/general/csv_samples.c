/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/input/input_file.h"
#include "base/xalloc.h"
#include "formats/general/csv_plain.h"
#include "formats/table/csv_rows.h"
#include "formats/worker_pool.h"
#include "profile/variables.h"

/* State for reading rows of individual samples, one for each member of a worker pool. */
struct row_reader {
	struct rows rows;
	struct plain_rows *plain; /* NULL: no row can be plain */
	bool with_start;	  /* intervals are wanted: a row without its time is an error */
	bool timed;		  /* a column has the time of each row */
	struct further {
		size_t column, variable;
	} * further; /* columns recorded as variables */
	size_t n_further;
};

static struct str csv_samples_name_of(const struct rows *r)
{
	struct str name = rows_optional(r, ROLE_OPERATION);

	return name.n > 0 ? name : r->name;
}

static bool csv_samples_add_row(struct row_reader *reader, struct samples *s,
				const struct block *block)
{
	struct rows *r = &reader->rows;
	bool with_start = reader->with_start;
	struct sample sample = {
		.of = samples_source(s),
		.layer = r->columns.has[ROLE_LAYER] ? rows_field(r, ROLE_LAYER) : r->layer,
		.name = csv_samples_name_of(r),
		.offset = block->at + (uint64_t)(r->table.record.p - block->part.bytes.p),
	};

	if (!rows_decimal(r, ROLE_LATENCY, &sample.latency) ||
	    (with_start && !rows_decimal(r, ROLE_START, &sample.start)))
		return false;
	sample.timed =
		with_start || (reader->timed && number_decimal(str_trim(rows_field(r, ROLE_START)),
							       &sample.start) == NUMBER_OK);
	/* In a row with quotes the name is a copy, so messages point at the row. */
	sample.where = r->table.decoded || rows_optional(r, ROLE_OPERATION).n == 0 ? r->table.record
										   : sample.name;
	if (reader->plain != NULL && plain_learn(reader->plain, r->table.record, &sample))
		return true;
	if (!samples_add(s, &sample, rows_where(r, ROLE_LATENCY),
			 with_start ? rows_where(r, ROLE_START) : (struct str){ 0 }))
		return false;
	for (size_t i = 0; i < reader->n_further; i++)
		variables_set(s->variables, reader->further[i].variable,
			      r->table.field[reader->further[i].column], sample.layer);
	return true;
}

/* Whether a column has times of a known rate. */
static bool is_timed(const struct rows *r)
{
	return r->columns.has[ROLE_START] &&
	       (r->columns.unit[ROLE_START] != UNIT_CYCLES || r->options->build.hz > 0);
}

/* Finds the units of latencies and starts from the header. */
static bool find_sampling(struct rows *r, bool with_start, struct accumulator_options *ret)
{
	ret->granularity = r->granularity;
	ret->unit = r->columns.unit[ROLE_LATENCY];
	ret->unit_source = UNIT_STATED;
	if (ret->unit == UNIT_UNKNOWN) {
		ret->unit = r->options->build.unit;
		ret->unit_source = UNIT_GUESSED;
	}
	if (!with_start && !is_timed(r))
		return true;
	if (!r->columns.has[ROLE_START])
		return format_fail(r->in, r->diag, DIAG_COLUMN_MISSING, r->table.record,
				   "intervals need the time of each row: a column start, time or "
				   "timestamp; --column start=NAME says which");
	return rows_time_rate(r, ROLE_START, &ret->start_rate);
}

static void *start(const void *ctx, struct accumulator *s)
{
	const struct row_reader *model = ctx;
	struct row_reader *r = xcalloc(1, sizeof(*r));
	const struct table *t = &model->rows.table;

	*r = *model;
	table_start(&r->rows.table, t->in, t->separator, r->rows.diag);
	if (r->rows.filter == NULL && r->rows.options->variables == NULL)
		r->plain = plain_new(&r->rows.columns, t->separator, r->with_start || r->timed, s);
	return r;
}

static void release(void *member)
{
	struct row_reader *r = member;

	plain_free(r->plain);
	table_release(&r->rows.table);
	free(r);
}

static void finish(void *member)
{
	struct row_reader *r = member;

	if (r->plain != NULL)
		plain_finish(r->plain);
}

static bool is_latency(const struct row_reader *r, struct samples *s)
{
	const struct row_filter *filter = r->rows.filter;
	enum row_use use =
		filter != NULL ? filter->use(rows_field(&r->rows, filter->role)) : ROW_LATENCY;

	s->skipped[0] += use == ROW_INCONCLUSIVE;
	return use == ROW_LATENCY;
}

/* Reads the rows of a block: plain ones fast, the others one by one. */
static bool csv_samples_read_block(void *member, const struct block *block, struct samples *s)
{
	struct row_reader *r = member;
	struct table *t = &r->rows.table;

	r->rows.in = s->in;
	r->rows.diag = s->diag;
	table_continue(t, s->in, s->diag);
	for (;;) {
		enum table_next what;

		if (r->plain != NULL)
			t->at = plain_take(r->plain, block, t->at);
		what = rows_next(&r->rows);
		if (what != TABLE_RECORD)
			return what == TABLE_END;
		if (is_latency(r, s) && !csv_samples_add_row(r, s, block))
			return false;
	}
}

/* Returns whether the whole next row has been read; does not consume it. */
static bool row_is_here(struct table *t)
{
	struct diag ignored = { 0 }, *diag = t->diag;
	size_t at = t->at;
	bool here;

	if (t->in->rest == NULL)
		return true;
	t->diag = &ignored;
	here = table_next(t) == TABLE_RECORD && !t->cut_short;
	t->diag = diag;
	t->at = at;
	return here;
}

/* Whether the first row has a time that is a number: dates, which are not read, stay unread in all
 * rows.  Does not consume the row. */
static bool first_is_timed(struct rows *r)
{
	struct diag ignored = { 0 }, *diag = r->table.diag;
	size_t at = r->table.at, column = r->columns.at[ROLE_START];
	struct decimal start;
	bool timed;

	r->table.diag = &ignored;
	timed = table_next(&r->table) != TABLE_RECORD || column >= r->table.n_fields ||
		number_decimal(str_trim(r->table.field[column]), &start) == NUMBER_OK;
	r->table.diag = diag;
	r->table.at = at;
	return timed;
}

/* Finds the start of the first row; does not consume the row. */
static bool find_first(struct rows *r, struct decimal *ret)
{
	enum table_next what = table_next(&r->table);
	struct decimal latency;

	if (what == TABLE_RECORD) {
		/* Report a NUL byte before other errors, as in any row. */
		if (!input_is_text(r->in, r->table.record, r->diag))
			return false;
		table_again(&r->table);
		what = rows_next(r);
	}
	if (what == TABLE_RECORD) {
		/* If both are bad, report the latency, as in any row. */
		if (!rows_decimal(r, ROLE_LATENCY, &latency) || !rows_decimal(r, ROLE_START, ret))
			return false;
		table_again(&r->table);
	}
	return what != TABLE_BAD;
}

/* Finds the columns without a role; the current record is still the header. */
static void find_further(const struct rows *r, struct row_reader *model)
{
	struct variables *to = r->options->variables;

	if (to == NULL || r->columns.headless)
		return;
	model->further = xcalloc(r->columns.n + 1, sizeof(*model->further));
	for (size_t i = 0; i < r->columns.n && i < r->table.n_fields; i++) {
		struct str name = r->table.field[i];
		bool taken = name.n == 0 || (r->is_variable != NULL && !r->is_variable(name));

		for (size_t role = 0; role < ROLE_N; role++)
			taken |= r->columns.has[role] && r->columns.at[role] == i;
		if (!taken)
			model->further[model->n_further++] =
				(struct further){ i, variables_column(to, name,
								      variable_role_of(name)) };
	}
}

bool rows_read_samples(struct rows *r)
{
	struct accumulator_options sampling = {
		.start_hint = "; times are in seconds unless the column's name ends in another unit"
	};
	struct row_reader model = { .with_start = r->options->build.interval > 0 };
	struct decimal first = { 0 };
	bool ok;
	const struct read_task task = { .in = r->in,
					.options = r->options,
					.to = r->to,
					.diag = r->diag,
					.errors = r->diag->seen[SEV_ERROR] };
	struct worker_pool_job job = { .task = &task,
				       .quote = '"',
				       .sampling = &sampling,
				       .ctx = &model,
				       .start = start,
				       .read = csv_samples_read_block,
				       .finish = finish,
				       .skipped = { { DIAG_NOT_A_HISTOGRAM,
						      r->filter != NULL ? r->filter->inconclusive
									: NULL } },
				       .release = release };

	if (!find_sampling(r, model.with_start, &sampling))
		return false;
	find_further(r, &model);
	model.timed = is_timed(r) && first_is_timed(r); /* the header is no longer current */
	if (r->filter != NULL && !r->columns.has[r->filter->role])
		r->filter = NULL;
	/* If the first latency is not in memory yet, one thread reads everything, so that it is
	 * found first. */
	job.alone = model.with_start && (r->filter != NULL || !row_is_here(&r->table));
	if (model.with_start && !job.alone) {
		if (!find_first(r, &first)) {
			free(model.further);
			return false;
		}
		job.first = &first;
	}
	job.from = r->table.at;
	model.rows = *r;
	ok = worker_pool_read(&job);
	free(model.further);
	return ok;
}
