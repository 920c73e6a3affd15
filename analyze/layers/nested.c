/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/layers/nested.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/layers/nest_ends.h"
#include "analyze/peaks.h"
#include "analyze/resemble.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "profile/quantity.h"

enum {
	MAX_MATCHED = 64, /* operations of a lower layer that are matched by name or count */
	MIN_MATCHED = 20, /* calls; smaller counts match by chance too easily */
};

const char *below_how_name(enum below_how how)
{
	static const char *const names[] = { "exact", "stated", "name", "count", "shared" };

	return names[how];
}

/* The slowest calls of an operation, from one of its peaks on. */
struct tail {
	uint64_t count;
	double total;
	double reach; /* upper edge of that peak's core; most of its calls are shorter */
};

/* An operation that others may lie below. */
struct candidate {
	uint32_t op;
	double left; /* part of its latency not charged yet */
	struct tail *tail;
	size_t n_tails;
	bool has_tails;
};

struct nested_work {
	struct arena *arena;
	const struct profile *profile;
	struct str source;
	struct diag *diag;
	struct below *below;
	size_t n_below, cap_below;
	double *charged; /* of each operation: latency of what lies below it */
	bool *shared;	 /* ... part of that is BELOW_SHARED, an estimate */
	bool *upper;	 /* ... a statement says that something lies below it */
	size_t n_unusable;
};

/* --- bounds ------------------------------------------------------------------------------- */

static double min_of(const struct operation *op)
{
	return operation_total_stated(op) ? operation_total(op) : histogram_total_min(&op->hist);
}

static double max_inclusive(const struct operation *op)
{
	return operation_total_stated(op) ? operation_total(op) : histogram_total_max(&op->hist);
}

/* Compares sums of doubles, which have rounding errors. */
static bool is_more(double below, double above)
{
	return below > above * (1 + 1e-9);
}

/* --- charging ----------------------------------------------------------------------------- */

static void charge_below(struct nested_work *w, struct candidate *c, const struct below *b)
{
	w->below = xgrow(w->below, &w->cap_below, w->n_below + 1, sizeof(*w->below));
	w->below[w->n_below++] = *b;
	w->charged[c->op] += b->total;
	w->shared[c->op] |= b->how == BELOW_SHARED;
	c->left -= b->total;
}

static void charge_whole(struct nested_work *w, struct candidate *c, const struct operation *lower,
			 enum below_how how, double reached)
{
	struct below b = { .upper = &w->profile->op[c->op],
			   .lower = lower,
			   .layer = lower->layer,
			   .how = how,
			   .reached = reached,
			   .calls = (double)operation_count(lower),
			   .total = operation_total(lower) };

	charge_below(w, c, &b);
}

/* --- by name ------------------------------------------------------------------------------ */

/* Whether both have the same name, in different layers. */
static bool is_named_like(const struct nested_work *w, const struct candidate *c,
			  const struct operation *lower)
{
	return str_eq(w->profile->op[c->op].name, lower->name);
}

static bool can_hold(const struct nested_work *w, const struct candidate *c,
		     const struct operation *lower)
{
	const struct operation *op = &w->profile->op[c->op];

	return operation_count(op) >= operation_count(lower) &&
	       !is_more(min_of(lower), max_inclusive(op));
}

/* Calls of a lower layer that are charged together: their number, time, and shortest latency. */
struct rest {
	double calls, total, shortest;
	struct str layer;
};

static double shortest_of(const struct operation *op)
{
	if (op->stated.has_min)
		return op->stated.min;
	return op->hist.n > 0 ? op->hist.bucket[0].edges->low : 0;
}

static void add_to_rest(struct rest *r, const struct operation *op)
{
	r->calls += (double)operation_count(op);
	r->total += operation_total(op);
	r->shortest = fmin(r->shortest, shortest_of(op));
	r->layer = op->layer;
}

/* --- by count ----------------------------------------------------------------------------- */

