/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Per-call records as points over the call number: the time of each call (DeBox, figures 5 and 6),
 * and, where it was recorded, its time in the kernel (figures 1 and 2). */
#include <math.h>
#include <stdlib.h>

#include "analyze/calls/call_groups.h"
#include "base/arena.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "plotting/kind.h"

enum {
	MAX_LETTERS = 40,
	MAX_POINTS = 20000, /* with more points in a panel, hidden ones are left out */
	PLACES_ACROSS = 1000,
	PLACES_UP = 500,
};

static const double min_share = 0.01; /* minimum share of all calls' time for an operation */

/* The calls of one operation, and the ranges of the axes. */
struct course {
	const struct calls *calls;
	const uint32_t *call;
	size_t n;
	double x_from, x_to, y_from, y_to;
};

/* A logarithmic axis cannot show 0. */
static double time_of(const struct call *v)
{
	return fmax((double)v->latency, 1);
}

static double kernel_time_of(const struct call *v)
{
	return fmax((double)v->kernel, 1);
}

static bool is_shown(const struct course *c, const struct call *v, double t)
{
	double number = (double)v->number;

	return number >= c->x_from && number <= c->x_to && t >= c->y_from && t <= c->y_to;
}

/* Sets the ranges to contain all calls, within the user's limits. */
static void widen(struct course *c, const struct call_subject *s)
{
	double max = 1, min_time = HUGE_VAL, max_time = 1;

	for (size_t i = 0; i < c->n; i++) {
		const struct call *v = &c->calls->v[c->call[i]];

		max = fmax(max, (double)v->number);
		max_time = fmax(max_time, time_of(v));
		min_time = fmin(min_time, time_of(v));
		if (v->kernel != CALL_NO_TIME)
			min_time = fmin(min_time, kernel_time_of(v));
	}
	c->x_from = isnan(s->x_from) ? 0 : s->x_from;
	c->x_to = isnan(s->x_to) ? max : s->x_to;
	min_time = fmin(min_time, max_time) / 1.5;
	c->y_from = isnan(s->y_from) ? min_time : s->y_from;
	c->y_to = isnan(s->y_to) ? max_time * 1.5 : s->y_to;
}

/* --- points -------------------------------------------------------------------------------- */

/* What happened to a call; IN_KERNEL are the times of the same calls inside the kernel. */
enum fate { UNDISTURBED, PREEMPTED, BLOCKED, IN_KERNEL };
enum { N_FATES = IN_KERNEL + 1 };

static enum fate fate_of(const struct call *v)
{
	return call_blocked(v) ? BLOCKED : call_preempted(v) ? PREEMPTED : UNDISTURBED;
}

/* Returns the cell of the PLACES_ACROSS x PLACES_UP grid that a point is in. */
static size_t place_of(const struct course *c, const struct call *v, double t)
{
	double x = ((double)v->number - c->x_from) / (c->x_to - c->x_from);
	double y = log(t / c->y_from) / log(c->y_to / c->y_from);
	size_t column = (size_t)(fmin(fmax(x, 0), 1) * (PLACES_ACROSS - 1));
	size_t row = (size_t)(fmin(fmax(y, 0), 1) * (PLACES_UP - 1));

	return column * PLACES_UP + row;
}

/* Adds a point, unless an earlier one would hide it. */
static void add_point(const struct course *c, struct series *of, bool *taken, enum fate fate,
		      const struct call *v, double t)
{
	size_t position;

	if (!is_shown(c, v, t))
		return;
	position = (size_t)fate * PLACES_ACROSS * PLACES_UP + place_of(c, v, t);
	if (c->n > MAX_POINTS && taken[position])
		return;
	taken[position] = true;
	series_add(&of[fate], (double[]){ (double)v->number, t });
}

static void add_points(const struct course *c, struct series *of)
{
	bool *taken = xcalloc((size_t)N_FATES * PLACES_ACROSS * PLACES_UP, sizeof(*taken));

	for (size_t i = 0; i < c->n; i++) {
		const struct call *v = &c->calls->v[c->call[i]];

		add_point(c, of, taken, fate_of(v), v, time_of(v));
		if (v->kernel != CALL_NO_TIME)
			add_point(c, of, taken, IN_KERNEL, v, kernel_time_of(v));
	}
	free(taken);
}

static struct series *series_for(struct arena *a, const struct course *c)
{
	static const struct {
		const char *name;
		struct str title;
		enum colour colour;
		enum point point;
	} looks[N_FATES] = {
		[UNDISTURBED] = { "undisturbed", STR_INIT("undisturbed"), COLOUR_FIRST, POINT_DOT },
		[PREEMPTED] = { "preempted", STR_INIT("preempted"), COLOUR_WORSE, POINT_CROSS },
		[BLOCKED] = { "blocked", STR_INIT("blocked"), COLOUR_SECOND, POINT_RING },
		[IN_KERNEL] = { "kernel", STR_INIT("in the kernel"), COLOUR_FIFTH, POINT_DOT },
	};
	struct series *of = arena_make(a, struct series, N_FATES);
	size_t n[N_FATES] = { 0 };

