/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches all series of a history for changes, and decides which to report. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/history/history_judging.h"
#include "analyze/stats/holm.h"
#include "analyze/stats/significance.h"
#include "base/arena.h"
#include "base/xalloc.h"

/* --- series --------------------------------------------------------------------------------- */

static double fewest_calls(const struct past *past, size_t n_runs)
{
	double r = HUGE_VAL;

	for (size_t k = 0; k < n_runs; k++) {
		if (past->run[k] != NULL)
			r = fmin(r, (double)operation_count(past->run[k]));
	}
	return r;
}

/* Fills calls and mean as measured, and the share of the latency of all runs. */
static void fill_measured(const struct judging_history *j, struct past *past, bool latency)
{
	double total = 0, all = 0;

	past->mean = arena_make(j->arena, double, j->n_runs);
	past->calls = arena_make(j->arena, double, j->n_runs);
	for (size_t k = 0; k < j->n_runs; k++) {
		const struct operation *op = past->run[k];

		past->mean[k] = op != NULL ? operation_mean(op) : NAN;
		past->calls[k] =
			op != NULL ? (double)operation_count(op) / (double)j->run[k].n_files : NAN;
		all += j->run[k].latency;
		if (op != NULL)
			total += operation_own(op) / (double)j->run[k].n_files;
	}
	past->share = latency && all > 0 ? total / all : NAN;
	past->tested = past->n_present > 0 &&
		       (fewest_calls(past, j->n_runs) >= j->rules->runs.min_tested_calls ||
			past->share >= j->rules->runs.min_tested_share);
}

static void watch_series(const struct judging_history *j, struct past *past, bool latency,
			 struct watched *ret)
{
	fill_measured(j, past, latency);
	ret->past = past;
	history_measure(j, past, ret);
}

/* --- the run effect ------------------------------------------------------------------------- */

static double middle_of(const double *v, size_t n, double *room)
{
	size_t m = 0;

	for (size_t k = 0; k < n; k++) {
		if (!isnan(v[k]))
			room[m++] = v[k];
	}
	return median_of(room, m);
}

/* Estimates the run effect: for each run, the median over operations of their distance from their
 * own median over all runs.  Returns false when there are too few operations. */
static bool find_run_effect(const struct judging_history *j, const struct watched *w, size_t n,
			    enum history_feature f, double *ret)
{
	double *room = xcalloc(j->n_runs + 2 * n + 1, sizeof(*room));
	double *middle = room + j->n_runs, *away = middle + n;
	size_t fewest = n;

	for (size_t i = 0; i < n; i++)
		middle[i] = w[i].past->tested && (f != HISTORY_TAIL || w[i].has_tail)
				    ? middle_of(w[i].value[f], j->n_runs, room)
				    : NAN;
	for (size_t k = 0; k < j->n_runs; k++) {
		size_t m = 0;

		for (size_t i = 0; i < n; i++) {
			double x = w[i].value[f][k] - middle[i];

			if (!isnan(x))
				away[m++] = x;
		}
		ret[k] = m > 0 ? median_of(away, m) : 0;
		fewest = m < fewest ? m : fewest;
	}
	free(room);
	return fewest >= j->rules->runs.min_common_operations;
}

static void fill_lane(const struct judging_history *j, struct watched *w, enum history_feature f,
		      const double *run_effect)
{
	struct lane *l = &w->lane[f];
	double min = history_min(j->rules, f) / 4;

	l->raw = arena_make(j->arena, double, j->n_runs);
	l->own = arena_make(j->arena, double, j->n_runs);
	l->run = arena_make(j->arena, size_t, j->n_runs);
	l->series.v = l->own;
	l->series.filters = j->filters;
	l->series.weights = noise_is_white;
	/* A floor of the variance, so that changes far below the minimum effect are not found. */
	l->series.noise = fmax(w->noise[f], min * min);
	for (size_t k = 0; k < j->n_runs; k++) {
		if (isnan(w->value[f][k]))
			continue;
		l->run[l->series.n] = k;
		l->raw[l->series.n] = w->value[f][k];
		l->own[l->series.n++] = w->value[f][k] - run_effect[k];
	}
}

static bool is_tested(const struct watched *w, enum history_feature f)
{
	return w->past->tested && (f != HISTORY_TAIL || w->has_tail);
}

/* Weighs the models of the noise of each operation, by its own numbers and those of all. */
static void fill_noise(const struct judging_history *j, struct watched *w, size_t n,
		       enum history_feature f)
{
	struct noise_weights *likelihood = xcalloc(n + 1, sizeof(*likelihood));
	struct noise_prior prior;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		const struct series *s = &w[i].lane[f].series;

