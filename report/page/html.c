/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof rank as a self-contained HTML page. */
#include <math.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/causes.h"
#include "report/page/page.h"
#include "report/page/svg.h"
#include "report/parts.h"
#include "report/quantiles.h"
#include "report/rank/gate.h"
#include "report/rank/rank_output.h"

enum { MAX_DRAWN = 200 /* operations with a drawing: the first of the ranking */ };

/* --- one operation -------------------------------------------------------------------- */

static void peak_row(struct page *p, bool after, const struct peak *peak, enum peak_change change,
		     struct scale scale)
{
	const struct run *run = after ? &p->c->after : &p->c->before;

	out_printf(p->o, "<tr><td>%s</td><td class=\"n\">", after ? "after" : "before");
	quantity_range(p->text, peak->core_low, peak->core_high, scale);
	page_put(p);
	out_text(p->o, "</td><td class=\"n\">");
	quantity_count(p->text, (double)peak->count / (double)run->n_runs);
	page_put(p);
	out_text(p->o, "</td><td class=\"n\">");
	quantity_percent(p->text, peak->share);
	page_put(p);
	out_text(p->o, "</td><td class=\"n\">");
	quantity_latency(p->text, peak->mean, scale);
	page_put(p);
	out_printf(p->o, "</td><td>%s</td></tr>\n", peak_change_name(change));
}

static void table_of_peaks(struct page *p, const struct peak_pairs *pairs, struct scale scale)
{
	if (pairs->n == 0)
		return;
	out_text(p->o,
		 WIDE_REGION("peaks") "<table>\n<tr><th>peak</th><th class=\"n\">most of it at</th>"
				      "<th class=\"n\">calls</th><th class=\"n\">share</th>"
				      "<th class=\"n\">mean</th><th>change</th></tr>\n");
	for (size_t i = 0; i < pairs->n; i++) {
		if (pairs->v[i].before != NULL)
			peak_row(p, false, pairs->v[i].before, pairs->v[i].change, scale);
		if (pairs->v[i].after != NULL)
			peak_row(p, true, pairs->v[i].after, pairs->v[i].change, scale);
	}
	out_text(p->o, "</table></div>\n");
}

static void table_of_distances(struct page *p, const struct ranked *r)
{
	out_text(p->o, "<details><summary>distances</summary>\n"
		       "<table>\n<tr><th>distance</th><th class=\"n\">value</th></tr>\n");
	for (int m = 0; m < N_METRICS; m++) {
		if (isnan(r->metric[m]))
			continue;
		out_text(p->o, "<tr><td>");
		out_text(p->text, distance_at((enum metric)m)->title);
		page_put(p);
		out_text(p->o, "</td><td class=\"n\">");
		out_digits(p->text, r->metric[m], 4);
		page_put(p);
		out_text(p->o, "</td></tr>\n");
	}
	out_text(p->o, "</table></details>\n");
}

static void write_figure(struct page *p, struct arena *a, const struct ranked *r,
			 const struct ranked_peaks *peaks)
{
	struct histogram after = { .scheme = &bucket_octaves };
	struct drawing d = { .peaks_before = &peaks->before,
			     .peaks_after = &peaks->after,
			     .n_before = p->c->before.n_runs,
			     .n_after = p->c->after.n_runs,
			     .scale = scale_of_ranked(p->c, r) };

	if (r->before != NULL && r->before->hist.n > 0)
		d.before = &r->before->hist;
	if (r->after != NULL && r->after->hist.n > 0) {
		after = histogram_scaled(a, &r->after->hist, p->c->ranking->scale_after);
		d.after = &after;
	}
	if (d.before != NULL || d.after != NULL) {
		out_text(p->o, WIDE_REGION("histograms"));
		svg_histograms(p->o, a, &d);
		svg_runs(p->o, r, &p->c->each_before, &p->c->each_after, d.scale);
		out_text(p->o, "</div>\n");
	} else {
		out_text(p->o, "<p class=\"dim\">There are no buckets to draw.</p>\n");
	}
}

static void body_of(struct page *p, size_t position)
{
	const struct ranked *r = &p->c->ranking->v[position];
	struct arena *a = arena_new();
	struct ranked_peaks peaks = rank_peaks(a, r, p->c->ranking->scale_after);
	struct str reason = gate_reason(a, p->c, r);

	out_text(p->o, "<p>");
	explain(p->text, p->c, r);
	page_put(p);
	out_text(p->o, ".</p>\n<p>");
	say_quantiles(p->text, p->c, r);
	page_put(p);
	out_text(p->o, "</p>\n");
	if (p->c->gated && reason.n > 0) {
		out_text(p->o, "<p class=\"fails\">Fails: ");
		escape_html(p->o, reason);
		out_text(p->o, ".</p>\n");
	}
	out_text(p->o, "<div class=\"parts\">\n<div>\n");
	write_figure(p, a, r, &peaks);
	table_of_peaks(p, &peaks.pairs, scale_of_ranked(p->c, r));
	out_text(p->o, "</div>\n");
	table_of_distances(p, r);
	out_text(p->o, "</div>\n");
	if (position < p->c->n_causes && p->c->causes[position] != NULL)
		causes_html_part(p, p->c->causes[position]);
	arena_free(a);
}

static void write_reported(struct page *p, size_t to)
{
	out_text(p->o, "<h2>What changed</h2>\n");
	if (to == 0)
		out_text(p->o, "<p>No operation is reported.</p>\n");
	for (size_t i = 0; i < to; i++) {
		out_printf(p->o, "<section class=\"op\" id=\"op-%zu\">\n<h3>", i + 1);
		page_title_of(p, i);
		out_text(p->o, "</h3>\n");
		body_of(p, i);
		out_text(p->o, "</section>\n");
	}
}

static void write_others(struct page *p, size_t from, size_t to)
{
	if (from < to)
		out_text(p->o, "<h2>Not reported</h2>\n");
	for (size_t i = from; i < to; i++) {
		out_printf(p->o, "<details class=\"op\" id=\"op-%zu\">\n<summary>", i + 1);
		page_title_of(p, i);
		out_text(p->o, "</summary>\n");
		body_of(p, i);
		out_text(p->o, "</details>\n");
	}
}

void rank_html(struct out *o, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	struct page p = {
		.o = o, .text = out_to_memory(), .c = c, .scripted = true, .n_linked = MAX_DRAWN
	};
	size_t drawn = all->n < MAX_DRAWN ? all->n : MAX_DRAWN;
	size_t first = all->n_reported < drawn ? all->n_reported : drawn;

	page_begin(&p);
	svg_definitions(o);
	page_summary(&p);
	page_table(&p);
	write_reported(&p, first);
	write_others(&p, first, drawn);
	if (drawn < all->n)
		out_printf(o,
			   "<p>Histograms of the first %zu operations are drawn, %zu of them "
			   "reported; %zu are not.</p>\n",
			   drawn, first, all->n - drawn);
	page_end(&p);
}
