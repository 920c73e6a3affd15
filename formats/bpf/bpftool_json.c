/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bpftool-json: output of `bpftool -j map dump`, and of `bpftool map dump` for a map with
 * type information (BTF).
 *
 *	[{"key":["0x3d","0x00", ...],"values":[{"cpu":0,"value":["0x15", ...]}, ...]}]
 *
 *	[{
 *	        "key": 1348,
 *	        "value": {
 *	            "slots": [0,0,1,0,0,2],
 *	            "comm": "python3"
 *	        }
 *	    }
 *	]
 *
 * Bytes are read as formats/bpf/bpf_map.h says.  Arrays named `slots`, at any depth, are
 * those of libbpf-tools: slot 0 holds [0, 2), slot i holds [2^i, 2^(i+1)), the last one
 * everything above.  If an element has both ("formatted"), types are used.  The
 * operation is the key, then `comm`, and within a value the path to the slots.
 *
 * Versions seen: 7.1.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/tables/str_table.h"
#include "base/xalloc.h"
#include "formats/bpf/bpf_map.h"
#include "formats/format.h"

enum { MAX_SLOTS = 64, FIRST_BYTES = 4096 };

/* The slots under one path, with the counts of the current element. */
struct slots {
	struct str path;    /* names of the fields that contain it */
	size_t element;	    /* number of the last element with this path */
	struct slots *next; /* in the current element */
	uint64_t count[MAX_SLOTS];
	size_t n;
	struct str where;
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct arena *arena;
	struct json j;
	struct bpf_map *map;
	size_t n_raw, n_other; /* elements of bytes; typed elements without slots */
	struct str other;
	struct str_table paths;
	struct slots **by_path; /* by number of the path */
	size_t cap_paths;
	/* State of the current element. */
	size_t element; /* its number, from 1 */
	struct bpf_bytes key, values;
	struct str name, comm;
	struct slots *slots, **slots_end; /* in file order */
	bool typed;
};

/* --- detection -------------------------------------------------------------------- */

static enum probe probe_bpftool_json(struct str head, struct clue *clue)
{
	static const struct str opening[] = { STR_INIT("["), STR_INIT("{"), STR_INIT("\"key\""),
					      STR_INIT(":") };
	struct str s = json_without_space(head), near;

	(void)clue;
	for (size_t i = 0; i < COUNT_OF(opening); i++) {
		if (!str_has_prefix(s, opening[i]))
			return PROBE_NO;
		s = json_without_space(str_skip(s, opening[i].n));
	}
	if (str_has_prefix(s, STR("[\"0x")))
		return PROBE_MAGIC;
	near = (struct str){ s.p, s.n < FIRST_BYTES ? s.n : FIRST_BYTES };
	return str_contains(near, STR("\"slots\"")) ? PROBE_MAGIC
	       : str_contains(near, STR("\"value")) ? PROBE_SHAPE
						    : PROBE_NO;
}

/* --- bytes -------------------------------------------------------------------------- */

/* ["0x3d","0x00"] */
static bool read_bytes(struct reader *r, struct bpf_bytes *to)
{
	struct str text;

	for (json_array(&r->j); json_item(&r->j);) {
		size_t from = r->j.c.at;

		if (!json_string(&r->j, &text))
			return false;
		if (!str_has_prefix(text, STR("0x")) || !bpf_bytes_add(to, str_skip(text, 2)))
			return format_fail(r->in, r->diag, DIAG_NUMBER_BAD, json_since(&r->j, from),
					   "expected a byte, as \"0x1f\"");
	}
	return !r->j.failed;
}

/* [{"cpu":0,"value":["0x15", ...]}, ...] */
static bool read_processors(struct reader *r)
{
	struct str key;

	for (json_array(&r->j); json_item(&r->j);) {
		for (json_object(&r->j); json_key(&r->j, &key);) {
			if (str_eq(key, STR("value")) ? !read_bytes(r, &r->values)
						      : !json_skip(&r->j))
				return false;
		}
	}
	return !r->j.failed;
}

/* --- types -------------------------------------------------------------------------- */

