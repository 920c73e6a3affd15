/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output format of a report, and the abilities of the terminal. */
#ifndef REPORT_STYLE_H
#define REPORT_STYLE_H

#include <stdbool.h>

/* The output formats of reports. */
enum output_format {
	OUTPUT_FORMAT_TEXT,
	OUTPUT_FORMAT_JSON,
	OUTPUT_FORMAT_CSV,
	OUTPUT_FORMAT_MARKDOWN,
	OUTPUT_FORMAT_JUNIT,
	OUTPUT_FORMAT_HTML,
	OUTPUT_FORMAT_GITHUB,
	OUTPUT_FORMAT_BMF,
	OUTPUT_FORMAT_BENCHMARK_ACTION,
	OUTPUT_FORMAT_FOLDED,
	OUTPUT_FORMAT_SVG
};

/* How a report is written: its format, and what the terminal can show. */
struct style {
	enum output_format output_format;
	bool color;	/* text: use SGR sequences */
	bool unicode;	/* text and Markdown: use block characters and arrows */
	unsigned width; /* text: columns that tables must fit into; 0: no limit */
};

/* The role of a piece of text.  Colours are chosen so that nobody has to tell red from green. */
enum tone { TONE_PLAIN, TONE_STRONG, TONE_DIM, TONE_WORSE, TONE_BETTER, TONE_NOTICE };

struct out;
/* Begins a colour if the style has colours. */
void tone_begin(struct out *o, const struct style *s, enum tone t);
/* Ends what tone_begin() began. */
void tone_end(struct out *o, const struct style *s, enum tone t);

#endif