/* Makes a tail for each peak, from all calls down to the slowest peak alone. */
static void find_tails(struct nested_work *w, struct candidate *c)
{
	const struct operation *op = &w->profile->op[c->op];
	struct peaks peaks = peaks_find(w->arena, &op->hist, &peak_rules_default);
	uint64_t count = operation_count(op);
	double total = operation_total(op);

	c->has_tails = true;
	c->tail = arena_make(w->arena, struct tail, peaks.n + 1);
	for (size_t i = 0; i < peaks.n; i++) {
		c->tail[c->n_tails++] = (struct tail){ count, total, peaks.v[i].core_high };
		count -= peaks.v[i].count < count ? peaks.v[i].count : count;
		total -= peaks.v[i].total;
	}
	if (peaks.n == 0 && count > 0)
		c->tail[c->n_tails++] = (struct tail){ count, total, HUGE_VAL };
}

/* A candidate whose slowest peaks have as many calls as lie below it. */
struct counted {
	struct candidate *candidate;
	uint64_t calls; /* of those peaks */
};

static uint64_t difference_of(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Finds the candidate with a tail of as many calls.  Its `candidate` is NULL when there is none,
 * or when two are equally near. */
static struct counted find_counted(struct nested_work *w, struct candidate *v, size_t n,
				   const struct rest *r)
{
	uint64_t calls = (uint64_t)r->calls;
	struct counted best = { .candidate = NULL };
	uint64_t nearest = UINT64_MAX;
	bool tied = false;

	for (size_t i = 0; i < n; i++) {
		struct candidate *c = &v[i];

		if (counts_compare(operation_count(&w->profile->op[c->op]), calls) ==
			    COUNTS_APART &&
		    operation_count(&w->profile->op[c->op]) < calls)
			continue;
		if (!c->has_tails)
			find_tails(w, c);
		for (size_t k = 0; k < c->n_tails; k++) {
			uint64_t distance = difference_of(c->tail[k].count, calls);

			if (counts_compare(c->tail[k].count, calls) == COUNTS_APART ||
			    c->tail[k].reach <= r->shortest ||
			    is_more(r->total, fmin(c->left, c->tail[k].total * 1.5)) ||
			    distance > nearest)
				continue;
			tied = distance == nearest && best.candidate != c;
			best = (struct counted){ c, c->tail[k].count };
			nearest = distance;
		}
	}
	return tied ? (struct counted){ .candidate = NULL } : best;
}

/* --- in proportion ------------------------------------------------------------------------ */

/* The time of the calls that may last `low` or longer. */
static double time_from(const struct operation *op, double low)
{
	double sum = 0, all = 0;

	for (size_t i = 0; i < op->hist.n; i++) {
		const struct bucket *b = &op->hist.bucket[i];
		double high = isfinite(b->edges->high) ? b->edges->high : b->edges->low * 2;
		double time = (b->edges->low + high) / 2 * (double)b->count;

		all += time;
		if (b->edges->high > low)
			sum += time;
	}
	return all > 0 ? sum / all * operation_total(op) : operation_total(op);
}

static void share_out(struct nested_work *w, struct candidate *v, size_t n, const struct rest *r)
{
	double *weight = xcalloc(n, sizeof(*weight)), sum = 0;

	for (size_t i = 0; i < n; i++) {
		const struct operation *op = &w->profile->op[v[i].op];

		weight[i] = fmax(0, fmin(v[i].left, time_from(op, r->shortest)));
		sum += weight[i];
	}
	for (size_t i = 0; i < n && sum > 0; i++) {
		double part = weight[i] / sum;
		struct below b = { .upper = &w->profile->op[v[i].op],
				   .layer = r->layer,
				   .how = BELOW_SHARED,
				   .reached = NAN,
				   .calls = r->calls * part,
				   .total = fmin(r->total, sum) * part };

		if (part > 0)
			charge_below(w, &v[i], &b);
	}
	free(weight);
}

/* --- one lower layer ---------------------------------------------------------------------- */

static int by_falling_total(const void *pa, const void *pb)
{
	double a = operation_total(*(const struct operation *const *)pa);
	double b = operation_total(*(const struct operation *const *)pb);

	return (a < b) - (a > b);
}

static void report_impossible(const struct nested_work *w, const struct nest *nest, double below,
			      double above)
{
	const struct scale scale = { .unit = w->profile->unit, .hz = w->profile->hz };
	struct out *text = out_to_memory();

	nest_write(text, nest);
	out_text(text, ": ");
	quantity_latency(text, below, scale);
	out_text(text, " below, ");
	quantity_latency(text, above, scale);
	out_text(text, " above");
	diag_plain(w->diag, DIAG_NEST_IMPOSSIBLE, "%.*s: %.*s; not used, both are counted",
		   STR_ARG(w->source), STR_ARG(out_memory(text)));
	out_free(text);
}

static bool fits_within(struct nested_work *w, const struct nesting_rule *rule,
			const struct candidate *v, size_t n, const struct operation **lower,
			size_t n_lower)
{
	double below = 0, above = 0;

	for (size_t i = 0; i < n; i++)
		above += max_inclusive(&w->profile->op[v[i].op]);
	for (size_t i = 0; i < n_lower; i++)
		below += min_of(lower[i]);
	if (!is_more(below, above))
		return true;
	report_impossible(w, rule->nest, below, above);
	w->n_unusable++;
	return false;
}

/* How many calls of the upper operation contain a call of the lower one: as many as its slowest
 * peaks hold, if these match the lower one's calls, and at most these calls; NAN when not known. */
static double reached_by(struct nested_work *w, struct candidate *upper,
			 const struct operation *lower)
{
	struct rest alone = { .shortest = HUGE_VAL };
	uint64_t calls = operation_count(lower);
	struct counted found;

	if (calls < MIN_MATCHED)
		return NAN;
	add_to_rest(&alone, lower);
	found = find_counted(w, upper, 1, &alone);
	if (found.candidate == NULL)
		return NAN;
	return (double)(found.calls < calls ? found.calls : calls);
}

/* Charges the lower operations that belong to one upper operation; returns how many are left. */
static size_t charge_alone(struct nested_work *w, struct candidate *v, size_t n,
			   const struct operation **lower, size_t n_lower)
{
	size_t left = 0;

	for (size_t i = 0, at = 0; i < n_lower; i++) {
		const struct operation *op = lower[i];
		struct candidate *c = n == 1 ? &v[0] : NULL;
		enum below_how how = BELOW_STATED;

		for (at = 0; c == NULL && i < MAX_MATCHED && at < n; at++) {
			if (is_named_like(w, &v[at], op) && can_hold(w, &v[at], op)) {
				c = &v[at];
				how = BELOW_NAME;
			}
		}
		if (c == NULL && i < MAX_MATCHED && operation_count(op) >= MIN_MATCHED) {
			struct rest alone = { .shortest = HUGE_VAL };

			add_to_rest(&alone, op);
			c = find_counted(w, v, n, &alone).candidate;
			how = BELOW_COUNT;
		}
		if (c == NULL) {
			lower[left++] = op;
			continue;
		}
		charge_whole(w, c, op, how, reached_by(w, c, op));
	}
	return left;
}

/* Several operations together may have as many calls as one above: read and readahead, say.
 * Returns how many are left to charge. */
static size_t charge_together(struct nested_work *w, struct candidate *v, size_t n,
			      const struct operation **lower, size_t n_lower)
{
	struct rest all = { .shortest = HUGE_VAL };
	struct candidate *c;

	for (size_t i = 0; i < n_lower; i++)
		add_to_rest(&all, lower[i]);
	if (n_lower < 2 || all.calls < MIN_MATCHED)
		return n_lower;
	c = find_counted(w, v, n, &all).candidate;
	if (c == NULL)
		return n_lower;
	for (size_t i = 0; i < n_lower; i++)
		charge_whole(w, c, lower[i], BELOW_COUNT, NAN);
	return 0;
}

static void charge_layer(struct nested_work *w, const struct nesting_rule *rule,
			 struct candidate *v, size_t n, const struct operation **lower,
			 size_t n_lower)
{
	struct rest rest = { .shortest = HUGE_VAL };

	if (n == 0 || n_lower == 0 || !fits_within(w, rule, v, n, lower, n_lower))
		return;
	for (size_t i = 0; i < n; i++)
		w->upper[v[i].op] = true;
	qsort(lower, n_lower, sizeof(const struct operation *), by_falling_total);
	n_lower = charge_alone(w, v, n, lower, n_lower);
	n_lower = charge_together(w, v, n, lower, n_lower);
	for (size_t i = 0; i < n_lower; i++)
		add_to_rest(&rest, lower[i]);
	if (rest.total > 0)
		share_out(w, v, n, &rest);
}

/* --- statements --------------------------------------------------------------------------- */

static bool is_of_unit(const struct nested_work *w, uint32_t op)
{
	return w->profile->op[op].unit == w->profile->unit;
}

static bool is_in(const struct op_set *s, uint32_t op)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->op[i] == op)
			return true;
	}
	return false;
}

