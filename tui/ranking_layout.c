/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/ranking_layout.h"

/* Minimum columns for list and operation side by side, with words below the list; the same for a
 * screen that is too low for one below the other, and its rows. */
enum { COLS_BESIDE = 200, COLS_BESIDE_LOW = 110, ROWS_BELOW = 20, ROWS_FOR_WORDS = 8 };
/* A list is not made wider than this: all of its fields fit. */
enum { WIDEST_LIST = 160 };

static bool is_beside(unsigned rows, unsigned cols)
{
	return cols >= COLS_BESIDE
		       ? rows >= ROWS_BELOW / 2
		       : cols >= COLS_BESIDE_LOW && rows >= ROWS_BELOW / 2 && rows < ROWS_BELOW;
}

struct ranking_layout ranking_layout(unsigned rows, unsigned cols, size_t n)
{
	struct ranking_layout l = { .list_rows = rows, .list_cols = cols };

	if (is_beside(rows, cols)) {
		l.list_cols = cols >= COLS_BESIDE ? cols * 3 / 5 : cols / 2;
		l.list_cols = l.list_cols < WIDEST_LIST ? l.list_cols : WIDEST_LIST;
		l.detail_col = l.list_cols + 2;
		l.detail_cols = cols - l.detail_col;
		l.detail_rows = rows;
		if (cols >= COLS_BESIDE && rows >= ROWS_BELOW + ROWS_FOR_WORDS) {
			l.list_rows = n + 2 < rows * 3 / 5 ? (unsigned)n + 2 : rows * 3 / 5;
			l.words_row = l.list_rows + 1;
			l.words_rows = rows - l.words_row;
		}
	} else if (rows >= ROWS_BELOW) {
		l.list_rows = n + 1 < rows * 2 / 5 ? (unsigned)n + 2 : rows * 2 / 5;
		l.detail_row = l.list_rows + 1;
		l.detail_rows = rows - l.detail_row;
		l.detail_cols = cols;
	}
	return l;
}

/* --- fields ----------------------------------------------------------------------------- */

/* Lists from MEDIUM columns on have calls and means, from FOR_P99 on p99, from WIDE on p50. */
enum { MEDIUM = 100, FOR_P99 = 118, WIDE = 140 };
enum { NAME_WIDTH = 12, MIN_FOR_SPARKLINE = 7, WIDEST_SPARKLINE = 30 };
/* The width of names that takes precedence over numbers when names come first. */
enum { BEFORE_NUMBERS = 16 };

/* One number. */
#define ONE(of, cols)                                                                              \
	{                                                                                          \
		.column = COLUMN_##of, .sorts = COLUMN_##of, .width = cols                         \
	}
/* Before and after; sorted by how much it changed. */
#define BOTH(of, cols)                                                                             \
	{                                                                                          \
		.column = COLUMN_##of##_BEFORE, .after = COLUMN_##of##_AFTER,                      \
		.sorts = COLUMN_##of##_CHANGE, .width = cols                                       \
	}

/* The first that fit are shown.  The place of the score shows what is sorted by, if no other field
 * does. */
static const struct field narrow_compared[] = {
	{ .column = COLUMN_VERDICT, .sorts = COLUMN_VERDICT, .width = 13, .left = true },
	ONE(SCORE, 9),
	ONE(CHANGE, 10),
};
static const struct field compared[] = {
	{ .column = COLUMN_VERDICT, .sorts = COLUMN_VERDICT, .width = 13, .left = true },
	ONE(CHANGE, 10),
	BOTH(CALLS, 15),
	BOTH(MEAN, 17),
	BOTH(P99, 17),
	BOTH(P50, 17),
};
static const struct field single[] = {
	ONE(TOTAL_BEFORE, 10), ONE(SHARE, 8),	   ONE(CALLS_BEFORE, 10),
	ONE(MEAN_BEFORE, 9),   ONE(P99_BEFORE, 9), ONE(P50_BEFORE, 9),
};
static const struct field nested[] = {
	ONE(TOTAL_BEFORE, 9), ONE(SELF_BEFORE, 10), ONE(SHARE, 8),	ONE(CALLS_BEFORE, 10),
	ONE(MEAN_BEFORE, 9),  ONE(P99_BEFORE, 9),   ONE(P50_BEFORE, 9),
};

