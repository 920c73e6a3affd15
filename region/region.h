/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of a program that runs, read in place: those of `osprof record` and of programs
 * that profile themselves with osprof(3).
 *
 *	pid:N		the region that process N has open, or that it is recorded into
 *	region:FILE	the region in this file
 *
 * Reading costs the program nothing but the memory that both look at.
 */
#ifndef REGION_REGION_H
#define REGION_REGION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct diag;
struct osprof;
struct profile;
struct read_options;

/* A region that is read again and again; region_close() frees it. */
struct region_source {
	const char *name;    /* as typed; borrowed */
	char *path;	     /* of the file, on the heap */
	struct osprof *seen; /* what it held when it was last read */
	bool reset;	     /* its counters were reset between the last two times */
	bool ended;	     /* the program has ended its profile: nothing will change any more */
	bool abandoned;	     /* the program that made it is gone without ending it */
};

/* Whether an operand names one. */
bool region_is_source(const char *operand);

/* Finds and reads it. False: the reason was reported. */
MUST_CHECK bool region_open(struct region_source *ret, const char *name, struct diag *diag);
void region_close(struct region_source *r);

/* Reads it again. False when that cannot be done any more: cut off, damaged, another program's
 * by now (region_open() finds that). */
MUST_CHECK bool region_read_again(struct region_source *r, struct diag *diag);

/* What was counted from the beginning on, as of the last reading: as text of osprof(5), on the
 * heap, or as a profile. What is new since an earlier reading is the difference. */
MUST_CHECK bool region_text(struct region_source *r, char **ret, size_t *ret_n, struct diag *diag);
MUST_CHECK struct profile *region_profile(struct region_source *r,
					  const struct read_options *options, struct diag *diag);

/* Sends a message to the program (osprof_message() of osprof(3)). */
MUST_CHECK bool region_send(const char *name, const void *bytes, size_t n, struct diag *diag);

#endif
