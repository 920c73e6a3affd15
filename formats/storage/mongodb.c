/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mongodb: MongoDB's latencies of operations, as printed by its shells.
 *
 *	{ "ns" : "test.matrices", "localTime" : ISODate("2017-10-06T19:43:56.599Z"),
 *	  "latencyStats" :
 *	    { "reads" :
 *	        { "histogram" : [ { "micros" : NumberLong(16), "count" : NumberLong(3) },
 *	                          { "micros" : NumberLong(128), "count" : NumberLong(1) } ],
 *	          "latency" : NumberLong(264), "ops" : NumberLong(4) },
 *	      "writes" : ...
 *
 *	opLatencies: { reads: { latency: Long('1290'), ops: Long('7') }, ... }
 *
 * latencyStats is for a collection (db.collection.latencyStats({histograms: true}), $collStats),
 * opLatencies for the server (serverStatus).  Without histograms there are summary statistics.  The
 * operation is reads, writes, commands or transactions; the layer is the collection, followed by a
 * blank and its shard.  Operations that never ran are skipped.
 *
 * micros is the lower edge of a bucket.  (The manual says that it is the upper one, but the sums of
 * its own example are too large for that.)  Edges are powers of two; from 2048 us to 1 s, also the
 * midpoints between them.  Times are in us; sums and counts are exact and cumulative since the
 * server started.
 *
 * The old shell, mongosh and JSON differ in quotes and in the syntax of long integers; all of these
 * are read.
 *
 * Seen: the examples of the manual and of an issue, the source of 3.4.  Not supported:
 * slowBuckets, which merges buckets.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "formats/format.h"
#include "formats/text.h"

static bool begins_value(struct str line)
{
	return str_has_prefix(line, STR("{")) || str_has_prefix(line, STR("["));
}

static bool mongodb_is_one(struct str head)
{
	return (str_contains(head, STR("latencyStats")) ||
		str_contains(head, STR("opLatencies"))) &&
	       format_has_marks(head, MARKS("", "reads", "ops")) && text_has(head, begins_value);
}

enum { DEPTH = 64, BOUNDS = 51 };

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct arena *strings;
	size_t at;   /* position in the input */
	bool failed; /* an error was reported */
	double edge[BOUNDS];
	struct str ns, shard; /* collection and shard of the current document */
};

static bool walk_value(struct reader *r, unsigned depth);

/* --- the syntax of shells ----------------------------------------------------------------- */

static char peek_char(struct reader *r)
{
	struct str s = r->in->bytes;

	while (r->at < s.n && (unsigned char)s.p[r->at] <= ' ')
		r->at++;
	return r->at < s.n ? s.p[r->at] : '\0';
}

static bool report_unexpected(struct reader *r, const char *expected)
{
	bool end = peek_char(r) == '\0';
	struct str where = { r->in->bytes.p + r->at, !end };

	r->failed = true;
	return format_fail(r->in, r->diag, end ? DIAG_INPUT_TRUNCATED : DIAG_LINE_UNEXPECTED, where,
			   "expected %s", expected);
}

static bool take_char(struct reader *r, char c)
{
	if (peek_char(r) != c)
		return false;
	r->at++;
	return true;
}

/* Reads the text between quotes, without decoding escapes. */
static bool read_quoted(struct reader *r, struct str *ret)
{
	struct str s = r->in->bytes;
	char quote = peek_char(r);
	size_t from = r->at + 1, at = from;

	while (at < s.n && s.p[at] != quote)
		at += s.p[at] == '\\' ? 2 : 1;
	if (at >= s.n)
		return format_fail(r->in, r->diag, DIAG_INPUT_TRUNCATED,
				   (struct str){ s.p + r->at, 1 }, "the quote is never closed");
	*ret = (struct str){ s.p + from, at - from };
	r->at = at + 1;
	return true;
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

/* Reads a name or a number without quotes. */
static bool read_word(struct reader *r, struct str *ret)
{
	struct str s = r->in->bytes;
	size_t from;

	(void)peek_char(r);
	from = r->at;
	while (r->at < s.n && (unsigned char)s.p[r->at] > ' ' &&
	       strchr("{}[](),:'\"", s.p[r->at]) == NULL)
		r->at++;
	*ret = (struct str){ s.p + from, r->at - from };
	return ret->n > 0 || report_unexpected(r, "a name or a number");
}

static bool read_text(struct reader *r, struct str *ret)
{
	return is_quote(peek_char(r)) ? read_quoted(r, ret) : read_word(r, ret);
}

/* Goes to the next element; false past the closing bracket, or when r->failed. */
static bool next_element(struct reader *r, char close, bool *begun)
{
	bool after = !*begun || take_char(r, ',');

	*begun = true;
	if (take_char(r, close))
		return false;
	return after || report_unexpected(r, close == '}' ? "a comma or }" : "a comma or ]");
}

static bool read_key(struct reader *r, struct str *ret)
{
	return read_text(r, ret) && (take_char(r, ':') || report_unexpected(r, "a colon"));
}

static bool next_key(struct reader *r, bool *begun, struct str *ret)
{
	if (!next_element(r, '}', begun))
		return false;
	r->failed |= !read_key(r, ret);
	return !r->failed;
}

/* Skips a value of any kind. */
static bool skip_value(struct reader *r)
{
	size_t open = 0;
	struct str ignored;

	for (;;) {
		char c = peek_char(r);

		if (c == '\0')
			return report_unexpected(r, "the end of a value");
		if (open == 0 && (c == ',' || c == '}' || c == ']'))
			return true;
		if (is_quote(c)) {
			if (!read_quoted(r, &ignored))
				return false;
			continue;
		}
		if (c == ')' && open == 0)
			return report_unexpected(r, "a value");
		if (c == '{' || c == '[' || c == '(')
			open++;
		else if ((c == '}' || c == ']' || c == ')') && --open == 0 && c != ')') {
			r->at++;
			return true;
		}
		r->at++;
	}
}

/* Reads 64, NumberLong(64), NumberLong("64"), Long('64'), { "$numberLong" : "64" }. */
static bool read_count(struct reader *r, uint64_t *ret, struct str *ret_where)
{
	bool extended = take_char(r, '{'), called;
	struct str text;

	if (extended && !read_key(r, &text))
		return false;
	if (!read_text(r, &text))
		return false;
	called = !extended && take_char(r, '(');
	if (called && !read_text(r, &text))
		return false;
	if ((called && !take_char(r, ')')) || (extended && !take_char(r, '}')))
		return report_unexpected(r, "the end of a number");
	*ret_where = text;
	return number_u64(text, ret) == NUMBER_OK ||
	       format_fail(r->in, r->diag, DIAG_NUMBER_BAD, text, "expected a whole number");
}

/* --- latencies --------------------------------------------------------------------------- */

static void set_edges(double *edge)
{
	enum { FIRST_SPLIT = 11, FIRST_WHOLE = 21, LAST = 40 };
	size_t n = 0;

	edge[n++] = 0;
	for (int i = 1; i <= LAST; i++) {
		edge[n++] = ldexp(1, i);
		if (i >= FIRST_SPLIT && i < FIRST_WHOLE)
			edge[n++] = ldexp(3, i - 1);
	}
}

struct latencies {
	uint64_t total, ops;
	bool has_total, has_histogram;
	uint64_t count[BOUNDS];
	struct str where[BOUNDS], name;
};

static bool add_bucket(struct reader *r, struct latencies *l, uint64_t micros, struct str low,
		       uint64_t count, struct str where)
{
	size_t i = 0;

	while (i < BOUNDS && r->edge[i] != (double)micros)
		i++;
	if (i == BOUNDS || l->where[i].p != NULL)
		return format_fail(r->in, r->diag, DIAG_BUCKET_BOUNDS, low,
				   "no bucket of MongoDB begins here, or it came before");
	l->count[i] = count;
	l->where[i] = where;
	return true;
}

/* Reads { micros: 64, count: 2 }. */
static bool read_bucket(struct reader *r, struct latencies *l)
{
	uint64_t micros = 0, count = 0;
	struct str key, low = { NULL, 0 }, where = { NULL, 0 };
	bool begun = false;

	if (!take_char(r, '{'))
		return report_unexpected(r, "{ micros, count }");
	while (next_key(r, &begun, &key)) {
		bool ok;

		if (str_eq(key, STR("micros")))
			ok = read_count(r, &micros, &low);
		else if (str_eq(key, STR("count")))
			ok = read_count(r, &count, &where);
		else
			ok = skip_value(r);
		if (!ok)
			return false;
	}
	if (r->failed)
		return false;
	if (low.p == NULL || where.p == NULL)
		return report_unexpected(r, "micros and count before it");
	return add_bucket(r, l, micros, low, count, where);
}

static bool mongodb_read_histogram(struct reader *r, struct latencies *l)
{
	bool begun = false;

	l->has_histogram = true;
	if (!take_char(r, '['))
		return report_unexpected(r, "an array of buckets");
	while (next_element(r, ']', &begun)) {
		if (!read_bucket(r, l))
			return false;
	}
	return !r->failed;
}

static bool mongodb_push(struct reader *r, const struct latencies *l)
{
	struct bucket_scheme scheme = bucket_edges(r->edge, BOUNDS);
	struct str layer = r->shard.n > 0 ? arena_join(r->strings, r->ns, ' ', r->shard) : r->ns;

	if (l->ops == 0)
		return true;
	if (!build_operation(r->to, layer, l->name, l->name))
		return false;
	build_unit(r->to, UNIT_US, UNIT_STATED);
	if (l->has_histogram && !build_scheme(r->to, &scheme, l->name))
		return false;
	for (size_t i = 0; i < BOUNDS; i++) {
		if (l->count[i] > 0 && !build_bucket(r->to, (int)i, l->count[i], l->where[i]))
			return false;
	}
	return build_count(r->to, l->ops, l->name) &&
	       (!l->has_total || build_total(r->to, decimal_from_u64(l->total), l->name));
}

/* Reads { histogram: [...], latency: 171, ops: 2 } after the bracket. */
static bool read_latencies(struct reader *r, struct str name)
{
	struct latencies l = { .name = name };
	struct str key, where;
	bool begun = false;

	while (next_key(r, &begun, &key)) {
		bool ok;

		if (str_eq(key, STR("histogram")))
			ok = mongodb_read_histogram(r, &l);
		else if (str_eq(key, STR("latency")))
			ok = l.has_total = read_count(r, &l.total, &where);
		else if (str_eq(key, STR("ops")))
			ok = read_count(r, &l.ops, &where);
		else
			ok = skip_value(r);
		if (!ok)
			return false;
	}
	return !r->failed && mongodb_push(r, &l);
}

/* Reads { reads: {...}, writes: {...} } after the bracket. */
static bool read_stats(struct reader *r)
{
	bool begun = false;
	struct str key;

	while (next_key(r, &begun, &key)) {
		if (!(take_char(r, '{') ? read_latencies(r, key) : skip_value(r)))
			return false;
	}
	return !r->failed;
}

/* --- documents ---------------------------------------------------------------------------- */

static bool mongodb_read_member(struct reader *r, struct str key, unsigned depth)
{
	bool is_text = is_quote(peek_char(r));

	if (is_text && str_eq(key, STR("ns")))
		return read_quoted(r, &r->ns);
	if (is_text && str_eq(key, STR("shard")))
		return read_quoted(r, &r->shard);
	if ((str_eq(key, STR("latencyStats")) || str_eq(key, STR("opLatencies"))) &&
	    take_char(r, '{'))
		return read_stats(r);
	return walk_value(r, depth);
}

static bool walk_object(struct reader *r, unsigned depth)
{
	struct str key, ns = r->ns, shard = r->shard;
	bool begun = false;

	r->ns = r->shard = STR("");
	while (next_key(r, &begun, &key)) {
		if (!mongodb_read_member(r, key, depth))
			return false;
	}
	r->ns = ns;
	r->shard = shard;
	return !r->failed;
}

static bool walk_array(struct reader *r, unsigned depth)
{
	bool begun = false;

	while (next_element(r, ']', &begun)) {
		if (!walk_value(r, depth))
			return false;
	}
	return !r->failed;
}

static bool walk_value(struct reader *r, unsigned depth)
{
	if (depth == DEPTH)
		return report_unexpected(r, "fewer brackets in each other");
	if (take_char(r, '{'))
		return walk_object(r, depth + 1);
	if (take_char(r, '['))
		return walk_array(r, depth + 1);
	return skip_value(r);
}

/* Reads values that begin a line; skips prompts, commands and other text between them. */
static bool read_values(struct reader *r)
{
	struct str line, rest = r->in->bytes;

	while (text_line(&rest, &line)) {
		if (!begins_value(line))
			continue;
		r->at = (size_t)(line.p - r->in->bytes.p);
		if (!walk_value(r, 0))
			return false;
		rest = str_skip(r->in->bytes, r->at);
	}
	return true;
}

static bool read_mongodb(const struct read_task *task)
{
	struct reader r = { .in = task->in,
			    .to = task->to,
			    .diag = task->diag,
			    .strings = arena_new(),
			    .ns = STR(""),
			    .shard = STR("") };
	bool ok;

	build_snapshots(task->to, SNAPSHOTS_CUMULATIVE);
	set_edges(r.edge);
	ok = read_values(&r);
	arena_free(r.strings);
	return ok;
}

const struct format format_mongodb = {
	.name = "mongodb",
	.title = "latencyStats and opLatencies of MongoDB, of its shells",
	.versions = "3.4 to 4.4",
	.unit = "us, always",
	.totals = "exact",
	.is_one = mongodb_is_one,
	.read = read_mongodb,
};