/* Reads a key as text: a number, a string, or the fields of a structure, joined. */
static bool read_name(struct reader *r, struct str *ret)
{
	char c = json_peek(&r->j);
	struct str part, field;

	if (c == '"')
		return json_string(&r->j, ret);
	if (c != '{' && c != '[')
		return json_number(&r->j, ret);
	*ret = STR("");
	if (!json_open(&r->j, c))
		return false;
	while (c == '{' ? json_key(&r->j, &field) : json_item(&r->j)) {
		if (!read_name(r, &part))
			return false;
		*ret = arena_printf(r->arena, "%.*s%s%.*s", STR_ARG(*ret), ret->n > 0 ? "," : "",
				    STR_ARG(part));
	}
	return !r->j.failed;
}

static struct slots *find_slots(struct reader *r, struct str path, struct str where)
{
	struct slots *s;
	bool is_new;
	size_t number = str_table_add(&r->paths, path, r->arena, &is_new);

	if (is_new) {
		r->by_path = xgrow(r->by_path, &r->cap_paths, number + 1, sizeof(struct slots *));
		r->by_path[number] = arena_make(r->arena, struct slots, 1);
	}
	s = r->by_path[number];
	if (s->element != r->element) {
		*s = (struct slots){ .path = r->paths.key[number],
				     .element = r->element,
				     .where = where };
		*r->slots_end = s;
		r->slots_end = &s->next;
	}
	return s;
}

/* Reads [0,0,1,0,0,2]; adds up those of several processors. */
static bool read_slots(struct reader *r, struct str path)
{
	size_t from = r->j.c.at, i = 0;
	struct slots *s;

	if (!json_open(&r->j, '['))
		return false;
	s = find_slots(r, path, json_since(&r->j, from));
	for (; json_item(&r->j); i++) {
		uint64_t count;

		if (!json_u64(&r->j, &count))
			return false;
		if (i == MAX_SLOTS)
			return format_fail(r->in, r->diag, DIAG_BUCKET_BOUNDS,
					   json_since(&r->j, from), "more than %d slots",
					   MAX_SLOTS);
		if (__builtin_add_overflow(s->count[i], count, &s->count[i]))
			return format_fail(r->in, r->diag, DIAG_COUNT_OVERFLOW,
					   json_since(&r->j, from),
					   "the sum of the processors passes 2^64-1");
	}
	s->n = i > s->n ? i : s->n;
	return !r->j.failed;
}

static bool read_typed(struct reader *r, struct str path);

static bool read_field(struct reader *r, struct str path, struct str field)
{
	char c = json_peek(&r->j);

	if (str_eq(field, STR("slots")) && c == '[')
		return read_slots(r, path);
	if (str_eq(field, STR("comm")) && c == '"')
		return json_string(&r->j, &r->comm);
	/* bpftool puts these around values of processors. */
	if (str_eq(field, STR("value")) || str_eq(field, STR("values")))
		return read_typed(r, path);
	if (c == '{' || c == '[')
		path = arena_printf(r->arena, "%.*s%s%.*s", STR_ARG(path), path.n > 0 ? "." : "",
				    STR_ARG(field));
	return read_typed(r, path);
}

/* Reads any value and searches it for slots. */
static bool read_typed(struct reader *r, struct str path)
{
	char c = json_peek(&r->j);
	struct str field;
	size_t i = 0;

	if (c != '{' && c != '[')
		return json_skip(&r->j);
	if (!json_open(&r->j, c))
		return false;
	while (c == '{' ? json_key(&r->j, &field) : json_item(&r->j)) {
		struct str inner = path;

		if (c == '[' && path.n > 0)
			inner = arena_printf(r->arena, "%.*s[%zu]", STR_ARG(path), i++);
		if (c == '{' ? !read_field(r, path, field) : !read_typed(r, inner))
			return false;
	}
	return !r->j.failed;
}

/* --- elements ------------------------------------------------------------------------- */

static bool push_slots(struct reader *r, const struct slots *s)
{
	struct bucket_scheme scheme = bucket_log2(1);
	struct str name = r->name;

	if (s->path.n > 0 && str_eq(name, STR("0"))) /* a global variable has no other key */
		name = s->path;
	else if (s->path.n > 0)
		name = arena_join(r->arena, name, ',', s->path);
	if (r->comm.n > 0)
		name = arena_join(r->arena, name, ' ', r->comm);
	scheme.first = 1;
	scheme.limit = (int)s->n - 1;
	if (!build_new_operation(r->to, STR(""), name, s->where) ||
	    !build_scheme(r->to, &scheme, s->where))
		return false;
	for (size_t i = 0; i < s->n; i++) {
		if (s->count[i] > 0 && !build_bucket(r->to, (int)i, s->count[i], s->where))
			return false;
	}
	return true;
}

