/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bcc-json: output of bcc's `biolatency -j`, which is not JSON but Python dictionaries,
 * one for each histogram.
 *
 *	{'ts': '2020-12-30 14:33:03', 'val_type': 'usecs', 'data': [{'interval-start': 0,
 *		'interval-end': 1, 'count': 0}, ...], 'flags': 'Write'}
 *
 * A row includes both bounds; a linear table has 'value' instead.  Any other key than
 * these three is the section, its value the operation.  A new time begins a new
 * interval; the tools clear their maps.
 *
 * Seen: the example files of bcc 0.19 on.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/xalloc.h"
#include "formats/bcc_line.h"
#include "formats/format.h"
#include "formats/text.h"
#include "formats/tracer_lines.h"

struct row {
	double low, high;
	uint64_t count;
	struct str where;
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct arena *arena;
	struct json j;
	double stamp;	 /* of the last dictionary; NAN: none */
	struct row *row; /* of the current dictionary, whose name may follow them */
	size_t n_rows, cap_rows;
};

/* The current histogram. */
struct dictionary {
	struct str time, unit, name;
	bool has_rows;
};

static bool is_dictionary(struct str s)
{
	return str_has_prefix(s, STR("{'")) &&
	       (str_contains(s, STR("'val_type': ")) || str_contains(s, STR("'interval-start': ")));
}

static enum probe probe_bcc_json(struct str head, struct clue *clue)
{
	struct str line, rest = head;

	while (text_next(&rest, &line)) {
		struct str s = text_content(line);

		if (is_dictionary(s))
			return PROBE_MAGIC;
		if (str_has_prefix(s, STR("{'")) && s.n > 2 && str_find(s, STR("': ")) < s.n) {
			return probe_near(clue, head, s, "a dictionary without 'val_type'");
		}
	}
	return PROBE_NO;
}

/* --- rows ---------------------------------------------------------------------- */

/* Reads a row exactly as Python prints it, as nearly all are, in one pass. */
static bool scan_plain_row(struct cursor *c, uint64_t *ret_low, uint64_t *ret_high,
			   uint64_t *ret_count)
{
	struct cursor w = *c;

	if (!scan_literal(&w, STR("{'interval-start': ")) || !scan_u64(&w, ret_low) ||
	    !scan_literal(&w, STR(", 'interval-end': ")) || !scan_u64(&w, ret_high) ||
	    !scan_literal(&w, STR(", 'count': ")) || !scan_u64(&w, ret_count) ||
	    !scan_char(&w, '}'))
		return false;
	*c = w;
	return true;
}

static void bcc_json_add_row(struct reader *r, size_t from, uint64_t low, uint64_t high,
			     uint64_t count)
{
	r->row = xgrow(r->row, &r->cap_rows, r->n_rows + 1, sizeof(*r->row));
	r->row[r->n_rows++] = (struct row){
		.low = (double)low,
		.high = (double)high + 1,
		.count = count,
		.where = json_since(&r->j, from),
	};
}

/* Reads {'value': 2, 'count': 5}, and any other row. */
static bool bcc_json_read_members(struct reader *r, size_t from)
{
	uint64_t low = 0, high = 0, count = 0;
	bool has_low = false, has_high = false, has_count = false;
	const struct json_member members[] = {
		JSON_U64("interval-start", &low, &has_low),
		JSON_U64("value", &low, &has_low),
		JSON_U64("interval-end", &high, &has_high),
		JSON_U64("count", &count, &has_count),
	};

	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	if (!has_low || !has_count)
		return format_fail(r->in, r->diag, DIAG_JSON_BAD, json_since(&r->j, from),
				   "a row needs interval-start or value, and count");
	bcc_json_add_row(r, from, low, has_high ? high : low, count);
	return true;
}