/* Fills ret with the candidates to charge; returns their number.  A statement that names an
 * operation takes precedence over those that name its layer. */
static size_t take_candidates(struct nested_work *w, const struct nesting_rule *rule, size_t n,
			      struct candidate *ret)
{
	size_t n_taken = 0;
	bool named = false;

	for (size_t i = 0; i < n; i++)
		named |= !rule[i].upper.is_layer;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < rule[i].upper.n; k++) {
			uint32_t op = rule[i].upper.op[k];
			double total = operation_total(&w->profile->op[op]);

			if ((named && rule[i].upper.is_layer) || !is_of_unit(w, op) ||
			    (!rule[i].upper.is_layer && is_in(&rule[i].lower, op)))
				continue;
			ret[n_taken++] =
				(struct candidate){ .op = op, .left = total - w->charged[op] };
		}
	}
	return n_taken;
}

/* Applies n >= 1 statements with the same lower end. */
static void charge_rules(struct nested_work *w, const struct nesting_rule *rule, size_t n)
{
	const struct op_set *below = &rule[0].lower;
	const struct operation **lower = xcalloc(below->n, sizeof(*lower));
	size_t room = 0, n_lower = 0;
	struct candidate *v;

	for (size_t i = 0; i < n; i++)
		room += rule[i].upper.n;
	v = xcalloc(room, sizeof(*v));
	for (size_t i = 0; i < below->n; i++) {
		if (is_of_unit(w, below->op[i]))
			lower[n_lower++] = &w->profile->op[below->op[i]];
	}
	charge_layer(w, rule, v, take_candidates(w, rule, n, v), lower, n_lower);
	free(v);
	free(lower);
}

