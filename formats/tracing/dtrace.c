/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dtrace: tables that dtrace prints for quantize(), lquantize() and llquantize().
 *
 *	  bash
 *	           value  ------------- Distribution ------------- count
 *	             256 |                                         0
 *	             512 |@@@@@@@@@@@                              40
 *	            1024 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@            110
 *	            2048 |                                         0
 *
 * The label v of quantize() means [v, 2v), 0 means only 0, and below zero it is (2v, v]; v of
 * lquantize() means [v, v + step); a label of llquantize() reaches to the next label, below
 * zero mirrored.  The rows at the ends are "< v", "abs() < v", "<= v", ">= v".  A row of
 * zeroes on either side shows where the last bucket ends.
 *
 * The key above a table is the operation, a heading above the key the layer; a
 * unit in brackets ("Response times (us):") is the unit.  Without a key the function
 * is the name.  A repeated key begins the next snapshot.
 *
 * Below zero, an llquantize() whose printed rows are equally spaced cannot be distinguished
 * from an lquantize(), and is read as that.  Tables with counts below zero
 * (from a negative increment) are left out.
 *
 * Seen: the expected output of the tests of dtrace-utils 2.0 (Oracle, Linux) and
 * the examples of the DTraceToolkit (Solaris 10).  Not supported: -x aggpack and
 * -x agghist, which print no counts that could be read back.
 */
#include "formats/text.h"
#include "formats/tracing/aggregation.h"

static bool is_header(struct str s)
{
	struct str word, rest;

	return str_cut(s, ' ', &word, &rest) && str_eq(word, STR("value")) &&
	       str_has_prefix(str_trim(rest),
			      STR("------------- Distribution ------------- count"));
}

static const struct label_style style = {
	.is_header = is_header,
	.pads = true,
	.name = { [LABELS_POWERS] = "quantize",
		  [LABELS_LINEAR] = "lquantize",
		  [LABELS_CHANGE_POINTS] = "llquantize" },
	.no_row = "no row under a head of DTrace's",
};

/* "dtrace: description 'syscall::read:entry' matched 1 probe" is all that dtrace prints if nothing
 * was counted. */
static bool is_quiet(struct str head)
{
	struct str line;
	bool seen = false;

	while (text_next(&head, &line)) {
		line = text_content(line);
		if (str_has_prefix(line, STR("dtrace: description ")))
			seen = true;
		else if (line.n > 0)
			return false;
	}
	return seen;
}

/* Returns what to do about the output of -x aggpack or -x agghist; NULL: it is neither. */
static const char *other_look(struct str s)
{
	if (!str_has_prefix(s, STR("key ")))
		return NULL;
	if (str_contains(s, STR(" min .")) && str_has_suffix(s, STR(" | count")))
		return "-x aggpack: glyphs instead of counts; without it there are tables";
	if (str_has_suffix(s, STR("- Distribution ------------- count")))
		return "-x agghist: how often each key came, no latencies";
	return NULL;
}

static enum probe probe_dtrace(struct str head, struct clue *clue)
{
	enum probe score = aggregation_probe(&style, head, clue);
	struct str line, rest = head;

	while (score == PROBE_NO && clue->why == NULL && text_line(&rest, &line))
		probe_near(clue, head, line, other_look(line));
	return score == PROBE_NO && is_quiet(head) ? PROBE_SHAPE : score;
}

const struct format format_dtrace = {
	.name = "dtrace",
	.title = "DTrace's quantize(), lquantize() and llquantize()",
	.versions = "dtrace-utils 2.0, Solaris 10",
	.unit = "in brackets above the table",
	.totals = "not printed",
	.probe = probe_dtrace,
	.read = aggregation_read,
	.spec = &style,
};
