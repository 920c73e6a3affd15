/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each interval to another watch, as a compressed frame: sent again until it is acknowledged, in
 * order.
 * Where it cannot be reached, as many as fit into FORWARD_BYTES wait; the oldest go then, and
 * that is reported.  What waits can be in a folder, too, and is sent by the next process then.
 */
#ifndef WATCH_FORWARD_H
#define WATCH_FORWARD_H

#include "watch/frame.h"
#include "watch/loop.h"

enum { FORWARD_BYTES = 64 << 20 };

/* What became of the profiles that were to be sent: profiles + spooled = acknowledged + refused +
 * dropped + waiting. */
struct forwarded {
	uint64_t profiles; /* of this process */
	uint64_t spooled;  /* that waited in the spool when it began */
	uint64_t acknowledged, refused, dropped;
	uint64_t waiting, waiting_bytes;
};

struct diag;
struct forward;
struct profile;

/* Where a watch sends its intervals, and under which name. */
struct forward_options {
	const char *address; /* unix:PATH, tcp:HOST:PORT */
	const char *sender;  /* NULL: the name of this host */
	const char *spool;   /* a folder where what waits is kept, too; NULL: none */
	void (*report)(void *ctx, bool open, const char *message);
	void *ctx;
};

/* Connects as soon as the loop runs.  NULL when an error was reported: no address, no name.
 * forward_free() frees it. */
MUST_CHECK struct forward *forward_new(struct loop *l, const struct forward_options *options,
				       struct diag *diag);
void forward_free(struct forward *f); /* NULL is fine */
/* One without an operation is not sent. */
void forward_put(struct forward *f, const struct profile *p, struct span span);
/* Waits until all is acknowledged, at most so many seconds, while nothing else is done; what is
 * not is reported. */
void forward_finish(struct forward *f, double seconds);
/* The counts so far. */
struct forwarded forward_counts(const struct forward *f);

#endif
