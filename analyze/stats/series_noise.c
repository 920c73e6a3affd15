/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/stats/series_noise.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

/* A grid: between neighbours, the standard error of a level differs by about a third. */
static const struct model {
	double phi, fresh;
} models[N_NOISE_MODELS] = {
	{ 0, 0 },     { 0.3, 0 },  { 0.3, 0.3 },  { 0.3, 0.6 },	 { 0.6, 0 }, { 0.6, 0.3 },
	{ 0.6, 0.6 }, { 0.8, 0 },  { 0.8, 0.3 },  { 0.8, 0.6 },	 { 0.9, 0 }, { 0.9, 0.3 },
	{ 0.9, 0.6 }, { 0.97, 0 }, { 0.97, 0.3 }, { 0.97, 0.6 },
};

const struct noise_weights noise_is_white = { { 1 } };

/* --- filters ---------------------------------------------------------------------------- */

/* The Kalman filter of a model.  Its gain converges, so it is the last one from KEPT on. */
enum { KEPT = 64, MAX_CACHED = 256 };

struct filter {
	double phi;
	double gain[KEPT];	      /* of the next prediction in the surprise */
	double sd[KEPT];	      /* of the surprise */
	double of_white;	      /* mean square of whitened white noise of variance 1 */
	double *norm[MAX_CACHED + 1]; /* squared norms of whitened steps, by length; or NULL */
};

struct noise_filters {
	struct filter of[N_NOISE_MODELS];
};

static void filter_start(struct filter *f, const struct model *m)
{
	double known = 1 - m->fresh, state = known, gain, kept;

	f->phi = m->phi;
	for (size_t t = 0; t < KEPT; t++) {
		double surprise = state + m->fresh;

		f->gain[t] = m->phi * state / surprise;
		f->sd[t] = sqrt(surprise);
		state = m->phi * m->phi * (state - state * state / surprise) +
			(1 - m->phi * m->phi) * known;
	}
	gain = f->gain[KEPT - 1];
	kept = m->phi - gain;
	f->of_white = (1 + gain * gain / (1 - kept * kept)) / (f->sd[KEPT - 1] * f->sd[KEPT - 1]);
}

static size_t kept_lag(size_t t)
{
	return t < KEPT ? t : KEPT - 1;
}

void noise_whiten(const struct noise_filters *all, size_t model, const double *v, size_t n,
		  double *ret)
{
	const struct filter *f = &all->of[model];
	double expected = 0;

	for (size_t t = 0; t < n; t++) {
		size_t k = kept_lag(t);
		double surprise = v[t] - expected;

		ret[t] = surprise / f->sd[k];
		expected = f->phi * expected + f->gain[k] * surprise;
	}
}

void noise_colour(const struct noise_filters *all, size_t model, const double *v, size_t n,
		  double *ret)
{
	const struct filter *f = &all->of[model];
	double expected = 0;

	for (size_t t = 0; t < n; t++) {
		size_t k = kept_lag(t);
		double surprise = v[t] * f->sd[k];

		ret[t] = expected + surprise;
		expected = f->phi * expected + f->gain[k] * surprise;
	}
}

/* The transpose of whitening, so that (whitened x) . v = x . (transposed v); v may be ret. */
static void transpose_filter(const struct filter *f, const double *v, size_t n, double *ret)
{
	double back = 0;

	for (size_t t = n; t-- > 0;) {
		size_t k = kept_lag(t);
		double x = v[t] / f->sd[k];

		ret[t] = x + f->gain[k] * back;
		back = (f->phi - f->gain[k]) * back - x;
	}
}

/* The squared norm of the whitened step of n numbers that begins at number `at`. */
static double norm_of_step(const struct filter *f, size_t at, size_t n)
{
	double expected = 0, sum = 0;

	for (size_t t = at; t < n; t++) {
		size_t k = kept_lag(t);
		double surprise = 1 - expected;

		sum += surprise * surprise / (f->sd[k] * f->sd[k]);
		expected = f->phi * expected + f->gain[k] * surprise;
	}
	return sum;
}

