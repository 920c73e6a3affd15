/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page/flame.h"

#include <math.h>

#include "analyze/causes/causes_icicle.h"
#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "base/utf8.h"
#include "profile/quantity.h"
#include "report/causes.h"
#include "report/page/page.h"
#include "report/page/page_script.h"

/* Sizes in SVG user units; WIDTH and LETTER are known to the script, too. */
enum { WIDTH = 760, ROW = 20, LETTER = 7, MAX_LEVELS = 40, HEADING = 24, MARGIN = 8 };

static const double min_share = 0.002; /* of the function's time, for a box */

static const struct scale ns = { .unit = UNIT_NS };
static const struct style plain = { .output_format = OUTPUT_FORMAT_TEXT, .unicode = true };

/* One graph that is being printed. */
struct graph {
	struct page *page;
	const struct causes *causes;
	bool pair, against;
	double max; /* time of the whole width */
};

double flame_scale(const struct causes_report *r)
{
	const struct causes *c = r->causes;

	return r->pair ? fmax(c->chosen.mean, c->against.mean) : c->chosen.mean;
}

static void coordinate(struct out *o, double v)
{
	out_f64(o, round(v * 1000) / 1000);
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

/* Of two sides, the one before shows what is gone, the one after what was added. */
static double shown_change(const struct graph *g, double added)
{
	if (!g->pair)
		return added;
	return g->against ? fmin(added, 0) : fmax(added, 0);
}

static void box_title(const struct graph *g, const struct icicle_box *b)
{
	struct out *o = g->page->text;
	const struct cause_node *n = &g->causes->node[b->node];

	causes_path(o, &plain, g->causes, b->node, 0);
	out_text(o, ": ");
	quantity_latency(o, b->to - b->from, ns);
	out_text(o, " a call, ");
	quantity_percent(o, (b->to - b->from) / g->max);
	out_text(o, n->added < 0 ? ", less by " : ", added ");
	quantity_latency(o, fabs(n->added), ns);
	page_put(g->page);
}

static void box(const struct graph *g, const struct icicle *all, const struct icicle_box *b)
{
	struct out *o = g->page->o;
	const struct cause_node *n = &g->causes->node[b->node];
	double x = b->from / g->max * WIDTH, width = (b->to - b->from) / g->max * WIDTH;
	double change = shown_change(g, n->added);
	double part = all->max_added > 0 ? fabs(change) / all->max_added : 0;

	out_text(o, "<g data-n=\"");
	escape_html(o, n->name);
	out_text(o, "\"><title>");
	box_title(g, b);
	out_printf(o, "</title><rect fill=\"var(--%s)\" fill-opacity=\"",
		   change < 0 || (g->pair && g->against) ? "before" : "after");
	out_f64(o, round((0.06 + 0.6 * part) * 100) / 100);
	out_text(o, "\" stroke=\"var(--bg)\" x=\"");
	coordinate(o, x);
	out_printf(o, "\" y=\"%u\" width=\"", b->level * ROW);
	coordinate(o, fmax(width, 0.5));
	out_printf(o, "\" height=\"%d\"/><text x=\"", ROW);
	coordinate(o, x + 3);
	out_printf(o, "\" y=\"%u\">", b->level * ROW + 14);
	label(g->page, n->name, width - 6);
	out_text(o, "</text></g>\n");
}

static void boxes(const struct graph *g, const struct icicle *all)
{
	for (size_t i = 0; i < all->n; i++)
		box(g, all, &all->v[i]);
}

static const char *side_name(bool pair, bool against)
{
	return !pair ? "the chosen calls" : against ? "before" : "after";
}

static unsigned height_of(const struct icicle *all)
{
	return all->levels > 0 ? all->levels * ROW : ROW;
}

void flame_graph(struct page *p, const struct causes_report *r, bool against, double max)
{
	struct graph g = { p, r->causes, r->pair, against, max };
	struct arena *a = arena_new();
	struct icicle all = causes_icicle(r->causes, a, against, min_share, MAX_LEVELS);
	const char *name = side_name(r->pair, against);

	out_printf(p->o, "<p class=\"sub\">%s</p>\n", name);
	out_text(p->o, WIDE_REGION("flame graph"));
	out_printf(p->o,
		   "<svg class=\"flame\" viewBox=\"0 0 %d %u\" role=\"img\" "
		   "aria-label=\"flame graph of %s\">\n",
		   WIDTH, height_of(&all), name);
	boxes(&g, &all);
	out_text(p->o, "</svg></div>\n");
	if (all.left_out > 0)
		out_printf(p->o, "<p class=\"dim\">%zu nodes are too narrow or too deep.</p>\n",
			   all.left_out);
	arena_free(a);
}

/* --- a file of its own ----------------------------------------------------------------------- */

static const char svg_style[] =
	"svg{--bg:#fff;--fg:#1b1f24;--dim:#5c6670;--before:#2a6fb5;--after:#b85000;"
	"background:var(--bg)}\n"
	"@media(prefers-color-scheme:dark){svg{--bg:#14181c;--fg:#e4e8ec;--dim:#9aa5b0;"
	"--before:#6db3f2;--after:#ffa24d}}\n"
	"text{font:11px system-ui,sans-serif;fill:var(--fg)}.sub{font-weight:600}"
	".flame g{cursor:zoom-in}.flame .hit rect{stroke:var(--fg);stroke-width:2}"
	".find{cursor:pointer;text-decoration:underline;text-anchor:end}\n";

/* A side in the file: its heading, and below it a drawing of its own coordinates. */
static void side(struct page *p, const struct causes_report *r, bool against, double max,
		 const struct icicle *all, unsigned top)
{
	struct graph g = { p, r->causes, r->pair, against, max };
	const struct cause_choice *c = against ? &r->causes->against : &r->causes->chosen;

	out_printf(p->o, "<text class=\"sub\" x=\"0\" y=\"%u\">", top + 16);
	out_printf(p->text, "%s: %llu calls, ", side_name(r->pair, against),
		   (unsigned long long)c->count);
	quantity_latency(p->text, c->mean, ns);
	out_text(p->text, " each");
	page_put(p);
	out_printf(p->o,
		   "</text>\n<svg class=\"flame\" x=\"0\" y=\"%u\" width=\"%d\" height=\"%u\" "
		   "viewBox=\"0 0 %d %u\">\n",
		   top + HEADING, WIDTH, height_of(all), WIDTH, height_of(all));
	boxes(&g, all);
	out_text(p->o, "</svg>\n");
}

static void svg_head(struct page *p, const struct causes_report *r, unsigned height)
{
	out_printf(p->o,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%d %d %d %u\" "
		   "width=\"%d\" height=\"%u\">\n<title>",
		   -MARGIN, -MARGIN, WIDTH + 2 * MARGIN, height + 2 * MARGIN, WIDTH + 2 * MARGIN,
		   height + 2 * MARGIN);
	out_text(p->text, "osprof causes: ");
	out_bytes(p->text, r->function);
	page_put(p);
	out_printf(p->o, "</title>\n<style>%s</style>\n<text x=\"0\" y=\"14\">", svg_style);
	causes_say_comparison(p->text, r->causes);
	page_put(p);
	out_text(p->o, "</text>\n");
}

void causes_svg(struct out *o, const struct causes_report *r)
{
	struct page p = { .o = o, .text = out_to_memory() };
	struct arena *a = arena_new();
	double max = flame_scale(r);
	size_t n = !(max > 0) ? 0 : r->pair ? 2 : 1;
	struct icicle all[2];
	unsigned height = 2 * HEADING, top = HEADING;

	for (size_t i = 0; i < n; i++) {
		all[i] = causes_icicle(r->causes, a, i + 1 < n, min_share, MAX_LEVELS);
		height += HEADING + height_of(&all[i]);
	}
	svg_head(&p, r, height);
	for (size_t i = 0; i < n; i++) {
		side(&p, r, i + 1 < n, max, &all[i], top);
		top += HEADING + height_of(&all[i]);
	}
	out_printf(o, "<text class=\"find\" x=\"%d\" y=\"%u\"></text>\n", WIDTH, height - 6);
	out_printf(o, "<script>//<![CDATA[\n%s//]]></script>\n</svg>\n", page_flame_script);
	arena_free(a);
	out_free(p.text);
}