	for (size_t i = 0; i < c->n; i++) {
		n[fate_of(&c->calls->v[c->call[i]])]++;
		n[IN_KERNEL]++;
	}
	for (int f = 0; f < N_FATES; f++) {
		of[f] = series_of(a, looks[f].name, SHAPE_POINTS, looks[f].colour, n[f]);
		of[f].title = looks[f].title;
		of[f].point = looks[f].point;
	}
	return of;
}

static struct panel panel_for(struct arena *a, const struct call_subject *s, const struct course *c,
			      struct str name)
{
	struct panel p = { .name = name, .has_grid = true, .has_key = true, .own_key = true };
	struct frame f = { .from = c->y_from,
			   .to = c->y_to,
			   .measure = { { .unit = UNIT_NS }, s->shown } };

	p.x = axis_of_whole_numbers(a, STR("number of the call in its process"), c->x_from,
				    c->x_to);
	p.y = axis_of_latency(a, &f);
	p.series = series_for(a, c);
	p.n_series = N_FATES;
	add_points(c, p.series);
	if (p.series[0].n_rows + p.series[1].n_rows + p.series[2].n_rows +
		    p.series[IN_KERNEL].n_rows ==
	    0)
		p.empty = STR("no calls here");
	return p;
}

/* --- call time by number --------------------------------------------------------------------- */

static struct str trend_words(struct arena *a, const struct calls *c, const struct trend *t)
{
	struct str name = call_operation_name(a, c, t->operation);
	struct scale ns = { .unit = UNIT_NS };
	struct out *text;
	struct str words;

	if (!t->telling)
		return name;
	text = out_to_memory();
	out_bytes(text, name);
	out_text(text, ": trend from ");
	quantity_latency(text, t->first, ns);
	out_text(text, " to ");
	quantity_latency(text, t->last, ns);
	words = arena_str(a, out_memory(text));
	out_free(text);
	return words;
}

/* Returns the calls of an operation. */
static struct course course_of(const struct calls *c, const struct call_groups *g,
			       uint32_t operation)
{
	size_t i = 0;

	while (g->key[i] != operation)
		i++;
	return (struct course){ .calls = c,
				.call = g->call + g->first[i],
				.n = g->first[i + 1] - g->first[i] };
}

/* The sort key of an operation: those with a trend first, then by total time. */
struct chosen {
	const struct trend *trend;
	double total;
};

static int by_interest(const void *pa, const void *pb)
{
	const struct chosen *x = pa, *y = pb;

	if (x->trend->telling != y->trend->telling)
		return x->trend->telling ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->trend < y->trend ? -1 : x->trend > y->trend;
}

static struct chosen *choose_plotted(struct arena *a, const struct calls *c, const struct trends *t,
				     size_t *ret_n)
{
	struct chosen *v = arena_make(a, struct chosen, t->n + 1);
	double *total = xcalloc(c->operations.n, sizeof(*total)), all = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		total[c->v[i].operation] += (double)c->v[i].latency;
	for (size_t i = 0; i < t->n; i++) {
		if (t->v[i].all_sites)
			v[n++] = (struct chosen){ &t->v[i], total[t->v[i].operation] };
	}
	qsort(v, n, sizeof(*v), by_interest);
	for (size_t i = 0; i < c->operations.n; i++)
		all += total[i];
	free(total);
	while (n > 1 && !v[n - 1].trend->telling && v[n - 1].total < min_share * all)
		n--;
	*ret_n = n;
	return v;
}

bool figure_calls(struct arena *a, const struct call_subject *s, struct figure *ret)
{
	struct trends trends = trends_of(a, s->calls, &trend_rules_default);
	struct call_groups groups = call_groups_of(s->calls, key_operation);
	size_t n;
	struct chosen *chosen = choose_plotted(a, s->calls, &trends, &n);

	n = n < s->max_ops ? n : s->max_ops;
	*ret = (struct figure){ .n_panels = n, .n_across = 1 };
	ret->panel = arena_make(a, struct panel, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct course c = course_of(s->calls, &groups, chosen[i].trend->operation);

		widen(&c, s);
		ret->panel[i] = panel_for(a, s, &c, trend_words(a, s->calls, chosen[i].trend));
	}
	call_groups_release(&groups);
	ret->caption = STR("How long each call took, by its number in its process; those that "
			   "were preempted, and those that blocked, stand out.");
	return n > 0;
}

/* --- names ------------------------------------------------------------------------------- */

struct str call_operation_name(struct arena *a, const struct calls *c, uint32_t operation)
{
	struct str name = c->operations.v[operation];

	return name.n > 0 ? words_cut(a, name, MAX_LETTERS) : STR("(no name)");
}

struct str call_site_name(struct arena *a, const struct calls *c, uint32_t operation, uint32_t site)
{
	struct str call = call_operation_name(a, c, operation);

	if (site == 0)
		return call;
	return words_cut(a, arena_printf(a, "%.*s %.*s", STR_ARG(call), STR_ARG(c->sites.v[site])),
			 MAX_LETTERS);
}