/* Steps that begin after the gain has converged are the same but for their length. */
static void fill_norms(const struct filter *f, size_t n, double *ret)
{
	double expected = 0, sum = 0, sd = f->sd[KEPT - 1];

	for (size_t t = n; t-- > KEPT - 1;) {
		double surprise = 1 - expected;

		sum += surprise * surprise / (sd * sd);
		ret[t] = sum;
		expected = f->phi * expected + f->gain[KEPT - 1] * surprise;
	}
	for (size_t at = 0; at < n && at < KEPT - 1; at++)
		ret[at] = norm_of_step(f, at, n);
}

/* Returns the norms for a length, which may lie in `room`. */
static const double *norms_of(struct filter *f, size_t n, double *room)
{
	if (n > MAX_CACHED) {
		fill_norms(f, n, room);
		return room;
	}
	if (f->norm[n] == NULL) {
		f->norm[n] = xcalloc(n, sizeof(double));
		fill_norms(f, n, f->norm[n]);
	}
	return f->norm[n];
}

struct noise_filters *noise_filters_new(void)
{
	struct noise_filters *f = xcalloc(1, sizeof(*f));

	for (size_t m = 0; m < N_NOISE_MODELS; m++)
		filter_start(&f->of[m], &models[m]);
	return f;
}

void noise_filters_free(struct noise_filters *f)
{
	for (size_t m = 0; f != NULL && m < N_NOISE_MODELS; m++) {
		for (size_t n = 0; n <= MAX_CACHED; n++)
			free(f->of[m].norm[n]);
	}
	free(f);
}

/* --- levels ---------------------------------------------------------------------------------- */

size_t noise_room(size_t n)
{
	return 5 * n;
}

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Whitens the constant 1, scales it to norm 1, and returns the norm that it had. */
static double whiten_level(const struct noise_filters *all, size_t model, size_t n, double *ret)
{
	double norm;

	for (size_t t = 0; t < n; t++)
		ret[t] = 1;
	noise_whiten(all, model, ret, n, ret);
	norm = sqrt(dot(ret, ret, n));
	for (size_t t = 0; t < n; t++)
		ret[t] /= norm;
	return norm;
}

struct noise_fit noise_fit(struct noise_filters *all, size_t model, const double *v, size_t n,
			   size_t min, double *room)
{
	struct filter *f = &all->of[model];
	double *z = room, *level = z + n, *last = level + n, norm_of_level, on_level;
	const double *norm;
	double with_z = 0, with_level = 0;
	struct noise_fit r = { .step = last + n, .information = last + 2 * n };

	noise_whiten(all, model, v, n, z);
	norm_of_level = whiten_level(all, model, n, level);
	on_level = dot(z, level, n);
	for (size_t t = 0; t < n; t++)
		z[t] -= on_level * level[t];
	r.one_level = dot(z, z, n);
	r.log_level = log(norm_of_level);
	for (size_t t = 0; t < n; t++)
		r.log_determinant += log(f->sd[kept_lag(t)]);
	norm = norms_of(f, n, last);
	transpose_filter(f, z, n, z);
	transpose_filter(f, level, n, level);
	for (size_t k = n; k-- > 0;) {
		with_z += z[k];
		with_level += level[k];
		r.step[k] = r.information[k] = 0;
		if (k < min || k + min > n)
			continue;
		r.information[k] = norm[k] - with_level * with_level;
		r.step[k] = with_z / r.information[k];
	}
	return r;
}

struct noise_line noise_line(const struct noise_filters *all, size_t model, const double *v,
			     size_t n, double *room)
{
	double *z = room, *level = z + n, *line = level + n, on_level, on_line;
	struct noise_line r;

	noise_whiten(all, model, v, n, z);
	(void)whiten_level(all, model, n, level);
	for (size_t t = 0; t < n; t++)
		line[t] = (double)t;
	noise_whiten(all, model, line, n, line);
	on_level = dot(z, level, n);
	on_line = dot(line, level, n);
	for (size_t t = 0; t < n; t++) {
		z[t] -= on_level * level[t];
		line[t] -= on_line * level[t];
	}
	r.one_level = dot(z, z, n);
	r.information = dot(line, line, n);
	r.slope = dot(z, line, n) / r.information;
	r.left = r.one_level - r.slope * r.slope * r.information;
	return r;
}

