/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls/call_meanwhile.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "calls/call_grow_parts.h"

/* Waits, to compute how much of them lies before a time x: the sum of max(0, x - start) minus
 * that of max(0, x - end). */
struct times {
	int64_t *start, *end;	     /* each sorted */
	double *start_sum, *end_sum; /* prefix sums, relative to the first */
	size_t n;
};

struct path {
	uint32_t parent, name;
	double during, whole;
};

struct of_thread {
	uint64_t thread;
	struct times times;
};

struct call_meanwhile {
	struct times all;
	struct of_thread *own; /* by thread */
	size_t n_own;
	double waiting;
	int64_t start, end; /* of the trace */
	struct path *path;  /* from 1 */
	size_t n_paths, cap_paths;
	struct number_map below;
};

static int by_number(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static double *sums_of(const int64_t *v, size_t n)
{
	double *sum = xcalloc(n + 1, sizeof(*sum));

	for (size_t i = 0; i < n; i++)
		sum[i + 1] = sum[i] + (double)(v[i] - v[0]);
	return sum;
}

static struct times times_of(const struct call_pause *pause, size_t n)
{
	struct times t = { .start = xcalloc(n + 1, sizeof(*t.start)),
			   .end = xcalloc(n + 1, sizeof(*t.end)),
			   .n = n };

	for (size_t i = 0; i < n; i++) {
		t.start[i] = pause[i].start;
		t.end[i] = pause[i].end;
	}
	qsort(t.start, n, sizeof(*t.start), by_number);
	qsort(t.end, n, sizeof(*t.end), by_number);
	t.start_sum = sums_of(t.start, n);
	t.end_sum = sums_of(t.end, n);
	return t;
}

static void times_release(struct times *t)
{
	free(t->start);
	free(t->end);
	free(t->start_sum);
	free(t->end_sum);
}

/* Returns the sum of max(0, x - v). */
static double time_before(const int64_t *v, const double *sum, size_t n, int64_t x)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (v[middle] < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 ? 0 : (double)low * (double)(x - v[0]) - sum[low];
}

static double waited_until(const struct times *t, int64_t x)
{
	return time_before(t->start, t->start_sum, t->n, x) -
	       time_before(t->end, t->end_sum, t->n, x);
}

static double waited_within(const struct times *t, int64_t start, int64_t end)
{
	return t->n == 0 ? 0 : waited_until(t, end) - waited_until(t, start);
}

static int by_thread(const void *a, const void *b)
{
	const struct call_pause *x = a, *y = b;

	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

struct call_meanwhile *call_meanwhile_new(const struct call_pause *pause, size_t n)
{
	struct call_meanwhile *m = xcalloc(1, sizeof(*m));
	struct call_pause *sorted = xcalloc(n + 1, sizeof(*sorted));

	for (size_t i = 0; i < n; i++) {
		sorted[i] = pause[i];
		m->waiting += (double)(pause[i].end - pause[i].start);
	}
	qsort(sorted, n, sizeof(*sorted), by_thread);
	m->all = times_of(sorted, n);
	m->own = xcalloc(n + 1, sizeof(*m->own));
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i; k < n && sorted[k].thread == sorted[i].thread; k++)
			;
		m->own[m->n_own++] =
			(struct of_thread){ sorted[i].thread, times_of(sorted + i, k - i) };
	}
	m->start = INT64_MAX;
	m->end = INT64_MIN;
	free(sorted);
	return m;
}

void call_meanwhile_free(struct call_meanwhile *m)
{
	if (m == NULL)
		return;
	times_release(&m->all);
	for (size_t i = 0; i < m->n_own; i++)
		times_release(&m->own[i].times);
	free(m->own);
	free(m->path);
	number_map_release(&m->below);
	free(m);
}

