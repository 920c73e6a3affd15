/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts of HTML pages, which work without them, too. */
#ifndef REPORT_PAGE_PAGE_SCRIPT_H
#define REPORT_PAGE_PAGE_SCRIPT_H

/* Sorts tables by their titles, and filters the rows of long ones. */
extern const char page_tables_script[];
/* Shows the numbers under the pointer on drawings of histograms, and draws them on a linear axis. */
extern const char page_charts_script[];
/* Zooms and searches flame graphs, in pages and in SVG files. */
extern const char page_flame_script[];

#endif
