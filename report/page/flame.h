/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flame graphs of osprof causes: the function at the top, below each node those that it calls, each
 * as wide as the time that a call of the function spends in it.
 *
 * With scripts a click on a box zooms, and boxes are searched by name; without, the whole is shown.
 */
#ifndef REPORT_PAGE_FLAME_H
#define REPORT_PAGE_FLAME_H

#include <stdbool.h>

struct causes_report;
struct out;
struct page;

/* Returns the time that the whole width stands for, in ns; 0: there is nothing to draw. */
double flame_scale(const struct causes_report *r);
/* Prints the graph of the selected calls, or of those `against` them, as part of a page. */
void flame_graph(struct page *p, const struct causes_report *r, bool against, double max);
/* Prints all graphs as an SVG file of its own. */
void causes_svg(struct out *o, const struct causes_report *r);

#endif
