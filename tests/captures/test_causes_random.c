/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random trees of calls against the definition taken literally, one instant after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/out.h"
#include "formats/format.h"
#include "formats/general/osprof_tree.h"
#include "tests/analyze/calls_made.h"

enum { MAX_SPANS = 60 };
static const char *const names[] = { "f", "a", "b", "c", "d" };

static uint32_t next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*seed >> 33);
}

/* Who an instant of a call belongs to: the definition, from the end to the start. */
static void own_by_definition(const struct made_span *m, size_t n, size_t at, int64_t low,
			      int64_t high, int64_t *own)
{
	int64_t t = high;
	bool used[MAX_SPANS] = { false };

	for (;;) {
		size_t best = n;
		int64_t best_start = 0, best_end = 0;

		for (size_t i = 0; i < n; i++) {
			int64_t start = m[i].start > low ? m[i].start : low;
			int64_t end = m[i].end < high ? m[i].end : high;

			end = end < t ? end : t;
			if (m[i].parent != m[at].id || used[i] || end <= start)
				continue;
			if (best == n || m[i].end > m[best].end ||
			    (m[i].end == m[best].end && m[i].start > m[best].start)) {
				best = i;
				best_start = start;
				best_end = end;
			}
		}
		if (best == n)
			break;
		used[best] = true;
		own[at] += t - best_end;
		own_by_definition(m, n, best, best_start, best_end, own);
		t = best_start;
	}
	own[at] += t - low;
}

/* Children lie anywhere, overlap, and outlast their parents; `nested`: one after the other. */
static size_t random_spans(uint64_t *seed, struct made_span *m, bool nested)
{
	size_t n = 1;

	m[0] = (struct made_span){ 1, 0, 0, 1000 + next_random(seed) % 100000, "f" };
	for (size_t at = 0; at < n && n < MAX_SPANS; at++) {
		size_t kids = next_random(seed) % 4;
		int64_t from = m[at].start, length = m[at].end - m[at].start;

		for (size_t k = 0; k < kids && n < MAX_SPANS && length > 3; k++) {
			int64_t start, end;

			if (nested) {
				if (from >= m[at].end)
					break;
				start = from + next_random(seed) % 20;
				end = start + next_random(seed) % (uint32_t)length;
				if (end > m[at].end)
					break;
				from = end;
			} else {
				start = m[at].start - 5 +
					next_random(seed) % (uint32_t)(length + 10);
				end = start + next_random(seed) % (uint32_t)length;
			}
			m[n] = (struct made_span){ n + 1, at + 1, start, end,
						   names[next_random(seed) % 5] };
			n++;
		}
	}
	return n;
}

static int64_t all_own(const struct call_tree *t)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < t->n_cells; i++) {
		assert_true(t->cell[i].own >= 0);
		sum += t->cell[i].own;
	}
	return sum;
}

/* Own time by name, whatever the path: folding moves time between nodes of one name only. */
static int64_t own_of_name(const struct call_tree *t, const char *name)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < t->n_cells; i++) {
		if (str_eq(call_node_name(t, t->cell[i].node), str_from(name)))
			sum += t->cell[i].own;
	}
	return sum;
}

static void random_trees_of_spans(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct made_span m[MAX_SPANS];
		size_t n = random_spans(&seed, m, false);
		int64_t own[MAX_SPANS] = { 0 };
		struct call_tree *folded = grow_spans(m, n, false), *apart = grow_spans(m, n, true);

		own_by_definition(m, n, 0, m[0].start, m[0].end, own);
		assert_int_equal(all_own(folded), m[0].end - m[0].start);
		assert_int_equal(all_own(apart), m[0].end - m[0].start);
		for (size_t k = 0; k < 5; k++) {
			int64_t wanted = 0;

			for (size_t i = 0; i < n; i++)
				wanted += strcmp(m[i].name, names[k]) == 0 ? own[i] : 0;
			assert_int_equal(own_of_name(folded, names[k]), wanted);
			assert_int_equal(own_of_name(apart, names[k]), wanted);
		}
		call_tree_free(folded);
		call_tree_free(apart);
	}
}

