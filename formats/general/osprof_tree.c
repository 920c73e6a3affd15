/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osprof-tree: a tree of calls that osprof causes -o writes, to be kept instead of the trace.
 *
 * 	# osprof-tree 1
 * 	edge 500000
 * 	tally 1 2000 0 0 ...
 * 	links 900 900 898 0 0 0 0
 * 	overhead 0
 * 	name handle_request
 * 	node 0 0 running 1
 * 	cell 0 150 1910 1910 54431179 54431179 1.5e12 0 1910 81920 4183882866800 81920 1
 * 	y 0 57 12
 * 	value 2 3 150 88
 * 	gap 120 5512
 *
 * `edge` adds an edge to the buckets of the function's latency, which are eighths of an octave from
 * 1 ns on.  `name` numbers names from 0; \xHH stands for bytes that a line cannot hold.  `node` has
 * its parent, name, kind and largest depth of recursion; node 0 is the function.  `cell` has the
 * node, the bucket, calls of the function with it, calls, own time, total time, sum of squares,
 * maxcounts as callee and as self, and the largest total with the start, latency and thread (a
 * name) of its call. `tally` and `links` are struct call_tally and call_link_counts; `overhead` is
 * the nanoseconds that --overhead subtracted for each call; a tree may lack these two.  `y` has a
 * cell, a bucket of its totals (quarters of an octave), calls.  `value` has key, value, bucket,
 * calls.  `gap` has the nanoseconds between two calls, and how often they occurred.
 *
 * As a profile: the latencies of the function.
 */
#include "formats/general/osprof_tree.h"

#include <string.h>

#include "base/arena.h"
#include "base/out.h"
#include "calls/call_tree.h"
#include "formats/format.h"
#include "formats/lines.h"
#include "formats/text.h"

enum {
	N_TALLY = sizeof(struct call_tally) / sizeof(uint64_t),
	N_LINKS = sizeof(struct call_link_counts) / sizeof(uint64_t),
};

static const char signature[] = "# osprof-tree ";

static bool osprof_tree_is_one(struct str head)
{
	return str_has_prefix(head, str_from(signature));
}

/* --- writing ------------------------------------------------------------------------------ */

static void write_name(struct out *o, struct str name)
{
	static const char digits[] = "0123456789abcdef";

	out_text(o, "name ");
	for (size_t i = 0; i < name.n; i++) {
		unsigned char c = (unsigned char)name.p[i];
		bool plain = c > ' ' && c != '\\' && c != 127;

		if (plain || (c == ' ' && i > 0 && i + 1 < name.n)) {
			out_char(o, (char)c);
			continue;
		}
		out_text(o, "\\x");
		out_char(o, digits[c >> 4]);
		out_char(o, digits[c & 15]);
	}
	out_char(o, '\n');
}

static void write_i64(struct out *o, int64_t v)
{
	out_printf(o, " %lld", (long long)v);
}

static void write_cell(struct out *o, const struct call_cell *c)
{
	out_printf(o, "cell %lu %lu %llu %llu", (unsigned long)c->node, (unsigned long)c->bucket,
		   (unsigned long long)c->present, (unsigned long long)c->calls);
	write_i64(o, c->own);
	write_i64(o, c->total);
	out_char(o, ' ');
	out_f64(o, c->squares);
	out_printf(o, " %llu %llu", (unsigned long long)c->as_callee,
		   (unsigned long long)c->as_self);
	write_i64(o, c->largest);
	write_i64(o, c->start);
	write_i64(o, c->latency);
	out_printf(o, " %lu\n", (unsigned long)c->thread);
}

static void write_edges(struct out *o, const struct call_tree *t)
{
	struct call_tree *plain = call_tree_new();
	uint32_t k = 0;

	for (uint32_t i = 0; i < t->n_edges; i++) {
		while (k + 1 < plain->n_edges && plain->edge[k] < t->edge[i])
			k++;
		if (plain->edge[k] == t->edge[i])
			continue;
		out_text(o, "edge ");
		out_f64(o, t->edge[i]);
		out_char(o, '\n');
	}
	call_tree_free(plain);
}

static void write_counts(struct out *o, const char *name, const uint64_t *v, size_t n)
{
	out_text(o, name);
	for (size_t i = 0; i < n; i++)
		out_printf(o, " %llu", (unsigned long long)v[i]);
	out_char(o, '\n');
}

