/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * redis-latency: the reply to LATENCY HISTOGRAM of Redis and Valkey, durations of commands in the
 * server, as printed by redis-cli: formatted, raw (when not printing to a terminal), with --csv and
 * with --json, in both versions of the protocol.
 *
 *	1) "set"                               set
 *	2) 1) "calls"                          calls
 *	   2) (integer) 20000                  20000
 *	   3) "histogram_usec"                 histogram_usec
 *	   4) 1) (integer) 1                   1
 *	      2) (integer) 19412               19412
 *	      3) (integer) 33                  33
 *	      4) (integer) 20000               20000
 *
 *	{"set":{"calls":20000,"histogram_usec":{"1":19412,"33":20000}}}
 *
 * Pairs are a latency in us and the number of calls that took at most this long; pairs that would
 * repeat a number are left out.  The underlying buckets end at 1.032 us and its doublings, in an
 * HdrHistogram of ns with two digits; edges are printed truncated to us.  The last bucket has
 * everything above 0.54 s.  Latencies were measured in whole us.
 *
 * Counts are cumulative since the server started or CONFIG RESETSTAT: a repeated command begins
 * another snapshot.
 *
 * Seen: Redis 7.0 and 8.0, Valkey 9.1, the source of 7.0 to 7.4.  No totals are printed.
 */
#include <math.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/lines.h"

enum { BUCKETS = 21 };

/* --- recognising ------------------------------------------------------------------ */

static bool redis_latency_is_one(struct str head)
{
	size_t at = str_find(head, STR("histogram_usec"));

	return at < head.n && str_contains((struct str){ head.p, at }, STR("calls"));
}

/* --- histograms ----------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct builder *to;
	double edge[BUCKETS];
	uint64_t label[BUCKETS]; /* edges as printed */
	/* The current command. */
	size_t n; /* buckets up to the last pair */
	uint64_t upto;
	/* Words. */
	struct str rest; /* rest of the line */
	bool first;	 /* no word of the line was taken */
};

static void find_edges(struct reader *r)
{
	const uint64_t lowest = 1032, us = 1000, longest = UINT64_C(1) << 30; /* ns */

	r->edge[0] = 0;
	for (size_t i = 0; i < BUCKETS; i++) {
		uint64_t end = lowest << i;

		r->label[i] = ((end < longest ? end : longest) - 1) / us;
		if (i + 1 < BUCKETS)
			r->edge[i + 1] = (double)end / (double)us;
	}
}

static bool begin_command(struct reader *r, struct str name, uint64_t calls, struct str where)
{
	struct bucket_scheme scheme = bucket_edges(r->edge, BUCKETS);

	scheme.limit = BUCKETS - 1;
	r->n = 0;
	r->upto = 0;
	if (!build_operation(r->to, STR(""), name, where) || !build_scheme(r->to, &scheme, where) ||
	    !build_count(r->to, calls, where))
		return false;
	build_unit(r->to, UNIT_US, UNIT_STATED);
	build_granularity(r->to, 1);
	return true;
}

static bool add_pair(struct reader *r, uint64_t label, struct str label_at, uint64_t upto,
		     struct str upto_at)
{
	size_t i = r->n;

	while (i < BUCKETS && r->label[i] < label)
		i++;
	if (i == BUCKETS || r->label[i] != label)
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, label_at,
				  r->n > 0 && label <= r->label[r->n - 1]
					  ? "not more than the latency before it"
					  : "no latency that LATENCY HISTOGRAM has");
	if (upto < r->upto)
		return lines_fail(&r->lines, DIAG_BUCKET_ORDER, upto_at,
				  "counts are cumulative, and this is less than %llu before it",
				  (unsigned long long)r->upto);
	if (upto > r->upto && !build_bucket(r->to, (int)i, upto - r->upto, upto_at))
		return false;
	r->n = i + 1;
	r->upto = upto;
	return true;
}

/* --- words ---------------------------------------------------------------------------- */

struct word {
	struct str text;
	bool first;  /* the first of its line */
	bool quoted; /* a name, not one of the keywords of the reply */
};

