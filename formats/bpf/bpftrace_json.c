/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bpftrace -f json: one object for each printed map, one a line.
 *
 *	{"type": "attached_probes", "data": {"probes": 2}}
 *
 *	{"type": "hist", "data": {"@ns": {"read": [{"min": 512, "max": 1023, "count": 12},
 *		{"min": 1024, "max": 2047, "count": 60}]}}}
 *	{"type": "map", "data": {"@total": {"read": 91123}}}
 *
 * min and max are both inclusive; a bucket without min has everything up to max, one
 * without max everything from min on.  Versions seen: 0.17 and 0.27 by running them, up to 0.26
 * in its sources.  Up to 0.19 the bounds of [2^31, 2^32) are printed wrong, which is
 * corrected; 0.27 omits blanks in keys, which is not.  Not supported: tseries(),
 * maps of strings and stacks, which are left out with a note.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "formats/bpf/bpftrace_maps.h"
#include "formats/format.h"
#include "formats/text.h"
#include "formats/tracer_lines.h"

enum kind {
	KIND_NONE,
	KIND_HIST,
	KIND_MAP,
	KIND_STATS,
	KIND_TSERIES,
	KIND_TEXT, /* output of the script */
	KIND_TIME,
	KIND_LOST,
	KIND_MESSAGE,
	KIND_SKIPPED,
};

static const struct {
	struct str name;
	enum kind kind;
} kinds[] = {
	{ STR_INIT("hist"), KIND_HIST },
	{ STR_INIT("map"), KIND_MAP },
	{ STR_INIT("stats"), KIND_STATS },
	{ STR_INIT("tseries"), KIND_TSERIES },
	{ STR_INIT("printf"), KIND_TEXT },
	{ STR_INIT("time"), KIND_TIME },
	{ STR_INIT("lost_events"), KIND_LOST },
	{ STR_INIT("helper_error"), KIND_MESSAGE },
	{ STR_INIT("runtime_error"), KIND_MESSAGE },
	{ STR_INIT("errorf"), KIND_MESSAGE },
	{ STR_INIT("warnf"), KIND_MESSAGE },
	{ STR_INIT("attached_probes"), KIND_SKIPPED },
	{ STR_INIT("value"), KIND_SKIPPED },
	{ STR_INIT("cat"), KIND_SKIPPED },
	{ STR_INIT("join"), KIND_SKIPPED },
	{ STR_INIT("syscall"), KIND_SKIPPED },
};

static enum kind kind_of(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (str_eq(name, kinds[i].name))
			return kinds[i].kind;
	}
	return KIND_NONE;
}

/* --- detection --------------------------------------------------------------- */

static void scan_space(struct cursor *c)
{
	const char *p = c->in->bytes.p;

	while (!cursor_done(c) && memchr(" \t\r\n", p[c->at], 4) != NULL)
		c->at++;
}

/* {"type": "hist" */
static bool scan_opening(struct cursor *c, struct str *ret_type)
{
	struct str rest, type, tail;

	if (!scan_char(c, '{'))
		return false;
	scan_space(c);
	if (!scan_literal(c, STR("\"type\"")))
		return false;
	scan_space(c);
	if (!scan_char(c, ':'))
		return false;
	scan_space(c);
	if (!scan_char(c, '"'))
		return false;
	rest = cursor_rest(c);
	if (!str_cut(rest, '"', &type, &tail))
		return false;
	*ret_type = type;
	return true;
}

static enum probe probe_bpftrace_json(struct str head, struct clue *clue)
{
	struct input in = { .bytes = head };
	struct cursor c = cursor_on(&in), line, opening;
	struct str text, type;

	while (scan_line(&c, &line)) {
		text = text_content(cursor_rest(&line));
		if (text.n == 0 || text.p[0] != '{')
			continue; /* output of a traced command, or a warning, comes first */
		opening = cursor_at(&in, text);
		opening.end = head.n;
		if (!scan_opening(&opening, &type))
			return PROBE_NO;
		if (kind_of(type) != KIND_NONE)
			return PROBE_MAGIC;
		return probe_near(clue, head, type, "a type that it does not have");
	}
	return PROBE_NO;
}

/* --- maps -------------------------------------------------------------------- */

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct maps *maps;
	struct json j;
};

/* Returns where a key or string that was just read is in the input; it may have been decoded
 * elsewhere. */
static struct str where_of(const struct reader *r, struct str s, size_t from)
{
	const char *start = r->in->bytes.p;