static void write_tally(struct out *o, const struct call_tree *t)
{
	write_counts(o, "tally", (const uint64_t *)&t->tally, N_TALLY);
	write_counts(o, "links", (const uint64_t *)&t->links, N_LINKS);
	write_counts(o, "overhead", &t->overhead, 1);
	out_printf(o, "flags %d %d %d %d\n", t->filtered, t->full, t->unfolded, t->spans);
}

void osprof_tree_write(const struct call_tree *t, struct out *o)
{
	out_printf(o, "%s1\n", signature);
	write_edges(o, t);
	write_tally(o, t);
	for (size_t i = 0; i < t->names.n; i++)
		write_name(o, t->names.key[i]);
	for (uint32_t i = 0; i < t->n_nodes; i++)
		out_printf(o, "node %lu %lu %s %lu\n", (unsigned long)t->node[i].parent,
			   (unsigned long)t->node[i].name, call_kind_name(t->node[i].kind),
			   (unsigned long)t->node[i].depth);
	for (uint32_t i = 0; i < t->n_cells; i++)
		write_cell(o, &t->cell[i]);
	for (uint32_t i = 0; i < t->n_y; i++)
		out_printf(o, "y %llu %u %llu\n", (unsigned long long)(t->y[i] >> 8),
			   (unsigned)(t->y[i] & 255), (unsigned long long)t->y_count[i]);
	for (uint32_t i = 0; i < t->n_values; i++)
		out_printf(o, "value %lu %lu %lu %llu\n", (unsigned long)t->value[i].key,
			   (unsigned long)t->value[i].value, (unsigned long)t->value[i].bucket,
			   (unsigned long long)t->value[i].count);
	for (size_t i = 0; i < COUNT_OF(t->gap); i++) {
		if (t->gap[i] > 0)
			out_printf(o, "gap %zu %llu\n", i, (unsigned long long)t->gap[i]);
	}
	out_printf(o, "gaps %llu %llu\n", (unsigned long long)call_tree_gaps(t),
		   (unsigned long long)t->wide_gaps);
}

/* --- reading ------------------------------------------------------------------------------- */

struct reader {
	struct input *in;
	struct diag *diag;
	struct call_tree *t;
	struct str line;
	bool ended; /* `gaps` was read, which is the last line */
};

static bool fail_tree(struct reader *r, const char *what)
{
	return format_fail(r->in, r->diag, DIAG_LINE_UNEXPECTED, r->line, "expected %s", what);
}

static bool scan_numbers(struct cursor *c, uint64_t *ret, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		scan_blanks(c);
		if (!scan_u64(c, &ret[i]))
			return false;
	}
	return true;
}

static bool scan_i64(struct cursor *c, int64_t *ret)
{
	bool negative;
	uint64_t v;

	scan_blanks(c);
	negative = scan_char(c, '-');
	if (!scan_u64(c, &v) || v > INT64_MAX)
		return false;
	*ret = negative ? -(int64_t)v : (int64_t)v;
	return true;
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_name(struct reader *r, struct str text)
{
	char *name = arena_room(r->t->arena, text.n + 1, 1);
	size_t n = 0, before = r->t->names.n;

	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] != '\\') {
			name[n++] = text.p[i];
			continue;
		}
		if (i + 3 >= text.n || text.p[i + 1] != 'x' || hex_digit(text.p[i + 2]) < 0 ||
		    hex_digit(text.p[i + 3]) < 0)
			return fail_tree(r, "\\xHH");
		name[n++] = (char)(hex_digit(text.p[i + 2]) << 4 | hex_digit(text.p[i + 3]));
		i += 3;
	}
	(void)call_tree_name(r->t, (struct str){ name, n });
	return r->t->names.n == before + 1 || fail_tree(r, "a name that was not there yet");
}

static bool read_node(struct reader *r, struct cursor *c)
{
	uint64_t v[2], depth;
	struct str word;
	enum call_kind kind;
	struct call_tree *t = r->t;
	uint32_t node;

	if (!scan_numbers(c, v, 2) || !scan_word(c, &word) || !call_kind_parse(word, &kind) ||
	    !scan_numbers(c, &depth, 1) || v[1] >= t->names.n || depth > UINT32_MAX)
		return fail_tree(r, "PARENT NAME KIND DEPTH");
	if (t->n_nodes == 0) {
		call_tree_root(t, (uint32_t)v[1]);
		t->node[0].depth = (uint32_t)depth;
		return true;
	}
	if (v[0] >= t->n_nodes || t->n_nodes >= CALL_TREE_NODES)
		return fail_tree(r, "a parent that was there before");
	node = t->n_nodes;
	if (call_tree_child(t, (uint32_t)v[0], (uint32_t)v[1], kind) != node)
		return fail_tree(r, "a node that was not there yet");
	t->node[node].depth = (uint32_t)depth;
	return true;
}