		if (is_tested(&w[i], f))
			likelihood[m++] =
				noise_likelihoods(j->filters, s->v, s->n, j->rules->min, s->noise);
	}
	prior = noise_prior(likelihood, m);
	m = 0;
	for (size_t i = 0; i < n; i++) {
		if (is_tested(&w[i], f))
			w[i].lane[f].series.weights = noise_posterior(&prior, &likelihood[m++]);
	}
	free(likelihood);
}

/* --- tests ------------------------------------------------------------------------------- */

/* The error probability of a history is spent over kinds of findings, as in a comparison: most on
 * latency.  The rest of it is that of operations that come and go. */
static const double part_of_latency = 0.5, part_of_calls = 0.2, part_of_run_effect = 0.2,
		    part_of_presence = 0.1;

/* The tests that share an error probability. */
struct family {
	struct candidate *v;
	size_t n, cap;
	double level;
};

static void add_searches(const struct judging_history *j, struct family *to, struct watched *w,
			 size_t i, enum history_feature f)
{
	const struct lane *l = &w[i].lane[f];
	struct change_point_rules rules = j->change_points;
	struct tested_step *found;
	size_t n;

	rules.level = to->level;
	if (!is_tested(&w[i], f))
		return;
	found = xcalloc(2 * l->series.n + 1, sizeof(*found));
	n = change_points_find(&l->series, &rules, found);
	to->v = xgrow(to->v, &to->cap, to->n + n, sizeof(*to->v));
	for (size_t k = 0; k < n; k++)
		to->v[to->n++] = (struct candidate){ .step = found[k],
						     .lane = i * N_HISTORY_FEATURES + (size_t)f };
	free(found);
}

static void adjust_family(struct family *to)
{
	double *p = xcalloc(2 * to->n + 1, sizeof(*p)), *q = p + to->n;

	for (size_t i = 0; i < to->n; i++)
		p[i] = to->v[i].step.p;
	holm_adjust(p, to->n, q);
	for (size_t i = 0; i < to->n; i++)
		to->v[i].q = q[i];
	free(p);
}

static int by_at(const void *pa, const void *pb)
{
	size_t a = (*(struct candidate *const *)pa)->step.at;
	size_t b = (*(struct candidate *const *)pb)->step.at;

	return (a > b) - (a < b);
}

/* Assigns the significant steps to their operations. */
static void hand_out(const struct judging_history *j, struct family *from, struct watched *w)
{
	for (size_t i = 0; i < from->n; i++) {
		struct candidate *c = &from->v[i];
		struct watched *to = &w[c->lane / N_HISTORY_FEATURES];
		size_t f = c->lane % N_HISTORY_FEATURES;

		if (!c->step.found || c->q > from->level)
			continue;
		if (to->found[f] == NULL)
			to->found[f] =
				arena_make(j->arena, struct candidate *, to->lane[f].series.n);
		to->found[f][to->n_found[f]++] = c;
	}
}

static void search_all(const struct judging_history *j, struct watched *w, size_t n,
		       double level_of_latency, size_t *ret_searched)
{
	struct family latency = { .level = level_of_latency };
	struct family calls = { .level = part_of_calls * j->rules->runs.q };

	for (size_t i = 0; i < n; i++) {
		for (int f = 0; f < N_HISTORY_FEATURES; f++)
			add_searches(j, f == HISTORY_CALLS ? &calls : &latency, w, i,
				     (enum history_feature)f);
	}
	adjust_family(&latency);
	adjust_family(&calls);
	hand_out(j, &latency, w);
	hand_out(j, &calls, w);
	*ret_searched = latency.n + calls.n;
	for (size_t i = 0; i < n; i++) {
		for (int f = 0; f < N_HISTORY_FEATURES; f++) {
			if (w[i].n_found[f] > 1)
				qsort((void *)w[i].found[f], w[i].n_found[f],
				      sizeof(*w[i].found[f]), by_at);
		}
		history_changes(j, &w[i]);
	}
	free(latency.v);
	free(calls.v);
}

/* --- operations that come and go --------------------------------------------------------- */

/* The probability that, by chance, the first `lead` of n runs all lack an operation that `present`
 * of them have. */
static double lead_p(size_t n, size_t present, size_t lead)
{
	double p = 1;

	for (size_t i = 0; i < present; i++)
		p *= lead + i < n ? (double)(n - lead - i) / (double)(n - i) : 0;
	return p;
}

/* How many runs in a row, from the beginning or from the end, lack the operation. */
static size_t runs_lacking(const struct past *past, size_t n, bool at_end)
{
	size_t r = 0;

	while (r < n && past->run[at_end ? n - 1 - r : r] == NULL)
		r++;
	return r;
}

