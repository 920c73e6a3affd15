/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The noise of a series of numbers, one a run or interval: how much of it persists.
 *
 * A part of the noise is carried from one number to the next, as a first-order
 * autoregression, AR(1); the rest is new each time, such as that of counting calls:
 *
 *     correlation at lag k = (1 - fresh) x phi^k
 *
 * Whitening with the right model turns the noise into independent numbers, without hiding a
 * step.  A few numbers do not tell which model is right, so several are kept, each with a
 * weight.  The weights of one series are its likelihoods times a prior, which is estimated
 * over all series of a kind (empirical Bayes): operations of one machine mostly agree, and
 * one that clearly differs follows its own numbers.
 */
#ifndef ANALYZE_STATS_SERIES_NOISE_H
#define ANALYZE_STATS_SERIES_NOISE_H

#include <stddef.h>

enum { N_NOISE_MODELS = 16 };

/* The share of each model, adding up to 1. */
struct noise_weights {
	double of[N_NOISE_MODELS];
};

/* Noise without correlation. */
extern const struct noise_weights noise_is_white;

/* Filters of all models, to be shared by all series that a thread looks at. */
struct noise_filters;
struct noise_filters *noise_filters_new(void);
void noise_filters_free(struct noise_filters *f);

/* Returns how well each model explains the series, relative to the best one.  Stretches of about
 * NOISE_WINDOW numbers are looked at by themselves, and each may hold steps, with at least `least`
 * numbers on either side, or a slope, so that these are not taken for persistent noise.  `noise`,
 * above 0, is a variance of white noise that is always there. */
enum { NOISE_WINDOW = 160 };
struct noise_weights noise_likelihoods(struct noise_filters *f, const double *v, size_t n,
				       size_t min, double noise);

/* The shares that models have among n series. */
struct noise_prior {
	struct noise_weights share;
	size_t n;
};
struct noise_prior noise_prior(const struct noise_weights *likelihood, size_t n);

/* Returns the weights of the models for one of these series, of those that hold 99 % together.  The
 * prior is that of the other series: its own numbers are not counted twice. */
struct noise_weights noise_posterior(const struct noise_prior *prior,
				     const struct noise_weights *likelihood);

/* Returns the number of the model with the largest weight. */
size_t noise_best(const struct noise_weights *w);

/* --- one model ---------------------------------------------------------------------------- */

/* Writes v, whitened, to ret: independent numbers of variance 1, if v has variance 1. */
void noise_whiten(const struct noise_filters *f, size_t model, const double *v, size_t n,
		  double *ret);
/* Reverses noise_whiten(). */
void noise_colour(const struct noise_filters *f, size_t model, const double *v, size_t n,
		  double *ret);

/* How a whitened series splits into two levels. */
struct noise_fit {
	double one_level;	/* sum of squares left, with one level */
	double log_determinant; /* of the covariance, halved */
	double log_level;	/* of the norm of the whitened level */
	double *step;		/* [n] the estimated step before number k */
	double *information;	/* [n] 1 / its variance, for noise of variance 1; 0: none */
};

/* Estimates the step before each of the numbers least ... n - least, by generalised least squares.
 * Arrays lie in `room`, which has room for noise_room(n) numbers. */
struct noise_fit noise_fit(struct noise_filters *f, size_t model, const double *v, size_t n,
			   size_t min, double *room);
size_t noise_room(size_t n);

/* A straight line through a whitened series. */
struct noise_line {
	double slope, information; /* per number; 1 / its variance, for noise of variance 1 */
	double one_level, left;	   /* sums of squares: about a level, and about the line */
};
struct noise_line noise_line(const struct noise_filters *f, size_t model, const double *v, size_t n,
			     double *room);

#endif
