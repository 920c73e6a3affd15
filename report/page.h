/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What pages of HTML have in common. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/report.h"

struct out;

/* A page in the making.  Words with numbers are put together in `text`, then
 * escaped at once. */
struct page {
	struct out *o, *text;
	const struct comparison *c;
	size_t n_linked; /* operations with a section of their own: "op-1" is the first one's */
};

void page_head(struct page *p);	   /* to after <body>; `text` is the title */
void page_begin(struct page *p);   /* the same of a comparison */
void page_summary(struct page *p); /* verdicts, the two sides, cautions */
void page_table(struct page *p);   /* of all operations */
void page_end(struct page *p);	   /* releases `text` */

void page_put(struct page *p);		      /* what is in `text` */
void page_title_of(struct page *p, size_t i); /* number, name and verdict of an operation */

#endif
