/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One number an interval: the evidence that it changed, with a stated rate of false alarms.
 *
 * 1.  The residual e = (x - m) - phi (x' - m): m is the mean of the reference, phi its
 *    autocorrelation at lag 1, not below 0.
 * 2. u = e / s, s being the mean |e| of the intervals just before: noise comes in spells.
 * 3.  The rank of u among those of the reference, as a normal score z; ties at random.
 * 4.  For both directions and d = 1, 2, 3: L = c exp(d z - d^2 / 2 - d / sqrt(n)) and
 *    R = (1 + R) L.  c makes the mean over all n + 1 ranks 1 but for the last term, which
 *    pays for a reference of n values.
 * 5.  The evidence is the mean of the six R.
 *
 * With independent ranks R - t is a martingale (Shiryaev, Roberts), so the mean time until
 * the evidence reaches A is A intervals or more, whatever the distribution of x.
 */
#ifndef ANALYZE_WATCH_WATCH_TRACK_H
#define ANALYZE_WATCH_WATCH_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TRACK_RANKS = 360, /* values of a full reference */
	TRACK_LAG = 30,	   /* the largest lag */
	TRACK_SPELL = 15,  /* residuals that s is the mean of */
	TRACK_STEPS = 3,   /* d = 1 ... */
	TRACK_BETS = 2 * TRACK_STEPS,
	TRACK_FRESH = 2,   /* recent levels, held back so that a change does not enter at once */
	TRACK_FINE = 16,   /* levels kept one by one */
	TRACK_COARSE = 48, /* older blocks of TRACK_FINE levels, kept as extremes */
};

/* How a track follows values of one length. */
struct track_shape {
	size_t lag; /* values between the reference and now, so that a change does not enter it at
		       once */
	size_t min_ranks; /* values of the smallest reference */
	size_t level;	  /* values of a level */
};

extern const struct track_shape track_of_intervals; /* 30, 60, 15 */
/* For values of a minute or more, which are less noisy but few: 8, 20, 4. */
extern const struct track_shape track_of_minutes;

/* Up to 784 past levels: means of track_shape.level values. */
struct track_levels {
	double sum; /* of the n values of the current level */
	size_t n;
	float fresh[TRACK_FRESH], fine[TRACK_FINE];
	float low[TRACK_COARSE], high[TRACK_COARSE]; /* rings, as are fresh and fine */
	uint32_t n_fresh, n_fine, n_coarse;	     /* numbers ever added */
};

/* The state of one number: its reference and the evidence of a change.  A plain value that can be
 * copied. */
struct track {
	const struct track_shape *shape;
	float x[TRACK_RANKS + TRACK_LAG];   /* the last values, a ring */
	int16_t u[TRACK_RANKS + TRACK_LAG]; /* their u in 1/1024, clamped to +-32 */
	size_t n;			    /* values ever pushed */
	size_t n_frozen;  /* first values that remain the reference; 0: a rolling reference */
	double mean, phi; /* of the reference, when `n` was `fitted` */
	size_t fitted;
	double scale;	 /* s */
	size_t n_scaled; /* residuals in it */
	struct track_levels levels;
	struct track_levels *all;     /* under any load; shared by the tracks of all loads */
	bool apart;		      /* values are of a change: levels are not kept */
	double evidence[TRACK_BETS];  /* R; those for increases first */
	double rise[TRACK_BETS];      /* sum of log L since it was last 0 */
	uint32_t since[TRACK_BETS];   /* values since then */
	uint32_t skipped[TRACK_BETS]; /* values since then that tracks of other loads got */
	uint64_t random;
};

/* Tables of scores by size of the reference, shared by all tracks. */
struct track_scores;
struct track_scores *track_scores_new(void);
void track_scores_free(struct track_scores *s);

/* Initialises a track.  Borrows the shape and `all`; the seed decides ties. */
void track_start(struct track *t, const struct track_shape *shape, struct track_levels *all,
		 uint64_t seed);
/* Makes the values so far the lasting reference. */
void track_freeze(struct track *t);
/* Pushes the next value, which must be finite. */
void track_push(struct track *t, struct track_scores *s, double x);
/* Notes that the next value went to the track of another load. */
void track_skip(struct track *t);
/* Whether the reference is large enough to judge by. */
bool track_is_ready(const struct track *t);

/* Returns the evidence of a change, to compare with the threshold. */
double track_evidence(const struct track *t);
/* Return how many values ago the change began, by the bet with the most evidence: of this track,
 * and including skipped ones. */
size_t track_since(const struct track *t);
size_t track_began(const struct track *t);
/* Return the mean of the last n values (fewer if fewer are kept), and of the reference. */
double track_recent(const struct track *t, size_t n);
double track_reference(const struct track *t);
/* Whether the mean of the last n values lies beyond all kept levels by the margin, and farther than
 * such levels are expected to reach once in `horizon` values. */
bool track_is_new_level(const struct track *t, size_t n, double margin, double horizon);
/* Sets whether values are of a change, whose levels are not kept. */
/* Returns by how much the mean of many values has to lie above the reference to be such a level. */
double track_reach(const struct track *t, double margin, double horizon);
void track_set_apart(struct track *t, bool apart);
void track_forget_evidence(struct track *t);
/* Limits the evidence to `max`. */
void track_hold_evidence(struct track *t, double max);

#endif
