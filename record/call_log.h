/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Per-call records on their way into a file. */
#ifndef RECORD_CALL_LOG_H
#define RECORD_CALL_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "collect/ring.h"

struct out;

/* The name of a call of collect/calls.def. */
const char *recorded_call_name(unsigned op);
/* The number of the call with this name; below 0: there is none. */
int recorded_call_number(struct str name);

/* What the kernel did within a call. */
struct kernel_part {
	uint64_t ns; /* in all system calls */
	bool entered;
	struct str waited; /* where, at last; empty: nowhere */
};

/* The records of a recording, copied out of its ring; call_log_free() frees them. */
struct call_log {
	struct call_record *record; /* ascending by start */
	size_t n, cap;
	uint64_t lost; /* calls whose records are not there */
	struct ring ring;
	uint64_t next; /* of all calls, the first that call_log_gather() has not looked at */
	struct kernel_part *kernel; /* of each record; NULL: it was not asked for */
	uint64_t kernel_lost;	    /* of the lines that tell of it */
	char *kernel_text;	    /* where names are */
	uint64_t hz;		    /* of its clock; 0: it is in nanoseconds */
	uint64_t subtracted;	    /* from each latency, in its unit */
	uint64_t unrecorded;	    /* programs that are in the profile alone */
};

/* An empty log of what is written to the ring from now on; the ring belongs to it. */
struct call_log *call_log_begin(const struct ring *r, uint64_t hz, uint64_t subtracted);
/* Adds what came since the last time, of operation `op` or, below 0, of all, until the log has
 * `most` records; others are lost.  A record that is just being written is waited for, until
 * the last time. */
void call_log_gather(struct call_log *l, int op, size_t most, bool last);
/* What is whole in the ring now, which belongs to the log from here on. */
struct call_log *call_log_read(const struct ring *r, uint64_t hz, uint64_t subtracted);
void call_log_free(struct call_log *l); /* NULL is fine */

/* What the records lack besides those that are lost: how much, 0: nothing, and in words. */
enum lack { LACK_CONFINED, LACK_PROGRAMS, LACK_KERNEL, N_LACKS };
uint64_t call_log_lacks(const struct call_log *l, enum lack which);
const char *call_log_lack(enum lack which);

/* Writes the file of osprof-calls(5); argv ends with NULL. */
void call_log_write(const struct call_log *l, char *const *argv, struct out *o);

#endif
