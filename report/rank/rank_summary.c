/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of a comparison as a whole: the headline, and the lines below it. */
#include <math.h>

#include "analyze/rank/rank.h"
#include "analyze/rank/runs.h"
#include "base/out.h"
#include "report/parts.h"
#include "report/rank/rank_output.h"
#include "report/report.h"
#include "report/runs.h"

/* --- the headline ------------------------------------------------------------------------ */

static const char *word_of_reported(const struct ranking *all)
{
	bool worse = false, better = false;

	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];

		if (!r->reported)
			continue;
		worse |= r->verdict == VERDICT_REGRESSED || r->adds_to_run;
		better |= r->verdict == VERDICT_IMPROVED;
	}
	return worse && better ? "MIXED" : worse ? "SLOWER" : better ? "FASTER" : "CHANGED";
}

static size_t n_undecided(const struct ranking *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += all->v[i].verdict == VERDICT_INCONCLUSIVE;
	return n;
}

static size_t n_small(const struct ranking *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += all->v[i].verdict != VERDICT_INCONCLUSIVE &&
		     all->v[i].verdict != VERDICT_SAME && !all->v[i].reported;
	return n;
}

static const char *word_of(const struct comparison *c)
{
	const struct ranking *all = c->ranking;

	if (all->run.verdict == VERDICT_REGRESSED || all->run.verdict == VERDICT_IMPROVED)
		return all->run.verdict == VERDICT_REGRESSED ? "SLOWER" : "FASTER";
	if (all->n == 0)
		return "NOTHING COMPARED";
	if (all->n_reported > 0)
		return word_of_reported(all);
	if (c->runs == NULL)
		return "NOTHING STANDS OUT";
	return n_undecided(all) > 0 ? "NOT DECIDED" : n_small(all) > 0 ? "SMALL" : "UNCHANGED";
}

/* Names have so many characters of a headline, or what numbers leave of its longest. */
enum { MAX_NAMED = 6, ROOM_FOR_NAMES = 70, LONGEST_HEADLINE = 160 };

/* " regressed: lseek, read and 2 more"; of the characters in *room.  Without room, no names. */
static void say_named(struct out *o, const struct style *s, const struct comparison *c,
		      enum verdict v, size_t n, size_t *room)
{
	struct out *names = out_to_memory();
	size_t named = 0;

	out_printf(o, " %s", v == VERDICT_CHANGED_SHAPE ? "changed shape" : verdict_name(v));
	for (size_t i = 0; i < c->ranking->n && named < MAX_NAMED; i++) {
		const struct ranked *r = &c->ranking->v[i];

		if (!r->reported || r->verdict != v)
			continue;
		if (!list_operation(names, ": ", s, ranked_operation(r), room))
			break;
		named++;
	}
	out_bytes(o, out_memory(names));
	if (n > named && named > 0)
		out_printf(o, " and %zu more", n - named);
	out_free(names);
}

/* "2 of 9 operations regressed: lseek, read; 1 new", with names in so many characters. */
static void say_reported(struct out *o, const struct style *s, const struct comparison *c,
			 size_t room)
{
	const struct ranking *all = c->ranking;
	size_t n[VERDICT_GONE + 1] = { 0 };
	bool first = true;

	for (size_t i = 0; i < all->n; i++)
		n[all->v[i].verdict] += all->v[i].reported;
	for (int v = 0; v <= VERDICT_GONE; v++) {
		if (n[v] == 0)
			continue;
		if (first)
			out_printf(o, "%zu of %zu operation%s", n[v], all->n,
				   all->n == 1 ? "" : "s");
		else
			out_printf(o, "; %zu", n[v]);
		say_named(o, s, c, (enum verdict)v, n[v], &room);
		first = false;
	}
}

/* What stands around the names of each verdict at most: ": " and " and 4 more". */
static void say_around_names(struct out *o, const struct ranking *all)
{
	size_t n[VERDICT_GONE + 1] = { 0 };

	for (size_t i = 0; i < all->n; i++)
		n[all->v[i].verdict] += all->v[i].reported;
	for (int v = 0; v <= VERDICT_GONE; v++) {
		if (n[v] > 0)
			out_text(o, ": ");
		if (n[v] > 1)
			out_printf(o, " and %zu more", n[v] - 1);
	}
}

/* The characters that the rest of the headline leaves for names. */
static size_t room_for_names(const struct style *s, const struct comparison *c)
{
	struct out *o = out_to_memory();
	size_t rest;

	out_printf(o, "%s: .", word_of(c));
	say_reported(o, s, c, 0);
	say_around_names(o, c->ranking);
	rest = out_memory(o).n;
	out_free(o);
	if (rest >= LONGEST_HEADLINE)
		return 0;
	return rest + ROOM_FOR_NAMES < LONGEST_HEADLINE ? ROOM_FOR_NAMES : LONGEST_HEADLINE - rest;
}

