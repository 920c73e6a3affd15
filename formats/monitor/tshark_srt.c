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
 * Seconds from a request to its answer, cut off to 1 us.  The field that chose the procedures
 * is the layer, where there are several; rows that are named alike are added up.  A second
 * table of the same field is refused: with another filter it has calls of the first one.  No
 * distribution.
 *
 * Seen: tshark 4.0.
 */
#include "formats/lines.h"
#include "formats/reported.h"
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

static enum probe probe_tshark_srt(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	bool titled = false;

	while (text_line(&rest, &line)) {
		if (titled && tshark_srt_is_head(line))
			return PROBE_MAGIC;
		if (is_title(line)) {
			titled = true;
			probe_near(clue, head, line, "no table of calls");
		}
	}
	return PROBE_NO;
}

/* --- rows ------------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct builder *to;
	struct str layer;	  /* of the current table */
	bool rows;		  /* may come */
	struct reported reported; /* layers */
};

struct row {
	struct str name, calls_at, sum_at;
	uint64_t calls;
	struct decimal min, max, sum;
};

/* Takes the last word, "0.021214". */
static bool tshark_srt_take_time(const struct reader *r, struct str *line, struct decimal *ret,
				 struct str *ret_where)
{
	*ret_where = text_last_word(line);
	return (decimal_parse(*ret_where, ret) && ret->billionths >= 0) ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, *ret_where, "expected seconds");
}

static bool tshark_srt_split_row(const struct reader *r, struct row *row)
{
	struct str line = r->lines.text, where;
	struct decimal mean;
	struct cursor c;
	uint64_t index;

	if (!tshark_srt_take_time(r, &line, &row->sum, &row->sum_at) ||
	    !tshark_srt_take_time(r, &line, &mean, &where) ||
	    !tshark_srt_take_time(r, &line, &row->max, &where) ||
	    !tshark_srt_take_time(r, &line, &row->min, &where))
		return false;
	row->calls_at = text_last_word(&line);
	if (!lines_count(&r->lines, row->calls_at, &row->calls, "expected a number of calls"))
		return false;
	c = cursor_at(r->lines.in, line);
	if (!scan_u64(&c, &index) || !cursor_at_word_end(&c))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "expected an index, a procedure, calls and four times");
	row->name = str_trim(cursor_rest(&c));
	return row->name.n > 0 || lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
					     "a row without a procedure");
}

static bool tshark_srt_read_row(struct reader *r)
{
	struct row row;

	if (!tshark_srt_split_row(r, &row) || !build_operation(r->to, r->layer, row.name, row.name))
		return false;
	build_unit(r->to, UNIT_S, UNIT_STATED);
	build_min(r->to, decimal_f64(row.min));
	build_max(r->to, decimal_f64(row.max));
	return build_count(r->to, row.calls, row.calls_at) &&
	       build_total(r->to, row.sum, row.sum_at);
}

/* --- tables ------------------------------------------------------------------------ */

static bool begin_table(struct reader *r)
{
	r->rows = true;
	return !reported_again(&r->reported, r->layer) ||
	       lines_fail(&r->lines, DIAG_OPERATION_TWICE, r->lines.text,
			  "another table of the same procedures, whose calls may be the same");
}

static bool tshark_srt_read_line(struct reader *r)
{
	static const struct str filter = STR_INIT("Filter: ");
	struct str line = r->lines.text;

	if (line.n == 0 || str_has_prefix(line, STR("===="))) {
		r->rows = false;
	} else if (is_title(line)) {
		r->layer = (struct str){ line.p, line.n - (sizeof(" SRT Statistics:") - 1) };
	} else if (str_has_prefix(line, filter)) {
		r->layer = str_skip(line, filter.n);
	} else if (tshark_srt_is_head(line)) {
		return begin_table(r);
	} else if (r->rows) {
		return tshark_srt_read_row(r);
	}
	return true;
}

static bool read_tshark_srt(const struct read_task *task)
{
	struct reader r = { .to = task->to };
	bool ok = true;

	build_drop_single_layer(task->to);
	lines_start(&r.lines, task->in, task->diag);
	r.layer = STR("");
	while (ok && lines_next(&r.lines))
		ok = tshark_srt_read_line(&r);
	reported_release(&r.reported);
	if (ok && r.rows)
		return format_fail(task->in, task->diag, DIAG_INPUT_TRUNCATED,
				   (struct str){ task->in->bytes.p + task->in->bytes.n, 0 },
				   "no line of = after the procedures");
	return ok;
}

const struct format format_tshark_srt = {
	.name = "tshark-srt",
	.title = "tshark -z PROTOCOL,srt: calls and totals only",
	.versions = "tshark 4.0",
	.unit = "seconds, always",
	.totals = "exact, cut off to 1 us",
	.probe = probe_tshark_srt,
	.read = read_tshark_srt,
};