static int by_lower(const void *pa, const void *pb)
{
	const struct nesting_rule *a = pa, *b = pb;

	if (a->lower.op != b->lower.op)
		return a->lower.op < b->lower.op ? -1 : 1;
	return (a->lower.n > b->lower.n) - (a->lower.n < b->lower.n);
}

static void charge_all_rules(struct nested_work *w, struct nesting_rule *rule, size_t n)
{
	size_t n_same;

	if (n > 1)
		qsort(rule, n, sizeof(*rule), by_lower);
	for (size_t i = 0; i < n; i += n_same) {
		n_same = 1;
		while (i + n_same < n && by_lower(&rule[i], &rule[i + n_same]) == 0)
			n_same++;
		charge_rules(w, &rule[i], n_same);
	}
}

/* Takes over exact numbers from per-call records.  `reached` is limited to the calls of the upper
 * operation, since it also counts calls that had not ended when the capture did. */
static void charge_exactly(struct nested_work *w, const struct nesting_rule *r)
{
	const struct operation *lower = &w->profile->op[r->lower.op[0]];
	struct candidate c = { .op = r->upper.op[0] };
	struct below b = { .upper = &w->profile->op[c.op],
			   .lower = lower,
			   .layer = lower->layer,
			   .how = BELOW_EXACT,
			   .reached = fmin((double)r->nest->reached,
					   (double)operation_count(&w->profile->op[c.op])),
			   .calls = (double)r->nest->calls,
			   .total = decimal_f64(r->nest->total) };

	w->upper[c.op] = true;
	charge_below(w, &c, &b);
}

