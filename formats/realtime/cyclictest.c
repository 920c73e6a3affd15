/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cyclictest: wake-up latencies of the threads of cyclictest (rt-tests).
 *
 *	# Histogram
 *	000043 000001	000000			a row of -h: latency, calls of each thread
 *	# Total: 000000946 000000921		calls in all rows, up to 2.6
 *	# Min Latencies: 00036 00039
 *	# Max Latencies: 07779 03931
 *	# Histogram Overflows: 00014 00007	calls beyond the last row
 *
 *	       0:       7:      65		a line of -v: thread, cycle, latency
 *
 *	T: 0 (32172) P: 0 I:1000 C:   200 Min:     36 Act:   65 Avg:   66 Max:    7779
 *
 * The operation is the number of the thread.  The column that -H adds is left out.  If there is a
 * histogram (-h), only that is read; else lines of -v, if any; else summary statistics.  The file
 * does not state whether latencies are in us or, with -N, in ns.
 *
 * Seen: rt-tests 2.4, 2.10.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "formats/carried.h"
#include "formats/lines.h"
#include "formats/realtime/cyclictest_raw.h"
#include "formats/table/count_table.h"
#include "formats/text.h"

/* --- lines ----------------------------------------------------------------------- */

enum { ROW_DIGITS = 6 };

/* Returns the length of the latency in "000043 000001	000000", at least six digits; 0 if the line
 * is not a row. */
static size_t latency_length(struct str s)
{
	size_t n = 0;

	while (n < s.n && is_digit(s.p[n]))
		n++;
	return n >= ROW_DIGITS && n < s.n && is_gap(s.p[n]) ? n : 0;
}

/* Finds "T: 0 (32172) P: 0", which may follow terminal escape sequences. */
static bool find_live(struct str s, struct str *ret)
{
	*ret = str_skip(s, str_find(s, STR("T:")));
	return str_contains(*ret, STR(" P:")) && str_contains(*ret, STR(" C:")) &&
	       str_contains(*ret, STR(" Avg:"));
}

static enum probe probe_cyclictest(struct str head, struct clue *clue)
{
	struct str s, live, rest = head;
	bool histogram = false, interval = false;

	while (text_line(&rest, &s)) {
		if (cyclictest_is_histogram(s))
			histogram = true;
		else if (str_has_prefix(s, STR("Thread ")) && str_contains(s, STR(" Interval: ")))
			interval = true;
		else if ((histogram && latency_length(s) > 0) ||
			 (interval && cyclictest_is_raw(s)) || find_live(s, &live))
			return PROBE_MAGIC;
		else if (histogram && s.n > 0 && s.p[0] != '#')
			probe_near(clue, head, s, "not a row of a histogram");
	}
	return histogram ? PROBE_MARKS : PROBE_NO;
}

/* --- histograms --------------------------------------------------------------------- */

enum footer { FOOTER_MIN, FOOTER_MAX, FOOTER_OVERFLOWS, FOOTER_TOTAL };
enum { FOOTER_N = FOOTER_TOTAL + 1 };

struct row {
	uint64_t latency;
	struct str where;
};

struct reader {
	struct lines lines;
	struct builder *to;
	struct arena *arena;
	struct carried *carried;
	/* The current histogram. */
	struct row *row;
	size_t cap_rows;
	struct count_table counts;
	uint64_t *footer[FOOTER_N];
	size_t n_footer[FOOTER_N], cap_footer[FOOTER_N];
	struct str head; /* the line "# Histogram" */
	bool open;
	size_t n_histograms;
	bool counted; /* calls were counted in the output before the histogram */
};

static size_t words_in(struct cursor c)
{
	struct str word;
	size_t n = 0;

	while (scan_word(&c, &word))
		n++;
	return n;
}

static bool cyclictest_add_row(struct reader *r, struct str s)
{
	struct str digits = { s.p, latency_length(s) };
	struct cursor c = cursor_at(r->lines.in, str_skip(s, digits.n));
	struct row row = { .where = s };
	size_t n = r->counts.n_rows;

	if (digits.n == 0)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected a latency and a count for each thread");
	if (number_u64(digits, &row.latency) != NUMBER_OK || row.latency >= 1U << 24)
		return format_fail(r->lines.in, r->lines.diag, DIAG_NUMBER_RANGE, s,
				   "expected a latency below 2^24");
	if (n == 0)
		count_table_start(&r->counts, words_in(c));
	if (!lines_counted(&r->lines, count_table_read(&r->counts, &r->lines, &c), str_skip(s, s.n),
			   "expected as many counts as in the first row"))
		return false;
	scan_blanks(&c);
	if (!cursor_done(&c))
		return format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED,
				   cursor_rest(&c), "more counts than in the first row");
	r->row = xgrow(r->row, &r->cap_rows, n + 1, sizeof(*r->row));
	r->row[n] = row;
	return true;
}

