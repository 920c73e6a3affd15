/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the counters of a running program in place: those of `osprof record` and of programs
 * that profile themselves with osprof(3).
 *
 *	pid:N		the region that process N has open, or that it is recorded into
 *	region:FILE	the region in this file
 *
 * The only cost to the program is that both access the same memory.
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

/* A region that is read repeatedly; region_close() frees it. */
struct region_source {
	const char *name;    /* as typed; borrowed */
	char *path;	     /* of the file, on the heap */
	struct osprof *seen; /* the copy made by the last read */
	bool reset;	     /* counters were reset between the last two reads */
	bool ended;	     /* the program has ended its profile: nothing will change any more */
	bool abandoned;	     /* the program that made it is gone and did not end it */
};

/* Whether an operand names a region: pid:N or region:FILE. */
bool region_is_source(const char *operand);

/* Finds and reads a region. False: an error was reported. */
MUST_CHECK bool region_open(struct region_source *ret, const char *name, struct diag *diag);
void region_close(struct region_source *r);

/* Reads the region again. False when that is no longer possible: it is truncated, damaged, or by
 * now belongs to another program (which region_open() would find). */
MUST_CHECK bool region_read_again(struct region_source *r, struct diag *diag);

/* Return the counts since the program began, as of the last read: as text of osprof(5), on the
 * heap, or as a profile. The difference of two reads is what was counted between them. */
MUST_CHECK bool region_text(struct region_source *r, char **ret, size_t *ret_n, struct diag *diag);
MUST_CHECK struct profile *region_profile(struct region_source *r,
					  const struct read_options *options, struct diag *diag);

/* Sends a message to the program (osprof_message() of osprof(3)). */
MUST_CHECK bool region_send(const char *name, const void *bytes, size_t n, struct diag *diag);

#endif
