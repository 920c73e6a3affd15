/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nginx: access logs whose log_format names its times, as in the examples of nginx's
 * documentation, after the fields of the format "combined" or among others.
 *
 *	192.0.2.7 - - [22/Nov/2026:12:49:28 +0000] "GET /app/a?x=1 HTTP/1.1" 200 14 "-"
 *	    "curl/7.88.1" rt=0.010 uct="0.000" uht="0.010" urt="0.010"
 *
 * (one line).  These names stand for $request_time, $upstream_connect_time, $upstream_header_time
 * and $upstream_response_time; ut and the full names are read, too.  Each is a layer.  Times are
 * in s with three decimals.  Several upstreams are several latencies; "-" is none.  The operation
 * is the method and the top folder of the request, "GET /app/".  The time in brackets is the end
 * of the request.
 *
 * Seen: 1.22.  Not read: logs without names of times, and JSON.
 */

#include "formats/event_clock.h"
#include "formats/text.h"
#include "formats/worker_pool.h"

enum layer { REQUEST, CONNECT, HEADER, RESPONSE, LAYERS };

static const struct str layers[LAYERS] = { STR_INIT("request_time"),
					   STR_INIT("upstream_connect_time"),
					   STR_INIT("upstream_header_time"),
					   STR_INIT("upstream_response_time") };

struct entry {
	struct str stamp, name;
	struct str times[LAYERS]; /* p NULL: absent */
};

/* --- one line ----------------------------------------------------------------------- */

static enum layer layer_of(struct str key)
{
	static const struct {
		const char *key;
		enum layer layer;
	} others[] = { { "rt", REQUEST },
		       { "uct", CONNECT },
		       { "uht", HEADER },
		       { "urt", RESPONSE },
		       { "ut", RESPONSE } };
	size_t layer = 0;

	for (size_t i = 0; i < COUNT_OF(others); i++) {
		if (str_eq(key, str_from(others[i].key)))
			return others[i].layer;
	}
	while (layer < LAYERS && !str_eq(key, layers[layer]))
		layer++;
	return (enum layer)layer;
}

/* Reduces "GET /app/a?x=1 HTTP/1.1" to "GET /app/"; files in no folder become "GET /". */
static bool name_request(struct str request, struct str *ret)
{
	size_t method = 0, n;

	while (method < request.n && request.p[method] >= 'A' && request.p[method] <= 'Z')
		method++;
	if (method == 0 || method + 1 >= request.n || request.p[method] != ' ')
		return false;
	*ret = (struct str){ request.p, method };
	if (request.p[method + 1] != '/')
		return true;
	ret->n = method + sizeof(" /") - 1;
	for (n = ret->n; n < request.n && request.p[n] != ' ' && request.p[n] != '?'; n++) {
		if (request.p[n] == '/') {
			ret->n = n + 1;
			break;
		}
	}
	return true;
}

/* Takes a string in quotes, which contains no quotes, off the beginning of *rest. */
static bool take_quoted(struct str *rest, struct str *ret)
{
	return str_has_prefix(*rest, STR("\"")) && str_cut(str_skip(*rest, 1), '"', ret, rest);
}

static struct str take_word(struct str *rest)
{
	struct str word = *rest;

	for (word.n = 0; word.n < rest->n && !is_gap(rest->p[word.n]); word.n++)
		;
	*rest = str_skip(*rest, word.n);
	return word;
}

/* Takes key=value or key="value" off *rest; false for any other word. */
static bool nginx_take_time(struct str *rest, struct entry *e)
{
	size_t n = 0;
	enum layer layer;
	struct str value;

	while (n < rest->n && (is_letter(rest->p[n]) || rest->p[n] == '_'))
		n++;
	if (n == 0 || n == rest->n || rest->p[n] != '=')
		return false;
	layer = layer_of((struct str){ rest->p, n });
	*rest = str_skip(*rest, n + 1);
	if (!take_quoted(rest, &value))
		value = take_word(rest);
	if (layer < LAYERS)
		e->times[layer] = value;
	return true;
}

/* Takes "[22/Nov/2026:12:49:28 +0000]". */
static bool take_stamp(struct str *rest, struct entry *e)
{
	return str_has_prefix(*rest, STR("[")) && str_cut(str_skip(*rest, 1), ']', &e->stamp, rest);
}

