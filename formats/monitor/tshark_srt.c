/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tshark-srt: service response times of a protocol's procedures, from tshark -z PROTOCOL,srt.
 *
 *	===================================================================
 *	SMB2 SRT Statistics:
 *	Filter: smb2.cmd
 *	Index  Commands               Calls    Min SRT    Max SRT    Avg SRT    Sum SRT
 *	    0  Negotiate Protocol         1   0.021214   0.021214   0.021214   0.021214
 *	==================================================================
 *
 * Times are in seconds from a request to its response, truncated to 1 us.  With several tables,
 * the field that selects the procedures is the layer; rows of the same name are added up.  A
 * second table of the same field is an error, because it may count the same calls with another
 * filter.  No distribution.
 *
 * Seen: tshark 4.0.
 */
#include "formats/summary_table.h"
#include "formats/text.h"

static bool is_title(struct str line)
{
	return str_has_suffix(line, STR(" SRT Statistics:"));
}

static bool tshark_srt_is_head(struct str line)
{
	static const char *const title[] = { "SRT", "Sum", "SRT", "Avg",  "SRT",
					     "Max", "SRT", "Min", "Calls" };

	if (!str_has_prefix(line, STR("Index ")))
		return false;
	for (size_t i = 0; i < COUNT_OF(title); i++) {
		if (!str_eq(text_last_word(&line), str_from(title[i])))
			return false;
	}
	return true;
}

/* --- rows ------------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct str layer; /* layer of the current table */
	bool rows;	  /* after the head of a table */
};

static const struct summary_table table = {
	.column = SUMMARY(SUMMARY_INDEX, SUMMARY_NAME, SUMMARY_COUNT, SUMMARY_MIN, SUMMARY_MAX,
			  SUMMARY_TIME, SUMMARY_TOTAL),
	.blanks = true,
	.unit = UNIT_S,
	.factor = 1,
	.expected = "expected an index, a procedure, calls and four times",
	.expected_name = "a row without a procedure",
	.expected_count = "expected a number of calls",
	.expected_time = "expected seconds",
};

/* --- tables ------------------------------------------------------------------------ */

static bool tshark_srt_line(void *reader)
{
	struct reader *r = reader;
	static const struct str filter = STR_INIT("Filter: ");
	struct str line = r->lines.text;
	struct statistics row;

	if (line.n == 0 || str_has_prefix(line, STR("===="))) {
		r->rows = false;
	} else if (is_title(line)) {
		r->layer = (struct str){ line.p, line.n - (sizeof(" SRT Statistics:") - 1) };
	} else if (str_has_prefix(line, filter)) {
		r->layer = str_skip(line, filter.n);
	} else if (tshark_srt_is_head(line)) {
		r->rows = true;
		return !reported_again(&r->lines.reported, r->layer) ||
		       lines_fail(&r->lines, DIAG_OPERATION_TWICE, line,
				  "another table of the same procedures, whose calls may be the "
				  "same");
	} else if (r->rows) {
		return summary_split(&table, &r->lines, line, &row) &&
		       summary_push(&table, &r->lines, r->layer, &row);
	}
	return true;
}

static void tshark_srt_start(void *reader)
{
	struct reader *r = reader;

	r->layer = STR("");
}

static bool tshark_srt_end(void *reader)
{
	struct reader *r = reader;
	struct str bytes = r->lines.in->bytes;

	return !r->rows ||
	       format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED,
			   str_skip(bytes, bytes.n), "no line of = after the procedures");
}

const struct format format_tshark_srt = {
	.name = "tshark-srt",
	.title = "tshark -z PROTOCOL,srt: calls and totals only",
	.versions = "tshark 4.0",
	.unit = "seconds, always",
	.totals = "exact, cut off to 1 us",
	.line_marks =
		LINE_MARKS({ .is = is_title, .why = "no table of calls" },
			   { .place = LINE_AFTER, .is = tshark_srt_is_head, .score = PROBE_MAGIC }),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .start = tshark_srt_start,
					     .line = tshark_srt_line,
					     .end = tshark_srt_end,
					     .drop_single_layer = true },
};
