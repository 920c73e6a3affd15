/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of single calls on their way into a file. */
#ifndef CLI_CALL_LOG_H
#define CLI_CALL_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "collect/ring.h"

struct out;

struct call_log {
	struct call_record *record; /* ascending by start */
	size_t n;
	uint64_t lost; /* calls whose records are not there */
	struct ring ring;
	uint64_t hz;	     /* of its clock; 0: it is in nanoseconds */
	uint64_t subtracted; /* from each latency, in its unit */
};

/* What is whole in the ring now, which belongs to the log from here on. */
struct call_log *call_log_read(const struct ring *r, uint64_t hz, uint64_t subtracted);
void call_log_free(struct call_log *l); /* NULL is fine */

/* Writes the file of osprof-calls(5); argv ends with NULL. */
void call_log_write(const struct call_log *l, char *const *argv, struct out *o);

#endif
