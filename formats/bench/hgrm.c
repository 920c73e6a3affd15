/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hgrm: percentile tables of HdrHistogram, as text and as CSV, of outputPercentile-
 * Distribution(), HistogramLogProcessor and whoever prints the like.  The table is
 * that of formats/bench/percentiles.h; lines "#[...]" may stand before it.
 *
 *	"Value","Percentile","TotalCount","1/(1-Percentile)"
 *	0.02,0.000000000000,356,1.00
 *	1803.55,1.000000000000,48761,Infinity
 *
 * The operation is "latency".  The unit is not stated.  Also written: a row for each
 * edge of a bucket, so that nothing is lost but where the lowest bucket begins.
 *
 * Seen: HdrHistogram 2.1 (Java) and its C library, tables with 6 and with 12 digits.
 * Not read: the timeline of HistogramLogProcessor, which has percentiles of intervals.
 */
#include "formats/bench/hgrm_write.h"
#include "formats/bench/percentiles.h"
#include "formats/text.h"

static enum probe probe_hgrm(struct str head, struct clue *clue)
{
	struct str line, rest = head;

	while (text_line(&rest, &line)) {
		if (line.n == 0 || line.p[0] == '#')
			continue;
		if (percentiles_header(line))
			return PROBE_MAGIC;
		if (str_has_prefix(line, STR("\"Timestamp\",\"Int_Count\"")))
			*clue = (struct clue){ (size_t)(line.p - head.p) + 12,
					       "percentiles of intervals, nothing to count" };
		break;
	}
	return PROBE_NO;
}

static bool read_hgrm(const struct read_task *task)
{
	struct lines lines;
	bool any = false;

	build_snapshots(task->to, SNAPSHOTS_DELTA);
	lines_start(&lines, task->in, task->diag);
	while (lines_next(&lines)) {
		struct str line = lines.text;

		if (line.n == 0 || line.p[0] == '#')
			continue;
		if (!percentiles_header(line))
			return format_fail(task->in, task->diag, DIAG_LINE_UNEXPECTED, line,
					   any ? "expected another table, or the end"
					       : "expected the titles Value Percentile TotalCount");
		if (!build_operation(task->to, STR(""), STR("latency"), line) ||
		    !percentiles_read(&lines, task->to, line))
			return false;
		any = true;
	}
	return true;
}

static const char *const suffixes[] = { ".hgrm", NULL };

const struct format format_hgrm = {
	.name = "hgrm",
	.title = "percentile tables of HdrHistogram",
	.versions = "HdrHistogram 2.1 and its C library; as CSV",
	.unit = "not stated: use --unit to set it",
	.totals = "mean times calls, to the digits of the mean",
	.suffix = suffixes,
	.probe = probe_hgrm,
	.read = read_hgrm,
	.write = hgrm_write,
};
