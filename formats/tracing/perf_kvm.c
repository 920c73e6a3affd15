/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf-kvm: why virtual machines were left, and for how long, from perf kvm stat.
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
 * An operation is a reason, an address of memory, a port or a register, in the layer of the
 * kind of event, and of the VCPU where only one was asked for: samples, extremes and the mean,
 * which gives the total; no distribution.  Tables of one kind that follow each other are
 * prints, each of counters that were reset: those of perf kvm stat live have a time of day above
 * them.  Rows that are named alike, UNKNOWN most of all, are added up.
 *
 * Seen: 7.2 by running it, 3.7 (without extremes) to 7.0 in mails and articles.  Not supported:
 * the screen of perf 6.4 and later, which --stdio replaces.
 */
#include <math.h>

#include "base/arena.h"
#include "formats/lines.h"
#include "formats/reported.h"
#include "formats/text.h"

struct head {
	struct str kind; /* "VM-EXIT", "MMIO Access" */
	bool extremes;
};

/* Whether these words follow, and takes them. */
static bool take_words(struct cursor *c, const char *const *words)
{
	struct str word;

	for (; *words != NULL; words++) {
		if (!scan_word(c, &word) || !str_eq(word, str_from(*words)))
			return false;
	}
	return true;
}

static bool is_head(struct str s, struct head *ret)
{
	static const char *const counts[] = { "Samples", "Samples%", "Time%", NULL };
	static const char *const extremes[] = { "Min", "Time", "Max", "Time", NULL };
	static const char *const mean[] = { "Avg", "time", NULL };
	size_t at = str_find(s, STR(" Samples "));
	struct input in = { .bytes = str_skip(s, at) };
	struct cursor c = cursor_on(&in), after;

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

static enum probe probe_perf_kvm(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct head ignored;

	while (text_line(&rest, &line)) {
		if (is_head(line, &ignored))
			return PROBE_MAGIC;
		if (is_caption(line))
			*clue = (struct clue){ (size_t)(line.p - head.p), "no table follows" };
		else if (str_has_prefix(line, STR("Event name ")) &&
			 str_contains(line, STR(" Sample% ")))
			*clue = (struct clue){ (size_t)(line.p - head.p),
					       "a screen of perf kvm stat report; with --stdio it "
					       "prints a table" };
	}
	return PROBE_NO;
}

/* --- rows ---------------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct builder *to;
	struct arena *names;
	struct reported layers; /* of this print */
	struct head head;
	struct str vcpu; /* "VCPU 0"; of no bytes: all */
	uint64_t samples;
};

struct row {
	struct decimal mean, min, max; /* us */
	uint64_t samples;
	struct str name, mean_at, samples_at;
};

/* "4.95us", the last word of *s */
static bool take_time(struct reader *r, struct str *s, struct decimal *ret_us,
		      struct str *ret_where)
{
	struct str word = text_last_word(s), unit = STR("us");

	*ret_where = word;
	return (str_has_suffix(word, unit) &&
		decimal_parse((struct str){ word.p, word.n - unit.n }, ret_us) &&
		ret_us->billionths >= 0) ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, word, "expected a time in us");
}

/* From the end: names may have blanks. */
static bool split_row(struct reader *r, struct row *row)
{
	struct str s = r->lines.text, where, share_of_time, share;
	size_t at = str_find_last(s, STR("( +-"));

	*row = (struct row){ .samples = 0 };
	if (at == s.n || !str_has_suffix(s, STR("% )")))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected a row, which ends in ( +- x%% ), or Total Samples:");
	s = str_trim((struct str){ s.p, at });
	if (!take_time(r, &s, &row->mean, &row->mean_at))
		return false;
	if (r->head.extremes &&
	    (!take_time(r, &s, &row->max, &where) || !take_time(r, &s, &row->min, &where)))
		return false;
	share_of_time = text_last_word(&s);
	share = text_last_word(&s);
	row->samples_at = text_last_word(&s);
	row->name = s;
	if (!str_has_suffix(share_of_time, STR("%")) || !str_has_suffix(share, STR("%")) ||
	    s.n == 0)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "fields do not go with the head");
	return lines_count(&r->lines, row->samples_at, &row->samples,
			   "expected a number of samples");
}

