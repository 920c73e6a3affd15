/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Causes as an icicle chart: the function at the top, and below it nodes as wide as the time that
 * a call spends in them, coloured by the time that the chosen calls add.
 */
#include <math.h>

#include "analyze/causes/causes_icicle.h"
#include "base/arena.h"
#include "base/out.h"
#include "plotting/kind.h"

/* LETTERS: letters that fit into a panel's width; MIN_LETTERS: minimum length of a label. */
enum { LETTERS = 66, MIN_LETTERS = 4, MAX_LEVELS = 24, LETTERS_OF_NAME = 40 };

static const double min_share = 0.002; /* minimum share of the function's time for a box */
static const double gap = 0.04;	       /* between levels */

static const struct scale ns = { .unit = UNIT_NS };

/* Returns the visible width of a box, in letters. */
static double letters_of(const struct axis *x, const struct icicle_box *b)
{
	double from = fmax(b->from, x->from), to = fmin(b->to, x->to);

	return (to - from) / (x->to - x->from) * LETTERS;
}

static void add_label(struct arena *a, struct panel *p, const struct causes *c,
		      const struct icicle_box *b)
{
	struct str name = c->node[b->node].name;
	double room = letters_of(&p->x, b);

	if (room < MIN_LETTERS)
		return;
	p->mark[p->n_marks++] = (struct mark){
		.shape = MARK_WORDS,
		.colour = COLOUR_DIM,
		.at = fmax(b->from, p->x.from),
		.height = b->level,
		.words = name.n > 0 ? words_cut(a, name, (size_t)room - 1) : STR("?"),
	};
}

static struct axis time_axis(struct arena *a, const struct causes_subject *s, double max)
{
	struct measure measure = { ns, s->shown };
	double from = isnan(s->x_from) ? 0 : s->x_from, to = isnan(s->x_to) ? max : s->x_to;
	struct axis x = axis_of_quantity(a, STR("time a call"), from, to, 0, &measure);

	x.from = from;
	x.to = to;
	return x;
}

static struct str side_name(struct arena *a, const struct causes_subject *s, bool against)
{
	const struct cause_choice *c = against ? &s->causes->against : &s->causes->chosen;
	struct str mean = words_of_ns(a, c->mean);
	struct str name = s->causes->n_nodes > 0 ? s->causes->node[0].name : STR("");

	return arena_printf(a, "%s%.*s%s%llu calls, %.*s each",
			    !s->pair  ? ""
			    : against ? "before: "
				      : "after: ",
			    STR_ARG(words_cut(a, name, LETTERS_OF_NAME)), name.n > 0 ? ", " : "",
			    (unsigned long long)c->count, STR_ARG(mean));
}

/* Of two traces, the one before shows what became less, the one after what was added. */
static double colored_part(const struct causes_subject *s, double added, bool against)
{
	if (!s->pair)
		return added;
	return against ? fmin(added, 0) : fmax(added, 0);
}

static struct panel side_panel(struct arena *a, const struct causes_subject *s,
			       const struct icicle *i, bool against, double max, uint32_t levels)
{
	struct panel p = { .name = side_name(a, s, against), .has_colors = true };

	p.x = time_axis(a, s, max);
	p.y = (struct axis){ .from = (double)levels - 0.5, .to = -0.5 };
	p.series = arena_make(a, struct series, 1);
	p.series[p.n_series++] = series_of(a, "icicle", SHAPE_CELLS, COLOUR_FIRST, i->n + 1);
	p.series[0].columns = "from to top foot added_ns";
	p.series[0].apart = true;
	p.mark = arena_make(a, struct mark, i->n + 1);
	for (size_t k = 0; k < i->n; k++) {
		const struct icicle_box *b = &i->v[k];

		series_add(&p.series[0],
			   (double[]){ b->from, b->to, b->level - 0.5 + gap, b->level + 0.5 - gap,
				       colored_part(s, s->causes->node[b->node].added, against) });
		add_label(a, &p, s->causes, b);
	}
	if (i->n == 0)
		p.empty = STR("no calls");
	return p;
}

static struct color_scale colors_of(struct arena *a, double max, struct str label)
{
	double end = fmax(max, 1);
	struct color_scale c = { .diverging = true,
				 .pale = true,
				 .from = -end,
				 .to = end,
				 .label = label,
				 .tick = arena_make(a, struct tick, 3) };

	for (int i = -1; i <= 1; i++)
		c.tick[c.n_ticks++] =
			(struct tick){ i * end, i == 0 ? STR("0") : words_of_ns(a, i * end) };
	return c;
}

static struct str caption_of(struct arena *a, const struct causes_subject *s, size_t left_out)
{
	struct str what = s->causes->against.count == 0
				  ? STR("the colour is its time")
				  : STR("the colour is what it adds to the other calls' time");
	struct str rest = left_out == 0 ? STR("")
					: arena_printf(a, " %zu node%s %s too narrow or too deep.",
						       left_out, left_out == 1 ? "" : "s",
						       left_out == 1 ? "is" : "are");

	return arena_printf(a,
			    "From the function down, each box is as wide as the time a call "
			    "spends there; %.*s.%.*s",
			    STR_ARG(what), STR_ARG(rest));
}

bool figure_causes(struct arena *a, const struct causes_subject *s, struct figure *ret)
{
	uint32_t max_levels = s->levels > 0 ? s->levels : MAX_LEVELS;
	struct icicle side[2];
	double max = 0, added = 0, widest = 0;
	uint32_t levels = 1;
	size_t n = s->pair ? 2 : 1, left_out = 0;
	struct color_scale *color;

	for (size_t i = 0; i < n; i++) {
		bool against = i + 1 < n;

		side[i] = causes_icicle(s->causes, a, against, min_share, max_levels);
		levels = side[i].levels > levels ? side[i].levels : levels;
		added = fmax(added, side[i].max_added);
		left_out += side[i].left_out;
		widest = against ? s->causes->against.mean : s->causes->chosen.mean;
		max = fmax(max, widest);
	}
	if (max <= 0)
		return false;
	*ret = (struct figure){ .n_panels = n, .n_across = 1 };
	ret->panel = arena_make(a, struct panel, n);
	for (size_t i = 0; i < n; i++)
		ret->panel[i] = side_panel(a, s, &side[i], i + 1 < n, max, levels);
	color = arena_make(a, struct color_scale, 1);
	*color = colors_of(a, added,
			   s->pair			   ? STR("added after")
			   : s->causes->against.count == 0 ? STR("time")
							   : STR("added by slow calls"));
	for (size_t i = 0; i < n; i++) {
		ret->panel[i].color = color;
		ret->panel[i].has_colors = i + 1 == n;
	}
	ret->panel_height = 0.25 + 0.1 * (double)levels;
	ret->caption = caption_of(a, s, left_out);
	return true;
}
