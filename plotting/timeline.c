/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mean latency and p99 of each interval over time, or the total latency of each, with the results
 * of analyze/timeline.h. */
#include "analyze/timeline.h"

#include <math.h>

#include "analyze/body.h"
#include "base/arena.h"
#include "base/out.h"
#include "plotting/kind.h"
#include "plotting/time.h"

enum { MAX_DRAWN = 400, TIME_TICKS = 8 };

static const double slow = 0.99, head_of_marks = 0.12;

/* One operation over time. */
struct course {
	struct arena *a;
	const struct timeline *t;
	const struct timeline_op *op;
	double origin;
	double *p99; /* in each interval; NAN: no calls */
};

static const struct timeline_op *course_of_op(const struct timeline *t, const struct operation *op)
{
	for (size_t i = 0; i < t->n_ops; i++) {
		if (t->op[i].op == op)
			return &t->op[i];
	}
	return NULL;
}

static double *p99_of(struct arena *a, const struct timeline *t, const struct operation *op)
{
	double *p99 = arena_make(a, double, t->n);
	size_t at = 0;

	for (size_t i = 0; i < t->n; i++)
		p99[i] = NAN;
	for (size_t k = 0; k < op->n_intervals; k++) {
		while (at < t->n && t->interval[at].start < op->interval[k].start)
			at++;
		if (at < t->n && op->interval[k].hist.n > 0)
			p99[at] = exp2(body_quantile(&op->interval[k].hist, slow));
	}
	return p99;
}

/* --- series ---------------------------------------------------------------------------------- */

enum quantity { QUANTITY_MEAN, QUANTITY_P99, QUANTITY_TOTAL };

static double value_at(const struct course *c, enum quantity q, size_t i)
{
	if (q == QUANTITY_P99)
		return c->p99[i];
	if (q == QUANTITY_TOTAL)
		return c->op->latency[i];
	return c->op->calls[i] > 0 ? c->op->latency[i] / c->op->calls[i] : NAN;
}

/* Returns the largest of n intervals from i on, so that none is lost when several are drawn as
 * one; NAN when there is none. */
static double largest(const struct course *c, enum quantity q, size_t i, size_t n)
{
	double max = NAN;

	for (size_t k = i; k < i + n && k < c->t->n; k++)
		max = fmax(max, value_at(c, q, k)); /* fmax() ignores NAN */
	return max > 0 ? max : NAN;
}

static size_t together(const struct course *c)
{
	return (c->t->n + MAX_DRAWN - 1) / MAX_DRAWN;
}

/* A level for each interval; the line is interrupted where nothing was called. */
static struct series line_of(const struct course *c, enum quantity q, double *min, double *max)
{
	size_t step = together(c);
	struct series s = series_of(c->a, q == QUANTITY_P99 ? "p99" : "mean", SHAPE_LINE,
				    q == QUANTITY_P99 ? COLOUR_SECOND : COLOUR_FIRST,
				    3 * (c->t->n / step + 2));

	s.title = q == QUANTITY_P99 ? STR("p99") : STR("mean");
	s.columns = "time latency";
	for (size_t i = 0; i < c->t->n; i += step) {
		size_t last = i + step <= c->t->n ? i + step - 1 : c->t->n - 1;
		double start = c->t->interval[i].start - c->origin;
		double end = c->t->interval[last].end - c->origin;
		double v = largest(c, q, i, step);

		if (isnan(v) || (i > 0 && c->t->interval[i].start > c->t->interval[i - 1].end))
			series_add(&s, (double[]){ start, NAN });
		if (isnan(v))
			continue;
		series_add(&s, (double[]){ start, v });
		series_add(&s, (double[]){ end, v });
		*min = fmin(*min, v);
		*max = fmax(*max, v);
	}
	return s;
}

static struct series bars_of(const struct course *c, double *max)
{
	size_t step = together(c);
	struct series s = series_of(c->a, "total", SHAPE_BARS, COLOUR_FIRST, c->t->n / step + 2);

	s.columns = "start end total";
	for (size_t i = 0; i < c->t->n; i += step) {
		size_t last = i + step <= c->t->n ? i + step - 1 : c->t->n - 1;
		double v = largest(c, QUANTITY_TOTAL, i, step);

		if (isnan(v))
			continue;
		series_add(&s, (double[]){ c->t->interval[i].start - c->origin,
					   c->t->interval[last].end - c->origin, v });
		*max = fmax(*max, v);
	}
	return s;
}

/* --- words ----------------------------------------------------------------------------------- */

