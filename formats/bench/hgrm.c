/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hgrm: percentile tables of HdrHistogram in text and CSV, from outputPercentileDistribution(),
 * HistogramLogProcessor and similar programs.  formats/bench/percentiles.h describes the table;
 * other lines may surround it, as in the output of programs.
 *
 *	"Value","Percentile","TotalCount","1/(1-Percentile)"
 *	0.02,0.000000000000,356,1.00
 *	1803.55,1.000000000000,48761,Infinity
 *
 * The operation is "latency".  Several tables of the same values are snapshots of it; others are
 * operations, named by the lines above them or, where these do not tell them apart, by number.  The
 * unit is not stated.  Written files have a row for each edge of
 * a bucket, so that only the lower edge of the lowest bucket is lost.
 *
 * Seen: HdrHistogram 2.1 (Java) and its C library, tables with 6 and with 12 digits.
 * Not read: the timeline of HistogramLogProcessor, which has percentiles of intervals.
 */
#include <math.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/attr.h"
#include "base/diag.h"
#include "base/digest.h"
#include "base/out.h"
#include "formats/bench/percentiles.h"
#include "formats/losses.h"
#include "formats/text.h"
#include "profile/profile.h"

/* --- writing ------------------------------------------------------------------------- */

/* Writes a value right-aligned, with all its digits. */
static void write_value(struct out *o, struct out *scratch, double value)
{
	enum { WIDTH = 12 };
	size_t n;

	out_reset(scratch);
	out_f64(scratch, value);
	n = out_memory(scratch).n;
	if (n < WIDTH)
		out_repeat(o, ' ', WIDTH - n);
	out_bytes(o, out_memory(scratch));
}

static void write_row(struct out *o, struct out *scratch, double value, uint64_t upto,
		      uint64_t count)
{
	double share = (double)upto / (double)count;

	write_value(o, scratch, value);
	out_printf(o, " %.12f %10llu ", share, (unsigned long long)upto);
	if (upto < count)
		out_printf(o, "%14.2f\n", (double)count / (double)(count - upto));
	else
		out_printf(o, "%14s\n", "inf");
}

/* Returns the upper edge of a bucket; for an open one, the maximum if known, else the lower edge.
 */
static double upper_edge(const struct operation *op, const struct bucket *b)
{
	if (b->edges->high < HUGE_VAL)
		return b->edges->high;
	return op->stated.has_max && op->stated.max > b->edges->low ? op->stated.max
								    : b->edges->low;
}

static double bucket_deviation(const struct operation *op)
{
	double mean = operation_mean(op), sum = 0;

	for (size_t i = 0; i < op->hist.n; i++) {
		double off = histogram_bucket_mean(&op->hist, i) - mean;

		sum += (double)op->hist.bucket[i].count * off * off;
	}
	return sqrt(sum / (double)op->hist.count);
}

static void write_footer(struct out *o, struct out *scratch, const struct operation *op, double top)
{
	uint64_t count = operation_count(op);

	if (operation_total_stated(op) && count > 0) {
		out_text(o, "#[Mean    = ");
		write_value(o, scratch, operation_mean(op));
		out_text(o, ", StdDeviation   = ");
		write_value(o, scratch, op->hist.n > 0 ? bucket_deviation(op) : 0);
		out_text(o, "]\n");
	}
	out_text(o, "#[Max     = ");
	write_value(o, scratch, op->stated.has_max ? op->stated.max : top);
	out_printf(o, ", Total count    = %12llu]\n", (unsigned long long)count);
}

static void write_table(struct out *o, const struct operation *op)
{
	const struct histogram *h = &op->hist;
	struct out *scratch = out_to_memory();
	double at = 0;
	uint64_t upto = 0;

	out_text(o, "       Value     Percentile TotalCount 1/(1-Percentile)\n\n");
	for (size_t i = 0; i < h->n; i++) {
		const struct bucket *b = &h->bucket[i];

		if (b->edges->low > at)
			write_row(o, scratch, b->edges->low, upto, h->count);
		at = fmax(upper_edge(op, b), 0);
		upto += b->count;
		write_row(o, scratch, at, upto, h->count);
	}
	write_footer(o, scratch, op, at);
	out_free(scratch);
}

/* Writes a profile; false, after reporting an error, unless it has exactly one operation. */
static bool hgrm_write(const struct profile *p, struct out *o, struct diag *diag)
{
	bool lost[LOSS_N] = { false };

	if (p->n_ops != 1) {
		diag_plain(diag, DIAG_OUTPUT_FAILED,
			   "a percentile table holds one operation, and here are %zu; --op chooses",
			   p->n_ops);
		return false;
	}
	losses_find(p, lost);
	lost[LOSS_EXTREMES] = p->op[0].stated.has_min;
	write_table(o, &p->op[0]);
	losses_report(lost, "hgrm", diag);
	return true;
}

