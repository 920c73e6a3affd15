/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sends each interval to another watch as a compressed frame, in order, until it is acknowledged.
 *
 * While the receiver cannot be reached, FORWARD_BYTES of frames wait; then the oldest are dropped,
 * and this is reported.  With a spool folder the next process sends what still waits.
 */
#ifndef WATCH_SOURCES_FORWARD_H
#define WATCH_SOURCES_FORWARD_H

#include "watch/loop.h"
#include "watch/sources/frame.h"

enum { FORWARD_BYTES = 64 << 20 };

/* Counts of profiles: profiles + spooled = acknowledged + refused + dropped + waiting. */
struct forwarded {
	uint64_t profiles; /* of this process */
	uint64_t spooled;  /* found in the spool at the start */
	uint64_t acknowledged, refused, dropped;
	uint64_t waiting, waiting_bytes;
};

struct diag;
struct forward;
struct profile;

struct forward_options {
	const char *address; /* unix:PATH, tcp:HOST:PORT */
	const char *sender;  /* NULL: the name of this host */
	const char *spool;   /* a folder for waiting frames; NULL: none */
	void (*report)(void *ctx, bool open, const char *message);
	void *ctx;
};

/* Connects when the loop runs.  NULL: the address or the name is invalid, which was reported.
 * forward_free() frees it. */
MUST_CHECK struct forward *forward_new(struct loop *l, const struct forward_options *options,
				       struct diag *diag);
void forward_free(struct forward *f); /* NULL is fine */
/* Sends an interval, unless it has no operation. */
void forward_put(struct forward *f, const struct profile *p, struct span span);
/* Blocks until all frames are acknowledged, at most `seconds`.  Reports what is not. */
void forward_finish(struct forward *f, double seconds);
struct forwarded forward_counts(const struct forward *f);

#endif
