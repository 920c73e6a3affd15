/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sources of osprof watch.  One kind, one file watch/source_<kind>.c, one `source_type`, one
 * line in the list of watch/source.c.
 *
 * A kind hands over bytes (source_bytes()) and says where they end, or it hands over profiles
 * of its own (source_profile()).  An error of one source is reported as that source's state
 * and stops none of the others.
 */
#ifndef WATCH_SOURCE_H
#define WATCH_SOURCE_H

#include "base/diag.h"
#include "watch/loop.h"
#include "watch/watcher.h"

struct region_source;
struct source;

/* Seconds that commands have to end by themselves when the watch does. */
#define SOURCES_FINISH 2

/* One kind of source: its prefix and functions. A constant. */
struct source_type {
	const char *prefix; /* "cmd:"; empty: a name of a file */
	const char *title;  /* for help */
	enum intake_kind intake;
	/* Why it has no per-call records (--zoom), as said of it; NULL: its lines may have some,
	 * or counters() says where its counters are. */
	const char *no_records;
	/* Counters that are read in place, where they are now; NULL: none. */
	const struct region_source *(*counters)(const struct source *s);
	/* `rest` is what follows the prefix and lives as long as the source.  False: it can never
	 * become one (a usage error); what is only not there yet is waited for. */
	bool (*open)(struct source *s, const char *rest, struct diag *diag);
	bool at_end;			    /* interval() is called before the last one, too */
	void (*interval)(struct source *s); /* an interval is about to end; may be NULL */
	void (*kept)(struct source *s);	    /* an interval is on the disk; may be NULL */
	/* The watch ends: asks what it runs to end, and says source_finished() when all that was
	 * printed has been read.  False: nothing runs.  May be NULL. */
	bool (*finish)(struct source *s);
	void (*close)(struct source *s); /* frees s->own */
};

/* What all sources share. */
struct sources {
	struct loop *loop;
	struct watcher *watcher;
	struct source *source; /* n of them */
	struct source_status *status;
	size_t n, n_ended, n_finishing;
	double every;
	bool trust_network; /* others in the network may connect (--trust-network) */
	const char *keep;   /* the folder of intervals; NULL: none */
	bool by_start;	    /* calls count where they began (--lateness) */
	const struct read_options *read;
};

/* One source that is watched; it belongs to struct sources. */
struct source {
	const struct source_type *type;
	struct sources *all;
	struct intake *intake;
	struct source_status *status;
	void *own;	  /* of the kind */
	double latest;	  /* when bytes last came, by loop_since() */
	double retry;	  /* seconds before the next try: 1, 2, 4 ... 300 */
	double opened;	  /* when it last was open */
	bool interrupted; /* it was open, and then was not for a part of this interval */
};

/* Opens n sources by their names; false when an error was reported. */
MUST_CHECK bool sources_open(struct sources *all, char *const *names, size_t n,
			     const struct intake_options *options, struct diag *diag);
/* Closes all sources and frees them. */
void sources_close(struct sources *all);
struct watch_status;
/* Adds up what became of all of them. */
void sources_status(const struct sources *all, struct watch_status *to);
/* Lets what sources run end, and reads what it prints until then: at most SOURCES_FINISH seconds,
 * or until a signal. */
void sources_finish(struct sources *all);
/* What has come whole is read. */
void sources_cut(struct sources *all, bool last);
/* What they handed over is on the disk, or is kept nowhere. */
void sources_kept(struct sources *all);

/* --- for kinds ------------------------------------------------------------------------- */

/* Hands over n bytes that the source received. */
void source_bytes(struct source *s, const char *bytes, size_t n);
/* Takes over the profile: what was counted since the one before.  False, which has been reported:
 * it does not add up with what is there, and is a gap. */
bool source_profile(struct source *s, struct profile *p);
void source_state(struct source *s, enum source_state state, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
/* It will be tried again: after how many seconds; longer each time that it did not last. */
double source_retry(struct source *s);
/* A pipe, unlike any other descriptor, has room for a piece then: who writes waits less often. */
void source_widen(int fd);
/* Reads what there is of a descriptor, at most a piece; 0: its end, below: errno. */
long source_read_fd(struct source *s, int fd);
/* What finish() waited for has ended. */
void source_finished(struct source *s);
/* It has come to its end for good. */
void source_ended(struct source *s);

/* The types of sources, one for each prefix of a name. */
extern const struct source_type source_stdin, source_file, source_unix, source_tcp, source_cmd,
	source_poll, source_pid, source_region, source_frames;

#endif
