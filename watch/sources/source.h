/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sources of osprof watch.
 *
 * Each kind has a file watch/source_<kind>.c with a `source_type`, and a line in the list of
 * watch/sources/source.c.  A kind passes on bytes (source_bytes()) or profiles (source_profile()).  An
 * error of one source becomes its state and does not stop the others.
 */
#ifndef WATCH_SOURCES_SOURCE_H
#define WATCH_SOURCES_SOURCE_H

#include "base/diag.h"
#include "watch/loop.h"
#include "watch/watcher.h"

struct region_source;
struct source;

/* Seconds that commands have to end before they are killed. */
#define SOURCES_FINISH 2

/* One kind of source: its prefix and functions.  A constant. */
struct source_type {
	const char *prefix; /* "cmd:"; empty: a file name */
	const char *title;  /* for help */
	enum intake_kind intake;
	/* Why it has no per-call records (--zoom), for the message; NULL: its lines may have some,
	 * or see counters(). */
	const char *no_records;
	/* Returns the counters that are read in place, if they exist now.  NULL: this kind has
	 * none. */
	const struct region_source *(*counters)(const struct source *s);
	/* Opens a source.  `rest` follows the prefix and lives as long as the source.  False: a
	 * usage error; a source that does not exist yet is waited for instead. */
	bool (*open)(struct source *s, const char *rest, struct diag *diag);
	bool at_end;			    /* interval() is also called at the end of the watch */
	void (*interval)(struct source *s); /* an interval is about to end; may be NULL */
	void (*kept)(struct source *s);	    /* an interval is on the disk; may be NULL */
	/* The watch ends: terminates what the source runs, and calls source_finished() when all of
	 * its output was read.  False: nothing runs.  May be NULL. */
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
	bool trust_network; /* listening beyond this host is allowed (--trust-network) */
	const char *keep;   /* the folder of intervals; NULL: none */
	bool by_start;	    /* calls count in the interval they began in (--lateness) */
	const struct read_options *read;
};

/* One source.  Owned by struct sources. */
struct source {
	const struct source_type *type;
	struct sources *all;
	struct intake *intake;
	struct source_status *status;
	void *own;		/* of the kind */
	double latest;		/* arrival of the last bytes, by loop_since() */
	double retry;		/* seconds before the next try: 1, 2, 4 ... 300 */
	double opened;		/* when it was last opened */
	bool unreadable;	/* failed because nothing of what it sent could be read */
	uint64_t read, refused; /* of its ledger, when the last interval ended */
	bool interrupted;	/* it was open, but not for all of this interval */
};

/* Opens n sources by name.  False: an error was reported. */
MUST_CHECK bool sources_open(struct sources *all, char *const *names, size_t n,
			     const struct intake_options *options, struct diag *diag);
/* Closes all sources and frees them. */
void sources_close(struct sources *all);
struct watch_status;
/* Adds the sums of all ledgers, and the numbers of sources by state. */
void sources_status(const struct sources *all, struct watch_status *to);
/* Terminates what sources run and reads its last output, for at most SOURCES_FINISH seconds or
 * until a signal. */
void sources_finish(struct sources *all);
/* Reads what is complete at the end of an interval; `last`: of the last one. */
void sources_cut(struct sources *all, bool last);
/* Tells sources that the interval is on the disk, or is not to be kept. */
void sources_kept(struct sources *all);

/* --- for kinds ------------------------------------------------------------------------- */

/* Passes on n bytes that the source received. */
void source_bytes(struct source *s, const char *bytes, size_t n);
/* Passes on what was counted since the last profile, and takes ownership of it.  False: it cannot
 * be merged with the interval, which was reported and counts as a gap. */
bool source_profile(struct source *s, struct profile *p);
void source_state(struct source *s, enum source_state state, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
/* Returns the seconds until the next try, which double each time the source did not last. */
double source_retry(struct source *s);
/* Enlarges the buffer of a pipe, so that writers block less often.  Other descriptors are left
 * alone. */
void source_widen(int fd);
/* Reads from a descriptor, and passes the bytes on.  Returns their number; 0: the end; below 0: see
 * errno. */
long source_read_fd(struct source *s, int fd);
/* What finish() terminated has ended, and its output was read. */
void source_finished(struct source *s);
/* The source has ended for good. */
void source_ended(struct source *s);

/* One type for each prefix of a name. */
extern const struct source_type source_stdin, source_file, source_unix, source_tcp, source_cmd,
	source_poll, source_pid, source_region, source_frames;

#endif
