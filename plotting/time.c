/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latency over elapsed time, with the results of analyze/timeline.h. */
#include "plotting/time.h"

#include <math.h>

#include "analyze/timeline.h"
#include "base/arena.h"
#include "base/out.h"
#include "plotting/kind.h"

enum { MAX_BARS = 800 };

static const double head_of_names = 0.2;

struct axis axis_of_time(struct arena *a, const struct profile *p, double from, double to)
{
	struct measure seconds = { { .unit = UNIT_S }, UNIT_UNKNOWN };
	struct axis x = p->untimed
				? axis_of_whole_numbers(a, STR("interval"), from, to)
				: axis_of_quantity(a, STR("elapsed time"), from, to, 0, &seconds);

	x.to = to > from ? to : x.to;
	return x;
}

/* When there are more intervals than can be drawn, a bar stands for several and shows the largest
 * of them. */
static struct series bars_of(struct arena *a, const struct timeline *t,
			     const struct timeline_op *op, double *most)
{
	size_t together = (t->n + MAX_BARS - 1) / MAX_BARS;
	struct series s = series_of(a, "latency", SHAPE_BARS, COLOUR_FIRST, t->n / together + 1);

	s.columns = "start end latency";
	for (size_t i = 0; i < t->n; i += together) {
		size_t last = i + together <= t->n ? i + together - 1 : t->n - 1;
		double row[] = { t->interval[i].start, t->interval[last].end, 0 };

		for (size_t k = i; k <= last; k++)
			row[2] = fmax(row[2], op->latency[k]);
		*most = fmax(*most, row[2]);
		if (row[2] > 0)
			series_add(&s, row);
	}
	return s;
}

static struct str period_words(struct arena *a, const struct profile *p, struct str name,
			       const struct period *period)
{
	struct out *text = out_to_memory();
	struct str s;

	out_bytes(text, words_cut(a, name, 40));
	if (period->found) {
		out_text(text, ": every ");
		if (p->untimed)
			out_digits(text, period->length, 3);
		else
			quantity_latency(text, period->length, (struct scale){ .unit = UNIT_S });
		out_text(text, p->untimed ? " intervals, strength " : ", strength ");
		out_digits(text, period->strength, 2);
	}
	s = arena_str(a, out_memory(text));
	out_free(text);
	return s;
}

static void mark_changes(struct arena *a, struct panel *p, const struct timeline *t,
			 const struct timeline_op *op)
{
	p->mark = arena_make(a, struct mark, op->n_changes + 1);
	for (size_t i = 0; i < op->n_changes; i++) {
		const struct timeline_change *c = &op->change[i];

		p->mark[p->n_marks++] = (struct mark){
			.shape = MARK_BREAK,
			.colour = COLOUR_WORSE,
			.at = t->interval[c->interval].start,
			.words = c->what == TIMELINE_CALLS
					 ? (c->after > c->before ? STR("more calls")
								 : STR("fewer calls"))
					 : (c->after > c->before ? STR("slower") : STR("faster")),
		};
	}
}

static const struct timeline_op *find(const struct timeline *t, const struct operation *op)
{
	for (size_t i = 0; i < t->n_ops; i++) {
		if (t->op[i].op == op)
			return &t->op[i];
	}
	return NULL;
}

static struct panel panel_of_time(struct arena *a, const struct subject *s,
				  const struct timeline *t, const struct plotted_op *op)
{
	const struct profile *profile = s->run[0].profile;
	const struct timeline_op *over = find(t, op->of[0]);
	struct measure measure = { plotted_scale(s, op), s->shown };
	struct panel p = panel_of(a, op);
	double most = 0;

	p.x = axis_of_time(a, profile, t->interval[0].start, t->interval[t->n - 1].end);
	p.series = arena_make(a, struct series, 1);
	if (over != NULL) {
		p.series[p.n_series++] = bars_of(a, t, over, &most);
		p.name = period_words(a, profile, p.name, &over->period);
		mark_changes(a, &p, t, over);
	} else {
		p.empty = STR("not sampled in time");
	}
	p.y = axis_of_quantity(a, STR("latency"), 0, most, head_of_names, &measure);
	limit_axes(&p, s);
	return p;
}

bool figure_timeline(struct arena *a, const struct subject *s, struct figure *ret)
{
	struct timeline t = timeline_of(a, s->run[0].profile, &timeline_rules_default);

	if (t.n == 0)
		return false;
	*ret = (struct figure){ .n_panels = s->n_ops, .n_across = 1, .shared_x = true };
	ret->panel_height = 0.7;
	ret->panel = arena_make(a, struct panel, s->n_ops);
	for (size_t i = 0; i < s->n_ops; i++)
		ret->panel[i] = panel_of_time(a, s, &t, &s->op[i]);
	ret->caption = STR("Latency of each interval over elapsed time; dashed lines are where "
			   "calls or their mean latency changed their level.");
	return true;
}