/* The fields of a table that a list of this width shows. */
struct choice {
	const struct field *v;
	size_t n;
};

static struct choice choose_columns(const struct study *s, unsigned width)
{
	size_t less = width >= WIDE ? 0 : width >= FOR_P99 ? 1 : 2; /* percentiles */

	if (study_compares(s))
		return width >= MEDIUM
			       ? (struct choice){ compared, COUNT_OF(compared) - less }
			       : (struct choice){ narrow_compared, COUNT_OF(narrow_compared) };
	if (s->nested) /* means give way to sparklines; they are shown above the histogram, too */
		return (struct choice){ nested, COUNT_OF(nested) - less - (width < MEDIUM) };
	return (struct choice){ single, COUNT_OF(single) - less };
}

static bool shows_column(const struct choice *c, size_t column)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->v[i].column == column || c->v[i].sorts == column ||
		    (c->v[i].after != 0 && c->v[i].after == column))
			return true;
	}
	return column == COLUMN_RANK || column == COLUMN_NAME || column == COLUMN_LAYER;
}

/* Adds a field if it fits. */
static void take_field(struct fields *f, struct field field, unsigned width, unsigned *used)
{
	if (*used + field.width + 1 > width || f->n == MAX_FIELDS)
		return;
	f->v[f->n++] = field;
	*used += field.width + 1;
}

/* Takes the fields of a choice, and the number that is sorted by. */
static unsigned take_fields(const struct tui *t, struct fields *f, unsigned width, unsigned used)
{
	struct choice c = choose_columns(t->study, width);
	struct field sorted = { .column = t->list.sort, .sorts = t->list.sort, .width = 11 };
	bool lacks = !shows_column(&c, t->list.sort);
	size_t place = study_compares(t->study) ? COLUMN_SCORE : COLUMN_SHARE;

	if (lacks && width >= MEDIUM)
		take_field(f, sorted, width, &used);
	for (size_t i = 0; i < c.n; i++) {
		struct field field = c.v[i];

		if (lacks && width < MEDIUM && field.column == place)
			field.column = field.sorts = sorted.column;
		if (used + field.width + 1 > width)
			break;
		take_field(f, field, width, &used);
	}
	return used;
}

/* Returns the width that names need, up to a third of the list. */
static unsigned needed_by_names(const struct study *s, unsigned width)
{
	unsigned max = width / 3;

	if (s->widest_name > NAME_WIDTH && max > NAME_WIDTH)
		return s->widest_name < max ? (unsigned)s->widest_name : max;
	return NAME_WIDTH;
}

static unsigned min_of(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

struct fields fields_for(const struct tui *t, unsigned width, bool names_first)
{
	unsigned sides = study_compares(t->study) ? 2 : 1, names = NAME_WIDTH, used, room;
	struct fields f = { .names_first = names_first || width >= MEDIUM };

	if (f.names_first)
		names = needed_by_names(t->study, width);
	f.name_width = names < BEFORE_NUMBERS ? names : BEFORE_NUMBERS;
	used = take_fields(t, &f, width, RANKING_FLAGS + f.name_width);
	room = width > used ? width - used : 0;
	if (room >= sides * MIN_FOR_SPARKLINE) /* names take what narrow sparklines leave */
		room -= min_of(names - f.name_width, room - sides * MIN_FOR_SPARKLINE);
	f.spark_width = room / sides >= MIN_FOR_SPARKLINE ? room / sides - 1 : 0;
	f.spark_width = f.spark_width < WIDEST_SPARKLINE ? f.spark_width : WIDEST_SPARKLINE;
	used += sides * (f.spark_width > 0 ? f.spark_width + 1 : 0);
	f.name_width += width > used ? width - used : 0;
	used = RANKING_FLAGS + f.name_width + 1;
	for (size_t i = 0; i < f.n; i++) {
		f.v[i].col = used;
		used += f.v[i].width + 1;
	}
	f.spark_col[SIDE_BEFORE] = used;
	f.spark_col[SIDE_AFTER] = used + f.spark_width + 1;
	return f;
}
