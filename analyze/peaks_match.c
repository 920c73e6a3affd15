/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matches the peaks of one side with those of the other. */
#include <math.h>
#include <stdlib.h>

#include "analyze/peaks_parts.h"
#include "base/arena.h"
#include "base/xalloc.h"

const struct match_rules match_rules_default = {
	.moved = 0.35, .max_octaves = 16, .min_part = 0.1, .share_ratio = 1.5, .share_points = 0.10
};

const char *peak_change_name(enum peak_change c)
{
	static const char *const names[] = { "kept", "moved", "grew", "shrank", "gained", "lost" };

	return names[c];
}

/* The weight of pairing two peaks as unmoved: it grows with the calls that both hold, and with
 * their nearness. */
static double pair_weight(const struct peak *b, const struct peak *a,
			  const struct match_rules *rules)
{
	double apart = fabs(b->position - a->position);

	if (apart >= rules->moved)
		return 0;
	return (sqrt(b->share * a->share) + 1e-6) * (1 - apart / (2 * rules->moved));
}

static enum peak_change report_change(const struct peak *b, const struct peak *a,
				      const struct match_rules *rules)
{
	double points = a->share - b->share;
	bool weighty = fabs(points) >= rules->share_points;
	/* A ratio counts only if it is not a matter of a few calls among very many. */
	bool multiplied = fabs(log(a->share / b->share)) >= log(rules->share_ratio) &&
			  fabs(points) >= rules->share_points / 10;

	if (fabs(a->position - b->position) >= rules->moved)
		return PEAK_MOVED;
	if (weighty || multiplied)
		return points > 0 ? PEAK_GREW : PEAK_SHRANK;
	return PEAK_KEPT;
}

/* --- what can be a pair ------------------------------------------------------- */

/* Among very many peaks, only the nearest are considered: the others would not be better, and
 * would take too long. */
enum { MAX_NEAR = 200 };

/* The peaks after that a peak before can be paired with: `from` up to before `to`.  Neither
 * decreases for the next peak before, as both sides ascend. */
struct reach {
	size_t from, to;
	size_t step; /* index where its steps begin */
	bool idle;   /* pairing it does not increase the total weight */
};

static size_t find_reach(const struct peaks *before, const struct peaks *after,
			 const struct match_rules *rules, struct reach *ret)
{
	size_t from = 0, near = 0, to = 0, n = 0;

	for (size_t x = 0; x < before->n; x++) {
		double position = before->v[x].position;
		struct reach *r = &ret[x];

		while (from < after->n && position - after->v[from].position > rules->moved)
			from++;
		while (near < after->n && after->v[near].position < position)
			near++;
		while (to < after->n && after->v[to].position - position <= rules->moved)
			to++;
		r->from = near > from + MAX_NEAR / 2 ? near - MAX_NEAR / 2 : from;
		r->to = to > near + MAX_NEAR / 2 ? near + MAX_NEAR / 2 : to;
		if (r->to < r->from)
			r->to = r->from;
		r->step = n;
		n += r->to - r->from;
	}
	return n;
}

/* --- what stayed ---------------------------------------------------------------- */

enum step { STEP_PAIR, STEP_LOST, STEP_GAINED };

/* One row of the dynamic program.  best[y] is the largest weight of pairing peaks beyond x with
 * peaks from y on; this function includes x.  Outside its reach, x adds nothing. */
static void weigh_row(const struct peak *x, const struct peaks *after,
		      const struct match_rules *rules, struct reach *r, double *best,
		      unsigned char *step)
{
	double next_best = best[r->to], was = best[r->from];

	for (size_t y = r->to; y-- > r->from;) {
		double w = pair_weight(x, &after->v[y], rules);
		double paired = w > 0 ? w + next_best : 0, skipped = fmax(best[y], best[y + 1]);
		double max = fmax(paired, skipped);

		if (w > 0 && max == paired)
			step[y - r->from] = STEP_PAIR;
		else
			step[y - r->from] = max == best[y] ? STEP_LOST : STEP_GAINED;
		next_best = best[y];
		best[y] = max;
	}
	r->idle = best[r->from] == was;
}