/* "40 %", "1.8x". */
static void say_factor(struct out *o, double ratio)
{
	if (ratio >= 1.5) {
		quantity_ratio(o, ratio);
		out_char(o, 'x');
	} else {
		quantity_percent(o, ratio - 1);
	}
}

/* The largest change that an undecided operation may have, as a ratio; NAN: not known. */
static double possible_change(const struct ranking *all)
{
	double max = NAN;

	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];
		const struct effect *e;

		if (r->verdict != VERDICT_INCONCLUSIVE || r->runs == NULL || !r->runs->tested)
			continue;
		e = &r->runs->effect[FEATURE_MEAN];
		if (isfinite(e->low) && isfinite(e->high))
			max = fmax(max, fmax(fabs(e->low), fabs(e->high)));
	}
	return exp2(max);
}

/* That nothing differs is a statement about every operation, and needs a proof for each. */
static void say_nothing_reported(struct out *o, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	const char *plural = all->n == 1 ? "" : "s";
	size_t undecided = n_undecided(all), small = n_small(all);
	double max = possible_change(all);

	if (all->n == 0) {
		out_text(o, "no operation is left");
	} else if (c->runs == NULL) {
		out_printf(o, "none of %zu operation%s differs by enough for one run a side",
			   all->n, plural);
	} else if (undecided > 0) {
		out_printf(o, "%zu of %zu operation%s may differ", undecided, all->n, plural);
		if (isfinite(max)) {
			out_text(o, " by up to ");
			say_factor(o, max);
		}
	} else if (small > 0) {
		out_printf(o,
			   "%zu of %zu operation%s changed, too small a part of the run to be "
			   "reported",
			   small, all->n, plural);
	} else {
		out_printf(o, "no operation differs by ");
		quantity_percent(o, exp2(c->runs->rules.min_effect) - 1);
		out_text(o, " or more");
	}
}

void rank_headline(struct out *o, const struct style *s, const struct comparison *c)
{
	out_printf(o, "%s: ", word_of(c));
	if (c->ranking->n_reported > 0)
		say_reported(o, s, c, room_for_names(s, c));
	else if (c->ranking->run.verdict == VERDICT_REGRESSED ||
		 c->ranking->run.verdict == VERDICT_IMPROVED)
		out_text(o, "the run as a whole");
	else
		say_nothing_reported(o, c);
}

/* --- the run ----------------------------------------------------------------------------- */

static const struct scale in_seconds = { .unit = UNIT_S };

static void say_elapsed(struct out *o, const struct comparison *c)
{
	const struct elapsed_change *e = &c->ranking->elapsed;

	if (isnan(e->grew) || !c->ranking->run.elapsed.counts)
		return;
	out_text(o, "A run takes ");
	quantity_latency(o, e->after.elapsed, in_seconds);
	out_text(o, ", before ");
	quantity_latency(o, e->before.elapsed, in_seconds);
	out_text(o, ".\n");
}

/* Waits that made the run longer, or are judged like work, per run. */
static double waits_that_count(const struct ranking *all, bool after)
{
	double sum = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];

		if (r->wait == WAIT_MATTERS || r->wait == WAIT_RELATIVE)
			sum += after ? r->run_after.total : r->run_before.total;
	}
	return sum;
}

/* "Calls of a run take 7.02 s more (2.64 s -> 9.65 s)." */
static void say_totals(struct out *o, const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	struct scale scale = { .unit = c->before.profile->unit, .hz = c->before.profile->hz };
	double waited[] = { waits_that_count(all, false), waits_that_count(all, true) };
	double before = totals_busy(&all->before) / (double)all->n_before + waited[0];
	double after =
		totals_busy(&all->after) * all->scale_after / (double)all->n_after + waited[1];
	bool plain = scale.unit == UNIT_PLAIN;
	const char *run = c->hosts != NULL ? "host" : "run";

	if (all->n == 0 || all->fixed_duration || !(before > 0) || !(after > 0))
		return;
	out_printf(o, plain ? "Values of a %s add up to " : "Calls of a %s take ", run);
	if (before == after) {
		quantity_latency(o, after, scale);
		out_text(o, ", as before.\n");
		return;
	}
	quantity_latency(o, fabs(after - before), scale);
	out_text(o, after > before ? " more (" : " less (");
	quantity_latency(o, before, scale);
	out_text(o, " -> ");
	quantity_latency(o, after, scale);
	out_text(o, waited[0] + waited[1] > 0 ? ", with waits that count).\n" : ").\n");
}