/* Whether the line is a request with at least one time. */
static bool scan_entry(struct str line, struct entry *ret)
{
	struct str quoted;
	bool named = false;

	*ret = (struct entry){ .name = STR("other") };
	while (line.n > 0) {
		if (is_gap(line.p[0]))
			line = str_skip(line, 1);
		else if (take_quoted(&line, &quoted))
			named = named || name_request(quoted, &ret->name);
		else if (!take_stamp(&line, ret) && !nginx_take_time(&line, ret))
			(void)take_word(&line);
	}
	return ret->stamp.n > 0 && ret->times[REQUEST].n > 0;
}

/* Parses a time in nginx's format, "0.010". */
static bool parse_time(struct str s, struct decimal *ret)
{
	enum { DIGITS = 3 };

	return s.n > 1 + DIGITS && s.p[s.n - 1 - DIGITS] == '.' && is_digit(s.p[0]) &&
	       decimal_parse(s, ret);
}

static enum probe probe_nginx(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct decimal time;
	struct entry e;

	while (text_line(&rest, &line)) {
		if (!scan_entry(line, &e))
			continue;
		if (parse_time(e.times[REQUEST], &time))
			return PROBE_MARKS;
		*clue = (struct clue){ (size_t)(e.times[REQUEST].p - head.p),
				       "not seconds with three digits, as nginx has them" };
	}
	return PROBE_NO;
}

/* --- times -------------------------------------------------------------------------- */

/* Adds "0.010", or the times of several upstreams, "0.001, - : 0.010". */
static bool add_times(struct samples *s, struct str times, struct sample *sample)
{
	while (times.n > 0) {
		struct str one = take_word(&times);

		times = str_trim(times);
		if (str_has_suffix(one, STR(",")))
			one.n--;
		if (str_eq(one, STR("-")) || str_eq(one, STR(":")))
			continue;
		if (!parse_time(one, &sample->latency))
			return format_fail(s->in, s->diag, DIAG_NUMBER_BAD, one,
					   "expected seconds with three digits after the point");
		if (!samples_add(s, sample, one, one))
			return false;
	}
	return true;
}

/* Finds the start of a request: the log has its end, in whole seconds. */
static bool find_start(const struct entry *e, struct decimal *ret)
{
	const decimal_int billion = 1000000000;
	struct str local = e->stamp, zone;
	struct decimal took;

	(void)str_cut(local, ' ', &local, &zone);
	if (!event_log_time(local, ret) || !parse_time(e->times[REQUEST], &took))
		return false;
	ret->billionths -= took.billionths * billion;
	return true;
}

static bool add_entry(struct samples *s, const struct block *block, const struct entry *e)
{
	struct sample sample = { .name = e->name, .where = e->times[REQUEST] };

	sample.offset = block->at + (uint64_t)(sample.where.p - s->in->bytes.p);
	sample.timed = find_start(e, &sample.start);
	if (s->timed && !sample.timed)
		return format_fail(s->in, s->diag, DIAG_INTERVAL_BAD, e->stamp,
				   "expected a date and a time of day");
	for (size_t i = 0; i < LAYERS; i++, sample.offset++) {
		sample.layer = layers[i];
		if (!add_times(s, e->times[i], &sample))
			return false;
	}
	return true;
}

static bool nginx_read_block(void *member, const struct block *block, struct samples *s)
{
	struct str rest = s->in->bytes, line;
	struct entry e;

	(void)member;
	while (text_line(&rest, &line)) {
		if (rest.n == 0 && s->in->bytes.p[s->in->bytes.n - 1] != '\n')
			return format_fail(s->in, s->diag, DIAG_INPUT_TRUNCATED,
					   str_skip(line, line.n), "expected a newline");
		if (!scan_entry(line, &e))
			s->skipped[0] += line.n > 0;
		else if (!add_entry(s, block, &e))
			return false;
	}
	return true;
}

static bool read_nginx(const struct read_task *task)
{
	static const struct accumulator_options kind = {
		.unit = UNIT_S, .unit_source = UNIT_STATED, .start_rate = 1e9, .granularity = 1e-3
	};
	struct worker_pool_job job = { .task = task,
				       .sampling = &kind,
				       .alone = task->options->build.interval > 0,
				       .read = nginx_read_block,
				       .skipped = { { DIAG_NOT_A_HISTOGRAM,
						      "lines without a request's time" } } };

	return worker_pool_read(&job);
}

const struct format format_nginx = {
	.name = "nginx",
	.title = "access logs of nginx that name their times",
	.versions = "1.22",
	.unit = "s, always",
	.totals = "exact, in steps of 1 ms",
	.probe = probe_nginx,
	.streams = true,
	.read = read_nginx,
};
