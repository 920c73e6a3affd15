/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bcc-summary: tools of bcc and libbpf-tools that print counts and sums, without a
 * distribution: syscount -L, klockstat, and of libbpf-tools hardirqs and softirqs -C.
 *
 *	[09:41:32]
 *	SYSCALL                   COUNT        TIME (us)
 *	select                       16      3415860.022
 *	[unknown: 321]               32            4.965
 *
 *	PID    COMM               COUNT        TIME (ms)
 *	27226  bash                4953         1956.000
 *
 *	HARDIRQ                           TOTAL_count TOTAL_usecs MAX_usecs CPU
 *	virtio1-req.0                             319         735        12   0
 *
 *	SOFTIRQ          TOTAL_usecs  TOTAL_count
 *	timer                    575          112
 *
 *	                        Caller   Avg Spin  Count   Max spin Total spin
 *	            psi_avgs_work+0x2e       3675      5       5468      18379
 *
 *	                               Caller  Avg Wait    Count   Max Wait   Total Wait
 *	                   flush_to_ldisc+0x22    2.8 us        2     4.2 us       5.7 us
 *	                Tid              Comm  Avg Hold    Count   Max Hold   Total Hold
 *	                      812              sshd    310 ns       31     2.0 us       9.6 us
 *
 * Each snapshot is an interval; syscount shows the top 10 only.  klockstat's layer is what
 * it measured; its lines without numbers are stacks.  klockstat of libbpf-tools prints times
 * with about two digits and a unit, so that totals are rounded, and its counts are cumulative
 * unless it was given -R.  Others of these tools are detected, to say why they have no
 * latencies: syscount without -L, other softirqs and hardirqs without -d, argdist -C,
 * biolatpcts.
 *
 * Seen: the example files of bcc 6d0a964, libbpf-tools 0.26 and 0.37; klockstat of libbpf-tools
 * in its source.
 */
#include <math.h>

#include "base/arena.h"
#include "base/scan.h"
#include "formats/bcc_line.h"
#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/statistics.h"
#include "formats/text.h"

enum table {
	TABLE_NONE,
	TABLE_SYSCALLS,
	TABLE_TASKS,
	TABLE_LOCKS,
	TABLE_HARDIRQS,
	TABLE_SOFTIRQS,
	TABLE_USELESS,
};

struct head {
	enum table table;
	enum unit unit;
	struct str what;     /* for klockstat: "spin" */
	bool tasks;	     /* for klockstat: rows are threads, not callers */
	bool by_cpu;	     /* for hardirqs */
	const char *useless; /* why it has no latencies; NULL: it has */
};

static bool ends_in_time(struct str s, enum unit *ret)
{
	*ret = str_has_suffix(s, STR(" TIME (us)"))   ? UNIT_US
	       : str_has_suffix(s, STR(" TIME (ms)")) ? UNIT_MS
						      : UNIT_UNKNOWN;
	return *ret != UNIT_UNKNOWN;
}

/* Returns whether a header has percentiles: "nvme0n1    p1    p5   p10" of biolatpcts. */
static bool is_percentiles(struct str s)
{
	return str_contains(s, STR("p50 ")) && str_contains(s, STR(" p99")) &&
	       !str_contains(s, STR(","));
}

/* "4.5ms", "-" */
static bool is_short_time(struct str word)
{
	double v;

	if (str_eq(word, STR("-")))
		return true;
	while (word.n > 0 && word.p[word.n - 1] >= 'm' && word.p[word.n - 1] <= 'u')
		word.n--;
	return number_f64(word, &v) == NUMBER_OK;
}

/* Returns whether this is a row of biolatpcts: "read      5us 4.5ms  16ms".  Its percentiles may be
 * any. */