/* Recognizes "1)", "12#", "=>", "(integer)": redis-cli's formatting of replies. */
static bool is_decoration(struct str s)
{
	size_t n = 0;

	while (n < s.n && is_digit(s.p[n]))
		n++;
	return (n > 0 && n + 1 == s.n && (s.p[n] == ')' || s.p[n] == '#')) ||
	       str_eq(s, STR("=>")) || str_eq(s, STR("(integer)"));
}

/* Recognizes "127.0.0.1:6379> latency histogram". */
static bool is_prompt(struct str line)
{
	struct str head, tail;

	return str_cut(line, ' ', &head, &tail) && head.n > 2 && head.p[head.n - 1] == '>';
}

/* Takes a word up to a blank or a comma, or the text in quotes. */
static struct str take_word(struct str *rest)
{
	bool quoted = rest->p[0] == '"';
	struct str word = *rest;
	size_t n = quoted;

	while (n < rest->n &&
	       (quoted ? rest->p[n] != '"' : !is_gap(rest->p[n]) && rest->p[n] != ','))
		n += quoted && rest->p[n] == '\\' && n + 1 < rest->n ? 2 : 1;
	word.n = n;
	*rest = str_skip(*rest, n + (quoted && n < rest->n));
	return quoted ? str_skip(word, 1) : word;
}

/* Takes the next word; false at the end. */
static bool next_word(struct reader *r, struct word *ret)
{
	for (;;) {
		while (r->rest.n > 0 && (is_gap(r->rest.p[0]) || r->rest.p[0] == ','))
			r->rest = str_skip(r->rest, 1);
		if (r->rest.n == 0) {
			if (!lines_next(&r->lines))
				return false;
			r->rest = is_prompt(r->lines.text) ? STR("") : r->lines.text;
			r->first = true;
			continue;
		}
		*ret = (struct word){ .first = r->first, .quoted = r->rest.p[0] == '"' };
		ret->text = take_word(&r->rest);
		if (!ret->quoted && is_decoration(ret->text))
			continue;
		r->first = false;
		return true;
	}
}

static bool is_number(const struct word *w)
{
	return !w->quoted && str_begins_with_digit(w->text);
}

/* A fast path for raw replies: takes a number that is a whole line; false, with nothing taken, for
 * any other word. */
static bool next_plain_number(struct reader *r, uint64_t *ret, struct word *w)
{
	if (r->rest.n > 0 || !lines_next_short_u64(&r->lines, ret))
		return false;
	*w = (struct word){ .text = r->lines.text, .first = true };
	return true;
}

/* --- replies in words ------------------------------------------------------------------- */

static bool ends_early(struct reader *r, const char *expected)
{
	struct str end = str_skip(r->lines.in->bytes, r->lines.in->bytes.n);

	return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED, end, "expected %s",
			   expected);
}

static bool read_number(struct reader *r, uint64_t *ret, struct word *w, const char *expected)
{
	if (next_plain_number(r, ret, w))
		return true;
	if (!next_word(r, w))
		return ends_early(r, expected);
	return lines_count(&r->lines, w->text, ret, expected);
}

/* Reads a command after "calls".  *ret_next is the word after the pairs, if *ret_any. */
static bool read_command(struct reader *r, struct str name, struct word *ret_next, bool *ret_any)
{
	struct word w;
	uint64_t calls, label, upto;

	if (!read_number(r, &calls, &w, "how many calls there were"))
		return false;
	if (!next_word(r, &w))
		return ends_early(r, "histogram_usec");
	if (!str_eq(w.text, STR("histogram_usec")))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, w.text,
				  "expected histogram_usec");
	if (!begin_command(r, name, calls, name))
		return false;
	for (;;) {
		if (!next_plain_number(r, &label, ret_next)) {
			*ret_any = next_word(r, ret_next);
			if (!*ret_any || !is_number(ret_next))
				return true;
			if (!lines_count(&r->lines, ret_next->text, &label,
					 "expected a latency in us"))
				return false;
		}
		if (!read_number(r, &upto, &w, "how many calls took so long") ||
		    !add_pair(r, label, ret_next->text, upto, w.text))
			return false;
	}
}

