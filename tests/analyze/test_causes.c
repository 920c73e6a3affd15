/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Root causes: cases worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "analyze/causes/causes_icicle.h"
#include "base/arena.h"
#include "tests/analyze/calls_made.h"

/* --- asking ---------------------------------------------------------------------------------- */

static struct causes causes_of(struct arena *a, const struct call_tree *t, double from,
			       enum cause_method method, double percentage)
{
	struct cause_question q = { .range = true,
				    .low = from,
				    .high = HUGE_VAL,
				    .against = CHOSEN_ALL,
				    .method = method };
	struct cause_rules rules = cause_rules_default;
	struct cause_choice chosen, against;
	struct histogram h;
	struct peaks peaks = cause_peaks(a, t, &h);
	struct causes c;

	rules.percentage = percentage;
	assert_int_equal(causes_choose(a, t, &peaks, &q, &rules, &chosen, &against), CAUSE_OK);
	causes_find(&c, a, t, &chosen, t, &against, method, &rules);
	return c;
}

static void path_text(const struct causes *c, struct arena *a, uint32_t node, char *to, size_t room)
{
	struct str *name;
	size_t n = cause_path(c, a, node, &name), at = 0;

	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(to + at, room - at, "%s%.*s", i > 0 ? " > " : "",
				       STR_ARG(name[i]));
}

/* "f > b 0.800, f > a 0.100" */
static void expect_causes(const struct causes *c, struct arena *a, const char *wanted)
{
	char text[2000] = "";
	size_t at = 0;

	for (size_t i = 0; i < c->n_causes; i++) {
		char path[400];

		path_text(c, a, c->cause[i].node, path, sizeof(path));
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s %.3f", i > 0 ? ", " : "",
				       path, c->cause[i].share);
	}
	assert_string_equal(text, wanted);
}

/* "f 800, f > a 2": of maxcounts. */
static void expect_counted(const struct causes *c, struct arena *a, const char *wanted)
{
	char text[2000] = "";
	size_t at = 0;

	for (size_t i = 0; i < c->n_causes; i++) {
		char path[400];

		path_text(c, a, c->cause[i].node, path, sizeof(path));
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s %llu", i > 0 ? ", " : "",
				       path, (unsigned long long)c->cause[i].maxcount);
	}
	assert_string_equal(text, wanted);
}

/* The sum of a node's own times, by its path; -1 where it is not there. */
static int64_t own_of(const struct call_tree *t, const char *path)
{
	int64_t own = -1;

	for (uint32_t i = 0; i < t->n_cells; i++) {
		char text[1000] = "", before[400];

		for (uint32_t n = t->cell[i].node;; n = t->node[n].parent) {
			(void)snprintf(before, sizeof(before), "%.399s", text);
			(void)snprintf(text, sizeof(text), "%.*s%s%s",
				       STR_ARG(call_node_name(t, n)),
				       before[0] != '\0' ? " > " : "", before);
			if (n == 0)
				break;
		}
		if (strcmp(text, path) == 0)
			own = (own < 0 ? 0 : own) + t->cell[i].own;
	}
	return own;
}

/* --- by hand ------------------------------------------------------------------------------------
 */

/* One call of f: a once, b eight times, 100 ns each, f's own 100 ns.  Added (compared with
 * none): b 80 %, a 10 %, f 10 %.  DARC: M(a) = M(b) = 100 as it takes the largest of a loop,
 * self = 800, in bin 9 where a and b are in 6: f alone. */
static void a_loop(void **state)
{
	struct made m[10] = { { 1, 0, 1000, "f" }, { 1, 0, 100, "a" } };
	struct arena *a = arena_new();
	struct call_tree *t;
	struct causes c;

	(void)state;
	for (int i = 0; i < 8; i++)
		m[2 + i] = (struct made){ 1, 100 + i * 100, 200 + i * 100, "b" };
	t = grow(m, 10, (struct call_grow_options){ .function = "f" });
	c = causes_of(a, t, 1, CAUSES_ADDED, 0.5);
	expect_causes(&c, a, "f > b 0.800, f 0.100, f > a 0.100");
	c = causes_of(a, t, 1, CAUSES_MAXCOUNT, 0.5);
	expect_counted(&c, a, "f 1");
	call_tree_free(t);
	arena_free(a);
}