/* {'interval-start': 2, 'interval-end': 3, 'count': 5} */
static bool bcc_json_read_row(void *reader)
{
	struct reader *r = reader;
	size_t from = json_begin(&r->j);
	uint64_t low, high, count;

	if (!scan_plain_row(&r->j.c, &low, &high, &count))
		return bcc_json_read_members(r, from);
	bcc_json_add_row(r, from, low, high, count);
	return true;
}

static bool bcc_json_push(struct reader *r, struct dictionary *d, struct str where)
{
	enum unit_source source;
	enum unit unit = bcc_unit(d->unit, &source);
	double stamp = NAN;

	if (is_time_line(d->time, &stamp) && stamp != r->stamp) {
		build_next_interval(r->to, stamp);
		r->stamp = stamp;
	}
	if (!build_operation(r->to, STR(""), d->name.n > 0 ? d->name : STR("latency"), where) ||
	    !build_histogram(r->to, where))
		return false;
	build_unit(r->to, unit, source);
	if (!d->has_rows)
		return format_fail(r->in, r->diag, DIAG_JSON_BAD, where, "without 'data'");
	for (size_t i = 0; i < r->n_rows; i++) {
		const struct row *row = &r->row[i];

		if (!build_range(r->to, row->low, row->high, row->count, row->where))
			return false;
	}
	return true;
}

/* --- dictionaries ----------------------------------------------------------------- */

static bool read_dictionary(struct reader *r)
{
	struct dictionary d = { .time = STR(""), .unit = STR(""), .name = STR("") };
	size_t from = r->j.c.at;
	struct str key;
	bool done = true;

	for (json_object(&r->j); done && json_key(&r->j, &key);) {
		if (str_eq(key, STR("data"))) {
			r->n_rows = 0;
			done = d.has_rows = json_each(&r->j, bcc_json_read_row, r);
		} else if (str_eq(key, STR("ts"))) {
			done = json_text_or_skip(&r->j, &d.time);
		} else if (str_eq(key, STR("val_type"))) {
			done = json_text_or_skip(&r->j, &d.unit);
		} else {
			done = json_text_or_skip(&r->j, &d.name);
		}
	}
	return done && !r->j.failed && bcc_json_push(r, &d, json_since(&r->j, from));
}

/* Banners, times and the terminal's echo may be between dictionaries. */
static bool bcc_json_read_line(struct reader *r)
{
	struct cursor line;
	struct str s;
	bool last;

	if (!scan_line(&r->j.c, &line))
		return true;
	last = line.end == r->in->bytes.n;
	s = text_content(cursor_rest(&line));
	if (s.n > 0 && s.p[0] == '{') { /* after a ^C */
		r->j.c.at = (size_t)(s.p - r->in->bytes.p);
		return read_dictionary(r);
	}
	if (last || (s.n > 0 && s.p[0] == '\''))
		return format_fail(r->in, r->diag, last ? DIAG_INPUT_TRUNCATED : DIAG_JSON_BAD, s,
				   "expected a dictionary");
	return true;
}

static bool read_bcc_json(const struct read_task *task)
{
	struct reader r = { .in = task->in,
			    .to = task->to,
			    .diag = task->diag,
			    .arena = arena_new(),
			    .stamp = NAN };
	bool ok = true;

	json_start(&r.j, cursor_on(task->in), r.arena, task->diag);
	r.j.python = true;
	while (ok && json_peek(&r.j) != '\0')
		ok = json_peek(&r.j) == '{' ? read_dictionary(&r) : bcc_json_read_line(&r);
	build_snapshots(task->to, SNAPSHOTS_DELTA);
	free(r.row);
	arena_free(r.arena);
	return ok && !r.j.failed;
}

const struct format format_bcc_json = {
	.name = "bcc-json",
	.title = "biolatency -j of bcc: dictionaries of Python",
	.versions = "bcc 0.19 on",
	.unit = "stated",
	.totals = "from the buckets",
	.probe = probe_bcc_json,
	.read = read_bcc_json,
};
