/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof causes as a self-contained HTML page: sentences, causes, and an icicle chart. */
#include <math.h>

#include "analyze/causes/causes_icicle.h"
#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "base/utf8.h"
#include "profile/quantity.h"
#include "report/causes.h"
#include "report/page.h"

/* The size of the icicle chart, in SVG user units. */
enum { WIDTH = 760, ROW = 20, LETTER = 7, MAX_LEVELS = 40 };

static const double min_tested_share = 0.002; /* share of the function's time that gets a box */

static const struct scale ns = { .unit = UNIT_NS };
/* Sentences are assembled as text, then escaped as a whole. */
static const struct style plain = { .output_format = OUTPUT_FORMAT_TEXT, .unicode = true };

/* --- tables ---------------------------------------------------------------------------------- */

static void cell_latency(struct page *p, double time)
{
	out_text(p->o, "<td class=\"n\">");
	quantity_latency(p->text, time, ns);
	page_put(p);
	out_text(p->o, "</td>");
}

static void cell_percent(struct page *p, double part)
{
	out_text(p->o, "<td class=\"n\">");
	quantity_percent(p->text, part);
	page_put(p);
	out_text(p->o, "</td>");
}

static void cell_count(struct page *p, double n)
{
	out_text(p->o, "<td class=\"n\">");
	quantity_count(p->text, n);
	page_put(p);
	out_text(p->o, "</td>");
}

static void peaks_table(struct page *p, const struct causes_report *r)
{
	const struct cause_choice *c = &r->causes->chosen;

	out_text(p->o,
		 "<h2>Peaks</h2>\n" WIDE_REGION(
			 "peaks") "<table>\n<tr><td></td><th class=\"n\">peak</th>"
				  "<th class=\"n\">core range</th><th class=\"n\">calls</th>"
				  "<th class=\"n\">share</th><th class=\"n\">mean</th></tr>\n");
	for (size_t i = 0; i < r->peaks->n; i++) {
		const struct peak *peak = &r->peaks->v[i];
		bool chosen = c->what == CHOSEN_PEAK && c->number == i + 1;

		out_printf(p->o, "<tr><td>%s</td><td class=\"n\">%zu</td><td class=\"n\">",
			   chosen ? "chosen" : "", i + 1);
		quantity_range(p->text, peak->core_low, peak->core_high, ns);
		page_put(p);
		out_text(p->o, "</td>");
		cell_count(p, (double)peak->count);
		cell_percent(p, peak->share);
		cell_latency(p, peak->mean);
		out_text(p->o, "</tr>\n");
	}
	out_text(p->o, "</table></div>\n");
}

static void causes_table(struct page *p, const struct causes *c)
{
	out_text(p->o,
		 WIDE_REGION("causes") "<table>\n<tr><th class=\"n\">added</th>"
				       "<th class=\"n\">share</th><th class=\"n\">calls</th>"
				       "<th class=\"n\">others</th><th class=\"n\">a call</th>"
				       "<th class=\"n\">of others</th><th>path</th></tr>\n");
	for (size_t i = 0; i < c->n_causes; i++) {
		const struct cause *one = &c->cause[i];
		const struct cause_node *n = &c->node[one->node];

		out_text(p->o, "<tr>");
		cell_latency(p, one->added);
		cell_percent(p, one->share);
		cell_percent(p, one->in);
		cell_percent(p, cause_mean(&c->against, n->against.present));
		cell_latency(p, cause_mean(&c->chosen, causes_spent(one, &n->chosen)));
		cell_latency(p, cause_mean(&c->against, causes_spent(one, &n->against)));
		out_text(p->o, "<td class=\"name\">");
		causes_path(p->text, &plain, c, one->node, one->node == 0 ? 0 : 1);
		page_put(p);
		out_text(p->o, "</td></tr>\n");
	}
	out_text(p->o, "</table></div>\n");
}

static void say_comparison(struct page *p, const struct causes *c)
{
	out_text(p->o, "<p class=\"verdicts\">");
	causes_say_comparison(p->text, c);
	if (c->inconclusive)
		out_text(p->text, "; they are too few: inconclusive");
	page_put(p);
	out_text(p->o, "</p>\n");
}

static void sentences(struct page *p, const struct causes_report *r)
{
	const struct causes *c = r->causes;

	for (size_t i = 0; i < c->n_causes; i++) {
		out_text(p->o, "<p>");
		if (c->method == CAUSES_MAXCOUNT) {
			out_printf(p->text, "Root cause found, maxcount %llu: ",
				   (unsigned long long)c->cause[i].maxcount);
			causes_path(p->text, &plain, c, c->cause[i].node, 0);
		} else {
			causes_sentence(p->text, &plain, r, &c->cause[i]);
		}
		page_put(p);
		out_text(p->o, ".</p>\n");
	}
}