static const struct times *own_of(const struct call_meanwhile *m, uint64_t thread)
{
	static const struct times none = { .n = 0 };
	size_t low = 0, high = m->n_own;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->own[middle].thread < thread)
			low = middle + 1;
		else
			high = middle;
	}
	return low < m->n_own && m->own[low].thread == thread ? &m->own[low].times : &none;
}

/* --- paths ------------------------------------------------------------------------- */

static uint32_t path_below(struct call_meanwhile *m, uint32_t parent, uint32_t name)
{
	uint64_t *number;
	uint32_t up = parent;
	bool fresh;

	while (up != 0 && m->path[up].name != name)
		up = m->path[up].parent;
	if (up != 0)
		return parent; /* recursion: the name is on the path already */
	number = number_map_at(&m->below, (uint64_t)parent << 32 | name, &fresh);
	if (!fresh)
		return (uint32_t)*number;
	if (m->n_paths >= CALL_TREE_NODES)
		return parent;
	m->path = xgrow(m->path, &m->cap_paths, m->n_paths + 2, sizeof(*m->path));
	*number = ++m->n_paths;
	m->path[m->n_paths] = (struct path){ parent, name, 0, 0 };
	return (uint32_t)*number;
}

void meanwhile_enter(struct call_meanwhile *m, const struct grow_thread *t, struct grow_frame *f)
{
	uint32_t around = t->n > 0 ? t->frame[t->n - 1].path : 0;

	/* Calls below waits and interrupts are not reported. */
	if (f->kind != CALL_IS_RUNNING || (t->n > 0 && around == 0))
		return;
	f->path = path_below(m, around, f->name);
}

void meanwhile_leave(struct call_meanwhile *m, const struct grow_thread *t,
		     const struct grow_frame *f, int64_t end)
{
	const struct times *own = own_of(m, t->key.who ^ t->key.what << 32);

	if (t->n == 0) {
		m->start = f->start < m->start ? f->start : m->start;
		m->end = end > m->end ? end : m->end;
	}
	if (f->path == 0)
		return;
	m->path[f->path].whole += (double)(end - f->start);
	m->path[f->path].during +=
		waited_within(&m->all, f->start, end) - waited_within(own, f->start, end);
}

/* --- the answer -------------------------------------------------------------------- */

static int by_ratio(const void *a, const void *b)
{
	const struct meanwhile_calls *x = a, *y = b;
	double left = x->waiting / (x->trace > 1e-9 ? x->trace : 1e-9);
	double right = y->waiting / (y->trace > 1e-9 ? y->trace : 1e-9);

	if (left != right)
		return left > right ? -1 : 1;
	return x->n > y->n ? -1 : x->n < y->n;
}

static void name_path(const struct call_meanwhile *m, struct arena *a,
		      const struct call_tree *names, uint32_t path, struct meanwhile_calls *to)
{
	struct str *name;
	size_t n = 0;

	for (uint32_t i = path; i != 0; i = m->path[i].parent)
		n++;
	name = arena_alloc(a, n, sizeof(*name));
	to->path = name;
	to->n = n;
	for (uint32_t i = path; i != 0; i = m->path[i].parent)
		name[--n] = call_tree_str(names, m->path[i].name);
}

size_t call_meanwhile_find(const struct call_meanwhile *m, struct arena *a,
			   const struct call_tree *names, double min, struct meanwhile_calls **ret)
{
	double span = (double)(m->end - m->start);
	size_t n = 0;

	*ret = arena_alloc(a, m->n_paths + 1, sizeof(**ret));
	for (uint32_t i = 1; i <= m->n_paths; i++) {
		if (m->waiting <= 0 || m->path[i].during < min * m->waiting)
			continue;
		name_path(m, a, names, i, &(*ret)[n]);
		(*ret)[n].waiting = m->path[i].during / m->waiting;
		(*ret)[n++].trace = span > 0 ? m->path[i].whole / span : 0;
	}
	qsort(*ret, n, sizeof(**ret), by_ratio);
	return n;
}
