/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * systemtap: tables that stap prints for @hist_log() and @hist_linear().
 *
 *	FS call: do_sync_read() (ns):
 *	value |-------------------------------------------------- count
 *	  256 |                                                      0
 *	  512 |                                                      0
 *	 1024 |@@@@@@@@@@@@@@@@@@@@                                 40
 *	      ~
 *	65536 |@                                                     2
 *
 * The label v of @hist_log() means [v, 2v), 0 means only 0, and below zero it is (2v, v];
 * v of @hist_linear() means [v, v + step), "<v" all below the start, ">v" all from
 * v + step on.  A row "~" stands for rows of zeroes.
 *
 * Names, layers and units come from the text above, as for dtrace; stap itself
 * prints no names.  A line "count: N, avg: N us, max: N us, dist (us):", which many
 * scripts print, states count and maximum.  Probes that stap reports as skipped are
 * lost events.
 *
 * Seen: the tests of SystemTap at bd23cd8, its language reference, and the examples
 * of systemtap-lwtools.  Not supported: labels that a script scales by itself.
 */
#include "formats/tracing/aggregation.h"

/* HIST_WIDTH sets the number of dashes. */
static bool is_header(struct str s)
{
	size_t n = 0;

	if (!str_has_prefix(s, STR("value |-")))
		return false;
	s = str_skip(s, sizeof("value |") - 1);
	while (n < s.n && s.p[n] == '-')
		n++;
	return str_eq(str_skip(s, n), STR(" count"));
}

static const struct label_style style = {
	.is_header = is_header,
	.elides = true,
	.name = { [LABELS_POWERS] = "hist_log",
		  [LABELS_LINEAR] = "hist_linear",
		  [LABELS_CHANGE_POINTS] = "histogram" },
	.no_row = "no row under a head of SystemTap's",
};

static enum probe probe_systemtap(struct str head, struct clue *clue)
{
	return aggregation_probe(&style, head, clue);
}

const struct format format_systemtap = {
	.name = "systemtap",
	.title = "SystemTap's @hist_log() and @hist_linear()",
	.versions = "of 2009 to 2015",
	.unit = "in brackets above the table",
	.totals = "not printed",
	.probe = probe_systemtap,
	.read = aggregation_read,
	.spec = &style,
};
