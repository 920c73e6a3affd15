/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hist-trigger: histograms of `hist:` triggers, as tracefs shows them in events/.../hist.
 *
 *	# event histogram
 *	#
 *	# trigger info: hist:keys=pid,lat.log2:vals=hitcount:sort=lat.log2:size=2048 [active]
 *	#
 *
 *	{ pid:       2035, lat: ~ 2^2  } hitcount:         43
 *	{ pid:       2034, lat: ~ 2^3  } hitcount:          5
 *
 *	Totals:
 *	    Hits: 48
 *	    Entries: 2
 *	    Dropped: 0
 *
 * The latency is the key with such a name ("lat", "wakeup_latency", "delta" ...), else
 * the only one with .log2 or .buckets; `--column latency=KEY` sets it.  The other keys
 * make the operation.  "~ 2^k" means above 2^(k-1) and up to 2^k, "~ a-b" includes
 * both; a plain number is one latency, which goes to a base-2 bucket, and totals are
 * then exact.  Without such a key, a value that is a latency gives calls and totals.  The kernel's
 * signed numbers are printed unsigned.
 *
 * Seen: Linux 7.2 by running it, 4.7 to 6.1 in documentation and posts.  Not read: keys that
 * are stacks, unless a latency is a key as well.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/scan.h"
#include "formats/lines.h"
#include "formats/text.h"
#include "formats/tracing/hist_trigger_keys.h"
#include "formats/tracing/hist_trigger_rows.h"

enum { MAX_KEYS = 8 };

struct reader {
	struct lines lines;
	struct builder *to;
	const struct read_options *options;
	/* State of the current block. */
	struct arena *arena;
	bool in_block;
	struct str spec;     /* the trigger's specification */
	struct arena *marks; /* for the marks of keys */
	struct str keys;     /* the list of keys; the layer, if a file has several blocks */
	struct hist_key key[MAX_KEYS];
	size_t n_keys, latency; /* latency: n_keys if no key is a latency */
	struct str value;	/* a value that is a latency, if no key is */
	struct str value_mark;	/* " value:" */
	struct hist_rows rows;
	char *name; /* scratch */
	size_t n_name, cap_name;
	uint64_t hits, n_entries;
	uint64_t stated_hits; /* from its totals */
	bool complete;	      /* no line was omitted */
	bool ended;	      /* its totals were read */
};

static enum probe probe_hist_trigger(struct str head, struct clue *clue)
{
	struct str s, rest = head;

	(void)clue;
	while (text_line(&rest, &s)) {
		if (str_eq(s, STR("# event histogram")) ||
		    str_has_prefix(s, STR("# trigger info: hist:")))
			return PROBE_MAGIC;
		if (s.n > 0 && s.p[0] != '#')
			return PROBE_NO;
	}
	return PROBE_NO;
}

/* --- the trigger ---------------------------------------------------------------- */

static size_t find_latency(const struct reader *r)
{
	struct str wanted = r->options->columns.latency;
	size_t shaped = r->n_keys, n_shaped = 0;

	for (size_t i = 0; i < r->n_keys; i++) {
		if (wanted.n > 0 ? str_eq(r->key[i].name, wanted) : hist_is_latency(r->key[i].name))
			return i;
		if (r->key[i].shape != SHAPE_PLAIN) {
			shaped = i;
			n_shaped++;
		}
	}
	return wanted.n == 0 && n_shaped == 1 ? shaped : r->n_keys;
}

/* Returns a value field that is a latency, whose sum is printed. */
static struct str find_value(const struct reader *r)
{
	struct str list = hist_list(r->spec, STR(":vals=")), name,
		   wanted = r->options->columns.latency;

	while (hist_next(&list, &name)) {
		name.n = str_find(name, STR("."));
		if (wanted.n > 0 ? str_eq(name, wanted) : hist_is_latency(name))
			return name;
	}
	return (struct str){ NULL, 0 };
}

