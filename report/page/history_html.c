/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof history as a self-contained HTML page: what changed, and a picture of each trend. */
#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/history_parts.h"
#include "report/page/page.h"

enum { WIDTH = 760, HEIGHT = 150, LEFT = 84, RIGHT = WIDTH - 36, TOP = 14, BOTTOM = 116 };
enum { MAX_DRAWN = 200 /* operations: the first in the order of report */ };

static const struct style plain = { .output_format = OUTPUT_FORMAT_TEXT };

/* One value for each run, on a logarithmic axis. */
struct trend {
	const struct history_findings *all;
	const struct past *past;
	const double *value; /* not above 0: the run does not have the operation */
	bool calls;	     /* they are numbers of calls, not latencies */
	double min, max;
	struct scale scale;
};

/* --- the picture ---------------------------------------------------------------------------------- */

static struct trend trend_of(const struct history_findings *f, const struct past *p,
			     const struct change *latest)
{
	struct trend t = { .all = f,
			   .past = p,
			   .calls = history_is_of_calls(latest),
			   .min = HUGE_VAL,
			   .scale = { .unit = p->unit, .hz = f->hz } };

	t.value = t.calls ? p->calls : p->mean;
	for (size_t k = 0; k < f->n_runs; k++) {
		if (!(t.value[k] > 0))
			continue;
		t.min = fmin(t.min, t.value[k]);
		t.max = fmax(t.max, t.value[k]);
	}
	return t;
}

static double x_of(const struct trend *t, double run)
{
	return LEFT + (run + 0.5) * (RIGHT - LEFT) / (double)t->all->n_runs;
}

static double y_of(const struct trend *t, double value)
{
	double span = log(t->max / t->min);

	return span > 0 ? BOTTOM - 6 - log(value / t->min) / span * (BOTTOM - TOP - 12)
			: (BOTTOM + TOP) / 2.0;
}

static void coordinate(struct out *o, double v)
{
	out_f64(o, round(v * 10) / 10);
}

static void say_value(struct out *o, const struct trend *t, double value)
{
	if (t->calls)
		quantity_count(o, value);
	else
		quantity_latency(o, value, t->scale);
}

static void label(struct out *o, const struct trend *t, double value)
{
	out_printf(o, "<text class=\"end\" x=\"%d\" y=\"", LEFT - 6);
	coordinate(o, y_of(t, value) + 4);
	out_text(o, "\">");
	say_value(o, t, value);
	out_text(o, "</text>");
}

static void dot(struct out *o, const struct trend *t, size_t run)
{
	if (!(t->value[run] > 0))
		return;
	out_printf(o, "<g class=\"pb\"><title>run %zu, ", run + 1);
	escape_html(o, str_from(t->all->run[run].name));
	out_text(o, ": ");
	say_value(o, t, t->value[run]);
	out_text(o, "</title><circle class=\"summit\" r=\"3.5\" cx=\"");
	coordinate(o, x_of(t, (double)run));
	out_text(o, "\" cy=\"");
	coordinate(o, y_of(t, t->value[run]));
	out_text(o, "\"/></g>");
}

/* Draws a level from one run up to, not with, another. */
static void level(struct out *o, const struct trend *t, const struct level *l, size_t from,
		  size_t to)
{
	double value = t->calls ? l->calls : l->mean;

	if (!(value > 0) || from >= to)
		return;
	value = fmin(fmax(value, t->min), t->max);
	out_text(o, "<g class=\"pa\"><path class=\"extent\" d=\"M");
	coordinate(o, x_of(t, (double)from - 0.5));
	out_char(o, ' ');
	coordinate(o, y_of(t, value));
	out_char(o, 'H');
	coordinate(o, x_of(t, (double)to - 0.5));
	out_text(o, "\"/></g>");
}

/* Draws the changes: a line between two runs, and the levels on both sides of it. */
static void steps(struct out *o, const struct trend *t)
{
	size_t from = 0;

	for (size_t i = 0; i < t->past->n_changes; i++) {
		const struct change *c = &t->past->change[i];

		if (c->kind == CHANGE_DRIFT)
			continue;
		out_text(o, "<path class=\"grid\" d=\"M");
		coordinate(o, x_of(t, (double)c->at - 0.5));
		out_printf(o, " %dV%d\"/>", TOP, BOTTOM);
		level(o, t, &c->before, from, c->at);
		level(o, t, &c->after, c->at, c->end);
		from = c->end;
	}
}