/* 600 and 515 share the bin of 512 to 1023, the call's own 85 does not; 511 is below it. */
static void bins(void **state)
{
	struct made m[] = { { 1, 0, 1200, "f" }, { 1, 10, 610, "a" }, { 1, 620, 1135, "b" } };
	struct arena *a = arena_new();
	struct call_tree *t = grow(m, 3, (struct call_grow_options){ .function = "f" });
	struct causes c = causes_of(a, t, 1, CAUSES_MAXCOUNT, 0.5);

	(void)state;
	expect_counted(&c, a, "f > a 1, f > b 1");
	call_tree_free(t);
	m[2].end = 1131;
	t = grow(m, 3, (struct call_grow_options){ .function = "f" });
	c = causes_of(a, t, 1, CAUSES_MAXCOUNT, 0.5);
	expect_counted(&c, a, "f > a 1");
	call_tree_free(t);
	arena_free(a);
}

/* Of 20 calls a is the largest in 14, b in 6: half of 14 are 7, three tenths 4.2. */
static void percentages(void **state)
{
	struct made m[60];
	struct arena *a = arena_new();
	struct call_tree *t;
	struct causes c;

	(void)state;
	for (int i = 0; i < 20; i++) {
		int64_t at = i * 10000;

		m[3 * i] = (struct made){ 1, at, at + 1200, "f" };
		m[3 * i + 1] = (struct made){ 1, at, at + (i < 14 ? 1100 : 20), "a" };
		m[3 * i + 2] = (struct made){ 1, at + 1180 - (i < 14 ? 20 : 1100), at + 1180, "b" };
		if (i < 14)
			m[3 * i + 2] = (struct made){ 1, at + 1110, at + 1130, "b" };
	}
	t = grow(m, 60, (struct call_grow_options){ .function = "f" });
	c = causes_of(a, t, 1, CAUSES_MAXCOUNT, 0.5);
	expect_counted(&c, a, "f > a 14");
	c = causes_of(a, t, 1, CAUSES_MAXCOUNT, 0.3);
	expect_counted(&c, a, "f > a 14, f > b 6");
	c = causes_of(a, t, 1, CAUSES_MAXCOUNT, 1);
	expect_counted(&c, a, "f > a 14");
	call_tree_free(t);
	arena_free(a);
}

/* DARC's left shift (section 3): 1050 in f lie in bin 10, the 600, 520 and 500 of what it calls
 * in 9, 9 and 8, as a callee's time lacks self and siblings.  All decisions are made in f's
 * peak, so the path is followed to its end; as shares of f it is 0.571, 0.495 and 0.476, which
 * are 0.807, 1.014 and 1.070 octaves below f, each step 0.807, 0.206 and 0.057. */
static void left_shift(void **state)
{
	static const struct made m[] = { { 1, 0, 1050, "f" },
					 { 1, 100, 700, "a" },
					 { 1, 120, 640, "b" },
					 { 1, 130, 630, "c" } };
	static const double octaves[] = { 0.807, 0.206, 0.057 };
	struct arena *a = arena_new();
	struct call_tree *t = grow(m, 4, (struct call_grow_options){ .function = "f" });
	struct causes c = causes_of(a, t, 1, CAUSES_MAXCOUNT, 0.5);

	(void)state;
	expect_counted(&c, a, "f > a > b > c 1");
	c = causes_of(a, t, 1, CAUSES_ADDED, 0.5);
	expect_causes(&c, a, "f > a > b > c 0.476, f 0.429");
	for (uint32_t i = 1; i < c.n_nodes; i++) {
		double above = c.node[c.node[i].parent].chosen.total;

		assert_float_equal(log2(above / c.node[i].chosen.total), octaves[i - 1], 0.0005);
	}
	call_tree_free(t);
	arena_free(a);
}

