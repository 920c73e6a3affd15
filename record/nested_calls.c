/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/nested_calls.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/xalloc.h"
#include "calls/call_grow.h"
#include "collect/region.h"

struct nested_calls {
	struct stream *stream;
	const struct osprof *profile;
	struct call_grow *grow;
	struct call_sink *sink;
	uint32_t *number; /* by operation: its number in the sink; 0: not known yet */
	size_t cap_numbers;
	uint64_t hz;
	pthread_t thread;
	bool started;
	atomic_bool over;
};

static int64_t ns_of(const struct nested_calls *n, uint64_t at)
{
	uint64_t began = n->stream->head->began, ticks = at > began ? at - began : 0;

	return n->hz == 0 ? (int64_t)ticks
			  : (int64_t)(ticks / n->hz * 1000000000) +
				    (int64_t)((double)(ticks % n->hz) * 1e9 / (double)n->hz);
}

static uint32_t number_of(struct nested_calls *n, uint32_t op)
{
	const char *name = osprof_name_of(n->profile, op);
	size_t had = n->cap_numbers;

	if (name == NULL)
		return n->sink->class->number(n->sink, STR("(others)"));
	n->number = xgrow(n->number, &n->cap_numbers, (size_t)op + 1, sizeof(*n->number));
	for (size_t i = had; i < n->cap_numbers; i++)
		n->number[i] = 0;
	if (n->number[op] == 0)
		n->number[op] = n->sink->class->number(n->sink, str_from(name));
	return n->number[op];
}

static void take_chunk(void *ctx, const struct stream_chunk *c, uint32_t events)
{
	struct nested_calls *n = ctx;
	struct call_event e = { .thread = { .who = c->series, .what = c->thread } };

	if (c->lost > 0)
		n->sink->class->lost(n->sink, &e.thread, c->lost);
	for (uint32_t i = 0; i < events; i++) {
		e.what = c->event[i].op & STREAM_LEAVE ? CALL_LEAVE : CALL_ENTER;
		e.jumped = c->event[i].left != 0;
		e.id = number_of(n, c->event[i].op & ~STREAM_LEAVE);
		e.at = call_time_ns((uint64_t)ns_of(n, c->event[i].at));
		(void)n->sink->class->event(n->sink, &e);
	}
}

static void *keep_taking(void *ctx)
{
	const struct timespec nap = { .tv_nsec = 2000000 };
	struct nested_calls *n = ctx;

	while (!atomic_load(&n->over)) {
		if (stream_take(n->stream, 0, take_chunk, n) == 0)
			(void)nanosleep(&nap, NULL);
	}
	return NULL;
}

struct nested_calls *nested_calls_start(struct stream *s, const struct osprof *profile,
					const char *function)
{
	const struct call_grow_options options = { .function = function, .exact = true };
	struct nested_calls *n = xcalloc(1, sizeof(*n));

	n->stream = s;
	n->profile = profile;
	n->hz = osprof_hz(profile);
	n->grow = call_grow_new(&options);
	n->sink = call_grow_sink(n->grow, CALL_PASS_ALL);
	n->started = pthread_create(&n->thread, NULL, keep_taking, n) == 0;
	return n;
}

struct call_tree *nested_calls_finish(struct nested_calls *n, uint64_t *ret_waited)
{
	struct call_tree *t;

	atomic_store(&n->over, true);
	if (n->started)
		(void)pthread_join(n->thread, NULL);
	(void)stream_take(n->stream, 1, take_chunk, n);
	call_grow_finish(n->grow);
	*ret_waited = n->stream->head->waited;
	t = call_grow_take(n->grow);
	call_grow_free(n->grow);
	free(n->number);
	free(n);
	return t;
}