static bool push_row(struct reader *r, struct str layer, const struct row *row)
{
	struct decimal total;

	if (!decimal_times(row->mean, row->samples, &total))
		return lines_fail(&r->lines, DIAG_TOTAL_OVERFLOW, row->mean_at,
				  "mean times samples");
	if (!build_operation(r->to, layer, row->name, row->name))
		return false;
	build_unit(r->to, UNIT_US, UNIT_STATED);
	build_rounded_totals(r->to);
	if (r->head.extremes) {
		build_min(r->to, decimal_f64(row->min));
		build_max(r->to, decimal_f64(row->max));
	}
	r->samples += row->samples;
	return build_count(r->to, row->samples, row->samples_at) &&
	       build_total(r->to, total, row->mean_at);
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

/* From after a head to the line of totals.  What perf says of exits that it does not know
 * stands between the rows. */
static bool read_rows(struct reader *r, struct str layer)
{
	struct row row;

	r->samples = 0;
	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (s.n == 0 || str_has_prefix(s, STR("unknown kvm exit code:")))
			continue;
		if (str_has_prefix(s, STR("Total Samples:")))
			return check_total(r, s);
		if (!split_row(r, &row) || !push_row(r, layer, &row))
			return false;
	}
	return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, r->lines.text,
			   "a table without its line of totals");
}

static bool read_table(struct reader *r)
{
	struct str layer = r->head.kind;

	if (r->vcpu.n > 0)
		layer = arena_join(r->names, layer, ' ', r->vcpu);
	if (reported_again(&r->layers, layer))
		build_next_interval(r->to, NAN);
	return read_rows(r, layer);
}

/* "Analyze events for all VMs, VCPU 0:" */
static void take_caption(struct reader *r, struct str s)
{
	size_t at = str_find_last(s, STR("VCPU "));

	r->vcpu = str_skip((struct str){ s.p, s.n - 1 }, at);
}

/* "Lost events: 12" */
static bool take_lost(struct reader *r, struct str s)
{
	struct str digits = str_trim(str_skip(s, sizeof("Lost events:") - 1));
	uint64_t lost;

	return lines_count(&r->lines, digits, &lost, "expected a number of events") &&
	       build_lost(r->to, lost, digits);
}

static bool read_tables(struct reader *r)
{
	double stamp;

	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;

		if (is_head(s, &r->head)) {
			if (!read_table(r))
				return false;
		} else if (is_caption(s)) {
			take_caption(r, s);
		} else if (s.n > 0 && text_clock(s, &stamp) == s.n) {
			build_next_interval(r->to, stamp);
			reported_release(&r->layers);
		} else if (str_has_prefix(s, STR("Lost events:")) && !take_lost(r, s)) {
			return false;
		}
	}
	return true;
}

static bool read_perf_kvm(struct input *in, const struct read_options *options, struct builder *to,
			  struct diag *diag)
{
	struct reader r = { .to = to, .names = arena_new() };
	bool ok;

	(void)options;
	build_drop_single_layer(to);
	build_snapshots(to, SNAPSHOTS_DELTA);
	lines_start(&r.lines, in, diag);
	ok = read_tables(&r);
	reported_release(&r.layers);
	arena_free(r.names);
	return ok;
}

const struct format format_perf_kvm = {
	.name = "perf-kvm",
	.title = "perf kvm stat: exits of guests, samples and totals only",
	.versions = "3.7 to 7.2",
	.unit = "stated after each time",
	.totals = "from the mean, to a hundredth of a microsecond a sample",
	.probe = probe_perf_kvm,
	.read = read_perf_kvm,
};
