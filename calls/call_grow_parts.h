/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The internals of calls/call_grow.h: threads, held calls, spans. */
#ifndef CALLS_CALL_GROW_PARTS_H
#define CALLS_CALL_GROW_PARTS_H

#include "calls/call_fold.h"
#include "calls/call_grow.h"
#include "calls/span_clock.h"
#include "calls/span_skew.h"

#define CALL_NO_NODE UINT32_MAX

/* Properties of a name. */
enum name_flag {
	NAME_KNOWN = 1,
	NAME_FUNCTION = 2,
	NAME_WITHIN = 4,
	NAME_INTERRUPT = 8,
	NAME_SUBMIT = 16,
	NAME_SERVE = 32,
	NAME_TWICE = 64, /* setjmp(): returns again after longjmp() */
};

/* One open call on a thread's stack; times in nanoseconds since the trace began. */
struct grow_frame {
	uint64_t leave;	     /* call_step.what of the step that ends it; 0: not known */
	uint32_t name, slot; /* slot: in the fold; CALL_NO_NODE outside of the function */
	union {
		uint32_t item; /* number of the held call */
		uint32_t path; /* see calls/call_meanwhile.h */
	};
	uint8_t kind;	      /* enum call_kind */
	bool has_child, same; /* same: it has the same node as its caller */
	bool plain;	      /* it runs, and its name has no flag but NAME_FUNCTION */
	bool awaits;	      /* it called a function that returns twice */
	int64_t start;
	int64_t known_end; /* of a whole call; INT64_MAX: a leave follows */
	int64_t struck;	   /* time of interrupts and preemption within it */
	int64_t last_end;  /* end of the last call directly within it */
	int64_t taken;	   /* overhead to subtract from its own time */
};

/* A period in which a thread did not run, in nanoseconds, and why. */
struct grow_wait {
	int64_t start, end;
	enum call_kind kind;
};

/* A whole call that is held to be sorted. */
struct grow_whole {
	int64_t start, end;
	uint32_t name;
	enum call_kind kind;
	uint32_t first_value, n_values;
	uint64_t number;
};

/* A further value of grow_event.what: events were lost, so open calls are dropped. */
enum { GROW_LOST = CALL_WHOLE + 1 };

/* An event that is held to be sorted. */
struct grow_event {
	int64_t at;
	int64_t latency;
	uint32_t name;
	uint8_t what, kind;
	uint32_t first_value, n_values;
	uint64_t number; /* among the events of its thread */
};

/* The state of a thread. */
struct grow_thread {
	struct pairing_slot key;
	struct grow_frame *frame; /* open calls, innermost last */
	size_t n, cap;
	struct call_fold *fold;	   /* NULL: not in the function */
	size_t fold_at;		   /* the frame of the function's call */
	size_t interrupts, within; /* open interrupts, and open calls of --within */
	int64_t now;		   /* clock of a thread without times */
	int64_t latest;		   /* latest start or end seen */
	bool taken;		   /* --task selects it */
	bool entered;		   /* values may follow for the call entered last */
	uint32_t name;		   /* number in the tree's names */
	uint32_t number;
	struct grow_wait *wait;
	size_t n_waits, cap_waits, next_wait;
	bool waits_sorted;
	bool knows_ends; /* it had a frame with a known end */
	struct grow_whole *whole;
	size_t n_whole, cap_whole;
	struct grow_event *held;
	size_t n_held, cap_held;
};

/* A held call: a span, or a call of a thread if calls may be linked. */
struct grow_item {
	int64_t start, end;
	uint32_t name;
	uint32_t thread; /* its thread; of a span: the call of the function it is in, 0: none */
	uint32_t child, sibling; /* items; 0: none */
	uint32_t parent;
	uint8_t kind;
	bool done;
	uint16_t host; /* of a span */
	uint32_t first_value, n_values;
	uint64_t id; /* grow_span_hash() of a span; 0: none */
	uint64_t parent_id;
};

/* The trace of a call of the function, if that is a span. */
struct grow_trace {
	uint32_t item;
	struct str name;
};

/* Work that a thread handed to another one. */
struct grow_submit {
	int64_t at;	/* when it was handed over */
	int64_t served; /* when the call that serves it begins */
	uint32_t thread, item, serve;
};

/* A span `item` that continues what the span with hash `to` began; 0: none. */
struct grow_span_link {
	uint64_t to;
	uint32_t item;
};

/* A point of a flow. */
struct grow_flow {
	uint64_t id;
	int64_t at;
	uint32_t thread;
	uint8_t what; /* enum call_flow_what */
	bool next;
};

/* The meaning of a key of steps. */
struct grow_key {
	uint64_t enter; /* twice the key; UINT64_MAX: unused */
	uint32_t name;
	uint8_t flags;
};