static enum probe probe_hgrm(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	bool first = true;

	/* Programs print the table among other lines, wrk2 in a report of its own. */
	while (text_line(&rest, &line)) {
		if (percentiles_header(line))
			return first ? PROBE_MAGIC : PROBE_MARKS;
		if (str_has_prefix(line, STR("\"Timestamp\",\"Int_Count\"")))
			*clue = (struct clue){ (size_t)(line.p - head.p) + 12,
					       "percentiles of intervals, nothing to count" };
		first &= line.n == 0 || line.p[0] == '#';
	}
	return PROBE_NO;
}

/* --- reading ------------------------------------------------------------------------- */

enum naming { NAMED_LATENCY, NAMED_BY_HEADING, NAMED_BY_NUMBER };

struct reader {
	struct lines lines;
	enum naming naming;
	struct str heading; /* the last line of text since the last table */
	unsigned n_tables;
};

/* What is known of the tables up to a line. */
struct tables {
	struct str heading, first_heading;
	uint64_t values, before; /* digests of the values of the current table and the one before */
	size_t n, n_ended;
	bool headed, differ; /* all have headings; these differ */
	bool unlike;	     /* some tables have other values than the first */
};

static bool is_heading(struct str line)
{
	return line.n > 0 && line.p[0] != '#' && !percentiles_row(line);
}

static void end_table(struct tables *t)
{
	t->unlike |= t->n_ended++ > 0 && t->values != t->before;
	t->before = t->values;
	t->values = DIGEST_START;
}

static void begin_table(struct tables *t)
{
	if (t->n++ == 0)
		t->first_heading = t->heading;
	else
		end_table(t);
	t->headed &= t->heading.n > 0;
	t->differ |= !str_eq(t->heading, t->first_heading);
	t->heading = STR("");
}

/* Returns the length of a row's value and the blank or comma after it. */
static size_t value_length(struct str row)
{
	size_t n = 0;

	while (n + 1 < row.n && row.p[n] != ' ' && row.p[n] != '\t' && row.p[n] != ',')
		n++;
	return n + 1;
}

static enum naming find_naming(struct str text)
{
	struct tables t = { .values = DIGEST_START, .headed = true };
	struct str line;

	while (text_line(&text, &line)) {
		if (percentiles_header(line)) {
			begin_table(&t);
		} else if (percentiles_row(line) && t.n > 0) {
			line = str_trim(line);
			t.values = digest_more(t.values, line.p, value_length(line));
		} else if (is_heading(line)) {
			t.heading = line;
		}
	}
	end_table(&t);
	if (t.n > 1 && t.headed && t.differ)
		return NAMED_BY_HEADING;
	return t.unlike ? NAMED_BY_NUMBER : NAMED_LATENCY;
}

static void hgrm_start(void *reader)
{
	struct reader *r = reader;

	r->naming = find_naming(r->lines.in->bytes);
	r->heading = STR("");
}

/* Returns "latency"; "writes" of "writes:"; "table 2". */
static struct str name_of_table(struct reader *r)
{
	struct str name = r->heading;

	r->n_tables++;
	r->heading = STR("");
	if (r->naming == NAMED_LATENCY)
		return STR("latency");
	if (r->naming == NAMED_BY_NUMBER)
		return arena_printf(r->lines.arena, "table %u", r->n_tables);
	if (str_has_suffix(name, STR(":")) && name.n > 1)
		name.n--;
	return str_trim(name);
}

static bool hgrm_line(void *reader)
{
	struct reader *r = reader;
	struct lines *l = &r->lines;
	struct str line = l->text;

	if (percentiles_row(line))
		return format_fail(l->in, l->diag, DIAG_LINE_UNEXPECTED, line,
				   "expected the titles Value Percentile TotalCount before it");
	if (percentiles_header(line))
		return build_operation(l->to, STR(""), name_of_table(r), line) &&
		       percentiles_read(l, l->to, line);
	if (is_heading(line))
		r->heading = line;
	return true;
}

const struct format format_hgrm = {
	.name = "hgrm",
	.title = "percentile tables of HdrHistogram",
	.versions = "HdrHistogram 2.1 and its C library; as CSV",
	.unit = "not stated: use --unit to set it",
	.totals = "mean times calls, to the digits of the mean",
	.suffix = SUFFIXES(".hgrm"),
	.probe = probe_hgrm,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .start = hgrm_start,
					     .line = hgrm_line,
					     .snapshots = SNAPSHOTS_DELTA },
	.write = hgrm_write,
};