static void write_tree(const struct call_tree *t, struct out *o)
{
	struct call_tree *sum = call_tree_new();

	/* On one numbering. */
	call_tree_merge(sum, t);
	memset(sum->gap, 0, sizeof(sum->gap));
	sum->wide_gaps = 0;
	sum->tally = (struct call_tally){ .calls = t->tally.calls };
	osprof_tree_write(sum, o);
	call_tree_free(sum);
}

static void expect_same(const struct call_tree *t, const struct call_tree *u)
{
	assert_int_equal(t->n_nodes, u->n_nodes);
	assert_int_equal(t->n_cells, u->n_cells);
	assert_int_equal(all_own(t), all_own(u));
	for (size_t k = 0; k < 5; k++)
		assert_int_equal(own_of_name(t, names[k]), own_of_name(u, names[k]));
}

/* Calls of a thread as they come, the same in any order, and as spans. */
static void nested_trees_any_way(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		struct made_span m[MAX_SPANS];
		struct made calls[MAX_SPANS];
		size_t n = random_spans(&seed, m, true);
		struct call_tree *spans_tree = grow_spans(m, n, false), *tree;

		for (size_t i = 0; i < n; i++)
			calls[i] = (struct made){ 3, m[i].start, m[i].end, m[i].name };
		for (size_t i = n; i > 1; i--) {
			size_t k = next_random(&seed) % i;
			struct made other = calls[k];

			/* Calls of one start and end stay in their order. */
			calls[k] = calls[i - 1];
			calls[i - 1] = other;
		}
		tree = grow(calls, n, (struct call_grow_options){ .function = "f" });
		assert_int_equal(all_own(tree), m[0].end - m[0].start);
		assert_int_equal(all_own(tree), all_own(spans_tree));
		call_tree_free(tree);
		call_tree_free(spans_tree);
	}
}

/* Trees of threads add up in any order, and to what one reading of all gives. */
static void threads_in_any_order(void **state)
{
	uint64_t seed = 99;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct made calls[2 * MAX_SPANS];
		struct made_span m[MAX_SPANS];
		size_t n = 0, first;
		struct call_tree *one, *two, *both, *sum = call_tree_new(), *back = call_tree_new();

		for (size_t thread = 1; thread <= 2; thread++) {
			size_t more = random_spans(&seed, m, true);

			for (size_t i = 0; i < more; i++)
				calls[n++] =
					(struct made){ thread, m[i].start, m[i].end, m[i].name };
			if (thread == 1)
				first = n;
		}
		one = grow(calls, first, (struct call_grow_options){ .function = "f" });
		two = grow(calls + first, n - first, (struct call_grow_options){ .function = "f" });
		both = grow(calls, n, (struct call_grow_options){ .function = "f" });
		call_tree_merge(sum, one);
		call_tree_merge(sum, two);
		call_tree_merge(back, two);
		call_tree_merge(back, one);
		expect_same(sum, back);
		expect_same(sum, both);
		call_tree_free(one);
		call_tree_free(two);
		call_tree_free(both);
		call_tree_free(sum);
		call_tree_free(back);
	}
}

/* What is kept reads back the same. */
static void kept_trees(void **state)
{
	uint64_t seed = 5;
	struct diag diag = { .emit = NULL };

	(void)state;
	for (int round = 0; round < 100; round++) {
		struct made_span m[MAX_SPANS];
		struct call_tree *t = grow_spans(m, random_spans(&seed, m, false), false);
		struct call_grow_options o = { .function = NULL };
		struct call_grow *g = call_grow_new(&o);
		struct read_options options = { .calls = call_grow_sink(g, CALL_PASS_ALL) };
		struct out *once = out_to_memory(), *again = out_to_memory();
		const struct format *f;
		struct input in;

		write_tree(t, once);
		input_borrow(&in, "tree", out_memory(once).p, out_memory(once).n);
		assert_true(format_read_calls(NULL, &in, &options, &f, &diag));
		write_tree(call_grow_tree(g), again);
		assert_true(str_eq(out_memory(once), out_memory(again)));
		input_release(&in);
		call_grow_free(g);
		call_tree_free(t);
		out_free(once);
		out_free(again);
	}
}

enum { STEPS = 2000, WALK_NAMES = 200, PROGRAM = 700 /* steps; then another one is executed */ };

/* Enters and leaves of one thread, leaves of the same name in runs, some ends that are not the
 * innermost call's. */