	return s.p >= start && s.p < start + r->in->bytes.n ? s : json_since(&r->j, from);
}

/* Reads a bound of a bucket; `plus` is added before it is rounded to a double. */
static bool read_bound(struct reader *r, unsigned plus, double *ret)
{
	uint64_t above;
	int64_t below;

	if (json_peek(&r->j) == '-') {
		if (!json_i64(&r->j, &below))
			return false;
		*ret = (double)(below + (int64_t)plus);
		return true;
	}
	if (!json_u64(&r->j, &above))
		return false;
	*ret = above > UINT64_MAX - plus ? 0x1p64 : (double)(above + plus);
	return true;
}

/* Scans a whole number that a double represents exactly.  Returns `end` when there is none, or when
 * the file ends with it. */
static inline const char *scan_small(const char *p, const char *end, uint64_t *ret)
{
	enum { DIGITS = 15 };
	const char *from = p;

	*ret = 0;
	for (; p < end && is_digit(*p); p++)
		*ret = *ret * 10 + (uint64_t)(*p - '0');
	return p == from || p - from > DIGITS ? end : p;
}

static inline const char *scan_exact(const char *p, const char *end, const char *text, size_t n)
{
	return (size_t)(end - p) > n && memcmp(p, text, n) == 0 ? p + n : end;
}

/* Reads a bucket exactly as bpftrace prints it, as nearly all are, in one pass, which makes large
 * captures a third faster.  On failure p stays at `end`. */
static bool scan_plain_bucket(struct reader *r)
{
	static const char min_is[] = "{\"min\": ", max_is[] = ", \"max\": ",
			  count_is[] = ", \"count\": ";
	const char *from = r->in->bytes.p + r->j.c.at, *end = r->in->bytes.p + r->j.c.end;
	uint64_t min, max, count;
	const char *p = scan_exact(from, end, min_is, sizeof(min_is) - 1);

	p = scan_small(p, end, &min);
	p = scan_exact(p, end, max_is, sizeof(max_is) - 1);
	p = scan_small(p, end, &max);
	p = scan_exact(p, end, count_is, sizeof(count_is) - 1);
	p = scan_small(p, end, &count);
	if (p == end || *p != '}')
		return false;
	r->j.c.at += (size_t)(p + 1 - from);
	maps_row(r->maps, (double)min, (double)(max + 1), count,
		 (struct str){ from, (size_t)(p + 1 - from) });
	return true;
}

