/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * redis-benchmark: reports of the load generators of Redis and Valkey, for each command.
 *
 *	====== SET ======
 *	  20000 requests completed in 0.19 seconds
 *	  20 parallel clients
 *
 *	Latency by percentile distribution:
 *	0.000% <= 0.023 milliseconds (cumulative count 1)
 *	50.000% <= 0.119 milliseconds (cumulative count 11557)
 *	100.000% <= 1.295 milliseconds (cumulative count 20000)
 *
 *	Cumulative distribution of latencies:
 *	39.040% <= 0.103 milliseconds (cumulative count 7808)
 *	100.000% <= 1.303 milliseconds (cumulative count 20000)
 *
 *	Summary:
 *	  latency summary (msec):
 *	          avg       min       p50       p95       p99       max
 *	        0.126     0.016     0.119     0.223     0.391     1.295
 *
 * The command is the operation, in us.  The count of a row is cumulative up to its latency, in
 * whole us, so that the edge is 1 us higher: 24, 120, 104.  Both tables come from the buckets of
 * one HdrHistogram, so their edges can be combined: the second has one every 0.1 ms up to 2.1 ms
 * and every 1 ms after that; the first has finer ones where the calls are.  The second leaves out
 * rows whose count equals that of the previous row.  If a command occurs several times, each
 * occurrence is an interval, and only edges that all of its tables have are used; of the regular
 * ones above 16 ms, 16 per octave.  Calls longer than 3 s count as 3 s.  Calls of the last
 * pipeline beyond -n are counted as requests but are in neither table.
 *
 * Up to Redis 6.0 there is one table, without counts:
 *
 *	99.95% <= 1 milliseconds
 *	100.00% <= 1 milliseconds
 *	76804.91 requests per second
 *
 * The share of a row is that of all calls up to and including the first one of this latency: all
 * but that one took less, although the row says "<=".  The last row is the longest call.
 * Latencies are truncated to the printed digits, and to whole ms from 2 ms on.  Counts are exact
 * up to 10,000 requests; with more, the two decimals are precise to one in 20,000.
 *
 * Progress messages are in the same line, before a carriage return.
 *
 * Seen: Redis 6.0, 7.0 and 8.0, Valkey 9.1, the source of 2.2 to 7.4.  Not supported: Redis
 * 2.0, and --csv and -q, which do not say how many requests there were.
 */
#include "base/arena.h"
#include "formats/bench/redis_blocks.h"
#include "formats/measure.h"
#include "formats/text.h"

/* --- recognising ------------------------------------------------------------------ */

/* Returns the part of a line after the last carriage return. */
static struct str after_return(struct str line)
{
	size_t last = str_find_last(line, STR("\r"));

	return last < line.n ? str_trim(str_skip(line, last + 1)) : line;
}

/* Parses "====== SET ======". */
static bool is_title(struct str line, struct str *ret_name)
{
	const struct str rule = STR("======");

	if (line.n <= 2 * rule.n || !str_has_prefix(line, rule) || !str_has_suffix(line, rule))
		return false;
	line.n -= rule.n;
	*ret_name = str_trim(str_skip(line, rule.n));
	return ret_name->n > 0;
}

/* Parses "20000 requests completed in 0.19 seconds". */
static bool is_requests(struct str line, struct str *ret_count, struct str *ret_time)
{
	static const struct str words = STR_INIT("requests completed in ");

	if (!str_begins_with_digit(line) || !str_cut(line, ' ', ret_count, ret_time) ||
	    !str_has_prefix(*ret_time, words))
		return false;
	*ret_time = str_skip(*ret_time, words.n);
	return true;
}

/* Says why the output of -q or --csv is refused. */
static const char *why_not(struct str line)
{
	struct str name, rate;

	if (str_has_prefix(line, STR("\"test\",\"rps\",\"avg_latency_ms\"")))
		return "--csv does not say how many requests there were";
	if (str_cut(line, ':', &name, &rate) && str_contains(rate, STR(" requests per second")))
		return "-q does not say how many requests there were";
	return NULL;
}

static enum probe probe_redis_benchmark(struct str head, struct clue *clue)
{
	struct str line, rest = head, part, time;
	bool title = false;

	while (text_line(&rest, &line)) {
		line = after_return(line);
		if (title && is_requests(line, &part, &time))
			return PROBE_MAGIC;
		if (line.n > 0)
			title = is_title(line, &part);
		if (clue->why == NULL && why_not(line) != NULL)
			probe_near(clue, head, line, why_not(line));
	}
	return PROBE_NO;
}

/* --- what is read ------------------------------------------------------------------- */

enum section {
	SECTION_HEAD,
	SECTION_SHARES, /* rows without counts */
	SECTION_PERCENTILES,
	SECTION_CUMULATIVE,
	SECTION_SUMMARY,
	SECTION_STATISTICS, /* the line with their names was read */
	SECTION_DONE,
};