static void run_name(struct out *o, const struct trend *t, size_t run, bool at_end)
{
	out_printf(o, "<text%s x=\"%d\" y=\"%d\">", at_end ? " class=\"end\"" : "",
		   at_end ? RIGHT : LEFT, BOTTOM + 16);
	escape_html(o, str_from(history_run_name(t->all, run)));
	out_text(o, "</text>");
}

static void draw(struct out *o, const struct trend *t)
{
	if (!(t->max > 0))
		return;
	out_printf(o,
		   "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s each run, "
		   "logarithmic\"><path class=\"axis\" d=\"M%d %dV%dH%d\"/>",
		   WIDTH, HEIGHT, t->calls ? "number of calls in" : "mean latency of", LEFT, TOP,
		   BOTTOM, RIGHT);
	label(o, t, t->max);
	if (y_of(t, t->min) - y_of(t, t->max) > 14)
		label(o, t, t->min);
	steps(o, t);
	for (size_t k = 0; k < t->all->n_runs; k++)
		dot(o, t, k);
	run_name(o, t, 0, false);
	run_name(o, t, t->all->n_runs - 1, true);
	out_printf(o, "<text class=\"mid\" x=\"%d\" y=\"%d\">%s each of %zu runs</text></svg>\n",
		   (LEFT + RIGHT) / 2, HEIGHT - 6, t->calls ? "calls in" : "mean latency of",
		   t->all->n_runs);
}

/* --- the page ------------------------------------------------------------------------------------- */

/* Prints each line of the text as a paragraph, and empties it. */
static void put_lines(struct page *p)
{
	struct str rest = out_memory(p->text), line;

	while (rest.n > 0) {
		const char *end = memchr(rest.p, '\n', rest.n);

		line = (struct str){ rest.p, end != NULL ? (size_t)(end - rest.p) : rest.n };
		rest = str_skip(rest, line.n + (end != NULL));
		if (line.n == 0)
			continue;
		out_text(p->o, "<p>");
		escape_html(p->o, line);
		out_text(p->o, "</p>\n");
	}
	out_reset(p->text);
}

/* Prints an operation with its changes, of which `latest` is the first in the order of report. */
static void section(struct page *p, const struct history_findings *f,
		    const struct history_reported *latest)
{
	const struct past *past = latest->past;
	const struct operation named = { .name = past->name, .layer = past->layer };
	struct history_reported one = *latest;
	struct trend t = trend_of(f, past, latest->change);

	out_text(p->o, "<section class=\"op\">\n<h3 class=\"name\">");
	if (operation_has_layer(&named)) {
		escape_html(p->o, past->layer);
		out_char(p->o, '/');
	}
	escape_html(p->o, past->name.n > 0 ? past->name : STR("(no name)"));
	out_text(p->o, "</h3>\n");
	for (size_t i = past->n_changes; i-- > 0;) {
		one.change = &past->change[i];
		history_sentence(p->text, &plain, f, &one);
	}
	if (past->n_changes == 0)
		out_text(p->text, "No change.");
	put_lines(p);
	draw(p->o, &t);
	out_text(p->o, "</section>\n");
}

static bool has_section(const struct history_reported *v, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (v[k].past == v[i].past)
			return true;
	}
	return false;
}

static void sections(struct page *p, const struct history_findings *f,
		     const struct history_reported *v, size_t n)
{
	size_t drawn = 0;

	if (n > 0)
		out_text(p->o, "<h2>What changed</h2>\n");
	for (size_t i = 0; i < n && drawn < MAX_DRAWN; i++) {
		if (has_section(v, i))
			continue;
		section(p, f, &v[i]);
		drawn++;
	}
}

void history_html(struct out *o, const struct history_report *c, const struct history_reported *v,
		  size_t n)
{
	const struct history_findings *f = c->findings;
	struct page p = { .o = o, .text = out_to_memory() };

	out_printf(p.text, "osprof history: %zu runs", f->n_runs);
	page_head(&p);
	out_printf(o, "<h1>History of %zu runs</h1>\n", f->n_runs);
	history_heading(p.text, &plain, f);
	history_summary(p.text, &plain, c, v, n);
	put_lines(&p);
	sections(&p, f, v, n);
	history_outliers(p.text, &plain, f);
	put_lines(&p);
	page_end(&p);
}