static size_t charge_statements(struct nested_work *w)
{
	const struct profile *p = w->profile;
	struct nest_book book = nest_book_of(w->arena, p);
	struct nesting_rule *rule = xcalloc(p->n_nests + 1, sizeof(*rule));
	size_t n = 0, n_used = 0, n_left;

	for (size_t i = 0; i < p->n_nests; i++) {
		struct nesting_rule r = { .nest = &p->nest[i],
					  .upper = nest_book_find(&book, &p->nest[i].upper),
					  .lower = nest_book_find(&book, &p->nest[i].lower) };

		if (r.upper.n == 0 || r.lower.n == 0)
			continue;
		n_used++;
		if (r.nest->measured && r.upper.n == 1 && r.lower.n == 1)
			charge_exactly(w, &r);
		else
			rule[n++] = r;
	}
	n_left = nesting_rules_reduce(rule, n, w->source, w->diag, &w->n_unusable);
	charge_all_rules(w, rule, n_left);
	free(rule);
	return n_used;
}

/* --- what is left ------------------------------------------------------------------------- */

static int by_upper(const void *pa, const void *pb)
{
	const struct below *a = pa, *b = pb;

	if (a->upper != b->upper)
		return a->upper < b->upper ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return (a->lower > b->lower) - (a->lower < b->lower);
}

static void find_own(const struct nested_work *w, struct nested *ret)
{
	const struct profile *p = w->profile;

	ret->own = arena_make(w->arena, double, p->n_ops);
	ret->known = arena_make(w->arena, enum own_time, p->n_ops);
	for (size_t i = 0; i < p->n_ops; i++) {
		const struct operation *op = &p->op[i];

		ret->own[i] = fmax(0, operation_total(op) - w->charged[i]);
		if (op->stated.has_self) {
			ret->own[i] = decimal_f64(op->stated.self);
			ret->known[i] = OWN_STATED;
		} else if (w->upper[i]) {
			ret->known[i] = w->shared[i] ? OWN_SHARED : OWN_DERIVED;
		} else {
			ret->own[i] = operation_total(op);
		}
	}
}

struct nested nested_of(struct arena *a, const struct profile *p, struct str source,
			struct diag *diag)
{
	struct nested_work w = { .arena = a, .profile = p, .source = source, .diag = diag };
	struct nested r = { .n_used = 0 };

	w.charged = arena_make(a, double, p->n_ops);
	w.shared = arena_make(a, bool, p->n_ops);
	w.upper = arena_make(a, bool, p->n_ops);
	r.n_used = charge_statements(&w);
	r.n_unusable = w.n_unusable;
	find_own(&w, &r);
	if (w.n_below > 1)
		qsort(w.below, w.n_below, sizeof(*w.below), by_upper);
	r.below = arena_copy(a, w.below, w.n_below, sizeof(*w.below));
	r.n_below = w.n_below;
	free(w.below);
	return r;
}

static bool has_self(const struct profile *p)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (p->op[i].stated.has_self)
			return true;
	}
	return false;
}

void nested_mark(struct profile *p, struct diag *diag)
{
	struct arena *a;
	struct nested n;

	if (p->n_nests == 0 && !has_self(p))
		return;
	a = arena_new();
	n = nested_of(a, p, p->source, diag);
	for (size_t i = 0; i < p->n_ops; i++) {
		p->op[i].own = n.own[i];
		p->op[i].own_known = n.known[i];
	}
	arena_free(a);
}
