/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/subtract.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/diag.h"
#include "profile/merge.h"
#include "profile/merge_stated.h"

static bool refuse_count(const struct operation *op, const char *what, uint64_t part,
			 uint64_t whole, struct diag *diag)
{
	diag_plain(diag, DIAG_SUBTRACT_IMPOSSIBLE,
		   "%.*s: the part has %" PRIu64 " %s, the whole %" PRIu64, STR_ARG(op->name), part,
		   what, whole);
	return false;
}

static bool take_count(uint64_t *from, uint64_t part, const char *what, const struct operation *op,
		       struct diag *diag)
{
	if (part > *from)
		return refuse_count(op, what, part, *from, diag);
	*from -= part;
	return true;
}

/* --- what is stated ------------------------------------------------------------------- */

static bool take_decimal(struct decimal *from, bool *has, struct decimal part, bool part_has)
{
	*has &= part_has;
	if (!*has) {
		*from = (struct decimal){ 0 };
		return true;
	}
	part.billionths = -part.billionths;
	return decimal_add(*from, part, from);
}

/* Whether an extreme of the whole is the rest's: those of the part lie on the inner side. */
static bool keeps_extreme(bool whole_has, bool part_called, bool part_has, bool beyond)
{
	return whole_has && (!part_called || (part_has && beyond));
}

/* Takes the part's statement out of the whole's, of which `left` says whether calls are left. */
static bool take_statement(struct statement *from, const struct statement *part, bool left,
			   const struct operation *op, struct diag *diag)
{
	struct stated *s = &from->stated;
	const struct stated *p = &part->stated;

	if (s->has_count && p->has_count && !take_count(&s->count, p->count, "calls", op, diag))
		return false;
	s->has_count &= p->has_count;
	if (!take_decimal(&s->total, &s->has_total, p->total, p->has_total) ||
	    !take_decimal(&s->self, &s->has_self, p->self, p->has_self) ||
	    !take_decimal(&s->inclusive, &s->has_inclusive, p->inclusive, p->has_inclusive)) {
		diag_plain(diag, DIAG_SUBTRACT_IMPOSSIBLE, "%.*s: totals beyond 1e29",
			   STR_ARG(op->name));
		return false;
	}
	s->has_min = keeps_extreme(s->has_min, part->called, p->has_min, s->min < p->min);
	s->has_max = keeps_extreme(s->has_max, part->called, p->has_max, s->max > p->max);
	s->has_deviation &= !part->called;
	s->count_agrees &= p->count_agrees;
	from->called = left || (s->has_count && s->count > 0);
	return true;
}

/* Latencies below 0 can make any total; without them none is below 0, and that of 0 calls is 0. */
static bool total_is_possible(const struct operation *rest, bool called, struct diag *diag)
{
	const struct histogram *h = &rest->hist;
	double total = decimal_f64(rest->stated.total);
	bool below_0 = h->n > 0 && h->bucket[0].edges->low < 0;

	if (!rest->stated.has_total || (called ? below_0 || total >= 0 : total == 0))
		return true;
	diag_plain(diag, DIAG_SUBTRACT_IMPOSSIBLE,
		   "%.*s: a total latency of %.10g %s is left of %s", STR_ARG(rest->name), total,
		   unit_name(rest->unit), called ? "its calls" : "no calls");
	return false;
}

static bool has_bare_total(const struct operation *op)
{
	return op->stated.has_total && op->stated.total.billionths != 0;
}

/* --- buckets ---------------------------------------------------------------------------- */

static bool refuse_bucket(const struct operation *op, const struct bucket *part, uint64_t whole,
			  struct diag *diag)
{
	diag_plain(diag, DIAG_SUBTRACT_IMPOSSIBLE,
		   "%.*s: the part has %" PRIu64
		   " calls from %.10g to %.10g %s, the whole %" PRIu64,
		   STR_ARG(op->name), part->count, part->edges->low, part->edges->high,
		   unit_name(op->unit), whole);
	return false;
}

static bool buckets_are_contained(const struct histogram *whole, const struct histogram *part,
				  const struct operation *op, struct diag *diag)
{
	uint64_t calls;
	const struct bucket *excess = histogram_excess(whole, part, &calls);

	return excess == NULL || refuse_bucket(op, excess, calls, diag);
}

static bool refuse_edges(const struct operation *op, struct diag *diag)
{
	diag_plain(diag, DIAG_MERGE_INEXACT,
		   "%.*s: its buckets have other edges in each file; --resolution puts both on one "
		   "scheme",
		   STR_ARG(op->name));
	return false;
}