static void add_presence(const struct judging_history *j, struct watched *w, bool gone, double p,
			 double q)
{
	struct past *past = w->past;
	size_t lead = runs_lacking(past, j->n_runs, gone), at = gone ? j->n_runs - lead : lead;
	struct change *all = arena_make(j->arena, struct change, past->n_changes + 1);
	struct level none = { NAN, 0, gone ? at : 0, 0 }, some = { .from = gone ? 0 : at };
	struct change c = { .kind = gone ? CHANGE_GONE : CHANGE_NEW,
			    .verdict = gone ? VERDICT_GONE : VERDICT_NEW,
			    .at = at,
			    .end = j->n_runs,
			    .p = p,
			    .q = q };
	double *room = xcalloc(j->n_runs, sizeof(*room));

	some.n = past->n_present;
	some.mean = middle_of(past->mean, j->n_runs, room);
	some.calls = middle_of(past->calls, j->n_runs, room);
	free(room);
	c.before = gone ? some : none;
	c.after = gone ? none : some;
	for (int f = 0; f < N_HISTORY_FEATURES; f++)
		c.effect[f] = NAN;
	memcpy(all + !gone, past->change, past->n_changes * sizeof(*all));
	all[gone ? past->n_changes : 0] = c;
	past->change = all;
	past->n_changes++;
}

static void find_presence(const struct judging_history *j, struct watched *w, size_t n)
{
	double *p = xcalloc(4 * n + 1, sizeof(*p)), *q = p + 2 * n;

	for (size_t i = 0; i < n; i++) {
		const struct past *past = w[i].past;

		for (size_t gone = 0; gone < 2; gone++) {
			size_t lead = runs_lacking(past, j->n_runs, gone == 1);
			bool may = past->tested && past->n_present < j->n_runs;

			p[2 * i + gone] = may ? lead_p(j->n_runs, past->n_present, lead) : NAN;
		}
	}
	holm_adjust(p, 2 * n, q);
	for (size_t i = 0; i < 2 * n; i++) {
		if (q[i] <= part_of_presence * j->rules->runs.q)
			add_presence(j, &w[i / 2], i % 2 == 1, p[i], q[i]);
	}
	free(p);
}

/* --- what is worth telling --------------------------------------------------------------- */

/* The share of a run's latency that the operation has at a level. */
static double share_at(const struct judging_history *j, const struct level *l, size_t end)
{
	double latency = 0;

	for (size_t k = l->from; k < end; k++)
		latency += j->run[k].latency / (double)(end - l->from);
	return isnan(l->mean) || latency <= 0 ? 0 : l->mean * l->calls / latency;
}

static void weigh_changes(const struct judging_history *j, struct past *past)
{
	for (size_t i = 0; i < past->n_changes; i++) {
		const struct change *c = &past->change[i];
		size_t middle = c->kind == CHANGE_DRIFT ? j->n_runs / 3 : c->at;
		size_t latest = c->kind == CHANGE_DRIFT ? j->n_runs - 1 : c->at;
		double before = share_at(j, &c->before, middle);
		double after = share_at(j, &c->after, c->end);

		/* Values of another unit than the run's have no share. */
		past->reported |= isnan(past->share) || fmax(before, after) >= j->rules->min_share;
		past->latest = latest > past->latest ? latest : past->latest;
	}
}

/* Reported ones first, then by latest change, then by falling share of the latency. */
static int by_interest(const void *pa, const void *pb)
{
	const struct past *a = pa, *b = pb;
	double sa = isnan(a->share) ? 0 : a->share, sb = isnan(b->share) ? 0 : b->share;

	if (a->reported != b->reported)
		return a->reported ? -1 : 1;
	if (a->latest != b->latest)
		return a->latest > b->latest ? -1 : 1;
	if (sa != sb)
		return sa > sb ? -1 : 1;
	if (str_cmp(a->layer, b->layer) != 0)
		return str_cmp(a->layer, b->layer);
	return str_cmp(a->name, b->name);
}

/* Searches the run effect for changes as if it were an operation. */
static void judge_run_effect(const struct judging_history *j,
			     double *const run_effect[N_HISTORY_FEATURES],
			     struct history_findings *ret)
{
	struct watched w = { .past = &ret->run_effect };
	double *none = arena_make(j->arena, double, j->n_runs);
	size_t searched;