static bool end_element(struct reader *r, struct str where)
{
	size_t pushed = 0;

	for (const struct slots *s = r->slots; s != NULL; s = s->next) {
		if (s->n < 2)
			continue; /* a single slot is not a histogram */
		if (!push_slots(r, s))
			return false;
		pushed++;
	}
	if (!r->typed) {
		r->n_raw++;
		return bpf_map_add(r->map, &r->key, &r->values, where);
	}
	if (pushed == 0 && r->n_other++ == 0)
		r->other = where;
	return true;
}

/* Returns whether an array of bytes, given as strings, is next. */
static bool are_bytes_next(struct reader *r)
{
	struct json ahead = r->j;

	return json_peek(&ahead) == '[' && json_open(&ahead, '[') && json_peek(&ahead) == '"';
}

static bool read_typed_part(struct reader *r, struct str field)
{
	r->typed = true;
	if (str_eq(field, STR("key")))
		return read_name(r, &r->name);
	return read_typed(r, STR(""));
}

static bool read_formatted(struct reader *r)
{
	struct str field;

	for (json_object(&r->j); json_key(&r->j, &field);) {
		if (!read_typed_part(r, field))
			return false;
	}
	return !r->j.failed;
}

static bool read_part(struct reader *r, struct str field)
{
	if (str_eq(field, STR("formatted")))
		return read_formatted(r);
	if (str_eq(field, STR("key")) && are_bytes_next(r))
		return read_bytes(r, &r->key);
	if (str_eq(field, STR("value")) && are_bytes_next(r))
		return read_bytes(r, &r->values);
	if (str_eq(field, STR("values")) && r->key.n > 0)
		return read_processors(r);
	if (str_eq(field, STR("key")) || str_eq(field, STR("value")) ||
	    str_eq(field, STR("values")))
		return read_typed_part(r, field);
	return json_skip(&r->j);
}

static bool read_element(struct reader *r)
{
	size_t from = r->j.c.at;
	struct str field;

	r->key.n = r->values.n = 0;
	r->name = r->comm = STR("");
	r->element++;
	r->slots = NULL;
	r->slots_end = &r->slots;
	r->typed = false;
	for (json_object(&r->j); json_key(&r->j, &field);) {
		if (!read_part(r, field))
			return false;
	}
	return !r->j.failed && end_element(r, json_since(&r->j, from));
}

static bool read_elements(struct reader *r)
{
	for (json_array(&r->j); json_item(&r->j);) {
		(void)json_peek(&r->j);
		if (!read_element(r))
			return false;
	}
	if (r->j.failed)
		return false;
	if (r->n_other > 0)
		diag_at(r->diag, DIAG_NOT_A_HISTOGRAM, r->in, (size_t)(r->other.p - r->in->bytes.p),
			1, "%zu element%s without slots", r->n_other, r->n_other == 1 ? "" : "s");
	return json_end(&r->j);
}

static bool read_bpftool_json(const struct read_task *task)
{
	struct arena *arena = arena_new();
	struct reader r = { .in = task->in,
			    .to = task->to,
			    .diag = task->diag,
			    .arena = arena,
			    .map = bpf_map_new(task->in, arena, task->diag) };
	bool ok;

	json_start(&r.j, cursor_on(task->in), arena, task->diag);
	ok = read_elements(&r) && (r.n_raw == 0 || bpf_map_push(r.map, task->to));
	str_table_release(&r.paths);
	free(r.by_path);
	bpf_map_free(r.map);
	bpf_bytes_release(&r.key);
	bpf_bytes_release(&r.values);
	arena_free(arena);
	return ok;
}

const struct format format_bpftool_json = {
	.name = "bpftool-json",
	.title = "bpftool -j map dump: bytes, and slots of libbpf-tools",
	.versions = "7.1",
	.unit = "not stated",
	.totals = "from the buckets",
	.probe = probe_bpftool_json,
	.read = read_bpftool_json,
};