struct row {
	int64_t us, step; /* latency; a unit of its last digit, in us */
	uint64_t share;	  /* cumulative share of calls, in 0.01 %; only for tables of shares */
	uint64_t upto;	  /* cumulative number of calls */
	struct str where; /* text of the number */
};

struct reader {
	struct lines lines;
	struct arena *arena;
	struct redis_blocks blocks;
	struct redis_block *block; /* the current one; NULL before the first */
	bool has_requests;	   /* its number of requests is known */
	enum section section;
	struct row last; /* last row of this table */
	bool any;	 /* `last` is set */
	bool rounded;	 /* some counts are rounded */
	double elapsed;	 /* seconds, sum of all commands */
	uint64_t clients;
};

/* --- rows ------------------------------------------------------------------------------ */

static bool is_row(struct str line)
{
	return str_begins_with_digit(line) && str_contains(line, STR("% <= "));
}

/* Parses "0.119" ms to us. */
static bool take_latency(struct str word, struct row *row)
{
	enum { US = 1000000 /* billionths of a ms */, MAX_DIGITS = 3 };
	const int64_t max = INT64_C(1) << 40;
	size_t point = str_find(word, STR("."));
	struct decimal ms;

	if (!str_begins_with_digit(word) || !decimal_parse(word, &ms) || ms.billionths % US != 0 ||
	    ms.billionths / US > max || (point < word.n && word.n - point - 1 > MAX_DIGITS))
		return false;
	row->us = (int64_t)(ms.billionths / US);
	row->step = REDIS_MS;
	for (size_t i = point + 1; i < word.n; i++)
		row->step /= 10;
	return true;
}

/* Parses "99.95%". */
static bool take_share(struct str word, struct row *row)
{
	enum { HUNDREDTH = 10000000 /* billionths */ };
	struct decimal percent;

	if (!str_has_suffix(word, STR("%")))
		return false;
	word.n--;
	if (!str_begins_with_digit(word) || !decimal_parse(word, &percent) ||
	    percent.billionths > (decimal_int)100 * 100 * HUNDREDTH)
		return false;
	row->share = (uint64_t)(percent.billionths / HUNDREDTH);
	return true;
}

/* Parses "50.000% <= 0.119 milliseconds". */
static bool scan_row(struct cursor *c, struct row *row)
{
	struct str word, latency;

	return scan_word(c, &row->where) && take_share(row->where, row) && scan_word(c, &word) &&
	       str_eq(word, STR("<=")) && scan_word(c, &latency) && take_latency(latency, row) &&
	       scan_word(c, &word) && str_eq(word, STR("milliseconds"));
}

static bool check_order(struct reader *r, const struct row *row, struct str line)
{
	if (r->any && row->us < r->last.us)
		return lines_fail(&r->lines, DIAG_BUCKET_ORDER, line, "%.3f ms after %.3f ms",
				  (double)row->us / REDIS_MS, (double)r->last.us / REDIS_MS);
	if (r->any && (row->upto < r->last.upto || row->share < r->last.share))
		return lines_fail(&r->lines, DIAG_BUCKET_ORDER, row->where,
				  "calls up to here are fewer than in the row above");
	r->last = *row;
	r->any = true;
	return true;
}

/* Reads a row followed by "(cumulative count 11557)". */
static bool read_counted_row(struct reader *r, struct str line)
{
	struct cursor c = cursor_at(r->lines.in, line);
	struct row row = { .us = 0 }, last = r->any ? r->last : row;
	int64_t before = 0;
	bool again, fine = scan_row(&c, &row);

	scan_blanks(&c);
	fine = fine && scan_literal(&c, STR("(cumulative count "));
	row.where = cursor_rest(&c);
	if (!fine || !str_has_suffix(row.where, STR(")")))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line,
				  "expected PERCENT%% <= LATENCY milliseconds (cumulative count "
				  "CALLS)");
	row.where.n--;
	if (!lines_count(&r->lines, row.where, &row.upto, "expected how many calls"))
		return false;
	if (redis_edge_above(row.us) != row.us + 1)
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, line,
				  "no latency that redis-benchmark tells from others");
	if (r->section == SECTION_CUMULATIVE && !redis_edge_before(row.us + 1, &before))
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, line,
				  "no latency that this table has");
	again = r->any && row.us == last.us;
	if (!check_order(r, &row, line))
		return false;
	if (again)
		return row.upto == last.upto || lines_fail(&r->lines, DIAG_BUCKET_ORDER, row.where,
							   "another count than in the row above");
	if (r->section == SECTION_CUMULATIVE)
		redis_mark_add(&r->blocks, before, last.upto, row.where);
	redis_mark_add(&r->blocks, row.us + 1, row.upto, row.where);
	return true;
}

