/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which peak of one side is which of the other. */
#include <math.h>
#include <stdlib.h>

#include "analyze/peaks.h"
#include "base/arena.h"
#include "base/xalloc.h"

const struct match_rules match_rules_default = {
	.max_octaves = 1.5, .moved = 0.35, .share_ratio = 1.5, .share_points = 0.10
};

const char *peak_change_name(enum peak_change c)
{
	static const char *const names[] = { "kept", "moved", "grew", "shrank", "gained", "lost" };

	return names[c];
}

/* What pairing two peaks is worth: more the more calls both hold, the nearer they lie. */
static double worth(const struct peak *b, const struct peak *a, const struct match_rules *rules)
{
	double apart = fabs(b->place - a->place);

	if (apart > rules->max_octaves)
		return 0;
	return (sqrt(b->share * a->share) + 1e-6) * (1 - apart / (2 * rules->max_octaves));
}

static enum peak_change tell_change(const struct peak *b, const struct peak *a,
				    const struct match_rules *rules)
{
	double points = a->share - b->share;
	bool weighty = fabs(points) >= rules->share_points;
	/* A growing ratio counts where it is not a few calls of very many. */
	bool multiplied = fabs(log(a->share / b->share)) >= log(rules->share_ratio) &&
			  fabs(points) >= rules->share_points / 10;

	if (fabs(a->place - b->place) >= rules->moved)
		return PEAK_MOVED;
	if (weighty || multiplied)
		return points > 0 ? PEAK_GREW : PEAK_SHRANK;
	return PEAK_KEPT;
}

/* --- what can be a pair ------------------------------------------------------- */

/* Of a thicket of peaks only the nearest can: all would be no better, and take forever. */
enum { MOST_NEAR = 200 };

/* The peaks after that one before can be paired with: those from `from` to before `to`.
 * Neither is lower for the next peak before, as both sides ascend. */
struct reach {
	size_t from, to;
	size_t step; /* where its steps begin */
	bool idle;   /* pairing it adds nothing to what those behind it are worth */
};

static size_t find_reach(const struct peaks *before, const struct peaks *after,
			 const struct match_rules *rules, struct reach *ret)
{
	size_t from = 0, near = 0, to = 0, n = 0;

	for (size_t x = 0; x < before->n; x++) {
		double place = before->v[x].place;
		struct reach *r = &ret[x];

		while (from < after->n && place - after->v[from].place > rules->max_octaves)
			from++;
		while (near < after->n && after->v[near].place < place)
			near++;
		while (to < after->n && after->v[to].place - place <= rules->max_octaves)
			to++;
		r->from = near > from + MOST_NEAR / 2 ? near - MOST_NEAR / 2 : from;
		r->to = to > near + MOST_NEAR / 2 ? near + MOST_NEAR / 2 : to;
		if (r->to < r->from)
			r->to = r->from;
		r->step = n;
		n += r->to - r->from;
	}
	return n;
}

/* --- the best pairs ------------------------------------------------------------ */

enum step { STEP_PAIR, STEP_LOST, STEP_GAINED };

/* best[y]: what the peaks behind x, and from y on, are worth at most; here it becomes what
 * those from x on are.  Out of its reach x adds nothing. */
static void weigh(const struct peak *x, const struct peaks *after, const struct match_rules *rules,
		  struct reach *r, double *best, unsigned char *step)
{
	double behind = best[r->to], was = best[r->from];

	for (size_t y = r->to; y-- > r->from;) {
		double w = worth(x, &after->v[y], rules);
		double paired = w > 0 ? w + behind : 0, skipped = fmax(best[y], best[y + 1]);
		double most = fmax(paired, skipped);

		if (w > 0 && most == paired)
			step[y - r->from] = STEP_PAIR;
		else
			step[y - r->from] = most == best[y] ? STEP_LOST : STEP_GAINED;
		behind = best[y];
		best[y] = most;
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

		weigh(&before->v[x], after, rules, r, best, step + r->step);
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

struct peak_pairs peaks_match(struct arena *arena, const struct peaks *before,
			      const struct peaks *after, const struct match_rules *rules)
{
	size_t nb = before->n, na = after->n, i = 0, k = 0;
	struct reach *reach = xcalloc(nb + 1, sizeof(*reach));
	unsigned char *step = weigh_all(before, after, rules, reach);
	struct peak_pairs r = { .v = arena_make(arena, struct peak_pair, nb + na), .n = 0 };

	while (i < nb || k < na) {
		struct peak_pair *p = &r.v[r.n++];

		switch (i == nb ? STEP_GAINED : step_at(&reach[i], step, k)) {
		case STEP_PAIR:
			*p = (struct peak_pair){ &before->v[i++], &after->v[k++], PEAK_KEPT };
			p->change = tell_change(p->before, p->after, rules);
			break;
		case STEP_LOST:
			*p = (struct peak_pair){ &before->v[i++], NULL, PEAK_LOST };
			break;
		case STEP_GAINED:
			*p = (struct peak_pair){ NULL, &after->v[k++], PEAK_GAINED };
			break;
		}
	}
	free(step);
	free(reach);
	return r;
}
