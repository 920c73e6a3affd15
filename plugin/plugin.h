/* SPDX-License-Identifier: MIT */
/*
 * osprof/plugin.h: plug-ins that osprof(1) loads, to read formats or to handle results.
 *
 * A plug-in is a shared object that links nothing of osprof. It exports one function,
 *
 *	const struct osprof_plugin *osprof_plugin_1(const struct osprof_host *host);
 *
 * which returns a table of its functions, or NULL if it does not want to be loaded. `host` is
 * the table of all functions that the plug-in may call. The 1 is the major version. Within it,
 * fields are only added at the end of these tables, and neither side reads a field beyond the
 * other's `size`: a plug-in built with this header runs with every later 1.x. A plug-in that
 * needs a field of a later header first checks host->size.
 *
 * See osprof-plugin(3), and the three examples in plugin/samples/.
 */
#ifndef OSPROF_PLUGIN_H
#define OSPROF_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { OSPROF_PLUGIN_ABI = 0 }; /* the minor version: 1.0 */

/* A range of arbitrary bytes, not necessarily NUL-terminated. */
struct osprof_text {
	const char *bytes;
	size_t size;
};

/* --- readers: run in the process that reads ------------------------------------------ */

struct osprof_input; /* the input being read, and the profile being built from it */

/* Scores of probe(). osprof's own formats that have a signature score higher. */
enum {
	OSPROF_NOT_MINE = 0,
	OSPROF_PLAUSIBLE = 30, /* columns and numbers look right */
	OSPROF_MINE = 60,      /* two independent marks of the format */
};

/* --- handlers: run in a process of their own ----------------------------------------- */

struct osprof_event;

enum {
	OSPROF_PROFILE = 1, /* a run or an interval, with an osprof_operation for each operation */
	OSPROF_JUDGED = 2,  /* the verdict on one operation */
	OSPROF_ALARM = 3,   /* an operation that regressed */
	OSPROF_MESSAGE = 4, /* a message about a source */
	OSPROF_END = 5,	    /* the last event */
};

/* One operation of an OSPROF_PROFILE. The other fields of an event are read by name: see
 * osprof-plugin(3). */
struct osprof_operation {
	uint32_t size; /* set by the caller: sizeof(struct osprof_operation) */
	uint32_t unused;
	struct osprof_text layer, name;
	uint64_t calls;
	double total, mean; /* in the unit of the profile; NaN: not known */
	double p50, p99;    /* percentiles: the upper edges of their buckets; NaN: not known */
};

/*
 * Called for each event of a kind. `event` is valid during the call; `context` is as passed
 * to on().
 */
typedef void osprof_handler(const struct osprof_event *event, void *context);

/* --- what a plug-in may call --------------------------------------------------------- */

/* Functions that return int return 1, or 0 at the end or after an error, which they report. */
struct osprof_host {
	uint32_t size, abi;

	/* For readers, while read() runs. */
	/* Returns the next line, without its newline. */
	int (*next_line)(struct osprof_input *in, struct osprof_text *ret);
	/* Sets the unit: ns us ms s cycles plain. Called before anything is added; default ns. */
	int (*unit)(struct osprof_input *in, const char *unit);
	/* Adds one latency. `start`: its time in nanoseconds, for --interval; 0: not known. */
	int (*latency)(struct osprof_input *in, struct osprof_text layer, struct osprof_text name,
		       uint64_t latency, uint64_t start);
	/* Add histograms instead: an operation, its buckets [low, high) in ascending order, and the
	 * collector's own total and count. A reader adds either histograms or latencies. */
	int (*operation)(struct osprof_input *in, struct osprof_text layer,
			 struct osprof_text name);
	int (*bucket)(struct osprof_input *in, double low, double high, uint64_t calls);
	int (*total)(struct osprof_input *in, uint64_t total);
	int (*count)(struct osprof_input *in, uint64_t calls);
	/* Reports an error in the last line. `at`: the part of the line that is wrong; size 0: all
	 * of it. Always returns 0. */
	int (*fail)(struct osprof_input *in, struct osprof_text at, const char *why);

	/* For handlers. on() and off() may also be called while osprof_plugin_1() runs. */
	int (*on)(int event, osprof_handler *handler, void *context);
	int (*off)(int event, osprof_handler *handler);
	int (*kind)(const struct osprof_event *event); /* OSPROF_PROFILE ... */
	/* Read a field of the event by name; valid while its handler runs. 0: it has none. */
	int (*text)(const struct osprof_event *event, const char *name, struct osprof_text *ret);
	int (*number)(const struct osprof_event *event, const char *name, double *ret);
	size_t (*n_operations)(const struct osprof_event *event); /* of an OSPROF_PROFILE */
	int (*get_operation)(const struct osprof_event *event, size_t i,
			     struct osprof_operation *ret);
	/* Sends at most 240 bytes to a source, named as in events, which receives them by
	 * osprof_message() of osprof(3); or text to "log". 0: too long, or too many messages for
	 * one event. */
	int (*send)(const char *to, const void *bytes, size_t size);
};

/* The functions of a plug-in; NULL where it has none. */
struct osprof_plugin {
	uint32_t size, abi; /* sizeof(struct osprof_plugin), OSPROF_PLUGIN_ABI */
	const char *name;   /* letters, digits and '-', at most 32: the name of the format */
	const char *title;  /* one line */

	/* Readers. `head`: the first lines of a file. Returns OSPROF_NOT_MINE ... */
	int (*probe)(struct osprof_text head);
	/* Reads the whole input. Returns 0 after an error, which it reported. */
	int (*read)(struct osprof_input *in);

	/* Handlers: called once before the first event, and once after the last. */
	int (*enter)(void); /* 0: it cannot work; it is not started again */
	void (*leave)(void);
};

/* Exported by the plug-in: returns its table, or NULL if it does not want to be loaded. */
const struct osprof_plugin *osprof_plugin_1(const struct osprof_host *host);

#ifdef __cplusplus
}
#endif

#endif
