/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls and spans as a reader would push them, into trees: for tests/analyze/test_causes*.c. */
#ifndef TESTS_ANALYZE_CALLS_MADE_H
#define TESTS_ANALYZE_CALLS_MADE_H

#include <string.h>

#include "calls/call_grow.h"

/* --- pushing calls ------------------------------------------------------------------------ */

struct made {
	uint64_t thread;
	int64_t start, end;
	const char *name;
};

static inline enum call_kind kind_of(const char *name)
{
	if (strcmp(name, "[preempted]") == 0)
		return CALL_IS_PREEMPTED;
	if (strcmp(name, "[blocked]") == 0)
		return CALL_IS_BLOCKED;
	return strncmp(name, "[interrupt", 10) == 0 ? CALL_IS_INTERRUPT : CALL_IS_RUNNING;
}

static inline void push(struct call_sink *to, const struct made *m)
{
	struct call_event e = { .what = CALL_WHOLE,
				.kind = kind_of(m->name),
				.timed = true,
				.unordered = true,
				.thread = { m->thread, 0 },
				.name = str_from(m->name),
				.at = { m->start, 0 },
				.latency = { m->end - m->start, 0 } };

	assert_true(to->class->event(to, &e));
}

static inline struct call_tree *grow(const struct made *m, size_t n, struct call_grow_options o)
{
	struct call_grow *g;
	struct call_tree *t;

	o.function = o.function != NULL ? o.function : "f";
	o.sort = true;
	g = call_grow_new(&o);
	for (size_t i = 0; i < n; i++)
		push(call_grow_sink(g, CALL_PASS_ALL), &m[i]);
	call_grow_finish(g);
	t = call_grow_take(g);
	call_grow_free(g);
	return t;
}

/* --- spans --------------------------------------------------------------------------------------
 */

struct made_span {
	uint64_t id, parent;
	int64_t start, end;
	const char *name;
};

static inline struct call_tree *grow_spans(const struct made_span *m, size_t n, bool unfold)
{
	struct call_grow_options o = { .function = "f", .unfold = unfold };
	struct call_grow *g = call_grow_new(&o);
	struct call_tree *t;

	for (size_t i = 0; i < n; i++) {
		struct call_sink *to = call_grow_sink(g, CALL_PASS_ALL);
		struct call_span s = { .trace = { 7, 0 },
				       .id = m[i].id,
				       .parent = m[i].parent,
				       .name = str_from(m[i].name),
				       .start = { m[i].start, 0 },
				       .end = { m[i].end, 0 } };

		assert_true(to->class->span(to, &s));
	}
	call_grow_finish(g);
	t = call_grow_take(g);
	call_grow_free(g);
	return t;
}

#endif