static bool is_percentile_row(struct str s)
{
	static const struct str kinds[] = { STR_INIT("read"), STR_INIT("write"),
					    STR_INIT("discard"), STR_INIT("flush") };
	struct cursor c = CURSOR_OVER(s);
	struct str word;
	bool kind = false, unit = false;

	if (!scan_word(&c, &word))
		return false;
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		kind |= str_eq(word, kinds[i]);
	while (kind && scan_word(&c, &word)) {
		kind = is_short_time(word);
		unit |= str_has_suffix(word, STR("s"));
	}
	return kind && unit;
}

/* "Caller   Avg Spin  Count   Max spin Total spin", "Tid   Comm  Avg Hold ..." */
static bool is_lock_head(struct str s, bool *ret_tasks)
{
	*ret_tasks = str_has_prefix(s, STR("Tid ")) && str_contains(s, STR(" Comm "));
	return (*ret_tasks || str_has_prefix(s, STR("Caller "))) && str_contains(s, STR(" Avg ")) &&
	       str_contains(s, STR(" Count ")) && str_contains(s, STR(" Total "));
}

/* "HARDIRQ   TOTAL_count TOTAL_usecs MAX_usecs CPU", "SOFTIRQ   TOTAL_nsecs  TOTAL_count":
 * libbpf-tools from 0.34 and 0.27 on; earlier versions have only sums. */
static bool is_irq_head(struct str s, struct head *ret)
{
	bool hard = str_has_prefix(s, STR("HARDIRQ "));

	if (!hard && !str_has_prefix(s, STR("SOFTIRQ ")))
		return false;
	ret->unit = str_contains(s, STR(" TOTAL_nsecs"))   ? UNIT_NS
		    : str_contains(s, STR(" TOTAL_usecs")) ? UNIT_US
							   : UNIT_UNKNOWN;
	ret->by_cpu = str_has_suffix(s, STR(" CPU"));
	if (ret->unit != UNIT_UNKNOWN && str_contains(s, STR(" TOTAL_count")))
		ret->table = hard ? TABLE_HARDIRQS : TABLE_SOFTIRQS;
	else
		ret->useless = "sums without calls, or calls without sums; -d prints histograms";
	return str_contains(s, STR(" TOTAL_"));
}

static bool parse_head(struct str s, struct head *ret)
{
	struct str syscall = STR("SYSCALL "), task = STR("PID ");

	*ret = (struct head){ .table = TABLE_USELESS };
	if (str_has_prefix(s, syscall) && ends_in_time(s, &ret->unit))
		ret->table = TABLE_SYSCALLS;
	else if (str_has_prefix(s, task) && str_contains(s, STR(" COMM ")) &&
		 ends_in_time(s, &ret->unit))
		ret->table = TABLE_TASKS;
	else if ((str_has_prefix(s, syscall) || str_has_prefix(s, task)) &&
		 str_has_suffix(s, STR(" COUNT")))
		ret->useless = "calls without their latency, which syscount -L adds";
	else if (is_lock_head(s, &ret->tasks))
		ret->table = TABLE_LOCKS;
	else if (is_irq_head(s, ret))
		return true;
	else if (str_has_prefix(s, STR("COUNT")) && str_has_suffix(s, STR("EVENT")))
		ret->useless = "how often values came; argdist -H prints histograms";
	else if (is_percentiles(s) || is_percentile_row(s))
		ret->useless = "percentiles without calls";
	else
		return false;
	if (ret->table == TABLE_LOCKS) {
		ret->unit = UNIT_NS;
		ret->what = str_skip(s, str_find_last(s, STR(" ")) + 1);
	}
	return true;
}

/* Returns whether a line may be above the header of a table: argdist's own line, which bcc's
 * histograms also have; the header of biolatpcts, whose rows identify it. */
static bool is_above_head(struct str s)
{
	double stamp;
	bool bracket;

	return s.n == 0 || bcc_banner(s) || bcc_stamp(s, &stamp, &bracket) || bcc_farewell(s) ||
	       str_contains(s, STR(":")) || str_has_prefix(s, STR("write by"));
}

static enum probe probe_bcc_summary(struct str head, struct clue *clue)
{
	struct str s, unit, rest = head;
	struct head found;
	size_t blanks, others = 0;