/* Reads "# Min Latencies: 00036 00039". */
static bool add_footer(struct reader *r, struct str s)
{
	static const struct str titles[FOOTER_N] = { STR_INIT("# Min Latencies:"),
						     STR_INIT("# Max Latencies:"),
						     STR_INIT("# Histogram Overflows:"),
						     STR_INIT("# Total:") };

	for (size_t i = 0; i < FOOTER_N; i++) {
		struct cursor c;
		struct str word;

		if (!str_has_prefix(s, titles[i]))
			continue;
		c = cursor_at(r->lines.in, str_skip(s, titles[i].n));
		r->n_footer[i] = 0;
		while (scan_word(&c, &word)) {
			r->footer[i] = xgrow(r->footer[i], &r->cap_footer[i], r->n_footer[i] + 1,
					     sizeof(uint64_t));
			if (number_u64(word, &r->footer[i][r->n_footer[i]++]) != NUMBER_OK)
				return format_fail(r->lines.in, r->lines.diag, DIAG_NUMBER_BAD,
						   word, "expected a number");
		}
	}
	return true;
}

/* Returns the number of threads.  -H adds a column for the sum of all, which has no minimum. */
static size_t threads_of(const struct reader *r)
{
	size_t n = r->n_footer[FOOTER_MIN];

	return n > 0 && n < r->counts.n_columns ? n : r->counts.n_columns;
}

static bool cyclictest_push_rows(struct reader *r, size_t thread)
{
	struct count_walk w = count_table_column(&r->counts, thread);
	uint64_t sum = 0, stated;

	while (count_walk_next(&w)) {
		const struct row *row = &r->row[w.row];

		if (!build_bucket(r->to, (int)row->latency, w.count, row->where))
			return false;
		sum += w.count;
	}
	if (thread >= r->n_footer[FOOTER_TOTAL])
		return true;
	stated = r->footer[FOOTER_TOTAL][thread];
	if (stated != sum)
		diag_part(r->lines.diag, DIAG_COUNT_MISMATCH, r->lines.in, r->head,
			  "thread %zu: stated %llu calls, rows hold %llu", thread,
			  (unsigned long long)stated, (unsigned long long)sum);
	return true;
}

static bool push_thread(struct reader *r, size_t thread)
{
	struct bucket_scheme s = bucket_linear(0, 1);
	struct str name = arena_printf(r->arena, "%zu", thread);
	size_t n_rows = r->counts.n_rows;
	uint64_t overflows = 0;

	s.first = 0;
	s.limit = n_rows > 0 ? (int)r->row[n_rows - 1].latency + 1 : BUCKET_NO_LIMIT;
	if (thread < r->n_footer[FOOTER_OVERFLOWS] && n_rows > 0)
		overflows = r->footer[FOOTER_OVERFLOWS][thread];
	if (!build_operation(r->to, STR(""), name, r->head) || !build_scheme(r->to, &s, r->head))
		return false;
	build_unit(r->to, UNIT_US, UNIT_GUESSED);
	if (!cyclictest_push_rows(r, thread))
		return false;
	if (overflows > 0 && !build_bucket(r->to, s.limit, overflows, r->head))
		return false;
	if (thread < r->n_footer[FOOTER_MIN])
		build_min(r->to, (double)r->footer[FOOTER_MIN][thread]);
	if (thread < r->n_footer[FOOTER_MAX])
		build_max(r->to, (double)r->footer[FOOTER_MAX][thread]);
	return true;
}

static bool end_histogram(struct reader *r)
{
	if (!r->open)
		return true;
	r->open = false;
	if (r->counted) {
		r->counted = false;
		return true;
	}
	if (r->n_histograms++ > 0)
		build_next_interval(r->to, NAN);
	for (size_t i = 0; i < threads_of(r); i++) {
		if (!push_thread(r, i))
			return false;
	}
	return true;
}

/* Whether a histogram is open: the overflows are the last line that is read. */
static bool lacks_end(const struct reader *r)
{
	return r->open && r->n_footer[FOOTER_OVERFLOWS] == 0;
}

static bool begin_histogram(struct reader *r, struct str s)
{
	if (!end_histogram(r))
		return false;
	r->open = true;
	r->head = s;
	count_table_start(&r->counts, 0);
	memset(r->n_footer, 0, sizeof(r->n_footer));
	return true;
}

static bool read_histograms(struct reader *r)
{
	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;
		bool ok = true;

		if (cyclictest_is_histogram(s))
			ok = begin_histogram(r, s);
		else if (r->open && s.n > 0 && s.p[0] == '#')
			ok = add_footer(r, s);
		else if (r->open && r->n_footer[FOOTER_MIN] == 0 && str_begins_with_digit(s))
			ok = cyclictest_add_row(r, s);
		if (!ok)
			return false;
	}
	if (lacks_end(r) && carried_goes_on(r->carried))
		/* The output before the first histogram belongs to the same run. */
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED,
				  r->n_histograms > 0 ? r->head
						      : (struct str){ r->lines.in->bytes.p, 1 },
				  "expected the rest of a histogram");
	return end_histogram(r);
}

