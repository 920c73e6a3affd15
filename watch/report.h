/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What osprof watch prints: JSON lines (osprof.watch/1), lines for people, a Prometheus textfile.
 */
#ifndef WATCH_REPORT_H
#define WATCH_REPORT_H

#include "analyze/watch/watch.h"
#include "base/str.h"
#include "watch/sources/source_status.h"
#include "watch/store/store.h"

struct comparison;
struct forwarded;
struct ranked;

/* Where the lines go, and the number of the next one. */
struct reporter {
	struct out *out;
	bool json;
	bool markdown; /* a replay's alarms as a table below its totals */
	uint64_t sequence;
	struct table *table; /* Markdown: NULL until the first alarm */
};
/* Frees what events left. */
void reporter_release(struct reporter *r);

/* What is watched, and by which rules. */
struct reported_start {
	const char *version; /* of osprof */
	double every;	     /* seconds of an interval */
	struct watch_rules rules;
	double threshold; /* of evidence */
	struct watch_reaches reach;
};
/* Times of watching after which the start states what is found. */
enum { N_REACH_TIMES = 3 };
extern const double reach_times[N_REACH_TIMES]; /* seconds */
void report_start(struct reporter *r, const struct reported_start *s,
		  const struct source_status *source, size_t n);

/* An interval that ended. */
struct reported_interval {
	struct span span;
	bool judged, kept;
	bool complete;	 /* nothing was lost: numbers of calls are judged */
	const char *why; /* it was not judged; NULL if it was */
	size_t operations, followed, judged_operations, active, possible;
	struct watch_reaches reach;
	uint64_t calls;
	double total; /* latency of all calls, in `unit` */
	const char *unit;
	struct contention contention;
	bool new_load; /* no operation has a reference under its load */
};
void report_interval(struct reporter *r, const struct reported_interval *i,
		     const struct source_status *source, size_t n);

/* An alarm with its explanation.  Borrows all. */
struct reported_alarm {
	const struct watch_event *event;
	double time;	     /* end of the interval that raised it */
	double since;	     /* onset of the change, in seconds since 1970 */
	double watched;	     /* seconds of watching until then */
	struct str sentence; /* of `osprof rank`; empty: there is nothing to compare */
	struct str verdict;
	double before_count, before_mean, after_count, after_mean; /* per interval; NAN: unknown */
	const char *unit;
};
/* The same for a change that may be usual (WATCH_POSSIBLE). */
void report_alarm(struct reporter *r, const struct reported_alarm *a);
/* Prints the alarm as the JSON line that hooks receive. */
void alarm_json(struct out *o, const struct reported_alarm *a, uint64_t sequence);

/* Prints that an alarm ended. */
void report_resolved(struct reporter *r, const struct watch_event *e, double time);
/* Prints that a new operation was called. */
void report_appeared(struct reporter *r, const struct watch_event *e, double time);

/* The per-call records of an alarm's operation, from one source. */
struct reported_zoom {
	uint64_t alarm;
	struct str layer, name; /* both empty: all operations */
	const char *source;
	double start, end;   /* seconds since 1970 */
	uint64_t calls;	     /* in the file */
	uint64_t missing;    /* calls that are not in the file */
	const char *path;    /* NULL: no file was written */
	const char *message; /* why not */
};
void report_zoom(struct reporter *r, const struct reported_zoom *z);

/* The alarms of a replay at one threshold. */
struct reported_rate {
	size_t intervals;
	uint64_t new_load; /* intervals under a load without a reference */
	double days;
	uint64_t alarms;
	double low, high; /* alarms a day: exact 95 % interval (Poisson) */
	double allowed;	  /* alarms a day */
	double factor;	  /* of the threshold */
	bool enough;	  /* no more alarms than allowed */
	bool trial;	  /* --calibrate tries higher thresholds until it is enough */
};
void report_rate(struct reporter *r, const struct reported_rate *rate);

/* Prints what happened to a source. */
void report_source(struct reporter *r, double time, const struct source_status *s,
		   const char *message);

/* Totals at the end of a watch. */
struct reported_end {
	double time;
	uint64_t intervals, alarms;
	uint64_t new_load; /* intervals under a load without a reference */
	const struct watch *judge;
	const struct store_counts *keep;   /* NULL: nothing is kept */
	const struct forwarded *forwarded; /* NULL: nothing is forwarded */
};
/* Prints the totals and the ledger of each source. */
void report_end(struct reporter *r, const struct reported_end *e,
		const struct source_status *source, size_t n);

/* Numbers for the textfile collector of Prometheus' node exporter. */
struct textfile {
	uint64_t intervals, alarms, late;
	size_t operations, judged, active;
	const struct watch *judge;
	double end; /* of the last interval, in seconds since 1970 */
	const struct source_status *source;
	size_t n_sources;
};
void textfile_print(struct out *o, const struct textfile *t);

#endif