/* A tree of calls while a trace is read. */
struct call_grow {
	struct call_sink sink;
	struct call_grow_options o;
	struct call_tree *tree;
	uint8_t *flag; /* enum name_flag, by name */
	size_t cap_flags;
	struct call_keys keys;
	struct grow_key *key; /* a direct-mapped cache of keys; NULL: no steps came */
	uint32_t *match;
	size_t n_matches, cap_matches;
	struct grow_thread **thread;
	size_t n_threads, cap_threads;
	struct number_map thread_at;
	struct grow_thread *last;
	struct call_fold *free_folds;
	bool wants_order, timed;
	bool deep;	/* a thread had too many open calls */
	bool replaying; /* held events are being taken */
	struct number_map span_at;
	struct span_clock clock; /* of spans */
	struct skew skew;	 /* of the clocks of hosts */
	int64_t *struck;	 /* by item: time of interrupts and preemption within it */
	uint64_t n_whole;
	uint64_t decided;
	struct call_pause *pause;
	size_t n_pauses, cap_pauses;
	bool more_pauses;
	struct fold_value *held_value;
	size_t n_held_values, cap_held_values;
	/* Held calls. */
	struct grow_item *item; /* from 1; item 0 is the root */
	size_t n_items, cap_items;
	struct grow_trace *trace; /* by item */
	size_t n_traces, cap_traces;
	struct grow_submit *submit;
	size_t n_submits, cap_submits;
	struct grow_flow *flow;
	size_t n_flows, cap_flows;
	struct grow_span_link *link;
	size_t n_links, cap_links;
	int64_t trace_start, trace_end;
};

/* Whether calls are held until the end because some may be linked to others. */
static inline bool grow_links(const struct call_grow *g)
{
	return g->o.link.submit.n > 0 || g->n_flows > 0;
}

/* Begins a fold for a call of the function. */
struct call_fold *grow_fold_new(struct call_grow *g);
/* Ends a fold: adds its call to the tree. */
void grow_fold_end(struct call_grow *g, struct call_fold *f, const struct grow_thread *t,
		   int64_t start, int64_t latency);
/* Counts calls of a thread, a value of the function's calls. */
void grow_count_thread(struct call_grow *g, const struct grow_thread *t, uint32_t bucket,
		       uint64_t calls);
/* Notes that the thread did not run from start to end (ns). */
void grow_pause(struct call_grow *g, struct call_fold *f, int64_t start, int64_t end);
/* Whether a name is that of the function that the tree is of. */
bool grow_is_function(const struct call_grow *g, struct str name);
/* Finds the flags of a name that was not seen before. */
uint8_t grow_flags_new(struct call_grow *g, uint32_t name);
static inline uint8_t grow_flags(struct call_grow *g, uint32_t name)
{
	return name < g->cap_flags && g->flag[name] != 0 ? g->flag[name] : grow_flags_new(g, name);
}
/* Adds an event of a thread to the tree. */
void grow_take(struct call_grow *g, struct grow_thread *t, const struct call_event *e,
	       uint32_t name);
void grow_value_of(struct call_grow *g, struct grow_thread *t, struct fold_value v);
void grow_close_all(struct call_grow *g, struct grow_thread *t, bool lost);
/* Hold events until the end, and add what was held to the tree. */
void grow_hold(struct call_grow *g, struct grow_thread *t, const struct call_event *e,
	       uint32_t name);
void grow_hold_loss(struct grow_thread *t);
void grow_replay(struct call_grow *g, struct grow_thread *t);
void grow_items(struct call_grow *g);
uint32_t grow_item_new(struct call_grow *g);
/* Adds the submits of flows to the n_submits in g->submit; returns the new number. */
size_t grow_link_flows(struct call_grow *g, size_t n_submits);
/* Sorts submits by thread and time. */
void grow_sort_submits(struct call_grow *g);
/* Adds the submits of span links, for spans in a call of the function (grow_item.thread). */
void grow_link_spans(struct call_grow *g);
/* Moves spans of other hosts to the clock of their callers. */
void grow_correct_clocks(struct call_grow *g);
/* Adds a link of the span that was taken last. */
void grow_span_link(struct call_sink *to, const struct call_span_link *l);
/* Returns a hash of a span's id and that of its trace; 0 if the id is 0. */
uint64_t grow_span_hash(const uint64_t trace[2], uint64_t id);
bool grow_span(struct call_sink *to, const struct call_span *s);
static inline uint32_t grow_node(const struct call_grow *g, uint32_t parent, uint32_t name,
				 enum call_kind kind)
{
	return call_tree_below(g->tree, call_kind_strikes(kind) ? 0 : parent, name, kind);
}

#endif
