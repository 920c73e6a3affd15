/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names in a profile are untrusted: each output format has its own escape function.
 *
 * Every function writes text that stands for the same bytes, as far as the format can
 * hold them, and that the format never interprets as anything else.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/str.h"

struct out;

/* Control bytes, C1 controls, bidirectional overrides and invalid UTF-8 become
 * \xHH or \u{HHHH}. */
void escape_terminal(struct out *o, struct str s);
/* Returns the columns that escape_terminal() fills, by the locale's widths. */
size_t escape_terminal_width(struct str s);

void escape_json(struct out *o, struct str s); /* with the quotes; invalid bytes: U+FFFD */
void escape_csv(
	struct out *o,
	struct str s); /* one field, quoted when it must be; unsafe bytes as for a terminal */
void escape_xml(struct out *o, struct str s); /* text or attribute; U+FFFD for invalid characters */
/* The same for HTML; escapes unsafe bytes as for a terminal first. */
void escape_html(struct out *o, struct str s);
/* The value of a Prometheus label, with the quotes; unsafe characters become U+FFFD. */
void escape_label(struct out *o, struct str s);
void escape_markdown(struct out *o, struct str s); /* one table cell */
/* A gnuplot string expression, with its quotes, in which nothing is executed or formatted;
 * unsafe bytes as for a terminal. */
void escape_gnuplot(struct out *o, struct str s);
/* The message and the title of an annotation of a GitHub workflow; unsafe bytes as above, but the
 * lines of a message are kept. */
void escape_workflow_message(struct out *o, struct str s);
void escape_workflow_title(struct out *o, struct str s);
void escape_latex(struct out *o, struct str s); /* text of a paragraph; unsafe bytes as above */

#endif
