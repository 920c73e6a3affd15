/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/figure.h"

#include <math.h>

#include <string.h>

#include "base/arena.h"
#include "base/out.h"
#include "base/utf8.h"
#include "profile/quantity.h"

size_t columns_for_panels(size_t n)
{
	return n >= MIN_PANELS_OF_TWO_COLUMNS ? 2 : 1;
}

size_t shape_columns(enum shape s)
{
	static const size_t columns[] = {
		[SHAPE_BARS] = 3,    [SHAPE_BAND] = 4,	 [SHAPE_LEVELS] = 3,
		[SHAPE_LINE] = 2,    [SHAPE_AREA] = 3,	 [SHAPE_CELLS] = 5,
		[SHAPE_COLUMNS] = 3, [SHAPE_POINTS] = 2, [SHAPE_INTERVALS] = 4,
	};

	return columns[s];
}

static const char *columns_of(enum shape s)
{
	static const char *const columns[] = {
		[SHAPE_BARS] = "low high value",    [SHAPE_BAND] = "low high least most",
		[SHAPE_LEVELS] = "value low high",  [SHAPE_LINE] = "x y",
		[SHAPE_AREA] = "x least most",	    [SHAPE_CELLS] = "low high start end value",
		[SHAPE_COLUMNS] = "x y value",	    [SHAPE_POINTS] = "x y",
		[SHAPE_INTERVALS] = "x low high y",
	};

	return columns[s];
}

struct series series_of(struct arena *a, const char *name, enum shape shape, enum colour colour,
			size_t n)
{
	return (struct series){ .name = name,
				.columns = columns_of(shape),
				.shape = shape,
				.colour = colour,
				.from = 0.04,
				.to = 0.96,
				.cell = arena_make(a, double, n *shape_columns(shape)) };
}

void series_add(struct series *s, const double *row)
{
	size_t n = shape_columns(s->shape);

	memcpy(&s->cell[n * s->n_rows++], row, n * sizeof(*row));
}

double axis_across(const struct axis *x, double at)
{
	return x->logarithmic ? log(at / x->from) / log(x->to / x->from)
			      : (at - x->from) / (x->to - x->from);
}

/* --- words ------------------------------------------------------------------------------- */

/* Returns the number of bytes of the first character of s. */
static size_t first_character(struct str s)
{
	uint32_t code;
	size_t n;

	return utf8_decode(s, &code, &n) ? n : 1;
}

static struct str after_characters(struct str s, size_t n)
{
	while (n-- > 0 && s.n > 0)
		s = str_skip(s, first_character(s));
	return s;
}

struct str words_cut(struct arena *a, struct str s, size_t max)
{
	size_t n = 0, head = (max - 1) / 2;
	struct str begin, end;

	for (struct str rest = s; rest.n > 0; rest = str_skip(rest, first_character(rest)))
		n++;
	if (n <= max)
		return s;
	begin = after_characters(s, head);
	end = after_characters(s, n - (max - 1 - head));
	return arena_printf(a, "%.*s…%.*s", (int)(s.n - begin.n), s.p, STR_ARG(end));
}

struct str words_of_ns(struct arena *a, double time)
{
	struct out *text = out_to_memory();
	struct str words;

	quantity_latency(text, time, (struct scale){ .unit = UNIT_NS });
	words = arena_str(a, out_memory(text));
	out_free(text);
	return words;
}