/* What operations share: tested over runs, or found in one pair. */
static void say_shared(struct out *o, const struct comparison *c)
{
	const struct run_verdict *run = &c->ranking->run;

	if (has_run_effects(c)) {
		say_run_effects(o, c);
		out_text(o, ".\n");
	} else if (run->shared.counts || run->passes) {
		out_printf(o, "%zu of %zu operations together take ", run->n_shared, run->of);
		quantity_ratio(o, exp2(run->shared.value));
		out_text(o, "x as long.\n");
	}
}

static void say_workload(struct out *o, const struct comparison *c)
{
	const struct ranking *all = c->ranking;

	if (!all->fixed_duration)
		return;
	out_text(o, "Runs of a fixed duration (a closed loop)");
	if (fabs(all->iterations_octaves) >= 0.01) {
		out_text(o, ", which got ");
		quantity_percent(o, fabs(exp2(all->iterations_octaves) - 1));
		out_printf(o, " %s done", all->iterations_octaves > 0 ? "more" : "less");
	}
	out_text(o, ": numbers of calls are no result.\n");
}

/* Returns the operation with the lowest threshold among those large enough to be
 * reported; NULL when there are none. */
static const struct ranked *lowest_threshold(const struct comparison *c)
{
	const struct ranking *all = c->ranking;
	const struct ranked *found = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct ranked *r = &all->v[i];
		struct rank_rules rules = rank_rules_for(r, c->rules);

		if (isnan(r->threshold) || !rank_large_enough(r, all, &rules))
			continue;
		if (found == NULL || r->threshold < found->threshold)
			found = r;
	}
	return found;
}

/* With one run on a side, says how large a difference has to be. */
static void say_single_runs(struct out *o, const struct comparison *c)
{
	const struct ranked *low = lowest_threshold(c);

	if (c->ranking->n == 0)
		return;
	if (c->before.n_runs > 1 || c->after.n_runs > 1) {
		out_text(o, "One run on a side: how its runs vary is not known. Record 3 to 5 "
			    "there, too.\n");
		return;
	}
	out_text(o, "One run a side: ");
	if (low != NULL && isnan(c->rules->threshold)) {
		out_text(o, "differences below about ");
		say_factor(o, exp2(low->threshold));
		out_text(o, " cannot be told from noise here. ");
	} else {
		out_text(o, "how runs vary is not known. ");
	}
	out_text(o, "Record 3 to 5 runs in turns.\n");
}

static void say_replays(struct out *o, const struct comparison *c)
{
	const struct baseline *b = c->baseline != NULL ? &c->baseline->baseline : NULL;

	if (b == NULL || b->replays == 0)
		return;
	if (b->alarms == 0)
		out_printf(o,
			   "Judged against each other, none of the baseline's %zu runs would be "
			   "reported.\n",
			   b->replays);
	else
		out_printf(o,
			   "Judged against each other, %zu of the baseline's %zu runs would be "
			   "reported, though nothing changed.\n",
			   b->alarms, b->replays);
}

/* A plan, not a promise: of the first operation that is large enough and not decided. */
static void say_plan(struct out *o, const struct style *s, const struct comparison *c)
{
	const struct ranking *all = c->ranking;

	for (size_t i = 0; i < all->n && all->n_reported == 0; i++) {
		const struct ranked *r = &all->v[i];
		struct rank_rules rules = rank_rules_for(r, c->rules);

		if (r->verdict != VERDICT_INCONCLUSIVE || r->runs == NULL ||
		    r->runs->runs_needed == 0 || !rank_large_enough(r, all, &rules))
			continue;
		out_printf(o, "About %zu runs a side would decide ", r->runs->runs_needed);
		say_short_operation(o, s, ranked_operation(r));
		out_text(o, ", if they vary as these do.\n");
		return;
	}
}

void rank_run_lines(struct out *o, const struct comparison *c)
{
	say_elapsed(o, c);
	say_totals(o, c);
	say_shared(o, c);
	say_workload(o, c);
	if (c->runs != NULL)
		say_judgement(o, c->runs, run_effects_any(&c->ranking->effects));
	else
		say_single_runs(o, c);
	say_replays(o, c);
}

void rank_summary(struct out *o, const struct style *s, const struct comparison *c)
{
	rank_headline(o, s, c);
	out_text(o, ".\n");
	rank_run_lines(o, c);
	say_plan(o, s, c);
}
