/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watching sources as they go on: the clock of intervals, hooks, the end. */
#ifndef WATCH_LIVE_H
#define WATCH_LIVE_H

#include "watch/handling.h"
#include "watch/source.h"
#include "watch/zoom.h"

/* The sources of `osprof watch`, and when it ends. */
struct live_options {
	struct intake_options intake;
	double duration;      /* seconds; 0: until a signal */
	const char *on_alarm; /* a command; NULL: none */
	const char *forward;  /* an address that each interval is sent to; NULL: none */
	const char *spool;    /* where what waits to be sent is kept; NULL: in memory alone */
	const char *keep;     /* the folder of intervals; NULL: none */
	const char *sender;   /* the name to send it under; NULL: that of the host */
	bool trust_network;
	struct zoom_options zoom;		 /* 0 seconds: nothing is zoomed */
	const struct handling_options *handlers; /* NULL: none; its sources and report are ours */
	char *const *names;			 /* n of them: sources */
	size_t n;
};

/* False when it could not begin. */
MUST_CHECK bool live_watch(const struct live_options *options,
			   const struct watcher_options *watcher_options, const char *reference,
			   const char *history, struct out *out, struct diag *diag,
			   uint64_t *ret_alarms, bool *ret_failed);

#endif