static bool push_groups(struct reader *r);

static bool read_spec(struct reader *r)
{
	struct str list, name;

	arena_clear(r->marks);
	r->n_keys = 0;
	r->keys = hist_list(r->spec, STR("keys="));
	list = r->keys;
	while (r->n_keys < MAX_KEYS && hist_next(&list, &name)) {
		r->key[r->n_keys] = (struct hist_key){ .shape = SHAPE_PLAIN };
		hist_parse_key(name, &r->key[r->n_keys]);
		r->key[r->n_keys].mark =
			arena_printf(r->marks, ", %.*s:", STR_ARG(r->key[r->n_keys].name));
		r->n_keys++;
	}
	if (r->n_keys == 0)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->spec,
				  "expected hist:keys=...");
	r->latency = find_latency(r);
	r->value = (struct str){ NULL, 0 };
	if (r->latency < r->n_keys)
		hist_rows_start(&r->rows, &r->lines, r->arena, &r->key[r->latency],
				r->options->resolution);
	else
		r->value = find_value(r);
	if (r->value.n > 0)
		r->value_mark = arena_printf(r->marks, " %.*s:", STR_ARG(r->value));
	return true;
}

/* It is usually the same as in the previous block. */
static bool read_trigger(struct reader *r, struct str spec)
{
	bool known;

	if (r->in_block && !push_groups(r))
		return false;
	arena_clear(r->arena);
	r->in_block = true;
	r->complete = true;
	r->ended = false;
	r->hits = r->n_entries = 0;
	known = str_eq(r->spec, spec);
	r->spec = spec;
	return known || read_spec(r);
}

/* --- entries ---------------------------------------------------------------------- */

static void add_name(struct reader *r, struct str part)
{
	r->name = xgrow(r->name, &r->cap_name, r->n_name + part.n, 1);
	if (part.n > 0)
		memcpy(r->name + r->n_name, part.p, part.n);
	r->n_name += part.n;
}

/* Joins the frames of a stack, which are on lines of their own: "a;b;c". */
static void add_stack(struct reader *r, struct str stack)
{
	size_t before = r->n_name;
	struct str frame;

	while (text_next(&stack, &frame)) {
		frame = str_trim(frame);
		if (frame.n > 0 && r->n_name > before)
			add_name(r, STR(";"));
		add_name(r, frame);
	}
}

/* Removes the blanks from "rtkit-daemon    [      1877]", or the number. */
static void add_key(struct reader *r, const struct hist_key *k, struct str value)
{
	size_t bracket = k->syscall || k->execname ? str_find_last(value, STR("[")) : value.n;
	struct str number;

	if (memchr(value.p, '\n', value.n) != NULL) {
		add_stack(r, value);
		return;
	}
	if (bracket == value.n) {
		add_name(r, value);
		return;
	}
	add_name(r, str_trim((struct str){ value.p, bracket }));
	if (k->syscall)
		return;
	number = str_skip(value, bracket + 1);
	number.n = str_find(number, STR("]"));
	add_name(r, STR("["));
	add_name(r, str_trim(number));
	add_name(r, STR("]"));
}

/* Returns the length up to the ", key:" that begins the next one. */
static size_t value_length(struct str body, struct str mark)
{
	const char *at = body.p, *end = body.p + body.n;

	while (at < end && (at = memchr(at, ',', (size_t)(end - at))) != NULL) {
		if (str_has_prefix((struct str){ at, (size_t)(end - at) }, mark))
			return (size_t)(at - body.p);
		at++;
	}
	return body.n;
}

/* Finds the value of each key.  A value may contain a comma, but not the next key's "key: ". */
static bool split_keys(struct reader *r, struct str body, struct str *ret_value)
{
	for (size_t i = 0; i < r->n_keys; i++) {
		struct str name = r->key[i].name;

		body = str_trim(body);
		if (!str_has_prefix(body, name) || body.n == name.n || body.p[name.n] != ':')
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, body,
					  "expected the trigger's keys");
		body = str_skip(body, name.n + 1);
		ret_value[i] = body;
		if (i + 1 < r->n_keys)
			ret_value[i].n = value_length(body, r->key[i + 1].mark);
		body = str_skip(body, ret_value[i].n + 2);
		ret_value[i] = str_trim(ret_value[i]);
	}
	return true;
}