/* --- weights --------------------------------------------------------------------------------- */

/* The log of the evidence for `more` further parameters that leave this share of the squares, over
 * none, by the Bayesian information criterion. */
static double log_evidence(double left, size_t n, size_t more)
{
	double size = (double)n;

	return -(size - 1) / 2 * log(fmax(left, 1e-9)) - (double)more / 2 * log(size);
}

/* What a window is looked at with. */
struct window {
	const double *v;
	size_t n, min;
	double floor; /* squares that are left at least, of the model */
	double *room;
};

/* The evidence for one step, averaged over where it may be. */
static double log_evidence_of_step(const struct window *w, const struct noise_fit *fit)
{
	size_t n = w->n, min = w->min;
	double max = -HUGE_VAL, sum = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t k = min; k + min <= n; k++) {
			double explained = fit->step[k] * fit->step[k] * fit->information[k];
			double x = log_evidence(1 - explained / (fit->one_level + w->floor), n, 1);

			if (pass == 0)
				max = fmax(max, x);
			else
				sum += exp(x - max);
		}
	}
	return max + log(sum / (double)(n - 2 * min + 1));
}

static double log_evidence_of_line(const struct noise_filters *f, size_t model,
				   const struct window *w)
{
	struct noise_line line = noise_line(f, model, w->v, w->n, w->room);

	return log_evidence((line.left + w->floor) / (line.one_level + w->floor), w->n, 1);
}

enum { MAX_STEPS = 4 }; /* in a window */

/* How likely each step after the first is, and a slope, against a level or one step. */
static const double rare = 0.01;

/* A part of a window without a step, and how it would best be split. */
struct segment {
	size_t from, to, at;
	double left, log_determinant, gain; /* gain: of the split; 0: none */
};

static struct segment segment_of(struct noise_filters *f, size_t model, const struct window *w,
				 size_t from, size_t to)
{
	size_t min = w->min;
	struct noise_fit fit = noise_fit(f, model, w->v + from, to - from, min, w->room);
	struct segment s = { .from = from,
			     .to = to,
			     .left = fit.one_level,
			     .log_determinant = fit.log_determinant };

	for (size_t k = min; k + min <= to - from; k++) {
		double gain = fit.step[k] * fit.step[k] * fit.information[k];

		if (gain > s.gain) {
			s.gain = gain;
			s.at = from + k;
		}
	}
	return s;
}

/* The evidence for several steps, the largest first, each of which may be anywhere. */
static double log_evidence_of_steps(struct noise_filters *f, size_t model, const struct window *w)
{
	struct segment s[MAX_STEPS + 1] = { segment_of(f, model, w, 0, w->n) };
	double whole = s[0].left, determinant = s[0].log_determinant, best = -HUGE_VAL;

	for (size_t k = 1; k <= MAX_STEPS; k++) {
		struct segment *of = &s[0];
		double left = w->floor, restarts = -determinant;
		size_t at, to;

		for (size_t i = 1; i < k; i++)
			of = s[i].gain > of->gain ? &s[i] : of;
		if (!(of->gain > 0))
			break;
		at = of->at;
		to = of->to;
		*of = segment_of(f, model, w, of->from, at);
		s[k] = segment_of(f, model, w, at, to);
		for (size_t i = 0; i <= k; i++) {
			left += s[i].left;
			restarts += s[i].log_determinant;
		}
		if (k > 1)
			best = fmax(best, log_evidence(left / (whole + w->floor), w->n, k) -
						  restarts - (double)k * log((double)w->n) +
						  (double)(k - 1) * log(rare));
	}
	return best;
}

