/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One number an interval: the evidence that it changed, with a stated rate of false alarms.
 *
 * 1. The residual e = (x - m) - phi (x' - m): m is the mean of the reference, phi its
 *    autocorrelation at lag 1, not below 0.
 * 2. u = e / s, s being the mean |e| of the intervals just before: noise comes in spells.
 * 3. The rank of u among those of the reference, as a normal score z; ties at random.
 * 4. For both directions and d = 1, 2, 3: L = c exp(d z - d^2 / 2 - d / sqrt(n)) and
 *    R = (1 + R) L.  c makes the mean over all n + 1 ranks 1 but for the last term, which
 *    pays for a reference of n values.
 * 5. The evidence is the mean of the six R.
 *
 * With independent ranks R - t is a martingale (Shiryaev, Roberts), so the mean time until
 * the evidence reaches A is A intervals or more, whatever the distribution of x.
 */
#ifndef ANALYZE_WATCH_TRACK_H
#define ANALYZE_WATCH_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TRACK_RANKS = 360, /* values of a full reference */
	TRACK_LAG = 30,	   /* values from its end to now at most */
	TRACK_SPELL = 15,  /* intervals that s is made of */
	TRACK_STEPS = 3,   /* d = 1 ... */
	TRACK_BETS = 2 * TRACK_STEPS,
	TRACK_FRESH = 2,   /* levels that wait: a change must not enter at once */
	TRACK_FINE = 16,   /* levels that are kept by themselves */
	TRACK_COARSE = 48, /* extremes of TRACK_FINE levels each, before them */
};

/* How values of one length are followed. */
struct track_shape {
	size_t lag;	  /* values from the end of the reference to now: a change must not enter at
			   * once; at most TRACK_LAG */
	size_t min_ranks; /* fewer are no reference */
	size_t level;	  /* values that make a level */
};

extern const struct track_shape track_of_intervals; /* 30, 60, 15 */
/* Of a minute or more: they are less noisy, but there are few of them.  8, 20, 4. */
extern const struct track_shape track_of_minutes;

/* Where values have been for long: means of so many as make a level, of up to 784 levels. */
struct track_levels {
	double sum; /* of the open block, of n values */
	size_t n;
	float fresh[TRACK_FRESH], fine[TRACK_FINE];
	float low[TRACK_COARSE], high[TRACK_COARSE]; /* rings, as all of these */
	uint32_t n_fresh, n_fine, n_coarse;	     /* ever taken */
};

/*
 * One number while it is followed: its reference and the evidence against it. Plain values: a
 * copy is another track.
 */
struct track {
	const struct track_shape *shape;
	float x[TRACK_RANKS + TRACK_LAG];   /* the latest values, a ring */
	int16_t u[TRACK_RANKS + TRACK_LAG]; /* in 1/1024, at most 32 either way */
	size_t n;			    /* values ever taken */
	size_t n_frozen;  /* values at the beginning that stay the reference; 0: it rolls */
	double mean, phi; /* of the reference, as of `fitted` */
	size_t fitted;	  /* values taken then */
	double scale;	  /* s */
	size_t n_scaled;  /* residuals that it was made of */
	struct track_levels levels;
	struct track_levels *all;     /* under any load, shared by the tracks of these */
	bool apart;		      /* levels are not kept now */
	double evidence[TRACK_BETS];  /* R; those of higher values first */
	double rise[TRACK_BETS];      /* sum of log L since it last was 0 */
	uint32_t since[TRACK_BETS];   /* values since then */
	uint32_t skipped[TRACK_BETS]; /* values since then that another track got */
	uint64_t random;
};

/* Tables that all tracks share. */
struct track_scores;
struct track_scores *track_scores_new(void);
void track_scores_free(struct track_scores *s);

/* Begins a track without a past; the shape and the levels are borrowed, the seed decides ties. */
void track_start(struct track *t, const struct track_shape *shape, struct track_levels *all,
		 uint64_t seed);
/* What was taken so far stays the reference from here on. */
void track_freeze(struct track *t);
/* Takes the next value, which is finite. */
void track_push(struct track *t, struct track_scores *s, double x);
/* The next value is that of another track: it was measured under another load. */
void track_skip(struct track *t);
/* The reference is there: the track can tell. */
bool track_is_ready(const struct track *t);

/* The evidence for a change so far, to be compared with the threshold. */
double track_evidence(const struct track *t);
/* How many values ago the change began, by the bet that has most evidence; the same with those that
 * were skipped. */
size_t track_since(const struct track *t);
size_t track_began(const struct track *t);
/* Mean of the last n values (at most those that are kept), and of the reference. */
double track_recent(const struct track *t, size_t n);
double track_reference(const struct track *t);
/* Whether the mean of the last n values lies beyond all levels that were kept: by the margin, and
 * farther than levels that vary as these do reach once in `horizon` values. */
bool track_is_new_level(const struct track *t, size_t n, double margin, double horizon);
/* Apart: values are those of a change, and no levels to keep. */
void track_set_apart(struct track *t, bool apart);
void track_forget_evidence(struct track *t);
/* It stays where it is, and rises no further than to so much. */
void track_hold_evidence(struct track *t, double most);

#endif
