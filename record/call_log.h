/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies per-call records out of their ring, and writes them to a file. */
#ifndef RECORD_CALL_LOG_H
#define RECORD_CALL_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "collect/ring.h"

struct out;

/* Returns the name of a call of collect/calls.def. */
const char *recorded_call_name(unsigned op);
/* Returns the number of the call with this name; below 0: there is none. */
int recorded_call_number(struct str name);

/* The kernel's part of a call. */
struct kernel_part {
	uint64_t ns; /* time in all system calls */
	bool entered;
	struct str waited; /* the kernel function that waited last; empty: none */
};

/* The records of a recording, copied out of its ring; call_log_free() frees them. */
struct call_log {
	struct call_record *record; /* ascending by start */
	size_t n, cap;
	uint64_t lost; /* calls without a record */
	struct ring ring;
	uint64_t next; /* the first claimed record that call_log_gather() has not read */
	struct kernel_part *kernel; /* for each record; NULL: not traced */
	uint64_t kernel_lost;	    /* events that bpftrace lost */
	char *kernel_text;	    /* holds the names in `kernel` */
	uint64_t hz;		    /* of the clock; 0: nanoseconds */
	uint64_t subtracted;	    /* from each latency, in the unit of the clock */
	uint64_t unrecorded;	    /* programs that are in the profile but have no records */
};

/* Creates an empty log of records written to the ring from now on; takes ownership of the ring. */
struct call_log *call_log_begin(const struct ring *r, uint64_t hz, uint64_t subtracted);
/* Adds the new records of operation `op` (below 0: of all operations), until the log has `most`;
 * others count as lost.  Stops at a record that is still being written, unless `last`. */
void call_log_gather(struct call_log *l, int op, size_t max, bool last);
/* Creates a log of all complete records in the ring now; takes ownership of the ring. */
struct call_log *call_log_read(const struct ring *r, uint64_t hz, uint64_t subtracted);
void call_log_free(struct call_log *l); /* NULL is fine */

/* What is missing besides lost records: the number (0: nothing), and a description. */
enum lack { LACK_CONFINED, LACK_PROGRAMS, LACK_KERNEL, N_LACKS };
uint64_t call_log_lacks(const struct call_log *l, enum lack which);
const char *call_log_lack(enum lack which);

/* Writes the file of osprof-calls(5); argv ends with NULL. */
void call_log_write(const struct call_log *l, char *const *argv, struct out *o);

#endif
