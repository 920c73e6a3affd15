/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page/page.h"

#include <math.h>

#include "base/attr.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/page/page_script.h"
#include "report/parts.h"
#include "report/rank/gate.h"
#include "report/sparkline.h"

enum {
	MAX_ROWS = 1000,
	MAX_FILES = 20, /* files named for a side */
};

static const char css[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#5c6670;--line:#d5dae0;"
	"--soft:#f4f6f8;--before:#2a6fb5;--after:#b85000}\n"
	"@media(prefers-color-scheme:dark){:root{--bg:#14181c;--fg:#e4e8ec;--dim:#9aa5b0;"
	"--line:#38414a;--soft:#1d2329;--before:#6db3f2;--after:#ffa24d}}\n"
	"body{margin:0 auto;max-width:80rem;padding:1.5rem;background:var(--bg);color:var(--fg);"
	"font:15px/1.5 system-ui,sans-serif}\n"
	"h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}"
	"h3{font-size:1rem;margin:0}\n"
	"a{color:inherit}.name{overflow-wrap:anywhere}.dim{color:var(--dim)}\n"
	".verdicts{font-size:1.1rem;font-weight:600;margin:.5rem 0}\n"
	".gate{display:inline-block;border:2px solid;padding:.1rem .6rem;font-weight:600}\n"
	".gate.failed,.fails,.regressed{color:var(--after)}.gate.passed,.improved{color:"
	"var(--before)}\n"
	".badge{font-weight:600;white-space:nowrap}.same,.inconclusive{color:var(--dim);"
	"font-weight:400}\n"
	".wide{overflow-x:auto;background:linear-gradient(90deg,var(--bg) 1.5rem,transparent),"
	"linear-gradient(270deg,var(--bg) 1.5rem,transparent) 100% 0,"
	"linear-gradient(90deg,var(--line),transparent 1rem),"
	"linear-gradient(270deg,var(--line),transparent 1rem) 100% 0;"
	"background-attachment:local,local,scroll,scroll;background-repeat:no-repeat;"
	"background-size:3rem 100%,3rem 100%,1rem 100%,1rem 100%}\n"
	"table{border-collapse:collapse;font-size:.85rem}\n"
	"th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:left;"
	"vertical-align:top}th{color:var(--dim);font-weight:600}\n"
	"td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
	"td.name{min-width:8rem}.spark{font-family:monospace;white-space:pre;line-height:1.25}\n"
	"tr.off td{color:var(--dim)}\n"
	"th button{all:unset;cursor:pointer}th button:focus-visible{outline:2px solid}\n"
	"input,.scale{font:inherit;font-size:.85rem;padding:.2rem .4rem;max-width:100%;"
	"box-sizing:border-box}.tip{display:block;color:var(--dim);font-size:.85rem;"
	"min-height:1.5em}.sub{font-weight:600}\n"
	".op,tbody tr{content-visibility:auto}.op{contain-intrinsic-size:auto 30rem}"
	"tbody tr{contain-intrinsic-size:auto 2.5rem}"
	"details.op:not([open]){contain-intrinsic-size:auto 2.5rem}\n"
	".op{overflow-wrap:anywhere;border:1px solid "
	"var(--line);border-radius:6px;padding:1rem;margin:1rem 0}"
	"details.op{padding:.4rem 1rem;margin:.4rem 0}summary{cursor:pointer}\n"
	"figure{margin:.6rem 0}img{max-width:100%;height:auto;background:#fff}\n"
	".op p{margin:.4rem 0}.parts{display:flex;flex-wrap:wrap;gap:1rem 2rem;"
	"align-items:flex-start}.parts>div{flex:1 1 34rem;min-width:0;max-width:52rem}"
	".parts>details{min-width:0;max-width:100%}\n"
	"svg{display:block;width:100%;height:auto;margin:.6rem 0;min-width:36rem}"
	"svg.defs{position:absolute;width:0;height:0;min-width:0;margin:0}\n"
	"svg text{font:11px system-ui,sans-serif;fill:var(--fg)}.end{text-anchor:end}"
	".mid{text-anchor:middle}\n"
	".flame[role=group] g{cursor:zoom-in}.flame .hit rect{stroke:var(--fg);stroke-width:2}\n"
	".grid{stroke:var(--line);stroke-width:.6}.axis{stroke:var(--dim);fill:none}\n"
	".b{fill:var(--before);fill-opacity:.55}.a{fill:url(#hatch);stroke:var(--after);"
	"stroke-width:1.6}.stripe{stroke:var(--after);stroke-width:1.6;stroke-opacity:.6}\n"
	".extent{fill:none;stroke-width:2}.pb .extent{stroke:var(--before)}"
	".pa .extent{stroke:var(--after)}.pb .summit{fill:var(--before)}"
	".pa .summit{fill:var(--bg);stroke:var(--after);stroke-width:1.6}\n"
	"@media print{body{max-width:none;padding:0}.wide{overflow:visible;background:none}"
	"table{font-size:6.5pt}.spark{font-size:5pt}th,td,td.n,th.n{padding:.1rem .25rem;"
	"white-space:normal;overflow-wrap:anywhere}"
	"svg{min-width:0}h2,h3{break-after:avoid}.op{break-inside:avoid}"
	".op,tbody tr{content-visibility:visible}"
	"input,.scale,.tip,.parts>details{display:none}}\n";

void page_put(struct page *p)
{
	escape_html(p->o, out_memory(p->text));
	out_reset(p->text);
}

static void page_name(struct page *p, struct str hostile)
{
	escape_html(p->o, hostile.n > 0 ? hostile : STR("(no name)"));
}

static void page_operation(struct page *p, const struct operation *op)
{
	if (operation_has_layer(op)) {
		page_name(p, op->layer);
		out_char(p->o, '/');
	}
	page_name(p, op->name);
}

static void write_badge(struct page *p, enum verdict v)
{
	static const char *const sign[] = { "▲", "▼", "◆", "=", "?", "+", "−" };

	out_printf(p->o, "<span class=\"badge %s\">%s %s</span>", verdict_name(v), sign[v],
		   verdict_name(v));
}

/* --- head ---------------------------------------------------------------------------- */

static void side_row(struct page *p, const char *label, const struct run *run)
{
	const struct profile *profile = run->profile;
	struct scale scale = { .unit = profile->unit, .hz = profile->hz };

	out_printf(p->o, "<tr><th>%s</th><td class=\"name\">", label);
	if (run->n_files > 1)
		out_printf(p->o, "<details><summary>%zu files</summary>", run->n_files);
	for (size_t i = 0; i < run->n_files && i < MAX_FILES; i++) {
		out_text(p->o, i > 0 ? "<br/>" : "");
		page_name(p, str_from(run->file[i]));
	}
	if (run->n_files > MAX_FILES)
		out_printf(p->o, "<br/>and %zu more", run->n_files - MAX_FILES);
	out_text(p->o, run->n_files > 1 ? "</details>" : "");
	out_printf(p->o, "</td><td>%s</td><td>", profile->format);
	out_text(p->text, unit_name(profile->unit));
	if (profile->unit == UNIT_CYCLES && profile->hz > 0)
		out_printf(p->text, " at %.6g Hz", profile->hz);
	page_put(p);
	out_printf(p->o, "</td><td class=\"n\">%zu</td><td class=\"n\">%zu</td><td class=\"n\">",
		   run->n_runs, profile->n_ops);
	quantity_count(p->text, run->totals.count / (double)run->n_runs);
	page_put(p);
	out_text(p->o, "</td><td class=\"n\">");
	quantity_latency(p->text, totals_busy(&run->totals) / (double)run->n_runs, scale);
	if (run->totals.idle > 0.001 * run->totals.latency) {
		out_text(p->text, ", and idle ");
		quantity_latency(p->text, run->totals.idle / (double)run->n_runs, scale);
	}
	page_put(p);
	out_text(p->o, "</td></tr>\n");
}

void page_head(struct page *p)
{
	out_text(p->o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		       "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
		       "<title>");
	page_put(p);
	out_printf(p->o, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", css);
}

void page_begin(struct page *p)
{
	out_text(p->text, "osprof: ");
	gate_verdicts(p->text, p->c);
	page_head(p);
}

void page_summary(struct page *p)
{
	const char *each = p->c->hosts != NULL ? "host" : "run";

	out_text(p->o, "<h1>Latencies before and after</h1>\n<p class=\"verdicts\">");
	gate_verdicts(p->text, p->c);
	page_put(p);
	out_text(p->o, "</p>\n");
	if (p->c->gated) {
		out_printf(p->o, "<p class=\"gate %s\">Gate: ",
			   gate_result(comparison_gate(p->c), false) == GATE_FAILED ? "failed"
										    : "passed");
		gate_outcome(p->text, &(struct style){ .output_format = OUTPUT_FORMAT_TEXT }, p->c);
		if (p->c->policy_path != NULL)
			out_printf(p->text, " (policy %s)", p->c->policy_path);
		page_put(p);
		out_text(p->o, "</p>\n");
	}
	out_printf(p->o,
		   "" WIDE_REGION("runs") "<table>\n<tr><td></td><th>files</th><th>format</th>"
					  "<th>unit</th><th class=\"n\">%ss</th><th "
					  "class=\"n\">operations</th>"
					  "<th class=\"n\">calls a %s</th><th class=\"n\">total "
					  "latency a %s</th></tr>\n",
		   each, each, each);
	side_row(p, "before", &p->c->before);
	side_row(p, "after", &p->c->after);
	out_text(p->o, "</table></div>\n");
	if (has_run_effects(p->c)) {
		out_text(p->o, "<p>");
		say_run_effects(p->text, p->c);
		page_put(p);
		out_text(p->o, ".</p>\n");
	}
	if (p->c->before.n_runs == 1 && p->c->after.n_runs == 1)
		out_text(p->o, "<p class=\"dim\">One run a side: effects are shown, how they vary "
			       "from run to run is not known.</p>\n");
	for (size_t i = 0; i < p->c->n_cautions; i++) {
		out_printf(p->o, "<p>Warning: %s: ", diag_text(p->c->caution[i].code));
		page_name(p, p->c->caution[i].detail);
		out_text(p->o, "</p>\n");
	}
}

/* --- the table of all operations ------------------------------------------------------ */

static void change_begin(struct page *p)
{
	out_text(p->o, "<td class=\"n\">");
}

static void change_end(struct page *p)
{
	page_put(p);
	out_text(p->o, "</td>");
}

static void calls_cell(struct page *p, const struct ranked *r)
{
	change_begin(p);
	quantity_count(p->text, r->run_before.calls);
	out_text(p->text, " → ");
	quantity_count(p->text, r->run_after.calls);
	change_end(p);
}

static void latency_or_dash(struct page *p, double value, struct scale scale)
{
	if (isnan(value))
		out_text(p->text, "–");
	else
		quantity_latency(p->text, value, scale);
}

static void latency_cell(struct page *p, double before, double after, struct scale scale)
{
	change_begin(p);
	latency_or_dash(p, before, scale);
	out_text(p->text, " → ");
	latency_or_dash(p, after, scale);
	change_end(p);
}

static void share_cell(struct page *p, const struct ranked *r)
{
	change_begin(p);
	quantity_percent(p->text, r->share_before);
	out_text(p->text, " → ");
	quantity_percent(p->text, r->share_after);
	change_end(p);
}

static void sparkline_cell(struct page *p, const struct ranked *r)
{
	static const struct style style = { .output_format = OUTPUT_FORMAT_HTML, .unicode = true };
	const struct histogram *h[] = { r->before != NULL ? &r->before->hist : NULL,
					r->after != NULL ? &r->after->hist : NULL };
	struct span_of_octaves span = sparkline_span(h, COUNT_OF(h));

	out_text(p->o, "<td class=\"spark\">");
	sparkline(p->o, &style, h[0], span, SPARKLINE_WIDTH, NULL);
	out_text(p->o, "\n");
	sparkline(p->o, &style, h[1], span, SPARKLINE_WIDTH, NULL);
	out_text(p->o, "</td>");
}

static void write_row(struct page *p, size_t i, bool nested)
{
	const struct ranked *r = &p->c->ranking->v[i];
	struct scale scale = scale_of_ranked(p->c, r);

	out_printf(p->o, "<tr%s><td class=\"n\">%zu</td><td class=\"name\">",
		   r->reported ? "" : " class=\"off\"", i + 1);
	if (i < p->n_linked)
		out_printf(p->o, "<a href=\"#op-%zu\">", i + 1);
	page_operation(p, ranked_operation(r));
	out_text(p->o, i < p->n_linked ? "</a></td><td>" : "</td><td>");
	write_badge(p, r->verdict);
	if (gate_ruling(comparison_gate(p->c), r).failed && p->c->gated)
		out_text(p->o, " <span class=\"fails\">fails</span>");
	out_text(p->o, "</td>");
	sparkline_cell(p, r);
	out_text(p->o, "<td class=\"n\">");
	out_digits(p->text, r->score, 3);
	page_put(p);
	out_text(p->o, "</td>");
	calls_cell(p, r);
	latency_cell(p, r->before != NULL ? r->run_before.total : NAN,
		     r->after != NULL ? r->run_after.total : NAN, scale);
	if (nested)
		latency_cell(p, r->before != NULL ? own_in_run(r->before, &r->run_before) : NAN,
			     r->after != NULL ? own_in_run(r->after, &r->run_after) : NAN, scale);
	latency_cell(p, r->run_before.mean, r->run_after.mean, scale);
	share_cell(p, r);
	out_text(p->o, "</tr>\n");
}

void page_table(struct page *p)
{
	size_t n = p->c->ranking->n, shown = n < MAX_ROWS ? n : MAX_ROWS;
	bool nested = comparison_is_nested(p->c);

	out_text(p->o, "<h2>Operations</h2>\n");
	if (n == 0) {
		out_text(p->o, "<p>There is no operation on either side.</p>\n");
		return;
	}
	out_printf(p->o,
		   WIDE_REGION("operations") "<table>\n<thead><tr><th class=\"n\">rank</th>"
					     "<th>operation</th>"
					     "<th>verdict</th><th>before, after</th><th "
					     "class=\"n\">score</th><th "
					     "class=\"n\">calls</th>"
					     "<th class=\"n\">%s</th><th class=\"n\">mean</th>"
					     "<th class=\"n\">share</th></tr></thead>\n<tbody>\n",
		   nested ? "inclusive</th><th class=\"n\">self" : "total");
	for (size_t i = 0; i < shown; i++)
		write_row(p, i, nested);
	out_text(p->o, "</tbody></table></div>\n");
	if (shown < n)
		out_printf(p->o,
			   "<p>%zu more operations are left out here, the least telling; CSV and "
			   "JSON hold them.</p>\n",
			   n - shown);
}

void page_title_of(struct page *p, size_t i)
{
	const struct ranked *r = &p->c->ranking->v[i];

	out_printf(p->o, "<span class=\"dim\">%zu</span> <span class=\"name\">", i + 1);
	page_operation(p, ranked_operation(r));
	out_text(p->o, "</span> ");
	write_badge(p, r->verdict);
}

void page_end(struct page *p)
{
	out_text(p->o, "</main>\n");
	if (p->scripted)
		out_printf(p->o, "<script>//<![CDATA[\n%s%s%s//]]></script>\n", page_tables_script,
			   page_charts_script, page_flame_script);
	out_text(p->o, "</body>\n</html>\n");
	out_free(p->text);
}
