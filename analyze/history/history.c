/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/history/history.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/history/history_judging.h"
#include "analyze/totals.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/tables/hash.h"

const struct history_rules history_rules_default = {
	.runs = { .q = 0.05,
		  .min_effect = 0.07,
		  .min_calls = 0.07,
		  .min_tail = 0.585,
		  .min_tested_calls = 30,
		  .min_tested_share = 0.001,
		  .min_common_operations = 10,
		  .seed = 20061106 },
	.min_share = 0.01,
	.min_p99 = 0.32,
	.min = 3,
	.shuffles = 199,
	.outlier = 6,
	.min_odd = 0.2,
};

/* An operation while runs are added. */
struct member {
	struct str key;
	struct past past;
	size_t cap;
	UT_hash_handle hh;
};

struct history {
	struct arena *arena;
	struct member *members, *first, *last;
	struct history_run *run;
	size_t n_runs, cap, n_members;
	struct edges_pool edges; /* of the histograms kept */
	enum unit unit;
	double hz;
};

struct history *history_new(void)
{
	struct history *h = xcalloc(1, sizeof(*h));

	h->arena = arena_new();
	edges_pool_start(&h->edges, h->arena);
	return h;
}

void history_free(struct history *h)
{
	struct member *m, *next;

	if (h == NULL)
		return;
	HASH_ITER(hh, h->members, m, next)
	{
		HASH_DEL(h->members, m);
		free((void *)m->past.run);
	}
	free(h->run);
	edges_pool_release(&h->edges);
	arena_free(h->arena);
	free(h);
}

/* --- adding runs ------------------------------------------------------------------------ */

static struct member *member_of(struct history *h, const struct operation *op)
{
	struct member *m;
	struct arena *scratch = arena_new();
	struct str key =
		arena_printf(scratch, "%.*s%c%.*s", STR_ARG(op->layer), '\0', STR_ARG(op->name));

	HASH_FIND(hh, h->members, key.p, key.n, m);
	if (m == NULL) {
		m = arena_make(h->arena, struct member, 1);
		m->key = arena_str(h->arena, key);
		m->past.layer = (struct str){ m->key.p, op->layer.n };
		m->past.name = str_skip(m->key, op->layer.n + 1);
		m->past.unit = op->unit;
		HASH_ADD_KEYPTR(hh, h->members, m->key.p, m->key.n, m);
		h->n_members++;
	}
	arena_free(scratch);
	return m;
}

/* Copies what judging needs of an operation, converted to the unit of the first run. */
static const struct operation *kept_copy(struct history *h, const struct operation *op,
					 const struct member *m, double scale)
{
	struct operation *r = arena_make(h->arena, struct operation, 1);

	*r = (struct operation){ .name = m->past.name,
				 .layer = m->past.layer,
				 .unit = m->past.unit,
				 .stated = op->stated,
				 .own_known = op->own_known,
				 .own = op->own * scale };
	r->hist = scale != 1 && op->hist.n > 0 ? histogram_scaled(h->arena, &op->hist, scale)
					       : histogram_copy(&h->edges, &op->hist);
	if (r->stated.has_total && scale != 1)
		r->stated.has_total =
			decimal_from_f64(decimal_f64(op->stated.total) * scale, &r->stated.total);
	return r;
}

static bool is_latency(const struct operation *op, const struct profile *p)
{
	return op->unit == p->unit;
}

/* An operation with another unit than its run must have that unit in all runs. */
static bool scale_of(const struct history *h, const struct profile *p, const struct operation *op,
		     const struct member *m, double *ret)
{
	double hz = is_latency(op, p) ? p->hz : 0;

	return unit_scale(op->unit, hz, m->past.unit, h->hz, ret);
}

static bool report_units(const struct history *h, const char *name, enum unit is, enum unit was,
			 struct diag *diag)
{
	bool cycles = (is == UNIT_CYCLES) != (was == UNIT_CYCLES) || is == was;

	diag_plain(diag, cycles ? DIAG_HZ_MISSING : DIAG_UNIT_CLASH, "%s: unit %s, in %s %s; %s",
		   name, unit_name(is), h->run[0].name, unit_name(was),
		   cycles ? "--hz gives the clock rate" : "--unit settles an unknown one");
	return false;
}

static bool add_operations(struct history *h, const char *name, const struct profile *p,
			   struct diag *diag)
{
	struct history_run *run = &h->run[h->n_runs];

	for (size_t i = 0; i < p->n_ops; i++) {
		const struct operation *op = &p->op[i];
		struct member *m = member_of(h, op);
		struct past *past = &m->past;
		size_t had = m->cap;
		double scale;

		if (!scale_of(h, p, op, m, &scale))
			return report_units(h, name, op->unit, past->unit, diag);
		past->run = xgrow((void *)past->run, &m->cap, h->n_runs + 1, sizeof(*past->run));
		memset((void *)(past->run + had), 0, (m->cap - had) * sizeof(*past->run));
		if (operation_count(op) == 0)
			continue;
		past->run[h->n_runs] = kept_copy(h, op, m, scale);
		past->n_present++;
		if (is_latency(op, p))
			run->latency += operation_own(op) * scale / (double)run->n_files;
	}
	return true;
}

bool history_add(struct history *h, const char *name, const struct profile *p, size_t n_files,
		 struct diag *diag)
{
	double scale;

	h->run = xgrow(h->run, &h->cap, h->n_runs + 1, sizeof(*h->run));
	h->run[h->n_runs] =
		(struct history_run){ .name = name, .n_files = n_files, .cpu_speed = p->cpu_speed };
	if (h->n_runs == 0) {
		h->unit = p->unit;
		h->hz = p->hz;
	}
	if (!unit_scale(p->unit, p->hz, h->unit, h->hz, &scale))
		return report_units(h, name, p->unit, h->unit, diag);
	if (!add_operations(h, name, p, diag))
		return false;
	h->n_runs++;
	return true;
}

/* --- handing them over ---------------------------------------------------------------------- */

struct past *history_past(struct history *h, size_t *ret_n)
{
	struct past *v = arena_make(h->arena, struct past, h->n_members + 1);
	size_t n = 0;

	for (struct member *m = h->members; m != NULL; m = m->hh.next) {
		const struct operation **run =
			arena_make(h->arena, const struct operation *, h->n_runs);

		memcpy((void *)run, (const void *)m->past.run,
		       (m->cap < h->n_runs ? m->cap : h->n_runs) * sizeof(*run));
		v[n] = m->past;
		v[n++].run = run;
	}
	*ret_n = n;
	return v;
}

struct history_findings history_begin(const struct history *h, const struct history_rules *rules)
{
	return (struct history_findings){
		.rules = *rules,
		.run = h->run,
		.n_runs = h->n_runs,
		.unit = h->unit,
		.hz = h->hz,
		.arena = h->arena,
	};
}
