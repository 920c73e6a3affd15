/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf-kvm: the reasons for VM exits and how long they took, from perf kvm stat.
 *
 *	Analyze events for all VMs, all VCPUs:
 *
 *	   VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time         Avg time
 *
 *	       HLT        551    60.00%    94.81%      0.36us  15668.98us   9501.72us ( +-  12.52% )
 *	 MSR_WRITE        367    40.00%     5.19%      0.56us     94.10us     23.41us ( +-   4.62% )
 *
 *	Total Samples:918, Total events handled time:5244037.19us.
 *
 * An operation is a reason, a memory address, a port or a register; its layer is the kind of event,
 * and the VCPU if only one was selected.  A row has samples, extremes and the mean, which gives
 * the total; there is no distribution.  Consecutive tables of one kind are snapshots, with a
 * counter reset before each; those of perf kvm stat live have a time of day above them.  Rows with
 * the same name, such as UNKNOWN, are added up.
 *
 * Seen: 7.2 by running it, 3.7 (without extremes) to 7.0 in mails and articles.  Not supported:
 * the screen of perf 6.4 and later, which --stdio replaces.
 */
#include <math.h>

#include "base/arena.h"
#include "formats/reported.h"
#include "formats/table/summary_table.h"
#include "formats/text.h"

struct head {
	struct str kind; /* "VM-EXIT", "MMIO Access" */
	bool extremes;
};

/* Takes these words, if they follow. */
static bool take_words(struct cursor *c, const char *const *words)
{
	struct str word;

	for (; *words != NULL; words++) {
		if (!scan_word(c, &word) || !str_eq(word, str_from(*words)))
			return false;
	}
	return true;
}

static bool perf_kvm_is_head(struct str s, struct head *ret)
{
	static const char *const counts[] = { "Samples", "Samples%", "Time%", NULL };
	static const char *const extremes[] = { "Min", "Time", "Max", "Time", NULL };
	static const char *const mean[] = { "Avg", "time", NULL };
	size_t at = str_find(s, STR(" Samples "));
	struct cursor c = CURSOR_OVER(str_skip(s, at)), after;

	if (at == s.n || !take_words(&c, counts))
		return false;
	after = c;
	*ret = (struct head){ str_trim((struct str){ s.p, at }), take_words(&c, extremes) };
	if (!ret->extremes)
		c = after;
	return take_words(&c, mean) && cursor_done(&c);
}

static bool is_caption(struct str s)
{
	return str_has_prefix(s, STR("Analyze events for ")) && str_has_suffix(s, STR(":"));
}

static bool is_any_head(struct str line)
{
	struct head ignored;

	return perf_kvm_is_head(line, &ignored);
}

/* --- rows ---------------------------------------------------------------------------- */

/* Columns without extremes, and with them. */
static const enum summary_column *const columns[] = {
	SUMMARY(SUMMARY_NAME, SUMMARY_COUNT, SUMMARY_SHARE, SUMMARY_SHARE, SUMMARY_MEAN),
	SUMMARY(SUMMARY_NAME, SUMMARY_COUNT, SUMMARY_SHARE, SUMMARY_SHARE, SUMMARY_MIN, SUMMARY_MAX,
		SUMMARY_MEAN),
};

static const struct summary_table table = {
	.blanks = true,
	.unit = UNIT_US,
	.factor = 1,
	.suffix = STR_INIT("us"),
	.counted = "samples",
	.expected = "fields do not go with the head",
	.expected_name = "fields do not go with the head",
	.expected_count = "expected a number of samples",
	.expected_time = "expected a time in us",
};

struct reader {
	struct lines lines;
	struct head head;
	struct summary_table table; /* with the columns that the header gives */
	struct str vcpu;	    /* "VCPU 0"; empty: all */
	uint64_t samples;
};