/* {"min": 4, "max": 7, "count": 2} */
static bool read_bucket(void *reader)
{
	struct reader *r = reader;
	double low = -HUGE_VAL, high = HUGE_VAL;
	bool has_bound = false, has_count = false;
	uint64_t count = 0;
	struct str key;
	size_t from;

	(void)json_peek(&r->j);
	if (scan_plain_bucket(r))
		return true;
	from = r->j.c.at;
	for (json_object(&r->j); json_key(&r->j, &key);) {
		bool done;

		if (str_eq(key, STR("count")))
			done = has_count = json_u64(&r->j, &count);
		else if (str_eq(key, STR("min")))
			done = has_bound = read_bound(r, 0, &low);
		else if (str_eq(key, STR("max")))
			done = has_bound = read_bound(r, 1, &high);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	if (r->j.failed)
		return false;
	if (!has_bound || !has_count)
		return format_fail(r->in, r->diag, DIAG_JSON_BAD, json_since(&r->j, from),
				   "a bucket needs min or max, and count");
	if (low == MAPS_BROKEN_LOW && high == 1) {
		low = MAPS_TOP_LOW;
		high = MAPS_TOP_HIGH;
	} else if (low == MAPS_TOP_LOW && high == MAPS_TOP_HIGH) {
		maps_top_is_closed(r->maps); /* versions that saturate print it wrong */
	}
	maps_row(r->maps, low, high, count, json_since(&r->j, from));
	return true;
}

static bool bpftrace_json_read_histogram(struct reader *r, const struct map_entry *e)
{
	maps_histogram(r->maps, e);
	return json_each(&r->j, read_bucket, r);
}

static bool read_other(struct reader *r, const struct map_entry *e)
{
	maps_other(r->maps, e);
	return json_skip(&r->j);
}

/* Reads a number; it is a string if a double would not hold it, or as a map's value. */
static bool read_number(struct reader *r, const struct map_entry *e)
{
	struct decimal number;
	struct str text;

	if (!json_text(&r->j, &text))
		return false;
	if (decimal_parse(text, &number))
		maps_scalar(r->maps, e, number);
	else
		maps_other(r->maps, e);
	return true;
}

static bool read_total(struct reader *r, struct decimal *ret)
{
	struct str text;

	(void)json_peek(&r->j);
	if (!json_text(&r->j, &text))
		return false;
	if (decimal_parse(text, ret))
		return true;
	return format_fail(r->in, r->diag, DIAG_NUMBER_BAD, where_of(r, text, r->j.c.at),
			   "expected a total");
}

/* {"count": 7200, "average": 3587, "total": 25828121} */
static bool read_stats(struct reader *r, const struct map_entry *e)
{
	struct decimal total = { 0 };
	bool has_count = false, has_total = false;
	uint64_t count = 0;
	struct str key;

	for (json_object(&r->j); json_key(&r->j, &key);) {
		bool done;

		if (str_eq(key, STR("count")))
			done = has_count = json_u64(&r->j, &count);
		else if (str_eq(key, STR("total")))
			done = has_total = read_total(r, &total);
		else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	if (has_count && has_total)
		maps_stats(r->maps, e, count, total);
	else
		maps_other(r->maps, e);
	return !r->j.failed;
}

/* Reads the value of a map's entry. */
static bool read_entry(struct reader *r, enum kind kind, const struct map_entry *e)
{
	char c = json_peek(&r->j);

	if (kind == KIND_HIST)
		return bpftrace_json_read_histogram(r, e);
	if (kind == KIND_TSERIES)
		return read_other(r, e);
	if (c == '{' && kind == KIND_STATS && e->keyed)
		return read_stats(r, e);
	if (c == '"' || c == '-' || is_digit(c)) {
		if (kind == KIND_STATS)
			map_is_average(e->map);
		return read_number(r, e);
	}
	return read_other(r, e);
}

static bool read_keys(struct reader *r, enum kind kind, struct map_entry *e)
{
	size_t n = 0, from;

	e->keyed = true;
	if (!json_open(&r->j, '{'))
		return false;
	for (from = r->j.c.at; json_key(&r->j, &e->key); from = r->j.c.at, n++) {
		e->where = where_of(r, e->key, from);
		if (!read_entry(r, kind, e))
			return false;
	}
	if (kind == KIND_STATS && n == 3)
		(void)maps_join_stats(r->maps);
	return !r->j.failed;
}

static bool read_maps(struct reader *r, enum kind kind)
{
	struct str name;
	size_t from;

	if (!json_open(&r->j, '{'))
		return false;
	for (from = r->j.c.at; json_key(&r->j, &name); from = r->j.c.at) {
		struct map_entry e = { .where = where_of(r, name, from) };

		if (str_has_prefix(name, STR("@")))
			name = str_skip(name, 1);
		e.map = maps_find(r->maps, name);
		maps_begin_snapshot(r->maps);
		if (json_peek(&r->j) == '{' ? !read_keys(r, kind, &e) : !read_entry(r, kind, &e))
			return false;
	}
	return !r->j.failed;
}

/* --- objects ----------------------------------------------------------------- */

static bool bpftrace_json_read_time(struct reader *r, enum kind kind)
{
	double stamp = NAN;
	struct str text;

	if (json_peek(&r->j) != '"')
		return json_skip(&r->j);
	if (!json_string(&r->j, &text))
		return false;
	(void)str_cut(text, '\n', &text, &(struct str){ 0 });
	if (is_time_line(text, &stamp) || kind == KIND_TIME)
		maps_time(r->maps, stamp);
	return true;
}

/* {"events": 5}, since 0.24 {"events": 5, "count": 5} */
static bool read_lost(struct reader *r)
{
	uint64_t events = 0, count = 0;
	size_t from = r->j.c.at;
	const struct json_member members[] = { JSON_U64("events", &events),
					       JSON_U64("count", &count) };

	return json_members(&r->j, members, COUNT_OF(members)) &&
	       build_lost(r->to, events > 0 ? events : count, json_since(&r->j, from));
}

static bool read_data(struct reader *r, enum kind kind, struct str *ret_message)
{
	switch (kind) {
	case KIND_HIST:
	case KIND_MAP:
	case KIND_STATS:
	case KIND_TSERIES:
		return read_maps(r, kind);
	case KIND_TEXT:
	case KIND_TIME:
		return bpftrace_json_read_time(r, kind);
	case KIND_LOST:
		return read_lost(r);
	case KIND_MESSAGE:
		if (json_peek(&r->j) == '"')
			return json_string(&r->j, ret_message);
		break;
	case KIND_NONE:
	case KIND_SKIPPED:
		break;
	}
	return json_skip(&r->j);
}

/* Reads data that came before its type. */
static bool read_data_again(struct reader *r, const struct json *data, enum kind kind,
			    struct str *ret_message)
{
	struct json after = r->j;

	r->j = *data;
	if (!read_data(r, kind, ret_message))
		return false;
	r->j = after;
	return true;
}

static bool read_object(struct reader *r)
{
	struct str key, type = STR(""), message = STR("");
	size_t from = r->j.c.at;
	struct json data;
	bool done = true, waits = false;

	if (!json_open(&r->j, '{'))
		return false;
	while (done && json_key(&r->j, &key)) {
		if (str_eq(key, STR("type"))) {
			done = json_string(&r->j, &type);
		} else if (str_eq(key, STR("data")) && type.n == 0) {
			data = r->j;
			waits = true;
			done = json_skip(&r->j);
		} else if (str_eq(key, STR("data"))) {
			done = read_data(r, kind_of(type), &message);
		} else if (str_eq(key, STR("msg")) && json_peek(&r->j) == '"') {
			done = json_string(&r->j, &message);
		} else {
			done = json_skip(&r->j);
		}
	}
	if (!done || r->j.failed)
		return false;
	if (waits && !read_data_again(r, &data, kind_of(type), &message))
		return false;
	if (kind_of(type) == KIND_MESSAGE)
		diag_at(r->diag, DIAG_COLLECTOR_ERROR, r->in, from, r->j.c.at - from, "%.*s: %.*s",
			STR_ARG(type), STR_ARG(message));
	return true;
}

/* Returns whether the line is part of an object whose beginning is missing. */
static bool is_remnant(struct str line)
{
	static const struct str mark[] = {
		STR_INIT("\"type\""),  STR_INIT("\"data\""), STR_INIT("\"min\""),
		STR_INIT("\"count\""), STR_INIT("\"max\""),
	};

	if (line.n > 0 && memchr("]},", line.p[0], 3) != NULL)
		return true;
	for (size_t i = 0; i < COUNT_OF(mark); i++) {
		if (str_contains(line, mark[i]))
			return true;
	}
	return false;
}

/* Handles a line that is not JSON: bpftrace's messages on standard error, or output of a traced
 * command. */
static bool read_noise(struct reader *r)
{
	struct cursor line;
	struct str text, collector_error;
	uint64_t events;

	if (!scan_line(&r->j.c, &line))
		return true;
	text = text_content(cursor_rest(&line));
	if (text.n > 0 && text.p[0] == '{') { /* after a ^C */
		r->j.c.at = (size_t)(text.p - r->in->bytes.p);
		return true;
	}
	if (is_collector_error(text, &collector_error)) {
		diag_at(r->diag, DIAG_COLLECTOR_ERROR, r->in, (size_t)(text.p - r->in->bytes.p),
			text.n, "%.*s", STR_ARG(collector_error));
		return true;
	}
	if (is_loss(text, &events))
		return build_lost(r->to, events, text);
	return !is_remnant(text) ||
	       format_fail(r->in, r->diag, DIAG_JSON_BAD, text, "expected an object");
}

static bool read_bpftrace_json(const struct read_task *task)
{
	struct arena *arena = arena_new();
	struct reader r = {
		.in = task->in,
		.to = task->to,
		.diag = task->diag,
		.maps = maps_new(task->in, arena, task->diag),
	};
	bool ok = true;

	json_start(&r.j, cursor_on(task->in), arena, task->diag);
	while (ok) {
		char c = json_peek(&r.j);

		if (c == '\0')
			break;
		ok = c == '{' ? read_object(&r) : read_noise(&r);
	}
	ok = ok && maps_push(r.maps, task->to);
	maps_free(r.maps);
	arena_free(arena);
	return ok;
}

const struct format format_bpftrace_json = {
	.name = "bpftrace-json",
	.title = "bpftrace -f json",
	.versions = "0.17 to 0.27",
	.unit = "from the name of the map",
	.totals = "exact, where the script keeps a sum() or stats() beside",
	.probe = probe_bpftrace_json,
	.read = read_bpftrace_json,
};
