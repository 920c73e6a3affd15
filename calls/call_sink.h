/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interface to which readers push the calls of a trace: enters, leaves, whole calls, spans.
 *
 * A reader pushes events in file order and does not know what the sink makes of them: latencies
 * in histograms (formats/call_latencies.h) or trees of calls (calls/call_grow.h).
 *
 *	enter -> { enter ... leave | whole }* -> leave	on one thread, by time
 *
 * Functions that return bool return false when they have reported an error.
 */
#ifndef CALLS_CALL_SINK_H
#define CALLS_CALL_SINK_H

#include <stdint.h>

#include "base/attr.h"
#include "base/decimal.h"
#include "base/str.h"
#include "calls/pairing.h"

/* What a thread does during a call: runs, or waits, and for what. */
enum call_kind {
	CALL_IS_RUNNING,
	CALL_IS_BLOCKED,   /* waits because the code asked for it */
	CALL_IS_PREEMPTED, /* another thread got the processor */
	CALL_IS_INTERRUPT, /* an interrupt ran on the processor */
	CALL_IS_QUEUED,	   /* waits until another thread begins the work it was handed */
	CALL_IS_UNKNOWN,   /* is off the processor for an unknown reason */
	N_CALL_KINDS,
};

/* A time in nanoseconds. */
struct call_time {
	int64_t ns;
	uint32_t part; /* billionths of a nanosecond */
};

/* Which part of a call an event is. */
enum call_what {
	CALL_ENTER,
	CALL_LEAVE, /* ends the innermost call of that name; of any if the name is empty */
	CALL_WHOLE, /* a complete call: a leaf or, if unordered, one that nests by its times */
};

/* One begin, end or whole call of a thread, as the trace has it; strings are borrowed. */
struct call_event {
	enum call_what what;
	enum call_kind kind;
	bool timed;	/* the trace states `latency`; always set for a whole call */
	bool timeless;	/* `at` is not known: the thread's calls follow one another */
	bool undated;	/* `at` is not known, but events are in the order of time */
	bool unordered; /* a whole call that may come before or after calls around it */
	bool untold;	/* a leave that counts neither as unmatched nor as a latency */
	bool jumped;	/* a leave that the trace does not show: longjmp, exec */
	uint32_t id;	/* result of number() for the name; 0: not asked for */
	struct pairing_slot thread;
	struct str layer, name;
	struct call_time at;	  /* start of a whole call */
	struct call_time latency; /* of a whole call or a timed leave */
	struct str where;	  /* bytes of the input, for messages */
};

/* A plain enter or leave. */
struct call_step {
	int64_t at;
	uint64_t what; /* twice the function's key, plus 1 for a leave */
};

/* Translates the keys of steps, which are below 2^62, to the results of number().  The sink asks
 * only for keys that it does not know, so a reader need not look up each function. */
struct call_keys {
	uint32_t (*number)(void *reader, uint64_t key);
	void *reader;
};

/* A span of a distributed trace; an id of 0 means none. */
struct call_span {
	uint64_t trace[2], id, parent;
	struct str trace_name; /* the trace's id as text; valid while the span is pushed */
	struct str service, name;
	struct call_time start, end;
	struct str where;
};

/* A value of the call that was entered last on a thread, or of the span pushed last. */
struct call_value {
	struct str of; /* "argument 1", "http.method" */
	struct str value;
};

/* A time that a thread was off its processor. */
struct call_wait {
	struct pairing_slot thread;
	int64_t start, end;
	enum call_kind kind;
};

/* The kinds of points of a flow. */
enum call_flow_what {
	CALL_FLOW_START,
	CALL_FLOW_STEP, /* an end and a start */
	CALL_FLOW_END,
};

/* A point of a flow, by which a trace shows that a call hands work to another thread. */
struct call_flow {
	enum call_flow_what what;
	bool next; /* the flow ends at the thread's next call, not at the open one */
	struct pairing_slot thread;
	uint64_t id; /* the same for all points of a flow */
	int64_t at;
};

/* The span that the one pushed last links to: it continues what that one began.  Ids of 0 mean
 * none. */
struct call_span_link {
	uint64_t trace[2], id;
};

struct call_sink;
struct call_tree;

/* The functions of a sink, shared by all sinks of one kind. */
struct call_sink_class {
	uint32_t (*number)(struct call_sink *to, struct str name); /* from 1; NULL: ids are 0 */
	bool (*event)(struct call_sink *to, const struct call_event *e);
	/* Sets the meaning of keys from here on. */
	void (*keys)(struct call_sink *to, const struct call_keys *keys);
	/* Takes many steps of one thread, by time; NULL, together with keys(): use event(). */
	bool (*steps)(struct call_sink *to, const struct pairing_slot *thread,
		      const struct call_step *step, size_t n);
	bool (*span)(struct call_sink *to, const struct call_span *s);
	void (*value)(struct call_sink *to, const struct call_value *v);    /* may be NULL */
	void (*link)(struct call_sink *to, const struct call_span_link *l); /* may be NULL */
	void (*wait)(struct call_sink *to, const struct call_wait *w);	    /* may be NULL */
	void (*flow)(struct call_sink *to, const struct call_flow *f);	    /* may be NULL */
	/* Takes a tree that was saved to a file; NULL: the sink takes only calls. */
	bool (*tree)(struct call_sink *to, const struct call_tree *t);
	/* Events were lost: drops the open calls of a thread, of all threads if NULL. */
	void (*lost)(struct call_sink *to, const struct pairing_slot *thread, uint64_t events);
};

/* Which part of a trace a reader pushes; some formats are read twice, waits first. */
enum call_pass {
	CALL_PASS_ALL,	 /* everything, in one pass */
	CALL_PASS_WAITS, /* only waits, for formats whose waits come after the calls */
	CALL_PASS_CALLS, /* everything except waits, which were pushed before */
};

/* A sink; the first member of what implements it. */
struct call_sink {
	const struct call_sink_class *class;
	enum call_pass pass;
};

/* Converts a time to a decimal, in nanoseconds. */
static inline struct decimal call_time_decimal(struct call_time t)
{
	return (struct decimal){ (decimal_int)t.ns * 1000000000 + t.part };
}

/* Converts a decimal in nanoseconds to a time; false when it exceeds about 146 years. */
MUST_CHECK static inline bool call_time_from(struct decimal ns, struct call_time *ret)
{
	decimal_int whole = ns.billionths / 1000000000, part = ns.billionths % 1000000000;

	if (part < 0) {
		part += 1000000000;
		whole--;
	}
	if (whole > INT64_MAX / 2 || whole < INT64_MIN / 2)
		return false;
	*ret = (struct call_time){ (int64_t)whole, (uint32_t)part };
	return true;
}

/* Converts whole nanoseconds to a time. */
static inline struct call_time call_time_ns(uint64_t ns)
{
	return (struct call_time){ (int64_t)ns, 0 };
}

/* Returns the time from start to end, which is never negative by a thread's own clock. */
static inline struct call_time call_time_between(struct call_time start, struct call_time end)
{
	int64_t ns = end.ns - start.ns;

	if (end.part >= start.part)
		return (struct call_time){ ns, end.part - start.part };
	return (struct call_time){ ns - 1, end.part + 1000000000 - start.part };
}

#endif