/* --- the icicle ------------------------------------------------------------------------------ */

static void coordinate(struct out *o, double v)
{
	out_f64(o, round(v * 10) / 10);
}

/* Prints a name, cut off to the available width. */
static void label(struct page *p, struct str name, double width)
{
	size_t room = (size_t)fmax(width / LETTER, 0), n = 0, size;
	struct str rest = name;
	uint32_t code;

	while (n < room && rest.n > 0) {
		rest = str_skip(rest, utf8_decode(rest, &code, &size) ? size : 1);
		n++;
	}
	if (rest.n > 0 && n < 4)
		return;
	escape_html(p->o, (struct str){ name.p, name.n - rest.n });
	out_text(p->o, rest.n > 0 ? "…" : "");
}

static void box(struct page *p, const struct causes *c, const struct icicle *all,
		const struct icicle_box *b, double most)
{
	const struct cause_node *n = &c->node[b->node];
	double x = b->from / most * WIDTH, width = (b->to - b->from) / most * WIDTH;
	double part = all->max_added > 0 ? fabs(n->added) / all->max_added : 0;

	out_text(p->o, "<g><title>");
	causes_path(p->text, &plain, c, b->node, 0);
	out_text(p->text, ": ");
	quantity_latency(p->text, b->to - b->from, ns);
	out_text(p->text, " a call, added ");
	quantity_latency(p->text, n->added, ns);
	page_put(p);
	out_printf(p->o, "</title><rect fill=\"var(--%s)\" fill-opacity=\"",
		   n->added < 0 ? "before" : "after");
	out_f64(p->o, round((0.06 + 0.6 * part) * 100) / 100);
	out_text(p->o, "\" stroke=\"var(--bg)\" x=\"");
	coordinate(p->o, x);
	out_printf(p->o, "\" y=\"%u\" width=\"", b->level * ROW);
	coordinate(p->o, fmax(width, 0.5));
	out_printf(p->o, "\" height=\"%d\"/><text x=\"", ROW);
	coordinate(p->o, x + 3);
	out_printf(p->o, "\" y=\"%u\">", b->level * ROW + 14);
	label(p, n->name, width - 6);
	out_text(p->o, "</text></g>\n");
}

static void icicle(struct page *p, const struct causes *c, bool against, double most,
		   const char *heading)
{
	struct arena *a = arena_new();
	struct icicle all = causes_icicle(c, a, against, min_tested_share, MAX_LEVELS);

	out_printf(p->o, "<p class=\"sub\">%s</p>\n", heading);
	out_text(p->o, WIDE_REGION("icicle"));
	out_printf(p->o, "<svg viewBox=\"0 0 %d %u\" role=\"img\" aria-label=\"icicle of %s\">\n",
		   WIDTH, all.levels > 0 ? all.levels * ROW : ROW, heading);
	for (size_t i = 0; i < all.n; i++)
		box(p, c, &all, &all.v[i], most);
	out_text(p->o, "</svg></div>\n");
	if (all.left_out > 0)
		out_printf(p->o, "<p class=\"dim\">%zu nodes are too narrow or too deep.</p>\n",
			   all.left_out);
	arena_free(a);
}

static void say_legend(struct page *p)
{
	out_text(p->o, "<p class=\"dim\">Each box is as wide as the time a call spends there; the "
		       "stronger "
		       "its colour, the more it adds.</p>\n");
}

static void icicles(struct page *p, const struct causes_report *r)
{
	const struct causes *c = r->causes;
	double most = r->pair ? fmax(c->chosen.mean, c->against.mean) : c->chosen.mean;

	if (!(most > 0))
		return;
	say_legend(p);
	if (r->pair)
		icicle(p, c, true, most, "before");
	icicle(p, c, false, most, r->pair ? "after" : "the chosen calls");
}

void causes_html(struct out *o, const struct causes_report *r)
{
	struct page p = { .o = o, .text = out_to_memory() };

	out_text(p.text, "osprof causes: ");
	out_bytes(p.text, r->function);
	page_head(&p);
	out_text(o, "<h1 class=\"name\">");
	escape_html(o, r->function);
	out_text(o, "</h1>\n");
	say_comparison(&p, r->causes);
	sentences(&p, r);
	causes_table(&p, r->causes);
	out_text(o, "<h2>Where the time goes</h2>\n");
	icicles(&p, r);
	peaks_table(&p, r);
	page_end(&p);
}

void causes_html_part(struct page *p, const struct causes_report *r)
{
	out_text(p->o, "<h4>Causes</h4>\n");
	say_comparison(p, r->causes);
	sentences(p, r);
	causes_table(p, r->causes);
	icicles(p, r);
}