/* Four calls of 410 ns, two of 760: a takes 400 in all of them.  350 are added, all by b. */
static void what_is_always_there(void **state)
{
	struct made m[18];
	struct arena *a = arena_new();
	struct call_tree *t;
	struct causes c;

	(void)state;
	for (int i = 0; i < 6; i++) {
		int64_t at = i * 1000, slow = i < 4 ? 0 : 350;

		m[3 * i] = (struct made){ 1, at, at + 410 + slow, "f" };
		m[3 * i + 1] = (struct made){ 1, at + 3, at + 403, "a" };
		m[3 * i + 2] = (struct made){ 1, at + 404, at + 408 + slow, "b" };
	}
	t = grow(m, 18, (struct call_grow_options){ .function = "f", .filter = true, .low = 500 });
	c = causes_of(a, t, 500, CAUSES_ADDED, 0.5);
	assert_float_equal(c.added, 350, 1e-9);
	expect_causes(&c, a, "f > b 1.000");
	c = causes_of(a, t, 500, CAUSES_MAXCOUNT, 0.5);
	expect_counted(&c, a, "f > a 2, f > b 2");
	call_tree_free(t);
	arena_free(a);
}

/* f calls itself three deep; f and g call each other.  Sums over both calls: twice the
 * means of DARC's worked case. */
static void recursion(void **state)
{
	static const struct made m[] = {
		{ 1, 0, 1000, "f" },	 { 1, 30, 970, "f" },	 { 1, 60, 940, "f" },
		{ 1, 100, 900, "slow" }, { 1, 2000, 2500, "f" }, { 1, 2030, 2490, "g" },
		{ 1, 2040, 2470, "f" },	 { 1, 2060, 2460, "g" }, { 1, 2080, 2440, "slow" },
	};
	struct call_tree *t = grow(m, 9, (struct call_grow_options){ .function = "f" });

	(void)state;
	assert_int_equal(own_of(t, "f > slow"), 800);
	assert_int_equal(own_of(t, "f > g > slow"), 360);
	assert_int_equal(own_of(t, "f"), 270);
	assert_int_equal(own_of(t, "f > g"), 70);
	assert_int_equal(t->node[0].depth, 3);
	call_tree_free(t);
	t = grow(m, 9, (struct call_grow_options){ .function = "f", .unfold = true });
	assert_int_equal(own_of(t, "f > f > f > slow"), 800);
	assert_int_equal(own_of(t, "f > g > f > g > slow"), 360);
	call_tree_free(t);
}

/* What strikes is the function's own child, and taken out of what it struck. */
static void interrupts(void **state)
{
	static const struct made m[] = {
		{ 1, 0, 300, "f" },
		{ 1, 10, 60, "a" },
		{ 1, 20, 50, "[interrupt 0]" },
		{ 1, 70, 200, "b" },
		{ 1, 80, 190, "c" },
		{ 1, 90, 130, "[interrupt 0]" },
		{ 1, 210, 290, "[preempted]" },
	};
	struct arena *a = arena_new();
	struct call_tree *t = grow(m, 7, (struct call_grow_options){ .function = "f" });
	struct causes c = causes_of(a, t, 1, CAUSES_MAXCOUNT, 0.5);

	(void)state;
	assert_int_equal(own_of(t, "f > [preempted]"), 80);
	assert_int_equal(own_of(t, "f > [interrupt 0]"), 70);
	assert_int_equal(own_of(t, "f > b > c"), 70);
	assert_int_equal(own_of(t, "f"), 40);
	assert_int_equal(own_of(t, "f > a"), 20);
	assert_int_equal(own_of(t, "f > b"), 20);
	expect_counted(&c, a, "f > [interrupt 0] 1, f > b > c 1, f > [preempted] 1");
	call_tree_free(t);
	arena_free(a);
}

/* --- spans --------------------------------------------------------------------------------------
 */

static void spans(void **state)
{
	/* Children that overlap: the one that ends last has the time in which both run. */
	static const struct made_span overlap[] = { { 1, 0, 0, 20, "f" },
						    { 2, 1, 2, 10, "a" },
						    { 3, 1, 5, 20, "b" } };
	/* One ends where the next begins. */
	static const struct made_span adjacent[] = { { 1, 0, 0, 100, "f" },
						     { 2, 1, 0, 50, "a" },
						     { 3, 1, 50, 100, "b" } };
	/* One goes on after its parent: cut off there; one begins at its end: nobody waits. */
	static const struct made_span after[] = { { 1, 0, 0, 10, "f" },
						  { 2, 1, 4, 30, "a" },
						  { 3, 1, 10, 20, "b" } };
	struct call_tree *t = grow_spans(overlap, 3, false);

	(void)state;
	assert_int_equal(own_of(t, "f > b"), 15);
	assert_int_equal(own_of(t, "f"), 2);
	assert_int_equal(own_of(t, "f > a"), 3);
	call_tree_free(t);
	t = grow_spans(adjacent, 3, false);
	assert_int_equal(own_of(t, "f > a"), 50);
	assert_int_equal(own_of(t, "f > b"), 50);
	assert_int_equal(own_of(t, "f"), 0);
	call_tree_free(t);
	t = grow_spans(after, 3, false);
	assert_int_equal(own_of(t, "f > a"), 6);
	assert_int_equal(own_of(t, "f > b"), 0);
	assert_int_equal(own_of(t, "f"), 4);
	assert_int_equal(t->tally.clipped, 2);
	call_tree_free(t);
}