/* Puts both on the finest scheme whose edges both have. */
static bool put_on_one_scheme(struct arena *a, struct histogram *whole, struct histogram *part,
			      const struct operation *op, struct diag *diag)
{
	struct bucket_scheme joined;
	double *edges = NULL;

	if (part->n == 0 || bucket_scheme_eq(whole->scheme, part->scheme))
		return true;
	if (part->scheme->kind == BUCKET_EDGES)
		edges = arena_make(a, double, part->scheme->n_edges);
	if (!bucket_scheme_join(whole->scheme, part->scheme, edges, &joined) ||
	    !histogram_rebin(a, whole, &joined, whole) || !histogram_rebin(a, part, &joined, part))
		return refuse_edges(op, diag);
	return true;
}

/* Takes the part's buckets, in the arena `a`, out of `from`, which has buckets of its own there. */
static bool take_buckets(struct arena *a, struct histogram *from, struct histogram part,
			 const struct operation *op, struct diag *diag)
{
	if (part.n == 0)
		return true;
	if (from->n == 0)
		return refuse_bucket(op, part.bucket, 0, diag);
	if (!put_on_one_scheme(a, from, &part, op, diag) ||
	    !buckets_are_contained(from, &part, op, diag))
		return false;
	histogram_subtract(from, &part);
	return true;
}

/* --- intervals -------------------------------------------------------------------------- */