static unsigned char *weigh_all(const struct peaks *before, const struct peaks *after,
				const struct match_rules *rules, struct reach *reach)
{
	unsigned char *step = xcalloc(find_reach(before, after, rules, reach) + 1, 1);
	double *best = xcalloc(after->n + 1, sizeof(*best));

	for (size_t x = before->n; x-- > 0;) {
		struct reach *r = &reach[x];

		weigh_row(&before->v[x], after, rules, r, best, step + r->step);
		for (size_t y = x > 0 ? r[-1].from : r->from; y < r->from; y++)
			best[y] = best[r->from];
	}
	free(best);
	return step;
}

static enum step step_at(const struct reach *r, const unsigned char *step, size_t y)
{
	if (y >= r->to)
		return STEP_LOST;
	if (y < r->from)
		return r->idle ? STEP_LOST : STEP_GAINED;
	return (enum step)step[r->step + y - r->from];
}

/* Returns, for each peak before, the unmoved peak after, or NULL. */
static const struct peak **find_unmoved(const struct peaks *before, const struct peaks *after,
					const struct match_rules *rules)
{
	const struct peak **mate = xcalloc(before->n + 1, sizeof(const struct peak *));
	struct reach *reach = xcalloc(before->n + 1, sizeof(*reach));
	unsigned char *step = weigh_all(before, after, rules, reach);
	size_t i = 0, k = 0;

	while (i < before->n && k < after->n) {
		switch (step_at(&reach[i], step, k)) {
		case STEP_PAIR:
			mate[i++] = &after->v[k++];
			break;
		case STEP_LOST:
			i++;
			break;
		case STEP_GAINED:
			k++;
			break;
		}
	}
	free(step);
	free(reach);
	return mate;
}

/* --- where the others went -------------------------------------------------------- */

/* The matching in progress. */
struct matching {
	const struct peaks *before, *after;
	const struct match_rules *rules;
	const struct peak **mate; /* of each peak before; NULL: none */
	bool *taken;		  /* for each peak after: it is the mate of one */
	struct peak_link *link;
	size_t n_links;
};

static bool is_free(const struct matching *m, const struct peak_link *l)
{
	return m->mate[l->before - m->before->v] == NULL && !m->taken[l->after - m->after->v];
}

static void take_pair(struct matching *m, const struct peak *b, const struct peak *a)
{
	m->mate[b - m->before->v] = a;
	m->taken[a - m->after->v] = true;
}

/* Marks the unmoved pairs as taken, and transports the calls that did not stay. */
static void carry_calls(struct matching *m)
{
	double *left = xcalloc(m->before->n + m->after->n + 1, sizeof(*left));
	double *left_after = left + m->before->n;

	for (size_t k = 0; k < m->after->n; k++)
		left_after[k] = m->after->v[k].share;
	for (size_t i = 0; i < m->before->n; i++) {
		const struct peak *b = &m->before->v[i], *a = m->mate[i];
		double stayed = a != NULL ? fmin(b->share, a->share) : 0;

		left[i] = b->share - stayed;
		if (a == NULL)
			continue;
		take_pair(m, b, a);
		left_after[a - m->after->v] -= stayed;
	}
	m->n_links = peaks_transport(m->before, m->after, left, left_after, m->rules, m->link);
	free(left);
}

/* Finds moved peaks among the links between peaks that have no mate yet. */
static void find_moved(struct matching *m)
{
	struct peak_link *link = xcalloc(m->n_links + 1, sizeof(*link));
	bool *mates = xcalloc(m->n_links + 1, sizeof(*mates));
	size_t n = 0;

	for (size_t i = 0; i < m->n_links; i++) {
		if (is_free(m, &m->link[i]))
			link[n++] = m->link[i];
	}
	peaks_mate(link, n, m->rules, mates);
	for (size_t i = 0; i < n; i++) {
		if (mates[i])
			take_pair(m, link[i].before, link[i].after);
	}
	free(mates);
	free(link);
}

