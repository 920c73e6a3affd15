/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/quantiles.h"

#include <math.h>

#include "base/out.h"
#include "profile/quantity.h"

static const double quantiles[] = { 0.01, 0.05, 0.1,  0.25,  0.5,    0.75,
				    0.9,  0.95, 0.99, 0.999, 0.9999, 1 };

enum { FACTOR_ENDS = 41, BARS_AT = 43 };

/* Returns quantile q as log2 of latency in the unit of the run before; NAN when the side has no
 * histogram. */
static double position_of(const struct item *i, enum side side, double q)
{
	const struct operation *op = item_side(i, side);

	if (op == NULL || op->hist.n == 0)
		return NAN;
	return quantile_position(&op->hist, q) +
	       (side == SIDE_AFTER ? log2(item_scale_after(i)) : 0);
}

static void say_latency(struct canvas *c, unsigned row, unsigned end, enum face face,
			double octaves, struct scale scale)
{
	struct out *o = out_to_memory();

	if (isnan(octaves))
		out_char(o, '-');
	else
		quantity_latency(o, exp2(octaves), scale);
	canvas_right(c, row, end, face, out_memory(o));
	out_free(o);
}

static void say_factor(struct canvas *c, unsigned row, unsigned end, enum face face, double octaves)
{
	struct out *o = out_to_memory();

	column_factor(o, octaves);
	canvas_right(c, row, end, face, out_memory(o));
	out_free(o);
}

static double largest_shift(const struct item *i)
{
	double max = 0;

	for (size_t k = 0; k < COUNT_OF(quantiles); k++)
		max = fmax(max, fabs(position_of(i, SIDE_AFTER, quantiles[k]) -
				     position_of(i, SIDE_BEFORE, quantiles[k])));
	return max;
}

/* Draws a bar to the right for slower, to the left for faster. */
static void draw_bar(struct canvas *c, unsigned row, double shift, double max)
{
	const struct glyphs *g = c->glyphs;
	unsigned room = c->cols > BARS_AT ? (c->cols - BARS_AT) / 2 : 0, zero = BARS_AT + room, n;

	if (room < 4)
		return;
	n = max > 0 ? (unsigned)lround(fabs(shift) / max * (room - 1)) : 0;
	canvas_fill(c, row, zero, 1, FACE_DIM, g->vertical);
	if (shift > 0)
		canvas_fill(c, row, zero + 1, n, FACE_AFTER, g->only_after);
	else
		canvas_fill(c, row, zero - n, n, FACE_BEFORE, g->only_before);
}

static void draw_quantile(struct canvas *c, unsigned row, const struct item *i, double q,
			  struct scale scale, double max)
{
	double before = position_of(i, SIDE_BEFORE, q), after = position_of(i, SIDE_AFTER, q),
	       shift = after - before;

	if (q < 1)
		canvas_printf(c, row, 1, FACE_STRONG, "p%g", q * 100);
	else
		canvas_text(c, row, 1, FACE_STRONG, STR("max"));
	say_latency(c, row, 18, FACE_BEFORE, before, scale);
	say_latency(c, row, 30, FACE_AFTER, after, scale);
	if (isnan(shift))
		return;
	say_factor(c, row, FACTOR_ENDS, fabs(shift) < 0.05 ? FACE_DIM : FACE_PLAIN, shift);
	draw_bar(c, row, shift, max);
}

void quantiles_draw(struct canvas *c, const struct tui *t, const struct item *i)
{
	struct scale scale = item_scale(t->study, i);
	double max = largest_shift(i);

	canvas_text(c, 0, 1, FACE_HEADER, STR("quantile"));
	canvas_right(c, 0, 18, FACE_HEADER, STR("before"));
	canvas_right(c, 0, 30, FACE_HEADER, STR("after"));
	canvas_right(c, 0, FACTOR_ENDS, FACE_HEADER, STR("change"));
	for (unsigned k = 0; k < COUNT_OF(quantiles); k++)
		draw_quantile(c, k + 1, i, quantiles[k], scale, max);
	canvas_paragraph(
		c, COUNT_OF(quantiles) + 2, 1, FACE_DIM,
		STR("Within a bucket, calls are taken to be spread evenly on a log2 scale. Bars "
		    "have a log2 scale, too: to the right slower, to the left faster."));
}