/* --- what is printed while it runs -------------------------------------------------- */

/* Finds the number after a title such as "Min:". */
static bool live_number(struct str s, const char *title, uint64_t *ret)
{
	struct cursor c = CURSOR_OVER(s);

	if (!scan_past(&c, str_from(title)))
		return false;
	scan_blanks(&c);
	return scan_u64(&c, ret);
}

struct live {
	bool any;
	uint64_t cycles, min, mean, max;
	struct str where;
};

static bool push_live(struct reader *r, size_t thread, const struct live *l)
{
	struct decimal total;

	if (!build_operation(r->to, STR(""), arena_printf(r->arena, "%zu", thread), l->where))
		return false;
	build_unit(r->to, UNIT_US, UNIT_GUESSED);
	if (l->cycles > 0) {
		build_min(r->to, (double)l->min);
		build_max(r->to, (double)l->max);
	}
	if (!decimal_times(decimal_from_u64(l->mean), l->cycles, &total))
		return format_fail(r->lines.in, r->lines.diag, DIAG_TOTAL_OVERFLOW, l->where,
				   "mean times cycles");
	build_rounded_totals(r->to);
	return build_count(r->to, l->cycles, l->where) && build_total(r->to, total, l->where);
}

/* Reads the last status line of each thread. */
static bool read_live(struct reader *r)
{
	enum { MAX_THREADS = 1 << 16 };
	struct live *live = NULL;
	size_t n = 0, cap = 0;
	bool ok = true;
	struct str s;

	while (lines_next(&r->lines)) {
		struct live l = { .any = true };
		uint64_t thread;

		if (!find_live(r->lines.text, &s) || !live_number(s, "T:", &thread) ||
		    thread >= MAX_THREADS || !live_number(s, " C:", &l.cycles) ||
		    !live_number(s, " Min:", &l.min) || !live_number(s, " Avg:", &l.mean) ||
		    !live_number(s, " Max:", &l.max))
			continue; /* truncated, or another line */
		l.where = s;
		live = xgrow(live, &cap, thread + 1, sizeof(*live));
		for (; n <= thread; n++)
			live[n] = (struct live){ .any = false };
		live[thread] = l;
		r->counted |= l.cycles > 0;
	}
	for (size_t i = 0; i < n && ok; i++)
		ok = !live[i].any || push_live(r, i, &live[i]);
	free(live);
	return ok;
}

/* Reads input that is held in memory: everything except the many lines of -v. */
static bool read_held(const struct read_task *task, bool histograms, bool *counted)
{
	struct reader r = { .to = task->to,
			    .arena = arena_new(),
			    .carried = task->options->carried,
			    .counted = *counted };
	bool ok;

	lines_start(&r.lines, task->in, task->diag);
	ok = histograms ? read_histograms(&r) : read_live(&r);
	*counted = r.counted;
	free(r.row);
	count_table_release(&r.counts);
	for (size_t i = 0; i < FOOTER_N; i++)
		free(r.footer[i]);
	arena_free(r.arena);
	return ok;
}

static enum kind { OF_HISTOGRAMS, OF_RAW, OF_LIVE } kind_of(struct str text)
{
	if (text_has(text, cyclictest_is_histogram))
		return OF_HISTOGRAMS;
	return text_has(text, cyclictest_is_raw) ? OF_RAW : OF_LIVE;
}

static bool read_kind(const struct read_task *task, enum kind kind, bool *counted)
{
	bool histograms = kind == OF_HISTOGRAMS;

	if (kind != OF_RAW)
		return format_complete(task->in, task->diag) &&
		       read_held(task, histograms, counted);
	if (!cyclictest_read_raw(task->in, task->options, task->to, &histograms, task->diag))
		return false;
	*counted |= !histograms;
	return !histograms || read_held(task, histograms, counted);
}

static bool read_cyclictest(const struct read_task *task)
{
	struct carried *carried = task->options->carried;
	bool counted = false;
	enum kind kind;
	struct str head;

	build_run_fixed_duration(task->to); /* threads wake at a rate, for a given duration */
	if (!format_look(task->in, cyclictest_is_raw, &head, task->diag))
		return false;
	carried_copy(carried, CARRIED_KIND, &counted);
	kind = kind_of(head);
	build_snapshots(task->to, kind == OF_LIVE ? SNAPSHOTS_CUMULATIVE : SNAPSHOTS_DELTA);
	if (!read_kind(task, kind, &counted))
		return false;
	carried_leave_bytes(carried, CARRIED_KIND, &counted, sizeof(counted));
	return true;
}

const struct format format_cyclictest = {
	.name = "cyclictest",
	.title = "cyclictest: histograms, -v, or summary statistics of each thread",
	.versions = "rt-tests 2.4, 2.10",
	.unit = "us, but ns with -N, which nothing states: use --unit to set it",
	.totals = "exact with -v, else from buckets, or mean times cycles",
	.probe = probe_cyclictest,
	.streams = true,
	.read = read_cyclictest,
};