/* --- what is reported ------------------------------------------------------------------ */

/* Keeps the links that carry enough of one of their peaks. */
static void keep_links(struct matching *m, size_t n_unmoved)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_links + n_unmoved; i++) {
		const struct peak_link l = m->link[i];

		if (l.share >= m->rules->min_part * fmin(l.before->share, l.after->share))
			m->link[n++] = l;
	}
	m->n_links = n;
}

static int by_before(const void *x, const void *y)
{
	const struct peak_link *a = x, *b = y;

	if (a->before != b->before)
		return a->before < b->before ? -1 : 1;
	return (a->after > b->after) - (a->after < b->after);
}

static void report_links(struct matching *m, const struct peak **unmoved)
{
	size_t n_unmoved = 0;

	for (size_t i = 0; i < m->before->n; i++) {
		const struct peak *b = &m->before->v[i], *a = unmoved[i];

		if (a != NULL)
			m->link[m->n_links + n_unmoved++] =
				(struct peak_link){ b, a, fmin(b->share, a->share) };
	}
	keep_links(m, n_unmoved);
	qsort(m->link, m->n_links, sizeof(*m->link), by_before);
}

static double position_of(const struct peak_pair *p)
{
	return p->after != NULL ? p->after->position : p->before->position;
}

static int by_position(const void *x, const void *y)
{
	const struct peak_pair *a = x, *b = y;
	double pa = position_of(a), pb = position_of(b);

	if (pa != pb)
		return pa < pb ? -1 : 1;
	return (a->after != NULL) - (b->after != NULL);
}

static void report_pairs(const struct matching *m, struct peak_pairs *r)
{
	for (size_t i = 0; i < m->before->n; i++) {
		struct peak_pair p = { &m->before->v[i], m->mate[i], PEAK_LOST };

		if (p.after != NULL)
			p.change = report_change(p.before, p.after, m->rules);
		r->v[r->n++] = p;
	}
	for (size_t k = 0; k < m->after->n; k++) {
		if (!m->taken[k])
			r->v[r->n++] = (struct peak_pair){ NULL, &m->after->v[k], PEAK_GAINED };
	}
	qsort(r->v, r->n, sizeof(*r->v), by_position);
	for (size_t i = 0; i < r->n; i++) {
		if (r->v[i].before != NULL)
			r->of_before[r->v[i].before - m->before->v] = i;
		if (r->v[i].after != NULL)
			r->of_after[r->v[i].after - m->after->v] = i;
	}
}

struct peak_pairs peaks_match(struct arena *arena, const struct peaks *before,
			      const struct peaks *after, const struct match_rules *rules)
{
	size_t nb = before->n, na = after->n;
	struct matching m = { before, after, rules, find_unmoved(before, after, rules),
			      NULL,   NULL,  0 };
	const struct peak **unmoved = xcalloc(nb + 1, sizeof(const struct peak *));
	struct peak_pairs r = { .v = arena_make(arena, struct peak_pair, nb + na) };

	m.taken = xcalloc(na + 1, sizeof(*m.taken));
	m.link = arena_make(arena, struct peak_link, 2 * nb + na);
	r.of_before = arena_make(arena, size_t, nb);
	r.of_after = arena_make(arena, size_t, na);
	for (size_t i = 0; i < nb; i++)
		unmoved[i] = m.mate[i];
	carry_calls(&m);
	find_moved(&m);
	report_pairs(&m, &r);
	report_links(&m, unmoved);
	r.link = m.link;
	r.n_links = m.n_links;
	free(unmoved);
	free(m.taken);
	free(m.mate);
	return r;
}
