/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hist-trigger: the histograms that the kernel keeps for a `hist:` trigger, as
 * tracefs shows them in events/.../hist.
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
 * The latency is the key whose name says so ("lat", "wakeup_latency", "delta" ...),
 * else the only one with .log2 or .buckets; `--column latency=KEY` says which.  The
 * other keys make the operation.  "~ 2^k" holds what lies above 2^(k-1) and up to
 * 2^k, "~ a-b" includes both; a plain number is one latency, which goes to a base-2
 * bucket, and makes totals exact.  Without such a key, a value that is a latency
 * gives calls and totals.  The kernel's signed numbers are printed unsigned.
 *
 * Seen: Linux 4.7 to 6.1, in its documentation and in posts.  Not read: keys that
 * are stacks, unless a latency stands beside them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/scan.h"
#include "formats/format.h"
#include "formats/hist_trigger_keys.h"
#include "formats/text.h"
#include "profile/sampler.h"

enum { MOST_KEYS = 8, LOG2_BUCKETS = 64 };

struct row {
	double low; /* by which rows are ordered */
	int index;
	uint64_t count;
	struct str where;
};

struct group {
	struct str name;
	struct row *row;
	size_t n, cap;
	bool exact; /* total, least and most are of all rows */
	struct decimal total;
	double least, most;
	struct str where;
	UT_hash_handle hh;
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	const struct read_options *options;
	struct arena *arena;
	struct cursor rest;
	bool last; /* the line at hand ends the file, without a newline */
	/* Of the block at hand. */
	bool in_block;
	struct str spec; /* of the trigger */
	struct str keys; /* of it: the layer, where a file has several */
	struct hist_key key[MOST_KEYS];
	size_t n_keys, latency; /* latency: n_keys where no key is one */
	struct str value;	/* that is a latency, where no key is */
	struct bucket_scheme scheme;
	double edge[LOG2_BUCKETS + 1];
	struct group *groups;
	char *name; /* scratch */
	size_t n_name, cap_name;
	uint64_t hits;
	bool complete; /* no line was left out */
};

static bool fail(struct reader *r, enum diag_code code, struct str where, const char *what)
{
	return format_fail(r->in, r->diag, r->last ? DIAG_INPUT_TRUNCATED : code, where, "%s",
			   what);
}

static enum probe probe_hist_trigger(struct str head, struct clue *clue)
{
	struct str line, rest = text_without_bom(head);