/* Spans that are each other's parents, or their own, end nothing and are counted. */
static void spans_in_cycles(void **state)
{
	static const struct made_span m[] = { { 1, 2, 0, 20, "f" },
					      { 2, 1, 0, 20, "a" },
					      { 3, 3, 0, 9, "f" },
					      { 4, 99, 0, 5, "f" },
					      { 4, 99, 0, 5, "f" } };
	struct call_tree *t = grow_spans(m, 5, false);

	(void)state;
	assert_int_equal(t->tally.calls, 4);
	assert_int_equal(t->tally.cyclic, 2);
	assert_int_equal(t->tally.orphans, 2);
	assert_int_equal(t->tally.twice, 1);
	call_tree_free(t);
}

/* Five children at once, [2, 8) of 10: one of them is waited for.  Children that end before the
 * next begins leave the time between them to the parent. */
static void spans_side_by_side(void **state)
{
	static const struct made_span parallel[] = {
		{ 1, 0, 0, 10, "f" }, { 2, 1, 2, 8, "a" }, { 3, 1, 2, 8, "a" },
		{ 4, 1, 2, 8, "a" },  { 5, 1, 2, 8, "a" }, { 6, 1, 2, 8, "a" },
	};
	static const struct made_span early[] = { { 1, 0, 0, 29, "f" },
						  { 2, 1, 3, 8, "a" },
						  { 3, 1, 12, 22, "b" } };
	/* The one that ends first began last, and ends within the other: it costs nothing. */
	static const struct made_span within[] = {
		{ 1, 0, 0, 20, "f" }, { 2, 1, 1, 18, "a" }, { 3, 1, 4, 9, "b" }, { 4, 2, 2, 3, "c" }
	};
	struct call_tree *t = grow_spans(parallel, 6, false);

	(void)state;
	assert_int_equal(own_of(t, "f"), 4);
	assert_int_equal(own_of(t, "f > a"), 6);
	call_tree_free(t);
	t = grow_spans(early, 3, false);
	assert_int_equal(own_of(t, "f"), 14);
	assert_int_equal(own_of(t, "f > a"), 5);
	assert_int_equal(own_of(t, "f > b"), 10);
	call_tree_free(t);
	t = grow_spans(within, 4, false);
	assert_int_equal(own_of(t, "f"), 3);
	assert_int_equal(own_of(t, "f > a"), 16);
	assert_int_equal(own_of(t, "f > a > c"), 1);
	assert_int_equal(own_of(t, "f > b"), 0);
	call_tree_free(t);
}

/* --- requests handed to another thread --- */

static void enter(struct call_sink *to, uint64_t thread, const char *name, int64_t at,
		  const char *value)
{
	struct call_event e = { .what = CALL_ENTER,
				.kind = kind_of(name),
				.thread = { thread, 0 },
				.name = str_from(name),
				.at = { at, 0 } };

	assert_true(to->class->event(to, &e));
	if (value != NULL)
		to->class->value(to, &(struct call_value){ STR("argument 1"), str_from(value) });
}

static void leave(struct call_sink *to, uint64_t thread, const char *name, int64_t at)
{
	struct call_event e = { .what = CALL_LEAVE,
				.kind = kind_of(name),
				.thread = { thread, 0 },
				.name = str_from(name),
				.at = { at, 0 } };

	assert_true(to->class->event(to, &e));
}