static int compare_times(const struct interval *a, const struct interval *b)
{
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

/* Takes an interval of the part out of `from`. */
static bool take_interval(struct arena *a, struct interval *from, const struct interval *part,
			  const struct operation *op, struct diag *diag)
{
	struct statement rest = statement_of(&from->hist, &from->stated);
	const struct statement taken = statement_of(&part->hist, &part->stated);

	if (!take_buckets(a, &from->hist, part->hist, op, diag) ||
	    !take_statement(&rest, &taken, from->hist.n > 0, op, diag))
		return false;
	from->stated = stated_of(&rest);
	return true;
}

/* Takes out the part's intervals.  Where only one side has intervals, the rest has none. */
static bool take_intervals(struct arena *a, struct operation *rest, const struct operation *part,
			   struct diag *diag)
{
	size_t k = 0, left = 0;

	if (part->n_intervals == 0 && is_called(&part->hist, &part->stated))
		rest->n_intervals = 0;
	for (size_t i = 0; i < rest->n_intervals; i++) {
		struct interval v = rest->interval[i];
		bool taken = k < part->n_intervals && compare_times(&v, &part->interval[k]) == 0;

		if (taken && !take_interval(a, &v, &part->interval[k++], rest, diag))
			return false;
		if (!taken || is_called(&v.hist, &v.stated))
			rest->interval[left++] = v;
	}
	if (rest->n_intervals > 0 && k < part->n_intervals) {
		diag_plain(
			diag, DIAG_SUBTRACT_IMPOSSIBLE,
			"%.*s: the whole has no interval from %.10g to %.10g s, the part has one",
			STR_ARG(rest->name), part->interval[k].start, part->interval[k].end);
		return false;
	}
	rest->n_intervals = left;
	return true;
}

/* --- operations --------------------------------------------------------------------------- */

static bool take_operation(struct arena *a, struct operation *rest, const struct operation *part,
			   struct diag *diag)
{
	struct statement left = statement_of(&rest->hist, &rest->stated);
	const struct statement taken = statement_of(&part->hist, &part->stated);

	if (rest->unit != part->unit) {
		diag_plain(diag, DIAG_UNIT_CLASH, "%.*s: in %s and in %s", STR_ARG(rest->name),
			   unit_name(rest->unit), unit_name(part->unit));
		return false;
	}
	if (!take_buckets(a, &rest->hist, part->hist, rest, diag) ||
	    !take_count(&rest->lost, part->lost, "lost events", rest, diag) ||
	    !take_statement(&left, &taken, rest->hist.n > 0, rest, diag))
		return false;
	rest->stated = stated_of(&left);
	return total_is_possible(rest, left.called || !taken.called, diag) &&
	       take_intervals(a, rest, part, diag);
}

/* Each operation of the part has to be one of the whole's.  Both are sorted. */
static bool take_operations(struct profile *rest, const struct profile *part, struct diag *diag)
{
	size_t k = 0, left = 0;

	for (size_t i = 0; i < rest->n_ops; i++) {
		struct operation next = rest->op[i];
		bool taken = k < part->n_ops && operation_cmp_key(&next, &part->op[k]) == 0;

		if (taken && !take_operation(rest->arena, &next, &part->op[k++], diag))
			return false;
		if (!taken || is_called(&next.hist, &next.stated) || has_bare_total(&next) ||
		    next.lost > 0)
			rest->op[left++] = next;
	}
	rest->n_ops = left;
	if (k == part->n_ops)
		return true;
	diag_plain(diag, DIAG_SUBTRACT_IMPOSSIBLE, "%.*s is in the part and not in the whole",
		   STR_ARG(part->op[k].name));
	return false;
}

/* --- the run -------------------------------------------------------------------------------- */

static bool units_agree(const struct profile *whole, const struct profile *part, struct diag *diag)
{
	if (whole->by_host || part->by_host) {
		diag_plain(diag, DIAG_SUBTRACT_IMPOSSIBLE,
			   "%.*s is a sum by host; subtract the files of one host, then merge them",
			   STR_ARG(whole->by_host ? whole->source : part->source));
		return false;
	}
	if (part->n_ops == 0 || (whole->unit == part->unit && whole->hz == part->hz))
		return true;
	diag_plain(diag, DIAG_UNIT_CLASH, "%.*s in %s at %.10g Hz, %.*s in %s at %.10g Hz",
		   STR_ARG(whole->source), unit_name(whole->unit), whole->hz, STR_ARG(part->source),
		   unit_name(part->unit), part->hz);
	return false;
}

static bool is_host_of(const struct profile *p, struct str host)
{
	for (size_t i = 0; i < p->n_hosts; i++) {
		if (str_eq(p->host[i], host))
			return true;
	}
	return false;
}

/* Keeps hosts that only the whole has; if there are none, a host may be in both. */
static void take_hosts(struct profile *rest, const struct profile *part)
{
	size_t left = 0;

	for (size_t i = 0; i < rest->n_hosts; i++) {
		if (!is_host_of(part, rest->host[i]))
			rest->host[left++] = rest->host[i];
	}
	if (left > 0)
		rest->n_hosts = left;
}

/* Subtracts the counts of one statement of nesting; false: nothing of it is left. */
static bool take_nest(struct nest *rest, const struct profile *part)
{
	for (size_t i = 0; i < part->n_nests; i++) {
		const struct nest *p = &part->nest[i];
		struct decimal total = { -p->total.billionths };

		if (nest_cmp(rest, p) != 0)
			continue;
		if (!rest->measured || !p->measured || p->calls > rest->calls ||
		    p->reached > rest->reached || !decimal_add(rest->total, total, &rest->total)) {
			rest->measured = false;
			return true;
		}
		rest->calls -= p->calls;
		rest->reached -= p->reached;
		return rest->calls > 0;
	}
	return true;
}

static void take_nests(struct profile *rest, const struct profile *part)
{
	size_t left = 0;

	for (size_t i = 0; i < rest->n_nests; i++) {
		if (take_nest(&rest->nest[i], part))
			rest->nest[left++] = rest->nest[i];
	}
	rest->n_nests = left;
}

static bool take_heads(struct profile *rest, const struct profile *part, struct diag *diag)
{
	rest->elapsed = 0;
	rest->elapsed_source = ELAPSED_UNKNOWN;
	rest->concurrency = part->concurrency > 0 && rest->concurrency > part->concurrency
				    ? rest->concurrency - part->concurrency
				    : 0;
	if (!(part->started > rest->started))
		rest->started = 0;
	if (!(part->cpu_speed > rest->cpu_speed))
		rest->cpu_speed = 0;
	if (contention_is_known(&part->contention))
		rest->contention = (struct contention){ 0 };
	take_hosts(rest, part);
	take_nests(rest, part);
	if (part->lost <= rest->lost) {
		rest->lost -= part->lost;
		return true;
	}
	diag_plain(diag, DIAG_SUBTRACT_IMPOSSIBLE,
		   "the part lost %" PRIu64 " events, the whole %" PRIu64, part->lost, rest->lost);
	return false;
}

struct profile *profile_subtract(const struct profile *whole, const struct profile *part,
				 struct diag *diag)
{
	struct profile *rest, *taken;
	bool ok;

	if (!units_agree(whole, part, diag))
		return NULL;
	/* A sum of one profile is a sorted copy. */
	rest = profile_merge(&whole, 1, diag);
	taken = profile_merge(&part, 1, diag);
	ok = rest != NULL && taken != NULL && take_heads(rest, taken, diag) &&
	     take_operations(rest, taken, diag);
	profile_free(taken);
	if (ok)
		return rest;
	profile_free(rest);
	return NULL;
}