	for (int f = 0; f < N_HISTORY_FEATURES; f++) {
		w.value[f] = run_effect[f];
		fill_lane(j, &w, (enum history_feature)f, none);
	}
	ret->run_effect.name = STR("");
	ret->run_effect.layer = STR("");
	ret->run_effect.mean = run_effect[HISTORY_MEAN];
	ret->run_effect.n_present = j->n_runs;
	if (!ret->run_effect_removed)
		return;
	ret->run_effect.tested = true;
	for (int f = 0; f < N_HISTORY_FEATURES; f++)
		fill_noise(j, &w, 1, (enum history_feature)f);
	search_all(j, &w, 1, part_of_run_effect * j->rules->runs.q, &searched);
}

static double total_in(const struct judging_history *j, const struct past *past, size_t run)
{
	if (past->run[run] == NULL || isnan(past->share))
		return 0;
	return operation_total(past->run[run]) / (double)j->run[run].n_files;
}

/* Finds the first run that is unlike the operations that half of all runs have. */
static void find_loner(const struct judging_history *j, const struct past *past, size_t n,
		       struct history_findings *ret)
{
	double *total = arena_make(j->arena, double, n + 1);

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < j->n_runs; k++)
			total[i] += total_in(j, &past[i], k);
	}
	for (size_t k = 0; k < j->n_runs && ret->dissimilar == NULL; k++) {
		struct likeness_sums s = { .shared = 0 };

		for (size_t i = 0; i < n; i++) {
			bool usual = 2 * past[i].n_present >= j->n_runs;
			double own = total_in(j, &past[i], k);

			likeness_add(&s, past[i].run[k] != NULL, usual, own,
				     usual ? total[i] - own : 0);
		}
		ret->likeness = likeness_finish(&s);
		if (likeness_is_low(&ret->likeness))
			ret->dissimilar = &j->run[k];
	}
}

static void judge_operations(const struct judging_history *j, struct watched *w,
			     struct history_findings *ret)
{
	double *run_effect[N_HISTORY_FEATURES];

	for (size_t i = 0; i < ret->n; i++)
		watch_series(j, &ret->v[i], ret->v[i].unit == ret->unit, &w[i]);
	for (int f = 0; f < N_HISTORY_FEATURES; f++) {
		bool enough;

		run_effect[f] = arena_make(j->arena, double, j->n_runs);
		enough = f != HISTORY_CALLS &&
			 find_run_effect(j, w, ret->n, (enum history_feature)f, run_effect[f]);
		if (!enough)
			memset(run_effect[f], 0, j->n_runs * sizeof(*run_effect[f]));
		ret->run_effect_removed |= enough && f == HISTORY_MEAN;
		for (size_t i = 0; i < ret->n; i++)
			fill_lane(j, &w[i], (enum history_feature)f, run_effect[f]);
		fill_noise(j, w, ret->n, (enum history_feature)f);
	}
	search_all(j, w, ret->n, part_of_latency * j->rules->runs.q, &ret->n_searched);
	find_presence(j, w, ret->n);
	judge_run_effect(j, run_effect, ret);
}

struct history_findings history_judge(struct history *h, const struct history_rules *rules)
{
	struct history_findings ret = history_begin(h, rules);
	struct judging_history j = {
		.rules = rules,
		.change_points = { .level = rules->runs.q,
				   .min = rules->min,
				   .shuffles = rules->shuffles,
				   .seed = rules->runs.seed },
		.arena = ret.arena,
		.run = ret.run,
		.n_runs = ret.n_runs,
	};
	struct watched *w;

	j.slowness = history_slowness(j.arena, j.run, j.n_runs, &ret.speed_range);
	j.filters = noise_filters_new();
	ret.speed_removed = j.slowness != NULL;
	ret.v = history_past(h, &ret.n);
	w = arena_make(j.arena, struct watched, ret.n + 1);
	judge_operations(&j, w, &ret);
	find_loner(&j, ret.v, ret.n, &ret);
	for (size_t i = 0; i < ret.n; i++) {
		weigh_changes(&j, &ret.v[i]);
		ret.n_tested += ret.v[i].tested;
		ret.n_reported += ret.v[i].reported;
		ret.approximated |= w[i].approximated;
	}
	qsort(ret.v, ret.n, sizeof(*ret.v), by_interest);
	noise_filters_free(j.filters);
	return ret;
}

bool history_fails(const struct history_findings *f, unsigned verdicts, size_t recent)
{
	for (size_t i = 0; i < f->n; i++) {
		for (size_t k = 0; f->v[i].reported && k < f->v[i].n_changes; k++) {
			const struct change *c = &f->v[i].change[k];
			size_t latest = c->kind == CHANGE_DRIFT ? f->n_runs - 1 : c->at;

			if ((verdicts >> c->verdict & 1) != 0 && latest + recent >= f->n_runs)
				return true;
		}
	}
	return false;
}
