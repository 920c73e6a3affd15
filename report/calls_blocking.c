/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The resources that calls block on: laid out like table 4 of DeBox, and as a matrix. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/calls_parts.h"
#include "report/table.h"

enum { COLUMNS_ABREAST = 5 };

/* "file 166, 1.9 s"; table 4 writes "biord/166". */
static const char *blocking_words(struct arena *a, const struct style *s, struct str name,
				  size_t calls, double time)
{
	struct out *text = out_to_memory();
	const char *words;

	if (name.n == 0)
		out_text(text, "(unknown)");
	else
		(s->output_format == OUTPUT_FORMAT_MARKDOWN ? escape_markdown
							    : escape_terminal)(text, name);
	out_char(text, ' ');
	quantity_count(text, (double)calls);
	out_text(text, ", ");
	quantity_latency(text, time, ns);
	words = arena_str(a, out_memory(text)).p;
	out_free(text);
	return words;
}

/* Prints n resources side by side, each with its calls below. */
static void blocking_band(struct out *o, const struct style *s, const struct calls_report *r,
			  struct arena *a, size_t from, size_t n)
{
	const struct calls_run *run = r->before;
	const struct blocking_column *b = &run->side.blocking.column[from];
	const struct calls *c = run->side.calls;
	struct column column[COLUMNS_ABREAST];
	struct table *t;
	size_t rows = 0;

	for (size_t i = 0; i < n; i++) {
		column[i] = (struct column){ .title = blocking_words(a, s,
								     c->resources.v[b[i].resource],
								     b[i].calls, b[i].time) };
		rows = b[i].n > rows ? b[i].n : rows;
	}
	rows = rows_shown(s, r, rows);
	t = table_begin(column, n, s, o);
	for (size_t k = 0; k < rows; k++) {
		for (size_t i = 0; i < n; i++) {
			const struct blocking_cell *cell = &b[i].cell[k];

			table_text(t,
				   k < b[i].n
					   ? blocking_words(a, s, c->operations.v[cell->operation],
							    cell->calls, cell->time)
					   : "",
				   TONE_PLAIN);
		}
	}
	table_end(t);
}

void calls_blocking_table(struct out *o, const struct style *s, const struct calls_report *r)
{
	const struct blocking *b = &r->before->side.blocking;
	struct arena *a = arena_new();
	size_t columns = rows_shown(s, r, b->n);

	for (size_t from = 0; from < columns; from += COLUMNS_ABREAST) {
		size_t n = columns - from < COLUMNS_ABREAST ? columns - from : COLUMNS_ABREAST;

		out_text(o, from > 0 ? "\n" : "");
		blocking_band(o, s, r, a, from, n);
	}
	if (b->n == 0)
		out_text(o, "No call blocked.\n");
	say_rest(o, s, b->n, columns);
	arena_free(a);
}

/* A row of the matrix: an operation's calls and time on each resource. */
struct matrix_row {
	uint32_t operation;
	size_t calls;
	double time;
	const struct blocking_cell **cell; /* one for each column; NULL: none */
};

static int by_calls(const void *a, const void *b)
{
	const struct matrix_row *x = a, *y = b;

	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return x->operation < y->operation ? -1 : x->operation > y->operation;
}

static struct matrix_row *matrix_of(struct arena *a, const struct calls_side *side, size_t *ret_n)
{
	struct matrix_row *row = arena_make(a, struct matrix_row, side->calls->operations.n);
	const struct blocking *b = &side->blocking;
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		for (size_t k = 0; k < b->column[i].n; k++) {
			const struct blocking_cell *cell = &b->column[i].cell[k];
			struct matrix_row *to = &row[cell->operation];

			if (to->cell == NULL)
				to->cell = arena_make(a, const struct blocking_cell *, b->n);
			to->cell[i] = cell;
			to->calls += cell->calls;
			to->time += cell->time;
		}
	}
	for (size_t i = 0; i < side->calls->operations.n; i++) {
		row[i].operation = (uint32_t)i;
		if (row[i].calls > 0)
			row[n++] = row[i];
	}
	qsort(row, n, sizeof(*row), by_calls);
	*ret_n = n;
	return row;
}

static void matrix_heading(struct out *o, const struct calls_side *side)
{
	struct out *name = out_to_memory();

	out_text(o, "operation,calls,blocked_ns");
	for (size_t i = 0; i < side->blocking.n; i++) {
		struct str resource = side->calls->resources.v[side->blocking.column[i].resource];

		for (int k = 0; k < 2; k++) {
			out_reset(name);
			out_bytes(name, resource.n > 0 ? resource : STR("(unknown)"));
			out_text(name, k == 0 ? " calls" : " blocked_ns");
			out_char(o, ',');
			escape_csv(o, out_memory(name));
		}
	}
	out_char(o, '\n');
	out_free(name);
}

/* Prints the whole matrix as CSV: calls and time of each operation on each resource. */
void calls_blocking_matrix(struct out *o, const struct calls_side *side)
{
	struct arena *a = arena_new();
	size_t n;
	struct matrix_row *row = matrix_of(a, side, &n);

	matrix_heading(o, side);
	for (size_t i = 0; i < n; i++) {
		escape_csv(o, side->calls->operations.v[row[i].operation]);
		out_printf(o, ",%zu,", row[i].calls);
		out_f64(o, row[i].time);
		for (size_t k = 0; k < side->blocking.n; k++) {
			const struct blocking_cell *cell = row[i].cell[k];

			out_printf(o, ",%zu,", cell != NULL ? cell->calls : 0);
			out_f64(o, cell != NULL ? cell->time : 0);
		}
		out_char(o, '\n');
	}
	arena_free(a);
}
