/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/parallel.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/xalloc.h"

struct part {
	void (*task)(void *ctx, size_t i);
	void *ctx;
	size_t i;
	pthread_t thread;
	bool started;
};

static void *run_part(void *arg)
{
	const struct part *p = arg;

	p->task(p->ctx, p->i);
	return NULL;
}

void parallel_run(size_t n, void (*task)(void *ctx, size_t i), void *ctx)
{
	struct part *part = n > 1 ? xcalloc(n, sizeof(*part)) : NULL;

	for (size_t i = 1; i < n; i++) {
		part[i] = (struct part){ .task = task, .ctx = ctx, .i = i };
		part[i].started = pthread_create(&part[i].thread, NULL, run_part, &part[i]) == 0;
	}
	if (n > 0)
		task(ctx, 0);
	for (size_t i = 1; i < n; i++) {
		if (!part[i].started)
			task(ctx, i);
	}
	for (size_t i = 1; i < n; i++) {
		if (part[i].started)
			(void)pthread_join(part[i].thread, NULL);
	}
	free(part);
}

struct stretches {
	size_t n_items, n;
	void (*body)(void *ctx, size_t from, size_t to);
	void *ctx;
};

static void run_stretch(void *ctx, size_t i)
{
	const struct stretches *s = ctx;

	s->body(s->ctx, i * s->n_items / s->n, (i + 1) * s->n_items / s->n);
}

void parallel_for(size_t n, const struct parallel *how,
		  void (*body)(void *ctx, size_t from, size_t to), void *ctx)
{
	struct stretches s = { n, n / (how->fewest > 0 ? how->fewest : 1), body, ctx };

	if (s.n > how->threads)
		s.n = how->threads;
	if (s.n < 1)
		s.n = 1;
	parallel_run(s.n, run_stretch, &s);
}
