/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The common parts of HTML pages. */
#ifndef REPORT_PAGE_PAGE_H
#define REPORT_PAGE_PAGE_H

#include "report/report.h"

struct out;

/* Begins a <div> whose contents scroll sideways where they are wider than the page. */
#define WIDE_REGION(name)                                                                          \
	"<div class=\"wide\" role=\"group\" aria-label=\"" name "\" tabindex=\"0\">"

/* An HTML page that is being written.  Text is assembled in `text`, then escaped and printed by
 * page_put(). */
struct page {
	struct out *o, *text;
	const struct comparison *c;
	bool scripted;	 /* tables sort, drawings show numbers */
	size_t n_linked; /* operations that have a section: its id is "op-1" for the first */
};

void page_head(struct page *p);	   /* up to and including <body>; `text` holds the title */
void page_begin(struct page *p);   /* page_head() for a comparison */
void page_summary(struct page *p); /* verdicts, the two sides, cautions */
void page_table(struct page *p);   /* table of all operations */
void page_end(struct page *p);	   /* releases `text` */

void page_put(struct page *p);		      /* prints `text` escaped and empties it */
void page_title_of(struct page *p, size_t i); /* number, name and verdict of operation i */

#endif
