/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof causes as a self-contained HTML page: sentences, causes, and flame graphs. */
#include "base/escape.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/causes.h"
#include "report/page/flame.h"
#include "report/page/page.h"

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

static void write_sentences(struct page *p, const struct causes_report *r)
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

/* --- where the time goes --------------------------------------------------------------------- */

static void say_legend(struct page *p, bool pair)
{
	out_printf(p->o,
		   "<p class=\"dim\">Each box is as wide as the time a call spends there; the "
		   "stronger its colour, the more %s.</p>\n",
		   pair ? "was added after, or is gone from before" : "it adds");
}

static void flame_graphs(struct page *p, const struct causes_report *r)
{
	double max = flame_scale(r);

	if (!(max > 0))
		return;
	say_legend(p, r->pair);
	if (r->pair)
		flame_graph(p, r, true, max);
	flame_graph(p, r, false, max);
}

void causes_html(struct out *o, const struct causes_report *r)
{
	struct page p = { .o = o, .text = out_to_memory(), .scripted = true };

	out_text(p.text, "osprof causes: ");
	out_bytes(p.text, r->function);
	page_head(&p);
	out_text(o, "<h1 class=\"name\">");
	escape_html(o, r->function);
	out_text(o, "</h1>\n");
	say_comparison(&p, r->causes);
	write_sentences(&p, r);
	causes_table(&p, r->causes);
	out_text(o, "<h2>Where the time goes</h2>\n");
	flame_graphs(&p, r);
	peaks_table(&p, r);
	page_end(&p);
}

void causes_html_part(struct page *p, const struct causes_report *r)
{
	out_text(p->o, "<h4>Causes</h4>\n");
	say_comparison(p, r->causes);
	write_sentences(p, r);
	causes_table(p, r->causes);
	flame_graphs(p, r);
}