static void random_steps(uint64_t *seed, const uint32_t *id, struct call_step *ret)
{
	uint32_t open[64] = { 0 };
	int64_t at = 1000;
	size_t n = 0;

	for (size_t i = 0; i < STEPS; i++) {
		bool leaf = i + 1 < STEPS && next_random(seed) % 3 > 0;
		bool leave = n == 63 || (n > 0 && next_random(seed) % 2 == 0);
		uint32_t name = next_random(seed) % 8 > 0 ? next_random(seed) % 6
							  : next_random(seed) % WALK_NAMES;

		at += next_random(seed) % 50;
		if (leaf) {
			ret[i] = (struct call_step){ at, id[name] * 2 };
			at += next_random(seed) % 50;
			ret[++i] = (struct call_step){ at, id[name] * 2 + 1 };
		} else if (leave) {
			n -= n > 1 && next_random(seed) % 50 == 0 ? 2 : 1;
			ret[i] = (struct call_step){ at, open[n] * 2 + 1 };
		} else {
			open[n++] = id[name];
			ret[i] = (struct call_step){ at, id[name] * 2 };
		}
	}
}

/* What keys mean: addresses of a program, which are other functions in the next one. */
struct key_meaning {
	const uint32_t *id;
	size_t program;
};

static uint32_t number_of_key(void *reader, uint64_t key)
{
	const struct key_meaning *m = reader;
	size_t i = 0;

	while (m->id[i] != key)
		i++;
	return m->id[(i + m->program) % WALK_NAMES];
}

static void push_walk(struct call_sink *to, uint64_t seed, bool at_once)
{
	static struct call_step step[STEPS];
	struct call_event e = { .thread = { 7, 0 } };
	struct call_wait w = { .thread = e.thread, .kind = CALL_IS_BLOCKED };
	uint32_t id[WALK_NAMES];
	struct key_meaning meaning = { id, 0 };
	const struct call_keys keys = { number_of_key, &meaning };
	char name[16];
	size_t n = 0;

	for (size_t i = 0; i < WALK_NAMES; i++) {
		(void)snprintf(name, sizeof(name), "g%zu", i);
		id[i] = to->class->number(to, i == 0 ? STR("f") : str_from(name));
	}
	for (int i = 0; i < 20; i++) {
		w.start = w.end + next_random(&seed) % 5000;
		w.end = w.start + next_random(&seed) % 30;
		to->class->wait(to, &w);
	}
	random_steps(&seed, id, step);
	to->class->keys(to, &keys);
	for (size_t i = 0; i < STEPS; i += n) {
		n = at_once ? 1 + next_random(&seed) % 300 : 1;
		n = n < STEPS - i ? n : STEPS - i;
		n = n < PROGRAM - i % PROGRAM ? n : PROGRAM - i % PROGRAM;
		if (i > 0 && i % PROGRAM == 0) {
			meaning.program++;
			to->class->keys(to, &keys);
		}
		if (at_once) {
			assert_true(to->class->steps(to, &e.thread, &step[i], n));
			continue;
		}
		e.what = step[i].what % 2 != 0 ? CALL_LEAVE : CALL_ENTER;
		e.id = number_of_key(&meaning, step[i].what / 2);
		e.at = (struct call_time){ step[i].at, 0 };
		assert_true(to->class->event(to, &e));
	}
}

/* Many events at once are what they are one by one, to the last count, also when the same thread
 * runs another program, whose addresses are other functions. */
static void events_at_once(void **state)
{
	uint64_t calls = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct call_grow_options o = { .function = "f", .overhead = (int64_t)(seed % 3) };
		struct out *out[2] = { out_to_memory(), out_to_memory() };

		for (int i = 0; i < 2; i++) {
			struct call_grow *g = call_grow_new(&o);

			push_walk(call_grow_sink(g, CALL_PASS_ALL), seed, i == 1);
			call_grow_finish(g);
			calls += call_grow_tree(g)->tally.calls;
			osprof_tree_write(call_grow_tree(g), out[i]);
			call_grow_free(g);
		}
		assert_true(str_eq(out_memory(out[0]), out_memory(out[1])));
		out_free(out[0]);
		out_free(out[1]);
	}
	assert_true(calls > 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_trees_of_spans), cmocka_unit_test(nested_trees_any_way),
		cmocka_unit_test(threads_in_any_order),	 cmocka_unit_test(kept_trees),
		cmocka_unit_test(events_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