/* Joins the other keys; valid until the next call. */
static struct str group_name(struct reader *r, const struct str *value)
{
	bool first = true;

	r->n_name = 0;
	for (size_t i = 0; i < r->n_keys; i++) {
		if (i == r->latency)
			continue;
		if (!first)
			add_name(r, STR(","));
		add_key(r, &r->key[i], value[i]);
		first = false;
	}
	return r->n_name > 0 ? (struct str){ r->name, r->n_name } : r->key[r->latency].name;
}

/* Pushes calls and the sum of latencies: "hitcount:  3  lat:  1093". */
static bool hist_trigger_push_summary(struct reader *r, const struct str *value, uint64_t hits,
				      struct str fields, struct str where)
{
	size_t at = str_find(fields, r->value_mark);
	struct decimal total;
	struct str number;

	number = str_trim(str_skip(fields, at + r->value_mark.n));
	number.n = str_find(number, STR(" "));
	if (at == fields.n || !decimal_parse(number, &total))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, where,
				  "expected the sum of the latencies");
	if (!build_operation(r->to, r->keys, group_name(r, value), where) ||
	    !build_count(r->to, hits, where) || !build_total(r->to, total, number))
		return false;
	build_unit(r->to, unit_in_name(r->value), UNIT_GUESSED);
	return true;
}

static const char no_counts[] =
	"expected } hitcount: N; hitcount.percent and hitcount.graph print no counts";

static bool read_entry(struct reader *r, struct str body, struct str number, struct str fields,
		       struct str where)
{
	struct str value[MAX_KEYS];
	uint64_t hits;

	if (r->lines.cut || number_u64(number, &hits) != NUMBER_OK)
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, number, "%s", no_counts);
	if (__builtin_add_overflow(r->hits, hits, &r->hits))
		return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, number,
				  "the sum passes 2^64-1 here");
	r->n_entries++;
	if (r->latency == r->n_keys && r->value.n == 0)
		return true;
	if (!split_keys(r, body, value))
		return false;
	return r->latency < r->n_keys ? hist_rows_add(&r->rows, group_name(r, value),
						      value[r->latency], hits, where)
				      : hist_trigger_push_summary(r, value, hits, fields, where);
}

/* Returns where the last "} hitcount:" begins; s.n if there is none. */
static size_t end_of_keys(struct str s)
{
	return str_find_last(s, STR("} hitcount:"));
}

/* An entry whose key is a stack continues on the next lines. */
static bool take_entry(struct reader *r, struct str s)
{
	size_t end = end_of_keys(s);
	struct str fields, number;

	while (end == s.n && lines_next(&r->lines)) {
		if (str_has_prefix(r->lines.text, STR("{ "))) {
			lines_again(&r->lines);
			break;
		}
		s.n = (size_t)(r->lines.text.p + r->lines.text.n - s.p);
		end = end_of_keys(s);
	}
	if (end == s.n)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s, "%s", no_counts);
	fields = str_skip(s, end + 1);
	number = str_trim(str_skip(fields, sizeof(" hitcount:") - 1));
	number.n = str_find(number, STR(" "));
	return read_entry(r, (struct str){ s.p + 2, end - 2 }, number, fields, s);
}

/* --- blocks ------------------------------------------------------------------------- */

