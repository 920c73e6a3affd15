/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals that the parts of the judge (analyze/watch/watch.h) share. */
#ifndef ANALYZE_WATCH_WATCH_JUDGE_H
#define ANALYZE_WATCH_WATCH_JUDGE_H

#include "analyze/watch/watch.h"
#include "analyze/watch/watch_load.h"
#include "analyze/watch/watch_track.h"

enum {
	/* First intervals of an operation, which set its median and how many intervals make a
	 * value. */
	WATCH_SETTLE = 16,
	/* A second track of latency, with values of a minute or more, for small lasting changes. */
	WATCH_LASTING = N_WATCH_FEATURES,
	N_WATCH_TRACKS,
};

/* The tracks of an operation under one load. */
struct tracks {
	struct track track[N_WATCH_TRACKS];
};

struct alarm {
	uint64_t id; /* 0: none */
	double base, effect;
	bool up;
	unsigned load;	   /* under which it was raised */
	size_t age, alike; /* values since it was raised, under any load and under this one */
};

/* The sum of the intervals of one value. */
struct sums {
	double calls, position, tail;
	double common[N_WATCH_FEATURES];
	struct contention contention;
	size_t n;
	bool incomplete;
};

/* The sum of the intervals of one minute. */
struct minute {
	double calls, position;
	size_t n;
};

struct watched {
	struct str layer, name;
	size_t age; /* intervals since its first call */
	double median[WATCH_SETTLE];
	size_t n_medians;
	double calls;	  /* of the first WATCH_SETTLE intervals */
	unsigned level;	  /* 2^level intervals make a value */
	double tail_from; /* log2 position */
	struct sums sums;
	struct minute minute;
	uint64_t seed;
	struct tracks *under[N_WATCH_LOADS];	    /* by load; NULL: not seen */
	struct track_levels levels[N_WATCH_TRACKS]; /* under any load */
	struct alarm alarm[N_WATCH_TRACKS];
	bool possible[N_WATCH_TRACKS]; /* WATCH_POSSIBLE was reported and goes on */
	double x[N_WATCH_TRACKS];      /* the new values; NAN: none */
	unsigned load[N_WATCH_TRACKS]; /* under which they were measured */
};

struct watch {
	struct watch_rules rules;
	struct arena *arena;
	struct track_scores *scores;
	struct watched **op; /* in order */
	size_t n, cap;
	size_t n_tracks;	       /* of all operations under all loads */
	bool load_is_known;	       /* some operation has a reference under the current load */
	unsigned load, load_of_minute; /* of the current interval and minute */
	struct contention minute_contention; /* of the current minute */
	struct watched common;		     /* the run effect: all operations together */
	struct watch_event *event;
	size_t n_events, cap_events;
	uint64_t n_alarms, intervals;
	size_t minute; /* intervals of a minute; 1: lasting changes are not judged separately */
	bool frozen;
	size_t n_ready, n_active, n_possible;
	double *sorted;
	size_t cap_sorted;
};

/* Returns the track of the new value, under its load. */
static inline struct track *watched_track(const struct watched *o, int track)
{
	return &o->under[o->load[track]]->track[track];
}

/* Adds an interval of an operation (NULL: not called), and computes its new values when enough
 * intervals are there. */
void watched_take(struct watch *w, struct watched *o, const struct operation *op,
		  const struct contention *contention, bool complete);
/* Subtracts the run effect from the new values of all operations; w->common follows it. */
void watch_take_common_off(struct watch *w);
/* Judges the new values of an operation, and adds events. */
void watched_judge(struct watch *w, struct watched *o);

/* Adds an event of this operation for the caller to fill in; valid until the next one is added. */
struct watch_event *watch_add_event(struct watch *w, const struct watched *o);
/* Returns the threshold of evidence for values of `length` intervals. */
double watch_threshold_of(const struct watch *w, int track, size_t length);

#endif
