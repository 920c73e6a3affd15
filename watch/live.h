/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `osprof watch` on live sources: ends intervals by the clock, and runs hooks and handlers. */
#ifndef WATCH_LIVE_H
#define WATCH_LIVE_H

#include "watch/handlers.h"
#include "watch/sources/source.h"
#include "watch/zoom.h"

struct live_options {
	struct intake_options intake;
	double duration;      /* seconds; 0: until a signal */
	const char *on_alarm; /* a command; NULL: none */
	const char *forward;  /* the address to send intervals to; NULL: none */
	const char *spool;    /* the folder for unsent intervals; NULL: they wait in memory */
	const char *keep;     /* the folder of intervals; NULL: none */
	const char *sender;   /* the sender's name; NULL: that of the host */
	bool trust_network;
	struct zoom_options zoom;		 /* 0 seconds: no zoom */
	const struct handlers_options *handlers; /* NULL: none; .source and .report are set here */
	char *const *names;			 /* of n sources */
	size_t n;
};

/* Watches until a signal, the duration, or the end of the last source.  `history`: a folder of
 * intervals to continue from.  False: it could not start, and an error was reported.  *ret_failed:
 * something could not be written. */
MUST_CHECK bool live_watch(const struct live_options *options,
			   const struct watcher_options *watcher_options, const char *reference,
			   const char *history, struct out *out, struct diag *diag,
			   uint64_t *ret_alarms, bool *ret_failed);

#endif