static bool push_groups(struct reader *r)
{
	bool ok = r->ended || !r->complete ||
		  format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED,
			      (struct str){ r->lines.text.p + r->lines.text.n, 0 },
			      "a histogram without its totals");

	ok = ok && hist_rows_push(&r->rows, r->keys, r->to);
	hist_rows_drop(&r->rows);
	r->in_block = false;
	if (ok && r->latency == r->n_keys && r->value.n == 0)
		diag_at(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in,
			(size_t)(r->spec.p - r->lines.in->bytes.p), r->spec.n,
			"no key and no value that is a latency; --from hist-trigger "
			"use --column latency=NAME to choose it");
	return ok;
}

static void report_mismatch(struct reader *r, struct str where, const char *what, uint64_t stated,
			    uint64_t found)
{
	diag_part(r->lines.diag, DIAG_COUNT_MISMATCH, r->lines.in, where,
		  "stated %llu %s, entries hold %llu", (unsigned long long)stated, what,
		  (unsigned long long)found);
}

/* A trigger that is not paused counts while it is printed, so there may be more hits than entries
 * have, but never fewer. */
static bool hits_agree(const struct reader *r, uint64_t dropped)
{
	if (r->stated_hits <= r->hits || !str_has_suffix(r->spec, STR("[paused]")))
		return r->stated_hits >= r->hits;
	return r->stated_hits - r->hits == dropped;
}

static bool read_total(struct reader *r, struct str s)
{
	struct str name, number;
	uint64_t n;

	if (!str_cut(s, ':', &name, &number) || number_u64(str_trim(number), &n) != NUMBER_OK)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s, "expected a total");
	if (str_eq(name, STR("Hits")))
		r->stated_hits = n;
	if (str_eq(name, STR("Entries")) && r->complete && n != r->n_entries)
		report_mismatch(r, s, "entries", n, r->n_entries);
	if (!str_eq(name, STR("Dropped")))
		return true;
	r->ended = true;
	if (r->complete && !hits_agree(r, n))
		report_mismatch(r, s, "hits", r->stated_hits, r->hits);
	return n == 0 || build_lost(r->to, n, s);
}

static bool is_total(struct str s)
{
	return str_has_prefix(s, STR("Hits:")) || str_has_prefix(s, STR("Entries:")) ||
	       str_has_prefix(s, STR("Dropped:"));
}

static bool hist_trigger_read_line(struct reader *r)
{
	struct str s = r->lines.text, info = STR("# trigger info: ");

	if (s.n == 0 || r->lines.in->bytes.p[r->lines.at] == '\t')
		return true; /* from an action: "<TAB>max:  27  next_comm: ..." */
	if (r->in_block && str_has_prefix(s, STR("{ ")))
		return take_entry(r, s);
	if (str_has_prefix(s, info))
		return read_trigger(r, str_skip(s, info.n));
	if (s.p[0] == '#' || str_eq(s, STR("Totals:")))
		return true;
	if (!r->in_block)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected # trigger info: hist:...");
	if (is_total(s))
		return read_total(r, s);
	if (str_eq(s, STR(".")) || str_eq(s, STR("[...]"))) {
		r->complete = false; /* entries were omitted by hand */
		return true;
	}
	return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
			  "expected { KEY: VALUE } hitcount: N");
}

static bool read_hist_trigger(const struct read_task *task)
{
	struct reader r = {
		.to = task->to, .options = task->options, .arena = arena_new(), .marks = arena_new()
	};
	bool ok = true;

	lines_start(&r.lines, task->in, task->diag);
	while (ok && lines_next(&r.lines))
		ok = hist_trigger_read_line(&r);
	ok = ok && (!r.in_block || push_groups(&r));
	hist_rows_release(&r.rows);
	free(r.name);
	build_drop_single_layer(task->to);
	arena_free(r.arena);
	arena_free(r.marks);
	return ok;
}

const struct format format_hist_trigger = {
	.name = "hist-trigger",
	.title = "the kernel's hist: triggers",
	.versions = "Linux 4.7 to 7.2",
	.unit = "from the name of the key",
	.totals = "exact where the key is no bucket, or the value is a latency",
	.probe = probe_hist_trigger,
	.read = read_hist_trigger,
};
