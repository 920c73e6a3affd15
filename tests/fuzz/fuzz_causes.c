/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees of calls: any bytes, by detection and by every format that has calls.
 *
 * Own times of a tree add up to the latencies of its calls, and none is negative, whatever
 * was read; what is kept of it reads back the same; causes are found and printed in every
 * output format.
 */
#include <stdbool.h>
#include <stdint.h>

#include "analyze/causes/causes.h"
#include "base/arena.h"
#include "base/out.h"
#include "calls/call_grow.h"
#include "formats/format.h"
#include "formats/general/osprof_tree.h"
#include "report/causes.h"
#include "tests/fuzz/fuzz.h"

/* Strips what surrounds the text if wanted, for which the format need not be known. */
static bool read_pass(struct call_grow *g, const struct format *f, struct str bytes, bool strip,
		      enum call_pass pass)
{
	struct read_options options = { .calls = call_grow_sink(g, pass) };
	struct diag diag = { .emit = NULL };
	const struct format *was;
	struct input in;
	bool ok;

	input_borrow(&in, "fuzz", bytes.p, bytes.n);
	ok = strip ? format_read_calls(f, &in, &options, &was, &diag)
		   : format_read_calls_bare(f, &in, &options, &diag);
	input_release(&in);
	return ok;
}

static struct call_tree *read_tree(const struct format *f, struct str bytes, bool strip,
				   const struct call_grow_options *o)
{
	struct call_grow *g = call_grow_new(o);
	struct call_tree *t = NULL;
	bool waits_after = f != NULL && f->calls == CALLS_WAITS_AFTER;

	if ((!waits_after || read_pass(g, f, bytes, strip, CALL_PASS_WAITS)) &&
	    read_pass(g, f, bytes, strip, waits_after ? CALL_PASS_CALLS : CALL_PASS_ALL)) {
		call_grow_finish(g);
		t = call_grow_take(g);
	}
	call_grow_free(g);
	return t;
}

static void adds_up(const struct call_tree *t)
{
	int64_t own = 0, total = 0;

	for (uint32_t i = 0; i < t->n_cells; i++) {
		fuzz_require(t->cell[i].own >= 0);
		own += t->cell[i].own;
		if (t->cell[i].node == 0)
			total += t->cell[i].total;
	}
	fuzz_require(own == total);
}

static struct call_tree *read_back(const struct call_tree *t, struct out *o)
{
	struct call_grow_options any = { .function = NULL };
	struct call_tree *back;

	osprof_tree_write(t, o);
	back = read_tree(format_by_name(STR("osprof-tree")), out_memory(o), false, &any);
	fuzz_require(back != NULL);
	return back;
}

/* The first time only names may get other numbers. */
static void reads_back_the_same(const struct call_tree *t)
{
	struct out *first = out_to_memory(), *once = out_to_memory(), *again = out_to_memory();
	struct call_tree *sum = call_tree_new(), *back, *twice;

	call_tree_merge(sum, t);
	back = read_back(sum, first);
	twice = read_back(back, once);
	osprof_tree_write(twice, again);
	fuzz_require(str_eq(out_memory(once), out_memory(again)));
	call_tree_free(twice);
	call_tree_free(back);
	call_tree_free(sum);
	out_free(first);
	out_free(once);
	out_free(again);
}

static void print_all(const struct causes *c, const struct peaks *peaks, const struct histogram *h)
{
	struct causes_run run = {
		.path = "fuzz", .format = "any", .tally = c->tree->tally, .links = c->tree->links
	};
	struct causes_report r = { .function = call_node_name(c->tree, 0),
				   .run = &run,
				   .n_runs = 1,
				   .peaks = peaks,
				   .hist = h,
				   .causes = c,
				   .rules = &cause_rules_default,
				   .sections = 15,
				   .all = true };
	struct out *o = out_to_memory();

	for (int output_format = OUTPUT_FORMAT_TEXT; output_format <= OUTPUT_FORMAT_SVG;
	     output_format++) {
		struct style s = { .output_format = (enum output_format)output_format,
				   .color = true,
				   .unicode = true };

		if (output_format == OUTPUT_FORMAT_JUNIT)
			continue;
		report_causes(o, &s, &r);
	}
	out_free(o);
}

static void look(const struct call_tree *t)
{
	struct arena *a = arena_new();
	struct cause_question q = { .against = CHOSEN_ALL };
	struct cause_choice chosen, against;
	struct histogram h;
	struct peaks peaks = cause_peaks(a, t, &h);
	struct causes c;

	for (int method = CAUSES_ADDED; method <= CAUSES_MAXCOUNT; method++) {
		q.method = (enum cause_method)method;
		if (causes_choose(a, t, &peaks, &q, &cause_rules_default, &chosen, &against) !=
		    CAUSE_OK)
			continue;
		causes_find(&c, a, t, &chosen, t, &against, q.method, &cause_rules_default);
		print_all(&c, &peaks, &h);
	}
	arena_free(a);
}

static void try_format(const struct format *f, struct str bytes)
{
	static const struct call_grow_options ways[] = {
		{ .function = "*" },
		{ .function = "[!a-f]*", .unfold = true, .pauses = true },
		{ .function = "?*", .sort = true, .filter = true, .low = 100, .high = 5000 },
		{ .function = "*", .link = { STR_INIT("a"), STR_INIT("b"), 1, 1 } },
	};

	for (size_t i = 0; i < COUNT_OF(ways); i++) {
		struct call_tree *t = read_tree(f, bytes, i == 0, &ways[i]);

		if (t != NULL && t->n_nodes > 0 && t->tally.calls > 0) {
			/* What is read as a tree says itself what adds up. */
			if (f == NULL || f->calls != CALLS_TREE)
				look(t);
			if (f != NULL && f->calls != CALLS_TREE) {
				adds_up(t);
				reads_back_the_same(t);
			}
		}
		call_tree_free(t);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct format *f;
	struct str bytes = { (const char *)data, size };

	for (size_t i = 0; (f = format_at(i)) != NULL; i++) {
		if (f->calls != CALLS_NONE)
			try_format(f, bytes);
	}
	return 0;
}