static bool read_cell(struct reader *r, struct cursor *c)
{
	uint64_t v[4], max[2], thread;
	struct call_tree *t = r->t;
	struct call_cell cell = { .node = 0 };
	uint32_t before = t->n_cells;

	if (!scan_numbers(c, v, 4) || !scan_i64(c, &cell.own) || !scan_i64(c, &cell.total) ||
	    !(scan_blanks(c), scan_f64(c, &cell.squares)) || !scan_numbers(c, max, 2) ||
	    !scan_i64(c, &cell.largest) || !scan_i64(c, &cell.start) ||
	    !scan_i64(c, &cell.latency) || !scan_numbers(c, &thread, 1) || v[0] >= t->n_nodes ||
	    v[1] >= t->n_edges || thread >= t->names.n)
		return fail_tree(r, "the numbers of a cell");
	cell.node = (uint32_t)v[0];
	cell.bucket = (uint32_t)v[1];
	cell.present = v[2];
	cell.calls = v[3];
	cell.as_callee = max[0];
	cell.as_self = max[1];
	cell.thread = (uint32_t)thread;
	*call_tree_cell(t, cell.node, cell.bucket) = cell;
	return t->n_cells == before + 1 || fail_tree(r, "a cell that was not there yet");
}

static bool read_y(struct reader *r, struct cursor *c)
{
	uint64_t v[3];

	if (!scan_numbers(c, v, 3) || v[0] >= r->t->n_cells || v[1] >= CALL_Y_BUCKETS)
		return fail_tree(r, "CELL BUCKET CALLS");
	call_tree_count_y(r->t, &r->t->cell[v[0]], (unsigned)v[1], v[2]);
	return true;
}

static bool read_value(struct reader *r, struct cursor *c)
{
	uint64_t v[4];
	struct call_tree *t = r->t;

	if (!scan_numbers(c, v, 4) || v[0] >= t->names.n || v[1] >= t->names.n ||
	    v[2] >= t->n_edges)
		return fail_tree(r, "KEY VALUE BUCKET CALLS");
	call_tree_count_value(t, (uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2], v[3]);
	return true;
}

static bool read_tally(struct reader *r, struct cursor *c)
{
	uint64_t v[N_TALLY];

	if (!scan_numbers(c, v, N_TALLY))
		return fail_tree(r, "counts");
	memcpy(&r->t->tally, v, sizeof(v));
	return true;
}

static bool read_links(struct reader *r, struct cursor *c)
{
	uint64_t v[N_LINKS];

	if (!scan_numbers(c, v, N_LINKS))
		return fail_tree(r, "counts");
	memcpy(&r->t->links, v, sizeof(v));
	return r->t->links.found <= r->t->links.submits ||
	       fail_tree(r, "no more found than submitted");
}

static bool read_overhead(struct reader *r, struct cursor *c)
{
	return scan_numbers(c, &r->t->overhead, 1) || fail_tree(r, "NANOSECONDS");
}

static bool read_flags(struct reader *r, struct cursor *c)
{
	uint64_t v[4];

	if (!scan_numbers(c, v, 4))
		return fail_tree(r, "four flags");
	r->t->filtered = v[0] != 0;
	r->t->full = v[1] != 0;
	r->t->unfolded = v[2] != 0;
	r->t->spans = v[3] != 0;
	return true;
}

static bool read_gap(struct reader *r, struct cursor *c)
{
	uint64_t v[2];

	if (!scan_numbers(c, v, 2) || v[0] >= COUNT_OF(r->t->gap))
		return fail_tree(r, "NANOSECONDS COUNT");
	r->t->gap[v[0]] = v[1];
	return true;
}

static bool read_gaps(struct reader *r, struct cursor *c)
{
	uint64_t v[2];

	if (!scan_numbers(c, v, 2))
		return fail_tree(r, "two counts");
	r->t->wide_gaps = v[1];
	if (call_tree_gaps(r->t) != v[0])
		return fail_tree(r, "the sum of all gaps, and the wide ones");
	r->ended = true;
	return true;
}

