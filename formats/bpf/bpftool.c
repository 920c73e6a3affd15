/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bpftool: output of `bpftool map dump` for a map without type information.
 *
 *	key:
 *	3d 00 00 00 00 00 00 00  0b 00 00 00 00 00 00 00
 *	value (CPU 00): 15 00 00 00 00 00 00 00
 *	value (CPU 01): 14 00 00 00 00 00 00 00
 *	key: 01 00 00 00  value: 05 00 00 00 00 00 00 00
 *	Found 2 elements
 *
 * formats/bpf/bpf_map.h says which maps are histograms.  The counts of the processors are
 * added up.  Versions seen: 7.1.  Not read: maps of lhist(), whose edges are not in
 * the map.
 */
#include "formats/bpf/bpf_map.h"

#include "base/arena.h"
#include "formats/lines.h"
#include "formats/text.h"

static bool is_byte(struct str s)
{
	struct bpf_bytes ignored = { .n = 0 };
	bool is = bpf_bytes_add(&ignored, s);

	bpf_bytes_release(&ignored);
	return is;
}

static enum probe probe_bpftool(struct str head, struct clue *clue)
{
	struct str line, rest = head, word;
	struct input in = { .bytes = head };
	bool key = false;

	(void)clue;
	while (text_line(&rest, &line)) {
		struct cursor c = cursor_at(&in, line);

		if (!scan_word(&c, &word))
			continue;
		if (!key && !str_eq(word, STR("key:")))
			return str_eq(word, STR("Found")) &&
					       str_has_prefix(cursor_rest(&c), STR(" 0 elements"))
				       ? PROBE_MARKS
				       : PROBE_NO;
		if (str_eq(word, STR("key:")) && !scan_word(&c, &word)) {
			key = true;
			continue;
		}
		return is_byte(word) ? PROBE_MAGIC : PROBE_NO;
	}
	return PROBE_NO;
}

/* --- reading ------------------------------------------------------------------ */

struct reader {
	struct lines lines;
	struct bpf_map *map;
	struct bpf_bytes key, values;
	bool in_key, in_value, found;
	struct str where; /* of the current element */
	uint64_t n_elements;
};

static bool end_element(struct reader *r)
{
	bool ok = true;

	if (r->in_key)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->where,
				  "a key without a value");
	if (r->in_value) {
		ok = bpf_map_add(r->map, &r->key, &r->values, r->where);
		r->n_elements++;
	}
	r->key.n = r->values.n = 0;
	r->in_key = r->in_value = false;
	return ok;
}

/* "(CPU 01):" */
static bool scan_cpu(struct cursor *c)
{
	struct str word;

	return scan_word(c, &word) && str_eq(word, STR("(CPU")) && scan_word(c, &word) &&
	       str_has_suffix(word, STR("):"));
}

/* "Found 195 elements" */
static bool read_end(struct reader *r, struct cursor *c, struct str s)
{
	struct str word;
	uint64_t n;

	if (!end_element(r))
		return false;
	r->found = true;
	if (!scan_word(c, &word) || number_u64(word, &n) != NUMBER_OK)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s, "expected Found N elements");
	if (n != r->n_elements)
		diag_part(r->lines.diag, DIAG_COUNT_MISMATCH, r->lines.in, s,
			  "%llu elements are in the file", (unsigned long long)r->n_elements);
	return true;
}

/* Reads the bytes that follow, with one or two blanks between them. */
static void scan_bytes(struct cursor *c, struct bpf_bytes *to)
{
	const char *p = c->in->bytes.p;
	size_t at = c->at;

	while (at < c->end) {
		size_t from = at + 1 + (at + 1 < c->end && p[at + 1] == ' ');

		if (p[at] != ' ' || from + 2 > c->end ||
		    (from + 2 < c->end && p[from + 2] != ' ') ||
		    !bpf_bytes_add(to, (struct str){ p + from, 2 }))
			break;
		at = from + 2;
	}
	c->at = at;
}

static bool read_word(struct reader *r, struct cursor *c, struct str word, struct str s)
{
	if (str_eq(word, STR("key:"))) {
		if (!end_element(r))
			return false;
		r->in_key = true;
		r->where = s;
		return true;
	}
	if (str_eq(word, STR("value:")) || str_eq(word, STR("value"))) {
		if ((!r->in_key && !r->in_value) || r->key.n == 0)
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, word,
					  "a value without a key");
		r->in_key = false;
		r->in_value = true;
		return str_eq(word, STR("value:")) || scan_cpu(c) ||
		       lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, word,
				  "expected value: or value (CPU N):");
	}
	if ((!r->in_key && !r->in_value) || !bpf_bytes_add(r->in_key ? &r->key : &r->values, word))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, word,
				  "expected a byte, two hexadecimal digits");
	scan_bytes(c, r->in_key ? &r->key : &r->values);
	return true;
}

static bool bpftool_read_line(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct str word;

	while (scan_word(&c, &word)) {
		if (str_eq(word, STR("Found")))
			return read_end(r, &c, r->lines.text);
		if (!read_word(r, &c, word, r->lines.text))
			return false;
	}
	return true;
}

static bool read_bpftool(const struct read_task *task)
{
	struct arena *arena = arena_new();
	struct reader r = { .map = bpf_map_new(task->in, arena, task->diag) };
	bool ok = true;

	lines_start(&r.lines, task->in, task->diag);
	while (ok && lines_next(&r.lines))
		ok = bpftool_read_line(&r);
	if (ok && !r.found)
		ok = format_fail(task->in, task->diag, DIAG_INPUT_TRUNCATED,
				 (struct str){ task->in->bytes.p + task->in->bytes.n, 0 },
				 "the line Found N elements is missing");
	ok = ok && bpf_map_push(r.map, task->to);
	bpf_map_free(r.map);
	bpf_bytes_release(&r.key);
	bpf_bytes_release(&r.values);
	arena_free(arena);
	return ok;
}

const struct format format_bpftool = {
	.name = "bpftool",
	.title = "bpftool map dump: bpftrace's and bcc's histograms",
	.versions = "7.1",
	.unit = "not stated",
	.totals = "from the buckets",
	.probe = probe_bpftool,
	.read = read_bpftool,
};