	(void)clue;
	while (others <= 1 && text_line(&rest, &s)) {
		if (bcc_header(s, &unit, &blanks))
			return PROBE_NO; /* a histogram: the format is bcc */
		if (parse_head(s, &found) && (others == 0 || is_percentile_row(s)))
			return found.table == TABLE_USELESS ? PROBE_MARKS : PROBE_MAGIC;
		others += others > 0 || !is_above_head(s);
	}
	return PROBE_NO;
}

/* --- reading ----------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct head head;
	struct str measured; /* by the previous klockstat table: "Hold" */
	bool printed;	     /* a table of interrupts was read after the last time stamp */
	struct str useless_at;
	const char *useless;
};

/* Reduces the blanks in "27226  bash" and "812              sshd" to one. */
static struct str task_name(struct reader *r, struct str s)
{
	struct str number, name;

	return str_cut(s, ' ', &number, &name)
		       ? arena_printf(r->lines.arena, "%.*s %.*s", STR_ARG(number),
				      STR_ARG(str_trim(name)))
		       : s;
}

/* Pushes a row; messages point at its name. */
static bool bcc_summary_push(struct reader *r, struct statistics *of)
{
	of->unit = r->head.unit;
	of->where = of->count_at = of->total_at = of->name;
	if (r->head.tasks || r->head.table == TABLE_TASKS)
		of->name = task_name(r, of->name);
	return statistics_push(of, r->lines.to);
}

/* "27226  bash     4953         1956.000" */
static bool parse_sums(struct str s, struct statistics *ret)
{
	struct str time = text_last_word(&s), calls = text_last_word(&s);

	*ret = (struct statistics){ .name = s };
	return s.n > 0 && decimal_parse(time, &ret->total) &&
	       number_u64(calls, &ret->count) == NUMBER_OK;
}

/* Takes "18379" or "5.7 us" off the end of *s as ns.  Sets *ret_rounded only if a time is
 * rounded. */
static bool bcc_summary_take_time(struct str *s, struct decimal *ret_ns, bool *ret_rounded)
{
	struct str word = text_last_word(s);
	uint64_t ns = measure_nanoseconds(word);

	if (ns == 0)
		return decimal_parse(word, ret_ns);
	*ret_rounded |= ns > 1;
	return decimal_parse(text_last_word(s), ret_ns) && decimal_times(*ret_ns, ns, ret_ns);
}

/* Returns whether the line is below a caller: a frame that called it, or "Max PID 12, COMM sh, Lock
 * a_mutex (0xff)". */
static bool is_of_stack(struct reader *r, struct str s)
{
	enum { FEWEST = 5 }; /* number of words in a row */
	struct cursor c = cursor_at(r->lines.in, s);
	struct str word;
	size_t n = 0;

	while (n < FEWEST && scan_word(&c, &word))
		n++;
	return n < FEWEST || str_has_prefix(s, STR("Max PID "));
}

/* "psi_avgs_work+0x2e       3675      5       5468      18379" */
static bool read_lock(struct reader *r, struct str s)
{
	struct statistics of = { .layer = r->head.what, .name = s, .has_max = true };
	struct decimal mean;

	if (is_of_stack(r, s) && !r->lines.cut)
		return true;
	if (r->lines.cut || !bcc_summary_take_time(&of.name, &of.total, &of.rounded) ||
	    !bcc_summary_take_time(&of.name, &of.max, &of.rounded) ||
	    number_u64(text_last_word(&of.name), &of.count) != NUMBER_OK ||
	    !bcc_summary_take_time(&of.name, &mean, &of.rounded) || of.name.n == 0)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected a caller and four numbers");
	return bcc_summary_push(r, &of);
}

