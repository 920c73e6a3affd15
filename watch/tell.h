/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What osprof watch says: lines of JSON (osprof.watch/1), lines for people, a textfile. */
#ifndef WATCH_REPORT_H
#define WATCH_REPORT_H

#include "watch/watcher.h"

struct comparison;
struct forwarded;
struct ranked;

/* Of one interval. */
struct reported_interval {
	struct span span;
	bool judged, kept;
	bool complete;	 /* nothing of it was lost: numbers of calls are judged */
	const char *why; /* it was not judged; NULL: it was */
	size_t operations, followed, judged_operations, active;
	uint64_t calls;
	double total; /* of latency */
	const char *unit;
	struct contention contention;
	bool new_load; /* no operation has a reference under it */
};

/* An alarm with what is said of it; borrowed. */
struct reported_alarm {
	const struct watch_event *event;
	double time;	     /* end of the interval that raised it */
	double since;	     /* seconds since 1970 that it began */
	struct str sentence; /* as `osprof rank` words it; empty: there is nothing to compare */
	struct str verdict;
	double before_count, before_mean, after_count, after_mean; /* per interval; NAN: unknown */
	const char *unit;
};

/* What came of the per-call records of an alarm's operation, of one source. */
struct reported_zoom {
	uint64_t alarm;
	struct str layer, name; /* both empty: of all operations */
	const char *source;
	double start, end;   /* seconds since 1970 */
	uint64_t calls;	     /* in the file */
	uint64_t missing;    /* that are not */
	const char *path;    /* of the file; NULL: there is none */
	const char *message; /* why; NULL: there is one */
};

/* What a replay found, of one threshold. */
struct reported_rate {
	size_t intervals;
	uint64_t new_load; /* of them, those under a load that was new */
	double days;
	uint64_t alarms;
	double low, high; /* alarms a day: exact 95 % interval (Poisson) */
	double allowed;	  /* alarms a day */
	double factor;	  /* of the threshold */
	bool enough;	  /* there were no more than are allowed */
	bool trial;	  /* of --calibrate, which goes on until it is enough */
};

/* Where the lines of watch go, and the number of the next one. */
struct teller {
	struct out *out;
	bool json;
	uint64_t sequence;
};

/* Prints what is watched, and by which threshold. */
void report_start(struct teller *t, const struct watcher_options *o, double threshold,
		  const struct source_status *source, size_t n);
/* Prints an interval that ended. */
void report_interval(struct teller *t, const struct reported_interval *i,
		     const struct source_status *source, size_t n);
/* Prints an alarm with the sentence of osprof rank. */
void report_alarm(struct teller *t, const struct reported_alarm *a);
/* Prints that an alarm ended. */
void report_resolved(struct teller *t, const struct watch_event *e, double time);
/* Prints that an operation appeared. */
void report_appeared(struct teller *t, const struct watch_event *e, double time);
/* Prints which per-call records were written, or why none were. */
void report_zoom(struct teller *t, const struct reported_zoom *z);
/* Prints how many alarms a replay raised. */
void report_rate(struct teller *t, const struct reported_rate *r);
/* Prints what happened to a source. */
void report_source(struct teller *t, double time, const struct source_status *s,
		   const char *message);
/* What came of all intervals. */
struct reported_end {
	double time;
	uint64_t intervals, alarms;
	uint64_t new_load;		   /* intervals under a load that was new: not judged */
	const struct store_counts *keep;   /* NULL: nothing is kept */
	const struct forwarded *forwarded; /* NULL: nothing is */
};
/* Prints totals, the ledger of each source, what was kept and what was forwarded. */
void report_end(struct teller *t, const struct reported_end *e, const struct source_status *source,
		size_t n);

/* The line of JSON that an alarm is detected by. */
void alarm_json(struct out *o, const struct reported_alarm *a, uint64_t sequence);

/* For the textfile collector of Prometheus' node exporter. */
struct textfile {
	uint64_t intervals, alarms, late;
	size_t operations, judged, active;
	double end; /* of the last interval */
	const struct source_status *source;
	size_t n_sources;
};
/* Writes the numbers for Prometheus' textfile collector. */
void textfile_print(struct out *o, const struct textfile *t);

#endif
