/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page/figures.h"

#include "base/escape.h"
#include "base/out.h"
#include "report/page/page.h"

/* File names are generated (letters, digits, dashes, dots), so that they need no escaping. */
static void put_figure(struct page *p, const struct drawn *d)
{
	out_text(p->o, "<figure>\n");
	if (d->is_image)
		out_printf(p->o, "<a href=\"%s\"><img src=\"%s\" alt=\"%s\"/></a>\n", d->file,
			   d->file, d->file);
	else
		out_printf(p->o, "<a href=\"%s\">%s</a>\n", d->file, d->file);
	out_text(p->o, "<figcaption class=\"dim\">");
	escape_html(p->o, d->caption);
	out_printf(p->o,
		   " <a href=\"%s\">%s</a> is its script for gnuplot.</figcaption>\n</figure>\n",
		   d->script, d->script);
}

static void put_operation(struct page *p, const struct drawn *d, size_t i)
{
	out_printf(p->o, "<section class=\"op\" id=\"op-%zu\">\n<h3>", i + 1);
	page_title_of(p, i);
	out_text(p->o, "</h3>\n<p>");
	explain(p->text, p->c, &p->c->ranking->v[i]);
	page_put(p);
	out_text(p->o, ".</p>\n");
	put_figure(p, d);
	out_text(p->o, "</section>\n");
}

void figures_html(struct out *o, const struct comparison *c, const struct drawn *overview,
		  const struct drawn *of, size_t n)
{
	struct page p = { .o = o, .text = out_to_memory(), .c = c, .n_linked = n };

	page_begin(&p);
	page_summary(&p);
	if (overview != NULL)
		put_figure(&p, overview);
	page_table(&p);
	out_text(o, "<h2>What changed</h2>\n");
	if (n == 0)
		out_text(o, "<p>No operation is reported.</p>\n");
	for (size_t i = 0; i < n; i++)
		put_operation(&p, &of[i], i);
	page_end(&p);
}

void figures_run_html(struct out *o, struct str title, const struct drawn *overview,
		      const struct drawn *of, const struct str *name, size_t n)
{
	struct page p = { .o = o, .text = out_to_memory() };

	out_text(p.text, "osprof: ");
	out_bytes(p.text, title);
	page_head(&p);
	out_text(o, "<h1>");
	escape_html(o, title);
	out_text(o, "</h1>\n");
	if (overview != NULL)
		put_figure(&p, overview);
	for (size_t i = 0; i < n; i++) {
		out_text(o, "<section class=\"op\">\n<h2>");
		escape_html(o, name[i]);
		out_text(o, "</h2>\n");
		put_figure(&p, &of[i]);
		out_text(o, "</section>\n");
	}
	page_end(&p);
}
