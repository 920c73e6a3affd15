/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads in the JSON of real-time tools: histograms and summary statistics, by thread number.
 *
 *	{ "0": { "histogram": { "43": 1, "63": 34 },
 *	         "cycles": 40, "min": 43, "max": 876, "avg": 67.29 },
 *	  "1": { "sender": { "samples": 200 },
 *	         "receiver": { "min": 2, "avg": 2.85, "max": 20 } } }
 *
 * The operation is the number of the thread.  Cycles are also called samples or count.  The unit
 * may come after the numbers, so they are kept until everything is known:
 *
 *	json_threads_init(&t, in, to, diag);
 *	json_members(&t.j, ... JSON_READ("thread", json_threads_read, &t) ...)
 *	t.unit = UNIT_NS;
 *	ok = json_threads_push(&t);
 *	json_threads_release(&t);
 */
#ifndef FORMATS_REALTIME_JSON_THREADS_H
#define FORMATS_REALTIME_JSON_THREADS_H

#include <stdint.h>

#include "base/attr.h"
#include "base/json.h"
#include "profile/builder/builder.h"
#include "profile/unit.h"

/* The threads of a file, until they are pushed; json_threads_release() frees them. */
struct json_threads {
	struct json j;
	enum unit unit; /* us by default */
	/* For rows that are named by their lower edge and are 1 wide: their number; calls in none
	 * of them were longer; 0: not known. */
	uint64_t rows;
	/* Rows are named by their upper edge, and the last one is open.  Of the summary statistics,
	 * only calls and maximum are as exact as the rows. */
	bool upper;
	double width; /* with `upper`, the width of a row */

	/* Private. */
	struct builder *to;
	struct diag *diag;
	struct input *in;
	struct thread *thread;
	struct cell *cell; /* cells of all threads */
	size_t n_threads, cap_threads, n_cells, cap_cells;
	size_t n_without;    /* threads without cycles */
	struct arena *arena; /* for cells, and for strings with escapes */
};

/* Begins a JSON document of rt-tests. */
void json_threads_init(struct json_threads *r, struct input *in, struct builder *to,
		       struct diag *diag);
/* Frees the threads. */
void json_threads_release(struct json_threads *r);

/* Reads the next value, the object of all threads; for JSON_READ(). */
MUST_CHECK bool json_threads_read(void *threads);
/* Pushes the threads as operations; those without calls are left out with a note. */
MUST_CHECK bool json_threads_push(struct json_threads *r);

#endif