/* Returns the number of calls before the first one of a row's latency. */
static uint64_t calls_before(uint64_t share, uint64_t requests)
{
	const uint64_t whole = 10000;
	uint64_t with_it =
		requests / whole * share + (requests % whole * share + whole / 2) / whole;

	return with_it > 0 ? with_it - 1 : 0;
}

/* Returns the upper edge for the calls of a row. */
static int64_t share_end(const struct row *row)
{
	return row->us + (row->us < REDIS_FINE_END ? row->step : REDIS_MS);
}

static bool read_share_row(struct reader *r, struct str line)
{
	struct cursor c = cursor_at(r->lines.in, line);
	struct redis_command *command = &r->blocks.command[r->block->command];
	struct row row = { .us = 0 }, last = r->any ? r->last : row;
	bool first = !r->any;

	if (!scan_row(&c, &row) || !cursor_done(&c))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line,
				  "expected PERCENT%% <= LATENCY milliseconds");
	if (!first && row.us > last.us && row.us < share_end(&last))
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, line,
				  "%.3f ms has more digits than the row above has",
				  (double)row.us / REDIS_MS);
	row.upto = calls_before(row.share, r->block->requests);
	if (!check_order(r, &row, line))
		return false;
	if (row.us < REDIS_FINE_END && row.step > command->step)
		command->step = row.step;
	if (first && row.us > 0)
		redis_mark_add(&r->blocks, row.us < REDIS_FINE_END ? row.step : REDIS_MS, row.upto,
			       row.where);
	else if (!first && row.us > last.us)
		redis_mark_add(&r->blocks, share_end(&last), row.upto, row.where);
	if (row.us > last.us)
		redis_mark_add(&r->blocks, row.us, row.upto, row.where);
	return true;
}

/* --- blocks ----------------------------------------------------------------------------- */

/* Reports an incomplete block; `where` is the text after it. */
static bool too_early(struct reader *r, struct str where, const char *missing)
{
	return format_fail(r->lines.in, r->lines.diag,
			   where.n > 0 ? DIAG_LINE_UNEXPECTED : DIAG_INPUT_TRUNCATED, where,
			   "the report of %.*s is not whole: no %s", STR_ARG(r->block->title),
			   missing);
}

/* Ends the current table; false, after reporting an error, unless it covers all calls. */
static bool end_table(struct reader *r, struct str where)
{
	const uint64_t all = 10000;

	if (r->section != SECTION_SHARES && r->section != SECTION_PERCENTILES &&
	    r->section != SECTION_CUMULATIVE)
		return true;
	return (r->any && r->last.share == all) || too_early(r, where, "row of 100 percent");
}

static bool begin_section(struct reader *r, enum section section, struct str line)
{
	if (!end_table(r, line))
		return false;
	if (!r->has_requests)
		return too_early(r, line, "number of requests");
	if (section <= r->section || r->block->by_share != (section == SECTION_SHARES))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line,
				  "not at this place of a report");
	r->section = section;
	r->any = false;
	if (section == SECTION_PERCENTILES)
		redis_mark_add(&r->blocks, 0, 0, line); /* take_min() moves it */
	if (section == SECTION_CUMULATIVE)
		r->block->middle = r->blocks.n_marks;
	return true;
}

static bool end_block(struct reader *r, struct str where)
{
	struct redis_block *block = r->block;

	if (block == NULL)
		return true;
	block->end = r->blocks.n_marks;
	if (r->section != SECTION_DONE)
		return too_early(r, where,
				 r->section == SECTION_SHARES ? "requests per second" : "summary");
	if (block->end == block->middle)
		return too_early(r, where, "distribution of latencies");
	return true;
}

static bool begin_block(struct reader *r, struct str title)
{
	if (!end_block(r, title))
		return false;
	r->block = redis_block_add(&r->blocks, title, r->arena);
	r->has_requests = false;
	r->section = SECTION_HEAD;
	return true;
}

/* Moves the beginning of the percentiles up to the smallest latency. */
static void take_min(struct reader *r)
{
	const struct redis_block *block = r->block;
	struct redis_mark *mark = r->blocks.mark;

	if (block->first < block->middle && block->min < (double)mark[block->first + 1].at)
		mark[block->first].at = (int64_t)block->min;
}

/* Reads "        0.126     0.016     0.119     0.223     0.391     1.295". */
static bool read_summary(struct reader *r, struct str line)
{
	enum { MEAN, MIN, MAX = 5, N };
	struct cursor c = cursor_at(r->lines.in, line);
	struct decimal value[N];
	struct str word;

	for (size_t i = 0; i < N; i++) {
		if (!scan_word(&c, &word) || !decimal_parse(word, &value[i]) ||
		    value[i].billionths < 0 || !decimal_times(value[i], REDIS_MS, &value[i]))
			return lines_fail(&r->lines, DIAG_NUMBER_BAD, line,
					  "expected six latencies in ms");
	}
	r->block->has_summary = true;
	r->block->mean = value[MEAN];
	r->block->min = decimal_f64(value[MIN]);
	r->block->max = decimal_f64(value[MAX]);
	take_min(r);
	r->section = SECTION_DONE;
	return true;
}