static struct str words_of(struct arena *a, struct out *text)
{
	struct str s = arena_str(a, out_memory(text));

	out_free(text);
	return s;
}

static struct str period_words(struct arena *a, const struct profile *p, struct str name,
			       const struct period *period)
{
	struct out *text = out_to_memory();

	out_bytes(text, words_cut(a, name, 40));
	if (period->found) {
		out_text(text, ": repeats every ");
		if (p->untimed)
			out_digits(text, period->length, 3);
		else
			quantity_latency(text, period->length, (struct scale){ .unit = UNIT_S });
		out_text(text, p->untimed ? " intervals" : "");
	}
	return words_of(a, text);
}

static void mark_changes(const struct course *c, struct panel *p)
{
	p->mark = arena_make(c->a, struct mark, c->op->n_changes + 1);
	for (size_t i = 0; i < c->op->n_changes; i++) {
		const struct timeline_change *change = &c->op->change[i];
		bool more = change->after > change->before;

		p->mark[p->n_marks++] = (struct mark){
			.shape = MARK_BREAK,
			.colour = COLOUR_WORSE,
			.at = c->t->interval[change->interval].start - c->origin,
			.words = change->what == TIMELINE_CALLS
					 ? (more ? STR("more calls") : STR("fewer calls"))
					 : (more ? STR("slower") : STR("faster")),
		};
	}
}

static struct str total_label(struct arena *a, const struct profile *p, double usual)
{
	struct out *text = out_to_memory();

	out_text(text, "total latency in ");
	if (p->untimed)
		out_text(text, "an interval");
	else
		quantity_latency(text, usual, (struct scale){ .unit = UNIT_S });
	return words_of(a, text);
}

/* --- panels ---------------------------------------------------------------------------------- */

static void draw_latency(const struct course *c, struct panel *p, struct measure measure)
{
	double min = HUGE_VAL, max = 0;
	struct frame f = { .measure = measure };

	p->series[p->n_series++] = line_of(c, QUANTITY_P99, &min, &max);
	p->series[p->n_series++] = line_of(c, QUANTITY_MEAN, &min, &max);
	p->has_key = true;
	if (!(min <= max))
		min = max = 1;
	f.from = min / 1.5;
	f.to = max * 1.5 * pow(max / min * 2.25, head_of_marks);
	p->y = axis_of_latency(c->a, &f);
}

static struct panel panel_of_time(struct arena *a, const struct subject *s,
				  const struct timeline *t, const struct time_frame *time,
				  const struct plotted_op *op)
{
	const struct profile *profile = s->run[0].profile;
	struct measure measure = { plotted_scale(s, op), s->shown };
	struct course c = { a, t, course_of_op(t, op->of[0]), time->origin, NULL };
	struct panel p = panel_of(a, op);
	double max = 0;

	p.x = axis_of_time(a, time, TIME_TICKS);
	p.series = arena_make(a, struct series, 2);
	if (c.op == NULL) {
		p.empty = STR("not sampled in time");
		return p;
	}
	c.p99 = p99_of(a, t, op->of[0]);
	p.name = period_words(a, profile, p.name, &c.op->period);
	mark_changes(&c, &p);
	if (s->total) {
		p.series[p.n_series++] = bars_of(&c, &max);
		p.y = axis_of_quantity(a, total_label(a, profile, t->usual), 0, max,
				       p.n_marks > 0 ? head_of_marks : 0, &measure);
	} else {
		draw_latency(&c, &p, measure);
	}
	limit_axes(&p, s);
	return p;
}

bool figure_timeline(struct arena *a, const struct subject *s, struct figure *ret)
{
	struct timeline t = timeline_of(a, s->run[0].profile, &timeline_rules_default);
	struct time_frame time;

	if (t.n == 0)
		return false;
	time = time_frame_of(s->run[0].profile, t.interval[0].start, t.interval[t.n - 1].end);
	*ret = (struct figure){ .n_panels = s->n_ops,
				.n_across = columns_for_panels(s->n_ops),
				.shared_x = true,
				.panel_height = 0.7 };
	ret->panel = arena_make(a, struct panel, s->n_ops);
	for (size_t i = 0; i < s->n_ops; i++) {
		ret->panel[i] = panel_of_time(a, s, &t, &time, &s->op[i]);
		if (ret->panel[i].n_marks > 0)
			ret->note = STR("Dashed: the number of calls or the mean latency changed "
					"its level.");
	}
	ret->caption = s->total ? STR("The total latency of each interval over time.")
				: STR("Mean latency and p99 of each interval over time.");
	return true;
}