/* "virtio1-req.0      319         735        12   0", "timer      575          112" */
static bool read_irq(struct reader *r, struct str s)
{
	bool hard = r->head.table == TABLE_HARDIRQS;
	/* In us, each call's time was truncated to whole units. */
	struct statistics of = { .name = s, .has_max = hard, .rounded = r->head.unit != UNIT_NS };
	struct str cpu = STR(""), max = STR(""), first, second;

	if (r->head.by_cpu)
		cpu = text_last_word(&of.name);
	if (hard)
		max = text_last_word(&of.name);
	first = text_last_word(&of.name);
	second = text_last_word(&of.name);
	if (r->lines.cut || of.name.n == 0 ||
	    number_u64(hard ? second : first, &of.count) != NUMBER_OK ||
	    !decimal_parse(hard ? first : second, &of.total) ||
	    (hard && !decimal_parse(max, &of.max)))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected the columns that the head of the table names");
	if (r->head.by_cpu)
		of.layer = arena_printf(r->lines.arena, "cpu %.*s", STR_ARG(cpu));
	return bcc_summary_push(r, &of);
}

/* klockstat prints Wait and then Hold; with -s the header is repeated above each row. */
static void begin_table(struct reader *r, const struct head *head, struct str s)
{
	if (head->useless != NULL && r->useless == NULL) {
		r->useless = head->useless;
		r->useless_at = s;
	}
	if (head->table == TABLE_LOCKS && str_eq(head->what, STR("Wait")) &&
	    str_eq(r->measured, STR("Hold")))
		build_next_interval(r->lines.to, NAN);
	if (head->table == TABLE_HARDIRQS || head->table == TABLE_SOFTIRQS) {
		if (r->printed)
			build_next_interval(r->lines.to, NAN);
		r->printed = true;
	}
	r->measured = head->what;
	r->head = *head;
}

static bool bcc_summary_line(void *reader)
{
	struct reader *r = reader;
	struct str s = r->lines.text;
	bool of_sums = r->head.table == TABLE_SYSCALLS || r->head.table == TABLE_TASKS, bracket;
	struct statistics sums;
	struct head head;
	double stamp;

	if (of_sums && !r->lines.cut && parse_sums(s, &sums)) /* as nearly all lines are */
		return bcc_summary_push(r, &sums);
	if (s.n == 0 || bcc_banner(s) || bcc_farewell(s)) {
		r->head.table = TABLE_NONE;
		return true;
	}
	if (bcc_stamp(s, &stamp, &bracket)) {
		r->head.table = TABLE_NONE;
		r->measured = STR("");
		r->printed = false;
		build_next_interval(r->lines.to, stamp);
		return true;
	}
	if (parse_head(s, &head)) {
		begin_table(r, &head, s);
		return true;
	}
	if (of_sums)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected a name, calls and their time");
	if (r->head.table == TABLE_HARDIRQS || r->head.table == TABLE_SOFTIRQS)
		return read_irq(r, s);
	return r->head.table != TABLE_LOCKS || read_lock(r, s);
}

/* Whether libbpf-tools' klockstat clears its counts depends on its option -R. */
static bool are_cleared(const struct reader *r)
{
	return !str_eq(r->measured, STR("Wait")) && !str_eq(r->measured, STR("Hold"));
}

static bool bcc_summary_end(void *reader)
{
	struct reader *r = reader;

	if (r->useless != NULL)
		diag_part(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in, r->useless_at, "%s",
			  r->useless);
	if (are_cleared(r))
		build_snapshots(r->lines.to, SNAPSHOTS_DELTA);
	return true;
}

const struct format format_bcc_summary = {
	.name = "bcc-summary",
	.title = "bcc and libbpf-tools: syscount -L, klockstat, hardirqs",
	.versions = "bcc 0.19 on, libbpf-tools 0.26, 0.37",
	.unit = "stated in the head; ns of klockstat",
	.totals = "exact; rounded of libbpf-tools' klockstat, hardirqs",
	.probe = probe_bcc_summary,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = bcc_summary_line,
					     .end = bcc_summary_end,
					     .drop_single_layer = true },
};