static bool perf_kvm_read_row(struct reader *r, struct str layer)
{
	struct str s = r->lines.text;
	size_t at = str_find_last(s, STR("( +-"));
	struct statistics row;

	if (at == s.n || !str_has_suffix(s, STR("% )")))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected a row, which ends in ( +- x%% ), or Total Samples:");
	if (!summary_split(&r->table, &r->lines, str_trim((struct str){ s.p, at }), &row))
		return false;
	r->samples += row.count;
	return summary_push(&r->table, &r->lines, layer, &row);
}

/* --- tables -------------------------------------------------------------------------- */

/* "Total Samples:918, Total events handled time:5244037.19us." */
static bool check_total(struct reader *r, struct str s)
{
	struct str digits, after;
	uint64_t samples;

	if (!str_cut(s, ',', &digits, &after))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected a comma after the samples");
	digits = str_skip(digits, sizeof("Total Samples:") - 1);
	if (!lines_count(&r->lines, digits, &samples, "expected a number of samples"))
		return false;
	if (samples != r->samples)
		diag_at(r->lines.diag, DIAG_COUNT_MISMATCH, r->lines.in,
			(size_t)(digits.p - r->lines.in->bytes.p), digits.n,
			"the rows have %llu samples", (unsigned long long)r->samples);
	return true;
}

/* Reads rows from the header to the line of totals.  perf's messages about unknown exits may stand
 * between them. */
static bool perf_kvm_read_rows(struct reader *r, struct str layer)
{
	r->samples = 0;
	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (s.n == 0 || str_has_prefix(s, STR("unknown kvm exit code:")))
			continue;
		if (str_has_prefix(s, STR("Total Samples:")))
			return check_total(r, s);
		if (!perf_kvm_read_row(r, layer))
			return false;
	}
	return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, r->lines.text,
			   "a table without its line of totals");
}

static bool perf_kvm_read_table(struct reader *r)
{
	struct str layer = r->head.kind;

	if (r->vcpu.n > 0)
		layer = arena_join(r->lines.arena, layer, ' ', r->vcpu);
	if (reported_again(&r->lines.reported, layer))
		build_next_interval(r->lines.to, NAN);
	r->table = table;
	r->table.column = columns[r->head.extremes];
	return perf_kvm_read_rows(r, layer);
}

/* "Lost events: 12" */
static bool take_lost(struct reader *r, struct str s)
{
	struct str digits = str_trim(str_skip(s, sizeof("Lost events:") - 1));
	uint64_t lost;

	return lines_count(&r->lines, digits, &lost, "expected a number of events") &&
	       build_lost(r->lines.to, lost, digits);
}

static bool perf_kvm_tables(void *reader)
{
	struct reader *r = reader;
	double stamp;

	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (perf_kvm_is_head(s, &r->head)) {
			if (!perf_kvm_read_table(r))
				return false;
		} else if (is_caption(s)) {
			/* "Analyze events for all VMs, VCPU 0:" */
			r->vcpu = str_skip((struct str){ s.p, s.n - 1 },
					   str_find_last(s, STR("VCPU ")));
		} else if (s.n > 0 && text_clock(s, &stamp) == s.n) {
			build_next_interval(r->lines.to, stamp);
			reported_release(&r->lines.reported);
		} else if (str_has_prefix(s, STR("Lost events:")) && !take_lost(r, s)) {
			return false;
		}
	}
	return true;
}

const struct format format_perf_kvm = {
	.name = "perf-kvm",
	.title = "perf kvm stat: exits of guests, samples and totals only",
	.versions = "3.7 to 7.2",
	.unit = "stated after each time",
	.totals = "from the mean, to a hundredth of a microsecond a sample",
	.line_marks = LINE_MARKS(
		{ .is = is_any_head, .score = PROBE_MAGIC },
		{ .is = is_caption, .why = "no table follows" },
		{ .has = MARKS("Event name ", " Sample% "),
		  .why = "a screen of perf kvm stat report; with --stdio it prints a table" }),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = perf_kvm_tables,
					     .snapshots = SNAPSHOTS_DELTA,
					     .drop_single_layer = true },
};