/* DARC.md, "By id": own 70, queued 380, serve 120, seek 380, still waiting 50. */
static void handed_over(void **state)
{
	struct call_grow_options o = { .function = "f",
				       .link = { STR("enqueue"), STR("serve"), 1, 1 } };
	struct call_grow *g = call_grow_new(&o);
	struct call_sink *to = call_grow_sink(g, CALL_PASS_ALL);
	const struct call_tree *t;

	(void)state;
	enter(to, 1, "f", 0, NULL);
	enter(to, 1, "enqueue", 10, "42");
	leave(to, 1, "enqueue", 10);
	enter(to, 1, "[blocked]", 20, NULL);
	enter(to, 2, "serve", 400, "42");
	enter(to, 2, "seek", 500, NULL);
	leave(to, 2, "seek", 880);
	leave(to, 2, "serve", 900);
	leave(to, 1, "[blocked]", 950);
	leave(to, 1, "f", 1000);
	call_grow_finish(g);
	t = call_grow_tree(g);
	assert_int_equal(own_of(t, "f"), 70);
	assert_int_equal(own_of(t, "f > [queued]"), 380);
	assert_int_equal(own_of(t, "f > serve"), 120);
	assert_int_equal(own_of(t, "f > serve > seek"), 380);
	assert_int_equal(own_of(t, "f > [blocked]"), 50);
	call_grow_free(g);
}

/* --- broken traces --- */

static void broken_traces(void **state)
{
	struct call_grow_options o = { .function = "f" };
	struct call_grow *g = call_grow_new(&o);
	struct call_sink *to = call_grow_sink(g, CALL_PASS_ALL);
	const struct call_tally *tally = &call_grow_tree(g)->tally;

	(void)state;
	leave(to, 1, "main", 1); /* it began before */
	enter(to, 1, "f", 10, NULL);
	enter(to, 1, "a", 20, NULL);
	enter(to, 1, "b", 30, NULL);
	leave(to, 1, "f", 50); /* a longjmp out of both */
	enter(to, 1, "f", 60, NULL);
	to->class->lost(to, &(struct pairing_slot){ 1, 0 }, 3);
	enter(to, 1, "f", 70, NULL);
	enter(to, 1, "a", 75, NULL);
	call_grow_finish(g);
	assert_int_equal(tally->calls, 1);
	assert_int_equal(tally->lost, 3);
	assert_int_equal(tally->unfinished, 2);
	assert_int_equal(tally->unfinished_others, 1);
	assert_int_equal(tally->unmatched, 3);
	assert_int_equal(own_of(call_grow_tree(g), "f > a > b"), 20);
	assert_int_equal(own_of(call_grow_tree(g), "f > a"), 10);
	assert_int_equal(own_of(call_grow_tree(g), "f"), 10);
	call_grow_free(g);
}

/* A printed duration that is shorter than those within it: what lies after is cut off. */
static void clipped(void **state)
{
	struct call_grow_options o = { .function = "f" };
	struct call_grow *g = call_grow_new(&o);
	struct call_sink *to = call_grow_sink(g, CALL_PASS_ALL);
	struct call_event a = { .what = CALL_WHOLE,
				.timed = true,
				.name = STR("a"),
				.at = { 5, 0 },
				.latency = { 60, 0 } };
	struct call_event b = { .what = CALL_WHOLE,
				.timed = true,
				.name = STR("b"),
				.at = { 70, 0 },
				.latency = { 50, 0 } };
	struct call_event end = { .what = CALL_LEAVE,
				  .timed = true,
				  .name = STR("f"),
				  .at = { 101, 0 },
				  .latency = { 100, 0 } };

	(void)state;
	enter(to, 0, "f", 0, NULL);
	assert_true(to->class->event(to, &a) && to->class->event(to, &b) &&
		    to->class->event(to, &end));
	call_grow_finish(g);
	assert_int_equal(own_of(call_grow_tree(g), "f > a"), 60);
	assert_int_equal(own_of(call_grow_tree(g), "f > b"), 30);
	assert_int_equal(own_of(call_grow_tree(g), "f"), 10);
	assert_int_equal(call_grow_tree(g)->tally.clipped, 1);
	call_grow_free(g);
}

/* --- as an icicle ------------------------------------------------------------------------------
 */

/* The loop above: b, which adds most, stands first, a beside it; f's own 100 stay free.  Of
 * boxes narrower than 15 % a goes, below level 1 both. */
