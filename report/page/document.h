/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports as HTML pages, made of what they print as Markdown.
 *
 * A page is one file, needs no network, and is complete without scripts; with them, tables are
 * filtered and sorted.
 */
#ifndef REPORT_PAGE_DOCUMENT_H
#define REPORT_PAGE_DOCUMENT_H

#include "base/str.h"

struct out;

/* Writes a page.  Of Markdown it knows what reports print: headings, tables, lists, paragraphs and
 * escaped characters. */
void document_html(struct out *o, struct str title, struct str markdown);

#endif