/* Reads the table of shares, which has no head, and the line after it. */
static bool read_shares(struct reader *r, struct str line)
{
	if (str_has_suffix(line, STR(" requests per second"))) {
		if (!end_table(r, line))
			return false;
		redis_mark_add(&r->blocks, share_end(&r->last), r->block->requests, line);
		r->section = SECTION_DONE;
		return true;
	}
	return read_share_row(r, line);
}

static bool begin_shares(struct reader *r, struct str line)
{
	const uint64_t exact = 10000;

	r->block->by_share = true;
	r->block->middle = r->blocks.n_marks;
	r->rounded |= r->block->requests > exact;
	return begin_section(r, SECTION_SHARES, line) && read_shares(r, line);
}

/* Reads "20000 requests completed in 0.19 seconds", below a title. */
static bool read_requests(struct reader *r, struct str count, struct str time)
{
	double seconds;

	if (r->block == NULL || r->section != SECTION_HEAD || r->has_requests)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, count,
				  "expected a title before it: ====== COMMAND ======");
	r->has_requests = true;
	r->elapsed += measure_seconds(time, &seconds) ? seconds : 0;
	return lines_count(&r->lines, count, &r->block->requests, "expected how many requests");
}

/* Reads "20 parallel clients"; pipelined requests are one at a time of each. */
static bool read_clients(struct reader *r, struct str line)
{
	struct cursor c = CURSOR_OVER(line);

	scan_blanks(&c);
	if (!scan_u64(&c, &r->clients))
		r->clients = 0;
	return true;
}

static bool redis_benchmark_read_line(struct reader *r, struct str line)
{
	struct str title, count, time;

	if (is_title(line, &title))
		return begin_block(r, title);
	if (is_requests(line, &count, &time))
		return read_requests(r, count, time);
	if (line.n == 0 || r->block == NULL)
		return true;
	if (str_has_suffix(line, STR(" parallel clients")))
		return read_clients(r, line);
	if (str_eq(line, STR("Latency by percentile distribution:")))
		return begin_section(r, SECTION_PERCENTILES, line);
	if (str_eq(line, STR("Cumulative distribution of latencies:")))
		return begin_section(r, SECTION_CUMULATIVE, line);
	if (str_eq(line, STR("Summary:")))
		return begin_section(r, SECTION_SUMMARY, line);
	switch (r->section) {
	case SECTION_HEAD:
		return !is_row(line) || begin_shares(r, line);
	case SECTION_SHARES:
		return read_shares(r, line);
	case SECTION_PERCENTILES:
	case SECTION_CUMULATIVE:
		return read_counted_row(r, line);
	case SECTION_SUMMARY:
		if (str_has_prefix(line, STR("avg ")))
			r->section = SECTION_STATISTICS;
		return true;
	case SECTION_STATISTICS:
		return read_summary(r, line);
	case SECTION_DONE:
		break;
	}
	return true;
}

static bool read_redis_benchmark(const struct read_task *task)
{
	struct reader r = { .arena = arena_new() };
	bool fine = true;

	build_snapshots(task->to, SNAPSHOTS_DELTA);
	lines_start(&r.lines, task->in, task->diag);
	while (fine && lines_next(&r.lines))
		fine = redis_benchmark_read_line(&r, after_return(r.lines.text));
	build_concurrency(task->to, r.clients);
	if (r.elapsed > 0)
		build_elapsed(task->to, r.elapsed);
	fine = fine && end_block(&r, str_skip(task->in->bytes, task->in->bytes.n)) &&
	       redis_blocks_push(&r.blocks, task->to, task->in, task->diag);
	if (fine && r.rounded)
		diag_file(task->diag, DIAG_COUNTS_ROUNDED, task->in,
			  "they follow from percentages of two decimals; redis-benchmark 6.2 "
			  "prints them");
	redis_blocks_release(&r.blocks);
	arena_free(r.arena);
	return fine;
}

const struct format format_redis_benchmark = {
	.name = "redis-benchmark",
	.title = "redis-benchmark, valkey-benchmark: latency of each command",
	.versions = "Redis 6.0 to 8.0, Valkey 9.1",
	.unit = "stated",
	.totals = "mean times requests, to 1 us a request",
	.probe = probe_redis_benchmark,
	.parts = MARKS("bcc-summary"),
	.read = read_redis_benchmark,
};