static bool read_edge(struct reader *r, struct cursor *c)
{
	double edge;

	scan_blanks(c);
	if (!scan_f64(c, &edge) || !(edge > 0) || r->t->n_cells > 0)
		return fail_tree(r, "a latency, before all cells");
	call_tree_add_edge(r->t, edge);
	return true;
}

static bool osprof_tree_read_line(struct reader *r)
{
	static const struct {
		struct str name;
		bool (*read)(struct reader *r, struct cursor *c);
	} kinds[] = {
		{ STR_INIT("edge"), read_edge },
		{ STR_INIT("tally"), read_tally },
		{ STR_INIT("links"), read_links },
		{ STR_INIT("flags"), read_flags },
		{ STR_INIT("node"), read_node },
		{ STR_INIT("cell"), read_cell },
		{ STR_INIT("y"), read_y },
		{ STR_INIT("value"), read_value },
		{ STR_INIT("gap"), read_gap },
		{ STR_INIT("gaps"), read_gaps },
		{ STR_INIT("overhead"), read_overhead },
	};
	struct cursor c = cursor_at(r->in, r->line);
	struct str word;

	if (r->line.n == 0)
		return true;
	if (str_has_prefix(r->line, STR("name ")) || str_eq(r->line, STR("name")))
		return read_name(r, str_skip(r->line, 5));
	if (!scan_word(&c, &word))
		return true;
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (str_eq(word, kinds[i].name))
			return kinds[i].read(r, &c);
	}
	return fail_tree(
		r, "edge, tally, links, overhead, flags, name, node, cell, y, value, gap or gaps");
}

static bool read_all(struct reader *r)
{
	struct lines lines;
	bool first = true;

	lines_start(&lines, r->in, r->diag);
	while (lines_next(&lines)) {
		r->line = lines.text;
		if (first && !str_eq(r->line, STR("# osprof-tree 1")))
			return fail_tree(r, "# osprof-tree 1, the version that is read");
		if (!first && !osprof_tree_read_line(r))
			return false;
		first = false;
	}
	if (r->ended)
		return true;
	return format_fail(r->in, r->diag, DIAG_INPUT_TRUNCATED,
			   (struct str){ r->in->bytes.p + r->in->bytes.n, 0 },
			   "the last line, `gaps`, is missing");
}

/* Pushes the function's latencies; edges added by ranges lie within the buckets. */
static bool push_latencies(struct reader *r, struct builder *to)
{
	struct bucket_scheme scheme = bucket_log2(CALL_TREE_RESOLUTION);
	const struct call_tree *t = r->t;
	struct str where = { r->in->bytes.p, 0 };
	uint64_t *count = arena_alloc(t->arena, t->n_edges, sizeof(*count));
	int last = scheme.first - 2;
	uint64_t calls = 0;

	if (t->n_nodes == 0)
		return true;
	for (uint32_t i = 0; i < t->n_cells; i++) {
		if (t->cell[i].node == 0)
			count[t->cell[i].bucket] += t->cell[i].present;
	}
	if (!build_operation(to, STR(""), call_node_name(t, 0), where) ||
	    !build_scheme(to, &scheme, where))
		return false;
	build_unit(to, UNIT_NS, UNIT_STATED);
	for (uint32_t i = 0; i < t->n_edges; i++) {
		int index =
			i == 0 ? scheme.first - 1 : bucket_find(&scheme, t->edge[i] * (1 + 1e-12));

		if (index != last && calls > 0 && !build_bucket(to, last, calls, where))
			return false;
		calls = index == last ? calls + count[i] : count[i];
		last = index;
	}
	return calls == 0 || build_bucket(to, last, calls, where);
}

static bool read_osprof_tree(const struct read_task *task)
{
	struct reader r = { .in = task->in, .diag = task->diag, .t = call_tree_new() };
	bool ok = read_all(&r);

	if (ok && task->options->calls != NULL)
		ok = task->options->calls->class->tree(task->options->calls, r.t);
	else if (ok)
		ok = push_latencies(&r, task->to);
	call_tree_free(r.t);
	return ok;
}

const struct format format_osprof_tree = {
	.name = "osprof-tree",
	.title = "trees of calls kept by osprof causes -o",
	.versions = "1",
	.unit = "stated",
	.totals = "none",
	.calls = CALLS_TREE,
	.logged = true,
	.is_one = osprof_tree_is_one,
	.read = read_osprof_tree,
};
