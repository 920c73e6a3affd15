/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/mix.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"

/* One operation of one run. */
struct entry {
	const struct operation *op;
	size_t run;
};

static int by_key(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	int order = operation_cmp_key(a->op, b->op);

	return order != 0 ? order : (a->run > b->run) - (a->run < b->run);
}

/* Returns all operations of all runs, those of one name together; on the heap. */
static struct entry *sort_entries(const struct profile *const *p, size_t n, size_t *ret_n)
{
	size_t n_entries = 0, at = 0;
	struct entry *e;

	for (size_t i = 0; i < n; i++)
		n_entries += p[i]->n_ops;
	e = xcalloc(n_entries + 1, sizeof(*e));
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < p[i]->n_ops; k++) {
			if (!p[i]->op[k].idle)
				e[at++] = (struct entry){ &p[i]->op[k], i };
		}
	}
	qsort(e, at, sizeof(*e), by_key);
	*ret_n = at;
	return e;
}

static void fill_rows(struct arena *a, struct mix *m, const struct entry *e, size_t n)
{
	m->row = arena_make(a, struct mix_row, n);
	for (size_t i = 0; i < n; i++) {
		struct mix_row *row;
		double calls = (double)operation_count(e[i].op), time = operation_own(e[i].op);

		if (m->n == 0 || operation_cmp_key(m->row[m->n - 1].op, e[i].op) != 0)
			m->row[m->n++] =
				(struct mix_row){ e[i].op, arena_make(a, double, m->n_runs),
						  arena_make(a, double, m->n_runs) };
		row = &m->row[m->n - 1];
		row->calls[e[i].run] += calls;
		row->time[e[i].run] += time;
		m->calls[e[i].run] += calls;
		m->time[e[i].run] += time;
	}
}

static double part_of(double value, double all)
{
	return all > 0 ? value / all : 0;
}

/* An operation, and its largest part of the calls of a run. */
struct weighed {
	struct mix_row row;
	double part;
};

static int by_part(const void *pa, const void *pb)
{
	const struct weighed *a = pa, *b = pb;

	if (a->part != b->part)
		return a->part > b->part ? -1 : 1;
	return operation_cmp_key(a->row.op, b->row.op);
}

static void sort_rows(struct mix *m)
{
	struct weighed *w = xcalloc(m->n + 1, sizeof(*w));

	for (size_t i = 0; i < m->n; i++) {
		w[i].row = m->row[i];
		for (size_t r = 0; r < m->n_runs; r++)
			w[i].part = fmax(w[i].part, part_of(m->row[i].calls[r], m->calls[r]));
	}
	qsort(w, m->n, sizeof(*w), by_part);
	for (size_t i = 0; i < m->n; i++)
		m->row[i] = w[i].row;
	free(w);
}

static void compare_runs_of(struct mix *m, size_t i, size_t k)
{
	double calls = 0, time = 0;

	for (size_t r = 0; r < m->n; r++) {
		const struct mix_row *row = &m->row[r];

		calls += fabs(part_of(row->calls[i], m->calls[i]) -
			      part_of(row->calls[k], m->calls[k]));
		time += fabs(part_of(row->time[i], m->time[i]) - part_of(row->time[k], m->time[k]));
	}
	m->by_calls[i * m->n_runs + k] = m->calls[i] > 0 && m->calls[k] > 0 ? calls / 2 : NAN;
	m->by_time[i * m->n_runs + k] = m->time[i] > 0 && m->time[k] > 0 ? time / 2 : NAN;
}

struct mix mix_of(struct arena *a, const struct profile *const *p, size_t n)
{
	struct mix m = { .n_runs = n };
	size_t n_entries;
	struct entry *e = sort_entries(p, n, &n_entries);

	m.calls = arena_make(a, double, n);
	m.time = arena_make(a, double, n);
	m.by_calls = arena_make(a, double, n *n);
	m.by_time = arena_make(a, double, n *n);
	fill_rows(a, &m, e, n_entries);
	free(e);
	sort_rows(&m);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < n; k++)
			compare_runs_of(&m, i, k);
	}
	return m;
}

size_t mix_nearest(const struct mix *m, size_t i)
{
	const double *d = &m->by_calls[i * m->n_runs];
	size_t best = i;

	for (size_t k = 0; k < m->n_runs; k++) {
		if (k != i && !isnan(d[k]) && (best == i || d[k] < d[best]))
			best = k;
	}
	return best;
}
