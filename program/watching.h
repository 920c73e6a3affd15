/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options for watching. */
#ifndef PROGRAM_WATCHING_H
#define PROGRAM_WATCHING_H

#include "watch/store/store.h"

enum { MAX_WATCHED = 16 };

/* The options of `osprof watch`. */
struct watching {
	double every, duration; /* seconds; duration 0: until a signal */
	double zoom;		/* seconds; 0: none */
	double lateness;	/* seconds; < 0: calls count in the interval they arrive in */
	double false_alarms;	/* allowed per second */
	double factor;		/* raises the threshold */
	bool any_load;		/* compare intervals under any load of the machine */
	size_t max_operations;
	const char *reference, *keep, *textfile, *on_alarm, *replay; /* NULL: none */
	const char *forward, *sender, *spool;			     /* NULL: none */
	bool trust_network;
	const char *watched[MAX_WATCHED]; /* by osprof-tui: sources, or one folder */
	size_t n_watched;
	double keep_bytes;
	struct tier tier[MAX_TIERS];
	size_t n_tiers; /* 0: the default tiers */
	bool calibrate;
};

/* The value without options. */
extern const struct watching watching_default;

/* These return NULL when the argument is valid, else what was expected. */
const char *take_tiers(struct watching *w, const char *arg);
const char *take_false_alarms(struct watching *w, const char *arg);
const char *take_keep_size(struct watching *w, const char *arg);
const char *take_duration(double *to, double min, const char *arg);

#endif
