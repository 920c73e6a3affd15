/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the judge of analyze/watch.h: what its parts share. */
#ifndef ANALYZE_WATCH_JUDGE_H
#define ANALYZE_WATCH_JUDGE_H

#include "analyze/watch.h"
#include "analyze/watch_load.h"
#include "analyze/watch_track.h"

enum {
	/* Intervals that tell how rare an operation is, and what its median is. */
	WATCH_SETTLE = 16,
	/* Latency has a second track, of values of a minute or more: a small change that lasts
	 * is plain there, and lost in the noise of seconds. */
	WATCH_LASTING = N_WATCH_FEATURES,
	N_WATCH_TRACKS,
};

/* What is followed of an operation under one load of the machine. */
struct tracks {
	struct track track[N_WATCH_TRACKS];
};

struct alarm {
	uint64_t id; /* 0: none */
	double base, effect;
	bool up;
	unsigned load;	   /* that it was seen under */
	size_t age, alike; /* values since it was reported; of them, those under this load */
};

/* What the intervals that are judged at once add up to. */
struct sums {
	double calls, position, tail;
	double common[N_WATCH_FEATURES];
	struct contention contention;
	size_t n;
	bool incomplete;
};

/* What the intervals of a minute add up to. */
struct minute {
	double calls, position;
	size_t n;
};

struct watched {
	struct str layer, name;
	size_t age; /* intervals since it is known */
	double median[WATCH_SETTLE];
	size_t n_medians;
	double calls;	  /* of the first WATCH_SETTLE intervals */
	unsigned level;	  /* 2^level intervals are judged at once */
	double tail_from; /* log2 position */
	struct sums sums;
	struct minute minute;
	uint64_t seed;
	struct tracks *under[N_WATCH_LOADS];	    /* each load; NULL: it was not seen */
	struct track_levels levels[N_WATCH_TRACKS]; /* under any load */
	struct alarm alarm[N_WATCH_TRACKS];
	double x[N_WATCH_TRACKS];      /* to be pushed; NAN: nothing */
	unsigned load[N_WATCH_TRACKS]; /* that it was measured under */
};

struct watch {
	struct watch_rules rules;
	struct arena *arena;
	struct track_scores *scores;
	struct watched **op; /* in order */
	size_t n, cap;
	size_t n_tracks;		     /* of all operations, under all loads */
	bool load_is_known;		     /* an operation has a reference under it */
	unsigned load, load_of_minute;	     /* of what ends now */
	struct contention minute_contention; /* of the minute until now */
	struct watched common;		     /* all operations together */
	struct watch_event *event;
	size_t n_events, cap_events;
	uint64_t n_alarms, intervals;
	size_t minute; /* intervals of one; 1: there are no lasting changes apart */
	bool frozen;
	size_t n_ready, n_active;
	double *sorted;
	size_t cap_sorted;
};

/* The track of the value that was taken, under its load. */
static inline struct track *watched_track(const struct watched *o, int track)
{
	return &o->under[o->load[track]]->track[track];
}

/* Takes what an interval says of an operation (NULL: it was not called): its values where as many
 * intervals are there as are judged at once. */
void watched_take(struct watch *w, struct watched *o, const struct operation *op,
		  const struct contention *contention, bool complete);
/* Subtracts from the values of all operations what they have in common, which is followed by
 * itself. */
void watch_take_common_off(struct watch *w);
/* Judges the values that were taken; what happens becomes events. */
void watched_judge(struct watch *w, struct watched *o);

/* An event of this operation, to be filled in; valid until the next one. */
struct watch_event *watch_add_event(struct watch *w, const struct watched *o);
/* What evidence is compared with, of values that are made of `length` intervals. */
double watch_threshold_of(const struct watch *w, int track, size_t length);

#endif