	(void)clue;
	while (text_next(&rest, &line)) {
		struct str s = text_content(line);

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

/* A value field that is a latency: its sum is printed. */
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

static void choose_scheme(struct reader *r, const struct hist_key *k)
{
	r->scheme = sampler_scheme(UNIT_UNKNOWN, r->options->resolution);
	if (k->shape == SHAPE_BUCKETS)
		r->scheme = bucket_linear(0, (double)k->width);
	if (k->shape != SHAPE_LOG2)
		return;
	/* (2^(k-1), 2^k] of whole numbers is [2^(k-1) + 1, 2^k + 1) */
	r->edge[0] = 0;
	for (int i = 1; i <= LOG2_BUCKETS; i++)
		r->edge[i] = ldexp(1, i - 1) + 1;
	r->scheme = bucket_edges(r->edge, LOG2_BUCKETS + 1);
}

static bool push_groups(struct reader *r);

static bool read_trigger(struct reader *r, struct str spec)
{
	struct str list, name;

	if (r->in_block && !push_groups(r))
		return false;
	r->in_block = true;
	r->complete = true;
	r->hits = 0;
	r->spec = spec;
	r->n_keys = 0;
	r->keys = hist_list(spec, STR("keys="));
	list = r->keys;
	while (r->n_keys < MOST_KEYS && hist_next(&list, &name)) {
		r->key[r->n_keys] = (struct hist_key){ .shape = SHAPE_PLAIN };
		hist_parse_key(name, &r->key[r->n_keys]);
		r->key[r->n_keys].mark =
			arena_printf(r->arena, ", %.*s:", STR_ARG(r->key[r->n_keys].name));
		r->n_keys++;
	}
	if (r->n_keys == 0)
		return fail(r, DIAG_LINE_UNEXPECTED, spec, "expected hist:keys=...");
	r->latency = find_latency(r);
	r->value = (struct str){ NULL, 0 };
	if (r->latency < r->n_keys)
		choose_scheme(r, &r->key[r->latency]);
	else
		r->value = find_value(r);
	return true;
}

/* --- entries ---------------------------------------------------------------------- */

/* The frames of a stack, which stand on lines of their own: "a;b;c". */
static struct str folded(struct arena *a, struct str stack)
{
	struct str frame, name = STR("");

	while (text_next(&stack, &frame)) {
		frame = str_trim(frame);
		if (frame.n > 0)
			name = arena_printf(a, "%.*s%s%.*s", STR_ARG(name), name.n > 0 ? ";" : "",
					    STR_ARG(frame));
	}
	return name;
}

/* "rtkit-daemon    [      1877]" without the blanks, or without the number. */
static struct str shown_key(struct reader *r, const struct hist_key *k, struct str value)
{
	struct str name, number;
	size_t bracket;

	value = str_trim(value);
	if (memchr(value.p, '\n', value.n) != NULL)
		return folded(r->arena, value);
	bracket = str_find_last(value, STR("["));
	if ((!k->syscall && !k->execname) || bracket == value.n)
		return value;
	name = str_trim((struct str){ value.p, bracket });
	number = str_skip(value, bracket + 1);
	number.n = str_find(number, STR("]"));
	number = str_trim(number);
	return k->syscall ? name
			  : arena_printf(r->arena, "%.*s[%.*s]", STR_ARG(name), STR_ARG(number));
}

/* The value of each key; a comma may be part of one, "key: " of the next may not. */
static bool split_keys(struct reader *r, struct str body, struct str *ret_value)
{
	for (size_t i = 0; i < r->n_keys; i++) {
		struct str name = r->key[i].name;

		body = str_trim(body);
		if (!str_has_prefix(body, name) ||
		    !str_has_prefix(str_skip(body, name.n), STR(":")))
			return fail(r, DIAG_LINE_UNEXPECTED, body, "expected the trigger's keys");
		body = str_skip(body, name.n + 1);
		ret_value[i] = body;
		if (i + 1 == r->n_keys)
			break;
		ret_value[i].n = str_find(body, r->key[i + 1].mark);
		body = str_skip(body, ret_value[i].n + 2);
	}
	return true;
}

static void add_name(struct reader *r, struct str part)
{
	r->name = xgrow(r->name, &r->cap_name, r->n_name + part.n, 1);
	if (part.n > 0)
		memcpy(r->name + r->n_name, part.p, part.n);
	r->n_name += part.n;
}

/* What the other keys are, joined; valid until the next call. */
static struct str group_name(struct reader *r, const struct str *value)
{
	bool first = true;

	r->n_name = 0;
	for (size_t i = 0; i < r->n_keys; i++) {
		if (i == r->latency)
			continue;
		if (!first)
			add_name(r, STR(","));
		add_name(r, shown_key(r, &r->key[i], value[i]));
		first = false;
	}
	return r->n_name > 0 ? (struct str){ r->name, r->n_name } : r->key[r->latency].name;
}

static struct group *find_group(struct reader *r, struct str name, struct str where)
{
	struct group *g;

	HASH_FIND(hh, r->groups, name.p, name.n, g);
	if (g == NULL) {
		g = arena_make(r->arena, struct group, 1);
		*g = (struct group){ .name = arena_str(r->arena, name),
				     .where = where,
				     .exact = true };
		HASH_ADD_KEYPTR(hh, r->groups, g->name.p, g->name.n, g);
	}
	return g;
}

/* A plain number: signed ones were printed unsigned. */
static bool place_plain(struct reader *r, struct group *g, struct str s, struct row *row)
{
	struct decimal part, sum;
	uint64_t v;

	if (number_u64(s, &v) != NUMBER_OK)
		return fail(r, DIAG_NUMBER_BAD, s, "expected a latency");
	row->low = v > INT64_MAX ? (double)(int64_t)v : (double)v;
	row->index = bucket_find(&r->scheme, row->low);
	part = v > INT64_MAX ? decimal_from_i64((int64_t)v) : decimal_from_u64(v);
	if (!decimal_times(part, row->count, &part) || !decimal_add(g->total, part, &sum))
		return fail(r, DIAG_TOTAL_OVERFLOW, s, "the sum passes 1.7e29 here");
	g->total = sum;
	g->least = g->n == 0 ? row->low : fmin(g->least, row->low);
	g->most = g->n == 0 ? row->low : fmax(g->most, row->low);
	return true;
}

/* "~ 2^4" */
static bool place_log2(struct reader *r, struct str s, struct row *row)
{
	struct cursor c = cursor_at(r->in, s);
	uint64_t k;

	if (!scan_literal(&c, STR("~ 2^")) || !scan_u64(&c, &k) || !cursor_done(&c))
		return fail(r, DIAG_LINE_UNEXPECTED, s, "expected ~ 2^N");
	if (k >= LOG2_BUCKETS)
		return fail(r, DIAG_BUCKET_BOUNDS, s, "expected an exponent below 64");
	row->index = (int)k;
	row->low = (double)k;
	return true;
}

/* "~ 10-19" */
static bool place_linear(struct reader *r, uint64_t width, struct str s, struct row *row)
{
	struct cursor c = cursor_at(r->in, s);
	uint64_t low, high;

	if (!scan_literal(&c, STR("~ ")) || !scan_u64(&c, &low) || !scan_char(&c, '-') ||
	    !scan_u64(&c, &high) || !cursor_done(&c))
		return fail(r, DIAG_LINE_UNEXPECTED, s, "expected ~ LOW-HIGH");
	if (low % width != 0 || high - low != width - 1 || low / width >= BUCKET_NO_LIMIT)
		return fail(r, DIAG_BUCKET_BOUNDS, s, "not a bucket of the trigger's width");
	row->index = (int)(low / width);
	row->low = (double)low;
	return true;
}

static bool add_row(struct reader *r, const struct str *value, uint64_t hits, struct str where)
{
	const struct hist_key *k = &r->key[r->latency];
	struct group *g = find_group(r, group_name(r, value), where);
	struct row row = { .count = hits, .where = where };
	struct str s = str_trim(value[r->latency]);
	bool fine;

	if (k->shape == SHAPE_LOG2)
		fine = place_log2(r, s, &row);
	else if (k->shape == SHAPE_BUCKETS)
		fine = place_linear(r, k->width, s, &row);
	else
		fine = place_plain(r, g, s, &row);
	if (!fine)
		return false;
	g->exact = k->shape == SHAPE_PLAIN;
	g->row = xgrow(g->row, &g->cap, g->n + 1, sizeof(*g->row));
	g->row[g->n++] = row;
	return true;
}

/* "hitcount:  3  lat:  1093": the sum of the latencies. */
static bool push_moments(struct reader *r, const struct str *value, uint64_t hits,
			 struct str fields, struct str where)
{
	struct str key = arena_printf(r->arena, " %.*s:", STR_ARG(r->value)), number;
	size_t at = str_find(fields, key);
	struct decimal total;

	number = str_trim(str_skip(fields, at + key.n));
	number.n = str_find(number, STR(" "));
	if (at == fields.n || !decimal_parse(number, &total))
		return fail(r, DIAG_NUMBER_BAD, where, "expected the sum of the latencies");
	if (!build_operation(r->to, r->keys, group_name(r, value), where) ||
	    !build_count(r->to, hits, where) || !build_total(r->to, total, number))
		return false;
	build_unit(r->to, unit_in_name(r->value), UNIT_GUESSED);
	return true;
}

static bool read_entry(struct reader *r, struct str body, struct str fields, struct str where)
{
	struct str value[MOST_KEYS], number = str_trim(fields);
	uint64_t hits;

	if (!str_has_prefix(number, STR("hitcount:")))
		return fail(r, DIAG_LINE_UNEXPECTED, fields, "expected hitcount: N");
	number = str_trim(str_skip(number, sizeof("hitcount:") - 1));
	number.n = str_find(number, STR(" "));
	if (r->last || number_u64(number, &hits) != NUMBER_OK)
		return fail(r, DIAG_NUMBER_BAD, number, "expected a count");
	if (__builtin_add_overflow(r->hits, hits, &r->hits))
		return fail(r, DIAG_COUNT_OVERFLOW, number, "the sum passes 2^64-1 here");
	if (r->latency == r->n_keys && r->value.n == 0)
		return true;
	if (!split_keys(r, body, value))
		return false;
	return r->latency < r->n_keys ? add_row(r, value, hits, where)
				      : push_moments(r, value, hits, fields, where);
}

/* An entry whose key is a stack goes on in the lines that follow. */
static bool join_entry(struct reader *r, struct str *s)
{
	struct str mark = STR("} hitcount:");
	bool closed = str_contains(*s, mark);
	struct cursor line;

	while (!closed && scan_line(&r->rest, &line)) {
		struct str next = cursor_rest(&line);

		r->last = line.end == r->in->bytes.n;
		if (str_has_prefix(str_trim(next), STR("{ ")))
			break;
		s->n = (size_t)(next.p + next.n - s->p);
		closed = str_contains(next, mark);
	}
	return closed || fail(r, DIAG_LINE_UNEXPECTED, *s, "an entry without } hitcount:");
}

/* --- blocks ------------------------------------------------------------------------- */

static int by_low(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	return (a->low > b->low) - (a->low < b->low);
}

static bool push_group(struct reader *r, struct group *g)
{
	uint64_t calls = 0, here = 0;

	if (g->n > 1)
		qsort(g->row, g->n, sizeof(*g->row), by_low);
	if (!build_operation(r->to, r->keys, g->name, g->where) ||
	    !build_scheme(r->to, &r->scheme, g->where))
		return false;
	build_unit(r->to, unit_in_name(r->key[r->latency].name), UNIT_GUESSED);
	for (size_t i = 0; i < g->n; i++) {
		const struct row *row = &g->row[i];

		if (__builtin_add_overflow(calls, row->count, &calls))
			return fail(r, DIAG_COUNT_OVERFLOW, row->where,
				    "the sum passes 2^64-1 here");
		here += row->count;
		if (i + 1 < g->n && g->row[i + 1].index == row->index)
			continue;
		if (!build_bucket(r->to, row->index, here, row->where))
			return false;
		here = 0;
	}
	if (!g->exact || g->n == 0)
		return true;
	build_min(r->to, g->least);
	build_max(r->to, g->most);
	return build_count(r->to, calls, g->where) && build_total(r->to, g->total, g->where);
}

static void drop_groups(struct reader *r)
{
	for (struct group *g = r->groups; g != NULL; g = g->hh.next)
		free(g->row);
	HASH_CLEAR(hh, r->groups);
}

static bool push_groups(struct reader *r)
{
	bool fine = true;

	for (struct group *g = r->groups; fine && g != NULL; g = g->hh.next)
		fine = push_group(r, g);
	drop_groups(r);
	r->in_block = false;
	if (fine && r->latency == r->n_keys && r->value.n == 0)
		diag_at(r->diag, DIAG_NOT_A_HISTOGRAM, r->in, (size_t)(r->spec.p - r->in->bytes.p),
			r->spec.n,
			"no key and no value that is a latency; --from hist-trigger "
			"--column latency=NAME says which");
	return fine;
}

static bool read_total(struct reader *r, struct str s)
{
	struct str name, number;
	uint64_t n;

	if (!str_cut(s, ':', &name, &number) || number_u64(str_trim(number), &n) != NUMBER_OK)
		return fail(r, DIAG_LINE_UNEXPECTED, s, "expected a total");
	if (str_eq(name, STR("Dropped")) && n > 0)
		return build_lost(r->to, n, s);
	if (str_eq(name, STR("Hits")) && r->complete && n < r->hits)
		diag_at(r->diag, DIAG_COUNT_MISMATCH, r->in, (size_t)(s.p - r->in->bytes.p), s.n,
			"stated %llu hits, entries hold %llu", (unsigned long long)n,
			(unsigned long long)r->hits);
	return true;
}

static bool read_line(struct reader *r, struct str raw)
{
	struct str s = text_content(raw), info = STR("# trigger info: ");

	if (s.n == 0 || raw.p[0] == '\t')
		return true; /* of an action: "<TAB>max:  27  next_comm: ..." */
	if (str_has_prefix(s, info))
		return read_trigger(r, str_skip(s, info.n));
	if (s.p[0] == '#' || str_eq(s, STR("Totals:")))
		return true;
	if (!r->in_block)
		return fail(r, DIAG_LINE_UNEXPECTED, s, "expected # trigger info: hist:...");
	if (str_has_prefix(s, STR("{ "))) {
		size_t end;

		if (!join_entry(r, &s))
			return false;
		end = str_find_last(s, STR("} hitcount:"));
		return read_entry(r, (struct str){ s.p + 2, end - 2 }, str_skip(s, end + 1), s);
	}
	if (str_has_prefix(s, STR("Hits:")) || str_has_prefix(s, STR("Entries:")) ||
	    str_has_prefix(s, STR("Dropped:")))
		return read_total(r, s);
	if (str_eq(s, STR(".")) || str_eq(s, STR("[...]"))) {
		r->complete = false; /* somebody left entries out */
		return true;
	}
	return fail(r, DIAG_LINE_UNEXPECTED, s, "expected { KEY: VALUE } hitcount: N");
}

static bool read_hist_trigger(struct input *in, const struct read_options *options,
			      struct builder *to, struct diag *diag)
{
	struct reader r = {
		.in = in, .to = to, .diag = diag, .options = options, .arena = arena_new()
	};
	struct cursor line;
	bool fine = true;

	r.rest = cursor_at(in, text_without_bom(in->bytes));
	while (fine && scan_line(&r.rest, &line)) {
		r.last = line.end == in->bytes.n;
		fine = read_line(&r, cursor_rest(&line));
	}
	fine = fine && (!r.in_block || push_groups(&r));
	drop_groups(&r);
	free(r.name);
	build_drop_single_layer(to);
	arena_free(r.arena);
	return fine;
}

const struct format format_hist_trigger = {
	.name = "hist-trigger",
	.title = "the kernel's hist: triggers",
	.versions = "Linux 4.7 to 6.1",
	.unit = "from the name of the key",
	.totals = "exact where the key is no bucket, or the value is a latency",
	.probe = probe_hist_trigger,
	.read = read_hist_trigger,
};