/* Skips a word that is neither a command's name nor part of a reply.  A number after a command is
 * an error, because it belongs to that command. */
static bool pass_over(struct reader *r, const struct word *w, bool any)
{
	if (any && w->first && is_number(w))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, w->text,
				  "expected the name of a command");
	return !str_eq(w->text, STR("histogram_usec")) ||
	       lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, w->text, "no calls before it");
}

static bool read_words(struct reader *r)
{
	struct word last = { .text = STR("") }, w;
	bool more = next_word(r, &w), any = false;

	while (more) {
		if (str_eq(w.text, STR("calls")) && last.text.n > 0 && !is_number(&last)) {
			if (!read_command(r, last.text, &w, &more))
				return false;
			any = true;
			last.text = STR("");
			continue;
		}
		if (!pass_over(r, &w, any))
			return false;
		last = w;
		more = next_word(r, &w);
	}
	return true;
}

/* --- JSON -------------------------------------------------------------------------------- */

static bool read_pairs(struct reader *r, struct json *j)
{
	struct str key;
	uint64_t label, upto;

	for (json_object(j); json_key(j, &key);) {
		size_t from = json_begin(j);

		if (!json_u64(j, &upto))
			return false;
		if (number_u64(key, &label) != NUMBER_OK)
			return lines_fail(&r->lines, DIAG_NUMBER_BAD, json_since(j, from),
					  "after a key that is no latency in us");
		if (!add_pair(r, label, json_since(j, from), upto, json_since(j, from)))
			return false;
	}
	return !j->failed;
}

/* Reads {"calls":3000,"histogram_usec":{"1":2991}}. */
static bool read_object(struct reader *r, struct json *j, struct str name)
{
	size_t from = json_begin(j);
	bool has_calls = false;
	uint64_t calls = 0;
	struct str key;

	for (json_object(j); json_key(j, &key);) {
		if (str_eq(key, STR("calls"))) {
			has_calls = json_u64(j, &calls);
		} else if (str_eq(key, STR("histogram_usec"))) {
			if (!has_calls)
				return json_unexpected(j, "expected calls before it");
			if (!begin_command(r, name, calls, json_since(j, from)) ||
			    !read_pairs(r, j))
				return false;
		} else if (!json_skip(j)) {
			return false;
		}
	}
	return !j->failed;
}

/* Reads documents; consecutive ones are snapshots. */
static bool redis_latency_read_json(struct reader *r, struct input *in, struct diag *diag)
{
	struct arena *strings = arena_new();
	struct json j;
	struct str name;

	json_start(&j, cursor_on(in), strings, diag);
	for (bool again = false; !j.failed && json_peek(&j) != '\0'; again = true) {
		if (again)
			build_next_interval(r->to, NAN);
		if (!json_open(&j, '{'))
			break;
		while (json_key(&j, &name)) {
			if (!read_object(r, &j, name)) {
				arena_free(strings);
				return false;
			}
		}
	}
	arena_free(strings);
	return !j.failed;
}

static bool read_redis_latency(const struct read_task *task)
{
	struct reader r = { .to = task->to, .rest = STR("") };

	build_snapshots(task->to, SNAPSHOTS_CUMULATIVE);
	lines_start(&r.lines, task->in, task->diag);
	find_edges(&r);
	return str_has_prefix(json_without_space(task->in->bytes), STR("{"))
		       ? redis_latency_read_json(&r, task->in, task->diag)
		       : read_words(&r);
}

const struct format format_redis_latency = {
	.name = "redis-latency",
	.title = "LATENCY HISTOGRAM of Redis and Valkey, by redis-cli",
	.versions = "Redis 7.0, 8.0, Valkey 9.1",
	.unit = "stated",
	.totals = "not printed",
	.is_one = redis_latency_is_one,
	.read = read_redis_latency,
};
