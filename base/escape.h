/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names out of a profile are hostile: each place they go to has its own escape.
 *
 * Every function writes text that means the same bytes, as far as the place can
 * hold them, and nothing that the place would act upon.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/str.h"

struct out;

/* Control bytes, C1 controls, bidirectional overrides and invalid UTF-8 become
 * \xHH or \u{HHHH}. */
void escape_terminal(struct out *o, struct str s);
/* Columns that escape_terminal() fills, by the locale's widths. */
size_t escape_terminal_width(struct str s);

void escape_json(struct out *o, struct str s); /* with the quotes; invalid bytes: U+FFFD */
void escape_csv(
	struct out *o,
	struct str s); /* one field, quoted when it must be; unsafe bytes as for a terminal */
void escape_xml(struct out *o, struct str s); /* text or attribute; what XML cannot hold: U+FFFD */
/* The same for HTML; what a terminal would not show is spelt out as there. */
void escape_html(struct out *o, struct str s);
/* The value of a label of Prometheus, with the quotes; what it cannot hold: U+FFFD. */
void escape_label(struct out *o, struct str s);
void escape_markdown(struct out *o, struct str s); /* one table cell */
/* A string expression of gnuplot with its quotes, of which nothing is run or formatted;
 * what a terminal would obey is spelt out as there. */
void escape_gnuplot(struct out *o, struct str s);
void escape_latex(struct out *o, struct str s); /* words of a paragraph; unsafe as above */

#endif
