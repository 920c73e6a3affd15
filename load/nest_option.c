/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/nest_option.h"

#include <assert.h>
#include <string.h>

#include "analyze/layers/nest_ends.h"
#include "analyze/layers/nested.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "profile/profile.h"
#include "profile/quantity.h"

static bool same_end(const struct nest_end *a, const struct nest_end *b)
{
	return a->both == b->both && str_eq(a->layer, b->layer) && str_eq(a->name, b->name);
}

/* Whether a chain of at most `depth` statements leads from one end to the other. */
static bool chain_leads(const struct nest *v, size_t n, const struct nest_end *from,
			const struct nest_end *to, size_t depth)
{
	for (size_t i = 0; i < n && depth > 0; i++) {
		if (same_end(&v[i].upper, from) &&
		    (same_end(&v[i].lower, to) || chain_leads(v, n, &v[i].lower, to, depth - 1)))
			return true;
	}
	return false;
}

const char *nest_option_take(struct nest_option *o, const char *arg)
{
	enum { MAX = 64 }; /* statements of a command line */
	struct nest *more;
	const char *wrong;
	size_t n;

	if (strcmp(arg, "none") == 0) {
		o->none = true;
		return NULL;
	}
	if (o->arena == NULL)
		o->arena = arena_new();
	wrong = nest_parse(o->arena, str_from(arg), &more, &n);
	if (wrong != NULL)
		return wrong;
	if (o->n + n > MAX)
		return "no more than 64 statements";
	o->v = arena_grow(o->arena, o->v, &o->cap, o->n + n, sizeof(*o->v));
	for (size_t i = 0; i < n; i++) {
		o->v[o->n++] = more[i];
		if (same_end(&more[i].upper, &more[i].lower) ||
		    chain_leads(o->v, o->n, &more[i].lower, &more[i].upper, o->n))
			return "statements that go in no circle";
	}
	return NULL;
}

void nest_option_release(struct nest_option *o)
{
	arena_free(o->arena);
}

static void report_unused(const struct profile *p, const struct nest *nest, bool upper,
			  struct diag *diag)
{
	struct out *text = out_to_memory();

	nest_end_write(text, upper ? &nest->upper : &nest->lower);
	diag_plain(diag, DIAG_NEST_UNUSED, "%.*s has neither a layer nor an operation %.*s",
		   STR_ARG(p->source), STR_ARG(out_memory(text)));
	out_free(text);
}

static void report_all_unused(const struct nest_option *o, const struct profile *p,
			      struct diag *diag)
{
	struct arena *a = arena_new();
	struct nest_book book = nest_book_of(a, p);

	for (size_t i = 0; i < o->n; i++) {
		bool upper = nest_book_find(&book, &o->v[i].upper).n == 0;

		if (upper || nest_book_find(&book, &o->v[i].lower).n == 0)
			report_unused(p, &o->v[i], upper, diag);
	}
	arena_free(a);
}

static void forget_selves(struct profile *p)
{
	p->n_nests = 0;
	for (size_t i = 0; i < p->n_ops; i++) {
		struct operation *op = &p->op[i];

		op->stated.has_self = op->stated.has_inclusive = false;
		for (size_t k = 0; k < op->n_intervals; k++) {
			op->interval[k].stated.has_self = false;
			op->interval[k].stated.has_inclusive = false;
		}
	}
}

static void add_nest(struct profile *p, const struct nest *nest)
{
	struct nest *all = arena_make(p->arena, struct nest, p->n_nests + 1);
	bool sorted;

	for (size_t i = 0; i < p->n_nests; i++) {
		if (nest_cmp(&p->nest[i], nest) == 0)
			return;
		all[i] = p->nest[i];
	}
	nest_copy(p->arena, nest, &all[p->n_nests++]);
	p->nest = all;
	sorted = nests_sort(p->nest, &p->n_nests); /* no two are the same */
	assert(sorted);
	(void)sorted;
}

void nest_option_add(const struct nest_option *o, struct profile *p, struct diag *diag)
{
	if (o->none)
		forget_selves(p);
	if (o->n == 0)
		return;
	report_all_unused(o, p, diag);
	for (size_t i = 0; i < o->n; i++)
		add_nest(p, &o->v[i]);
}

static double time_of_layer(const struct profile *p, const char *name)
{
	double sum = 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		if (str_eq(p->op[i].layer, str_from(name)))
			sum += operation_total(&p->op[i]);
	}
	return sum;
}

/* Warns that block requests took longer than system calls: some are of other programs, or no call
 * waits for them. */
static void report_not_assumed(const struct profile *p, double below, double above,
			       struct diag *diag)
{
	const struct scale scale = { .unit = p->unit, .hz = p->hz };
	struct out *text = out_to_memory();

	quantity_latency(text, below, scale);
	out_text(text, " of block requests, ");
	quantity_latency(text, above, scale);
	out_text(text, " of system calls");
	diag_plain(diag, DIAG_NEST_IMPOSSIBLE,
		   "%.*s: %.*s; both are counted, use --nest 'syscall>OPERATION' for requests "
		   "that calls wait for",
		   STR_ARG(p->source), STR_ARG(out_memory(text)));
	out_free(text);
}

/* Assumes that block requests lie within system calls if nothing states nesting, unless the
 * requests take longer than the calls. */
static void assume_nesting(struct profile *p, struct diag *diag)
{
	const struct nest known = { .upper = { .name = STR("syscall"), .layer = STR("") },
				    .lower = { .name = STR("block"), .layer = STR("") } };

	double above = time_of_layer(p, "syscall"), below = time_of_layer(p, "block");

	if (p->n_nests > 0 || !(below > 0) || !(above > 0))
		return;
	if (below > above) {
		report_not_assumed(p, below, above, diag);
		return;
	}
	diag_plain(diag, DIAG_NEST_ASSUMED,
		   "%.*s: block requests within system calls; use --nest none to count both",
		   STR_ARG(p->source));
	add_nest(p, &known);
}

void nest_option_mark(const struct nest_option *o, struct profile *p, struct diag *diag)
{
	if (!o->none)
		assume_nesting(p, diag);
	nested_mark(p, diag);
}
