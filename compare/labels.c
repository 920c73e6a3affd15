/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/labels.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/input/input_file.h"
#include "formats/table/table.h"

const char *const truth_names[] = { "changed", "same", "unscored", NULL };

/* The columns of the table. */
enum { COLUMN_BASELINE, COLUMN_CANDIDATE, COLUMN_OPERATION, COLUMN_LABEL, N_COLUMNS };
static const char *const column_names[N_COLUMNS] = { "baseline", "candidate", "operation",
						     "label" };

/* A table while its rows are read. */
struct labels_reader {
	struct labels *labels;
	struct table table;
	struct str_table seen; /* operations, each with the number of its pair */
	size_t column[N_COLUMNS], n_columns;
	struct diag *diag;
};

static bool find_column(struct labels_reader *r, size_t column)
{
	for (size_t i = 0; i < r->table.n_fields; i++) {
		if (str_eq(r->table.field[i], str_from(column_names[column]))) {
			r->column[column] = i;
			return true;
		}
	}
	diag_part(r->diag, DIAG_LABELS_BAD, &r->labels->input, r->table.record,
		  "no column %s; baseline, candidate, operation and label are needed",
		  column_names[column]);
	return false;
}

static bool read_header(struct labels_reader *r)
{
	switch (table_next(&r->table)) {
	case TABLE_RECORD:
		break;
	case TABLE_END:
		diag_file(r->diag, DIAG_LABELS_BAD, &r->labels->input, "it is empty");
		return false;
	case TABLE_BAD:
		return false;
	}
	r->n_columns = r->table.n_fields;
	for (size_t i = 0; i < N_COLUMNS; i++)
		if (!find_column(r, i))
			return false;
	return true;
}

static bool read_truth(struct labels_reader *r, enum truth *ret)
{
	size_t column = r->column[COLUMN_LABEL];

	for (size_t i = 0; truth_names[i] != NULL; i++) {
		if (str_eq(r->table.field[column], str_from(truth_names[i]))) {
			*ret = (enum truth)i;
			return true;
		}
	}
	diag_part(r->diag, DIAG_LABELS_BAD, &r->labels->input, table_where(&r->table, column),
		  "a label is changed, same or unscored");
	return false;
}

static struct labelled_pair *pair_of(struct labels *l, struct str before, struct str after)
{
	struct labelled_pair pair = { .label = NULL };
	bool is_new;
	size_t i;

	pair.before = str_table_add(&l->run, before, l->arena, &is_new);
	pair.after = str_table_add(&l->run, after, l->arena, &is_new);
	i = str_table_add(&l->pair_key, arena_printf(l->arena, "%zu %zu", pair.before, pair.after),
			  l->arena, &is_new);
	if (is_new) {
		l->pair = arena_grow(l->arena, l->pair, &l->cap_pairs, i + 1, sizeof(*l->pair));
		l->pair[l->n_pairs++] = pair;
	}
	return &l->pair[i];
}

/* Reports it when an operation of a pair has a label already. */
static bool is_first_label(struct labels_reader *r, const struct labelled_pair *pair,
			   struct str operation)
{
	struct labels *l = r->labels;
	bool is_new;

	str_table_add(
		&r->seen,
		arena_printf(l->arena, "%zu %.*s", (size_t)(pair - l->pair), STR_ARG(operation)),
		l->arena, &is_new);
	if (!is_new)
		diag_part(r->diag, DIAG_LABELS_BAD, &l->input, r->table.record,
			  "a second label of this operation and these runs");
	return is_new;
}

static bool read_row(struct labels_reader *r)
{
	struct labels *l = r->labels;
	const struct str *field = r->table.field;
	struct labelled_pair *pair;
	struct label row = { .where = table_where(&r->table, r->column[COLUMN_OPERATION]) };

	if (r->table.n_fields != r->n_columns) {
		diag_part(r->diag, DIAG_LABELS_BAD, &l->input, r->table.record,
			  "%zu fields where the header has %zu", r->table.n_fields, r->n_columns);
		return false;
	}
	if (!read_truth(r, &row.truth))
		return false;
	row.operation = arena_str(l->arena, field[r->column[COLUMN_OPERATION]]);
	pair = pair_of(l, field[r->column[COLUMN_BASELINE]], field[r->column[COLUMN_CANDIDATE]]);
	if (!is_first_label(r, pair, row.operation))
		return false;
	pair->label = arena_grow(l->arena, pair->label, &pair->cap, pair->n + 1, sizeof(row));
	pair->label[pair->n++] = row;
	return true;
}

static bool read_rows(struct labels_reader *r)
{
	for (;;) {
		switch (table_next(&r->table)) {
		case TABLE_RECORD:
			if (!read_row(r))
				return false;
			break;
		case TABLE_END:
			return true;
		case TABLE_BAD:
			return false;
		}
	}
}

/* Returns the setting of a run, so that repetitions stay together: its path up to the first digit or
 * point of the file's name; the folder where names begin with a digit. */
static struct str setting_of(struct str path)
{
	size_t end = path.n;

	while (end > 0 && path.p[end - 1] != '/')
		end--;
	while (end < path.n && path.p[end] != '.' && !is_digit(path.p[end]))
		end++;
	return (struct str){ path.p, end };
}

/* Divides the settings of the runs after in two halves, in turns; if there is one setting, the
 * pairs. */
static void divide(struct labels *l)
{
	struct str_table settings = { .n = 0 };
	bool is_new;

	for (size_t i = 0; i < l->n_pairs; i++)
		l->pair[i].half = str_table_add(&settings, setting_of(l->run.key[l->pair[i].after]),
						l->arena, &is_new) %
				  2;
	for (size_t i = 0; settings.n == 1 && i < l->n_pairs; i++)
		l->pair[i].half = i % 2;
	str_table_release(&settings);
}

bool labels_read(struct labels *ret, const char *path, size_t max_input, struct diag *diag)
{
	struct labels l = { .arena = NULL };
	struct labels_reader r = { .labels = &l, .diag = diag };
	bool ok;

	if (!input_open(&l.input, path, max_input, diag))
		return false;
	l.arena = arena_new();
	table_start(&r.table, &l.input, ',', diag);
	r.table.comments = true;
	ok = read_header(&r) && read_rows(&r);
	table_release(&r.table);
	str_table_release(&r.seen);
	if (ok && l.n_pairs == 0) {
		diag_file(diag, DIAG_LABELS_BAD, &l.input, "it has no rows");
		ok = false;
	}
	if (!ok) {
		labels_release(&l);
		return false;
	}
	divide(&l);
	*ret = l;
	return true;
}

void labels_release(struct labels *l)
{
	str_table_release(&l->run);
	str_table_release(&l->pair_key);
	arena_free(l->arena);
	input_release(&l->input);
}
