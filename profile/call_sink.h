/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where readers push the calls of a trace: enters, leaves, whole calls, spans.
 *
 * A reader says what it meets, in the order of the file, and does not know what becomes
 * of it: latencies, counted in histograms (formats/call_latencies.h), or trees of calls
 * (profile/call_grow.h).
 *
 *	enter -> { enter ... leave | whole }* -> leave	of one thread, by time
 *
 * Every function answers false when it has reported an error.
 */
#ifndef PROFILE_CALL_SINK_H
#define PROFILE_CALL_SINK_H

#include <stdint.h>

#include "base/attr.h"
#include "base/decimal.h"
#include "base/str.h"
#include "profile/pairing.h"

/* What a thread does during a call: runs, or waits, and for what. */
enum call_kind {
	CALL_IS_RUNNING,
	CALL_IS_BLOCKED,   /* waits where the code asked for it */
	CALL_IS_PREEMPTED, /* the processor was taken away */
	CALL_IS_INTERRUPT, /* something else ran on the processor */
	CALL_IS_QUEUED,	   /* waits until another thread begins with what it was handed */
	CALL_IS_UNKNOWN,   /* off the processor, the trace does not say why */
	N_CALL_KINDS,
};

/* Nanoseconds, and billionths of one after them. */
struct call_time {
	int64_t ns;
	uint32_t part;
};

/* Which part of a call an event is. */
enum call_what {
	CALL_ENTER,
	CALL_LEAVE, /* of the innermost call of that name, any where the name is empty */
	CALL_WHOLE, /* a call without others within it, or with others whose times say so */
};

/* One begin, end or whole call of a thread, as the trace has it; strings are borrowed. */
struct call_event {
	enum call_what what;
	enum call_kind kind;
	bool timed;	/* `latency` is what the trace says; of a whole call, always */
	bool timeless;	/* `at` is not known: the thread's calls follow one another */
	bool unordered; /* a whole call that may come before or after those around it */
	bool untold;	/* a leave that is not counted as unmatched, or as a latency */
	bool jumped;	/* a leave that the trace does not have: longjmp, exec */
	uint32_t id;	/* what call_sink.number() gave for the name; 0: nobody asked */
	struct pairing_slot thread;
	struct str layer, name;
	struct call_time at;	  /* of a whole call its start */
	struct call_time latency; /* of a whole call or a timed leave */
	struct str where;	  /* of the input's bytes, to be blamed */
};

/* An enter or a leave without anything else to it. */
struct call_step {
	int64_t at;
	uint64_t what; /* twice the function's key, and 1: it leaves */
};

/* What the keys of steps mean, below 2^62; so a reader need not look up each function, as the
 * sink only asks for those that it does not know.  Gives what call_sink.number() gave. */
struct call_keys {
	uint32_t (*number)(void *reader, uint64_t key);
	void *reader;
};

/* A span of a distributed trace; ids of 0 are none. */
struct call_span {
	uint64_t trace[2], id, parent;
	struct str trace_name; /* as it is written, until the span is pushed */
	struct str service, name;
	struct call_time start, end;
	struct str where;
};

/* What is known of the call that was entered last on a thread, or of the span pushed last. */
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

/* A point of an arrow from a call to what another thread does for it. */
enum call_flow_what {
	CALL_FLOW_START,
	CALL_FLOW_STEP, /* an end and a start */
	CALL_FLOW_END,
};

/* A point of a flow, which hands work from one thread to another. */
struct call_flow {
	enum call_flow_what what;
	bool next; /* it ends at the next call of the thread, not the one that is open */
	struct pairing_slot thread;
	uint64_t id; /* what its points have in common */
	int64_t at;
};

/* The span pushed last continues what that one began; ids of 0 are none. */
struct call_span_link {
	uint64_t trace[2], id;
};

struct call_sink;
struct call_tree;

/* What a sink does with each kind of event: its functions, shared by all sinks of the kind. */
struct call_sink_class {
	uint32_t (*number)(struct call_sink *to, struct str name); /* from 1; NULL: 0 will do */
	bool (*event)(struct call_sink *to, const struct call_event *e);
	/* What keys mean from here on. */
	void (*keys)(struct call_sink *to, const struct call_keys *keys);
	/* Many at once, of one thread and by time; NULL, as is keys(): one by one. */
	bool (*steps)(struct call_sink *to, const struct pairing_slot *thread,
		      const struct call_step *step, size_t n);
	bool (*span)(struct call_sink *to, const struct call_span *s);
	void (*value)(struct call_sink *to, const struct call_value *v);    /* may be NULL */
	void (*link)(struct call_sink *to, const struct call_span_link *l); /* may be NULL */
	void (*wait)(struct call_sink *to, const struct call_wait *w);	    /* may be NULL */
	void (*flow)(struct call_sink *to, const struct call_flow *f);	    /* may be NULL */
	/* What was kept of another reading; NULL where calls alone are taken. */
	bool (*tree)(struct call_sink *to, const struct call_tree *t);
	/* The open calls of a thread are given up, of all where it is NULL. */
	void (*lost)(struct call_sink *to, const struct pairing_slot *thread, uint64_t events);
};

/* Which part of a trace a reading pushes, where calls and waits come in different places. */
enum call_pass {
	CALL_PASS_ALL,	 /* everything, once */
	CALL_PASS_WAITS, /* only call_wait: of formats whose waits come after the calls */
	CALL_PASS_CALLS, /* all but these: they are known */
};

/* Where a reader pushes its events; the first member of what implements it. */
struct call_sink {
	const struct call_sink_class *class;
	enum call_pass pass;
};

/* A time of a trace as a decimal, in nanoseconds. */
static inline struct decimal call_time_decimal(struct call_time t)
{
	return (struct decimal){ (decimal_int)t.ns * 1000000000 + t.part };
}

/* False when it is beyond 292 years. */
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

/* Whole nanoseconds as a time of a trace. */
static inline struct call_time call_time_ns(uint64_t ns)
{
	return (struct call_time){ (int64_t)ns, 0 };
}

/* Between two times; of a thread's own clock none is negative. */
static inline struct call_time call_time_between(struct call_time start, struct call_time end)
{
	int64_t ns = end.ns - start.ns;

	if (end.part >= start.part)
		return (struct call_time){ ns, end.part - start.part };
	return (struct call_time){ ns - 1, end.part + 1000000000 - start.part };
}

#endif