static void icicles(void **state)
{
	struct made m[10] = { { 1, 0, 1000, "f" }, { 1, 0, 100, "a" } };
	struct arena *a = arena_new();
	struct call_tree *t;
	struct causes c;
	struct icicle i;

	(void)state;
	for (int k = 0; k < 8; k++)
		m[2 + k] = (struct made){ 1, 100 + k * 100, 200 + k * 100, "b" };
	t = grow(m, 10, (struct call_grow_options){ .function = "f" });
	c = causes_of(a, t, 1, CAUSES_ADDED, 0.5);
	i = causes_icicle(&c, a, false, 0, 24);
	assert_int_equal(i.n, 3);
	assert_int_equal(i.levels, 2);
	assert_int_equal(i.left_out, 0);
	assert_float_equal(i.max_added, 1000, 1e-9);
	for (size_t k = 0; k < i.n; k++) {
		bool is_b = str_eq(c.node[i.v[k].node].name, STR("b"));
		double from = k == 0 || is_b ? 0 : 800, to = k == 0 ? 1000 : is_b ? 800 : 900;

		assert_int_equal(i.v[k].level, k > 0);
		assert_float_equal(i.v[k].from, from, 1e-9);
		assert_float_equal(i.v[k].to, to, 1e-9);
	}
	i = causes_icicle(&c, a, false, 0.15, 24);
	assert_int_equal(i.n, 2);
	assert_int_equal(i.left_out, 1);
	i = causes_icicle(&c, a, false, 0, 1);
	assert_int_equal(i.n, 1);
	assert_int_equal(i.left_out, 2);
	i = causes_icicle(&c, a, true, 0, 24);
	assert_int_equal(i.n, 0);
	call_tree_free(t);
	arena_free(a);
}

/* Before f 100 = a 60 + own 40, after f 290 = b 200 + a 50 + own 40.  After: b adds 200, a -10;
 * turned, b takes 200 away and is gone, a adds 10. */
static void turned(void **state)
{
	struct made before[12], after[18];
	struct arena *a = arena_new();
	struct call_tree *t, *u;
	struct cause_choice chosen, against;
	struct causes c;

	(void)state;
	for (int i = 0; i < 6; i++) {
		int64_t at = i * 1000;

		before[2 * i] = (struct made){ 1, at, at + 100, "f" };
		before[2 * i + 1] = (struct made){ 1, at, at + 60, "a" };
		after[3 * i] = (struct made){ 1, at, at + 290, "f" };
		after[3 * i + 1] = (struct made){ 1, at, at + 200, "b" };
		after[3 * i + 2] = (struct made){ 1, at + 200, at + 250, "a" };
	}
	t = grow(before, 12, (struct call_grow_options){ .function = "f" });
	u = grow(after, 18, (struct call_grow_options){ .function = "f" });
	against = causes_of(a, t, 1, CAUSES_ADDED, 0.5).chosen;
	chosen = causes_of(a, u, 1, CAUSES_ADDED, 0.5).chosen;
	causes_find(&c, a, u, &chosen, t, &against, CAUSES_ADDED, &cause_rules_default);
	for (int i = 0; i < 4; i++) {
		bool back = i % 2 == 0;

		expect_causes(&c, a, "f > b 1.053");
		assert_float_equal(c.added, back ? 190 : -190, 1e-9);
		assert_float_equal(c.cause[0].added, back ? 200 : -200, 1e-9);
		assert_true(c.cause[0].fresh == back && c.cause[0].gone == !back);
		causes_swap_sides(&c);
		causes_update(&c, a, back ? &against : &chosen, back ? &chosen : &against,
			      &cause_rules_default);
	}
	call_tree_free(t);
	call_tree_free(u);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loop),
		cmocka_unit_test(bins),
		cmocka_unit_test(percentages),
		cmocka_unit_test(what_is_always_there),
		cmocka_unit_test(recursion),
		cmocka_unit_test(interrupts),
		cmocka_unit_test(spans),
		cmocka_unit_test(spans_in_cycles),
		cmocka_unit_test(handed_over),
		cmocka_unit_test(broken_traces),
		cmocka_unit_test(clipped),
		cmocka_unit_test(left_shift),
		cmocka_unit_test(spans_side_by_side),
		cmocka_unit_test(icicles),
		cmocka_unit_test(turned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
