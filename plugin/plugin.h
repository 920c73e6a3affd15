/* SPDX-License-Identifier: MIT */
/*
 * osprof/plugin.h: readers of formats and handlers of results that osprof(1) loads.
 *
 * A plug-in is a shared object that links nothing of osprof. It exports one function,
 *
 *	const struct osprof_plugin *osprof_plugin_1(const struct osprof_host *host);
 *
 * which returns a table of what it can do; all that it may call is in the table that it is
 * given. NULL: it does not want to be loaded. The 1 is the major version. Within it, fields are
 * only added at the end of these tables, and nobody looks at a field that lies beyond `size`:
 * what was built with this header runs with every later 1.x. A plug-in that needs a field of a
 * later header first compares host->size.
 *
 * See osprof-plugin(3); plugin/samples/ has three of them.
 */
#ifndef OSPROF_PLUGIN_H
#define OSPROF_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { OSPROF_PLUGIN_ABI = 0 }; /* the minor version: 1.0 */

/* Bytes, which need not end with NUL and may hold any. */
struct osprof_text {
	const char *bytes;
	size_t size;
};

/* --- readers: in the process that reads ---------------------------------------------- */

struct osprof_input; /* what is being read, and the profile that is made of it */

/* How sure a probe is. Formats that osprof knows by a signature are surer. */
enum {
	OSPROF_NOT_MINE = 0,
	OSPROF_PLAUSIBLE = 30, /* columns and numbers look right */
	OSPROF_MINE = 60,      /* two marks, independent of each other */
};

/* --- handlers: in a process of their own --------------------------------------------- */

struct osprof_event;

enum {
	OSPROF_PROFILE = 1, /* a run, or an interval: osprof_operation of each of its operations */
	OSPROF_JUDGED = 2,  /* the verdict on one operation */
	OSPROF_ALARM = 3,   /* an operation that regressed */
	OSPROF_MESSAGE = 4, /* what there is to tell of a source */
	OSPROF_END = 5,	    /* nothing follows */
};

/* What an event has is asked by name: see osprof-plugin(3). */
struct osprof_operation {
	uint32_t size; /* set by the caller: sizeof(struct osprof_operation) */
	uint32_t unused;
	struct osprof_text layer, name;
	uint64_t calls;
	double total, mean; /* in the unit of the profile; NaN: not known */
	double p50, p99;    /* upper edges of the buckets that hold them; NaN: not known */
};

/*
 * Is called for each event of a kind; `event` is valid during the call, `context` is the
 * plug-in's own.
 */
typedef void osprof_handler(const struct osprof_event *event, void *context);

/* --- what a plug-in may call --------------------------------------------------------- */

/* Functions that return int: 1, or 0 at the end or after an error, which was reported. */
struct osprof_host {
	uint32_t size, abi;

	/* Of readers, while read() runs. */
	int (*next_line)(struct osprof_input *in, struct osprof_text *ret); /* without its end */
	/* ns us ms s cycles plain, before anything else; not called: ns. */
	int (*unit)(struct osprof_input *in, const char *unit);
	/* One latency. `start` in nanoseconds, for --interval: 0 where none is known. */
	int (*latency)(struct osprof_input *in, struct osprof_text layer, struct osprof_text name,
		       uint64_t latency, uint64_t start);
	/* Or histograms: an operation, its buckets from low to below high in ascending order,
	 * and what the collector says of it. A reader has either these or latencies. */
	int (*operation)(struct osprof_input *in, struct osprof_text layer,
			 struct osprof_text name);
	int (*bucket)(struct osprof_input *in, double low, double high, uint64_t calls);
	int (*total)(struct osprof_input *in, uint64_t total);
	int (*count)(struct osprof_input *in, uint64_t calls);
	/* Reports that the last line is not as it should be, `at` being the part of it that is to
	 * blame, or of size 0; always 0. */
	int (*fail)(struct osprof_input *in, struct osprof_text at, const char *why);

	/* Of handlers. on() and off() also while osprof_plugin_1() runs. */
	int (*on)(int event, osprof_handler *handler, void *context);
	int (*off)(int event, osprof_handler *handler);
	int (*kind)(const struct osprof_event *event); /* OSPROF_PROFILE ... */
	/* What the event says under this name, valid while its handler runs. 0: nothing. */
	int (*text)(const struct osprof_event *event, const char *name, struct osprof_text *ret);
	int (*number)(const struct osprof_event *event, const char *name, double *ret);
	size_t (*n_operations)(const struct osprof_event *event); /* of OSPROF_PROFILE */
	int (*get_operation)(const struct osprof_event *event, size_t i,
			     struct osprof_operation *ret);
	/* At most 240 bytes to a source by the name that events have (osprof_message() of
	 * osprof(3)), or text to "log". 0: too long, or too much for one event. */
	int (*send)(const char *to, const void *bytes, size_t size);
};

/* What a plug-in can do; NULL where it does not. */
struct osprof_plugin {
	uint32_t size, abi; /* sizeof(struct osprof_plugin), OSPROF_PLUGIN_ABI */
	const char *name;   /* letters, digits, '-': as a format is called */
	const char *title;  /* one line */

	/* `head`: the first lines of a file. How sure it is that it can read this. */
	int (*probe)(struct osprof_text head);
	/* All of it. 0 after an error that was reported. */
	int (*read)(struct osprof_input *in);

	/* Handlers: called once before the first event, and after the last. */
	int (*enter)(void); /* 0: it cannot work, and is not asked again */
	void (*leave)(void);
};

/* What a plug-in exports: its table for a host of version 1, or NULL to be left out. */
const struct osprof_plugin *osprof_plugin_1(const struct osprof_host *host);

#ifdef __cplusplus
}
#endif

#endif