/* Adds the log-likelihoods of a window, in which a level and one step are equally likely. */
static void add_window(struct noise_filters *f, struct window *w, double noise, double *ret)
{
	for (size_t m = 0; m < N_NOISE_MODELS; m++) {
		struct noise_fit fit = noise_fit(f, m, w->v, w->n, w->min, w->room);
		double level, step, line, steps, max;

		w->floor = noise * (double)w->n * f->of[m].of_white;
		level = -fit.log_determinant - fit.log_level -
			((double)w->n - 1) / 2 * log(fit.one_level + w->floor);
		step = log_evidence_of_step(w, &fit);
		line = log_evidence_of_line(f, m, w) + log(rare);
		steps = log_evidence_of_steps(f, m, w);
		max = fmax(fmax(0, step), fmax(line, steps));
		ret[m] += level + max +
			  log(exp(-max) + exp(step - max) + exp(line - max) + exp(steps - max));
	}
}

size_t noise_best(const struct noise_weights *w)
{
	size_t best = 0;

	for (size_t m = 1; m < N_NOISE_MODELS; m++)
		best = w->of[m] > w->of[best] ? m : best;
	return best;
}

static struct noise_weights normalised_weights(struct noise_weights w)
{
	double sum = 0;

	for (size_t m = 0; m < N_NOISE_MODELS; m++)
		sum += w.of[m];
	for (size_t m = 0; m < N_NOISE_MODELS; m++)
		w.of[m] /= sum;
	return w;
}

struct noise_weights noise_likelihoods(struct noise_filters *f, const double *v, size_t n,
				       size_t min, double noise)
{
	struct noise_weights r = { { 0 } };
	double *room = xcalloc(noise_room(n) + 1, sizeof(*room)), max = -HUGE_VAL;
	size_t n_windows = n / NOISE_WINDOW > 0 ? n / NOISE_WINDOW : 1;

	for (size_t i = 0; i < n_windows; i++) {
		size_t from = n * i / n_windows, to = n * (i + 1) / n_windows;
		struct window w = { .v = v + from, .n = to - from, .min = min, .room = room };

		if (w.n >= 2 * min)
			add_window(f, &w, noise, r.of);
	}
	free(room);
	for (size_t m = 0; m < N_NOISE_MODELS; m++)
		max = fmax(max, r.of[m]);
	for (size_t m = 0; m < N_NOISE_MODELS; m++)
		r.of[m] = exp(r.of[m] - max);
	return r;
}

static struct noise_weights weights_product(const struct noise_weights *prior,
					    const struct noise_weights *likelihood)
{
	struct noise_weights r;

	for (size_t m = 0; m < N_NOISE_MODELS; m++)
		r.of[m] = prior->of[m] * likelihood->of[m];
	return normalised_weights(r);
}

/* The standard errors of the most persistent models are many times as large, so that even at a
 * weight of a few percent they would decide. */
static const double credible = 0.99;

struct noise_weights noise_posterior(const struct noise_prior *prior,
				     const struct noise_weights *likelihood)
{
	struct noise_weights own = weights_product(&prior->share, likelihood), others, all,
			     r = { { 0 } };
	double n = (double)prior->n, kept = 0;

	for (size_t m = 0; m < N_NOISE_MODELS; m++)
		others.of[m] = prior->share.of[m] * (n + 1) - own.of[m];
	all = weights_product(&others, likelihood);

	while (kept < credible) {
		size_t best = noise_best(&all);

		r.of[best] = all.of[best];
		kept += all.of[best];
		all.of[best] = 0;
	}
	return normalised_weights(r);
}

/* The shares of a mixture, by expectation and maximisation.  One more series, of which nothing is
 * known, keeps every model possible. */
struct noise_prior noise_prior(const struct noise_weights *likelihood, size_t n)
{
	enum { ROUNDS = 50 };
	struct noise_prior prior = { .n = n };

	for (size_t m = 0; m < N_NOISE_MODELS; m++)
		prior.share.of[m] = 1. / N_NOISE_MODELS;
	for (int round = 0; round < ROUNDS; round++) {
		struct noise_weights sum;

		for (size_t m = 0; m < N_NOISE_MODELS; m++)
			sum.of[m] = 1. / N_NOISE_MODELS;
		for (size_t i = 0; i < n; i++) {
			struct noise_weights one = weights_product(&prior.share, &likelihood[i]);

			for (size_t m = 0; m < N_NOISE_MODELS; m++)
				sum.of[m] += one.of[m];
		}
		prior.share = normalised_weights(sum);
	}
	return prior;
}
