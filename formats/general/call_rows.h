/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Per-call records, as `osprof record --calls` writes them; formats/general/calls.c
 * describes the file. */
#ifndef FORMATS_GENERAL_CALL_ROWS_H
#define FORMATS_GENERAL_CALL_ROWS_H

#include "base/attr.h"
#include "base/input/input.h"
#include "calls/calls.h"
#include "formats/table/table.h"

struct diag;

/* Columns, in the order in which they have to be. */
enum call_column {
	CALL_START,
	CALL_PROCESS,
	CALL_THREAD,
	CALL_OPERATION,
	CALL_NUMBER,
	CALL_SITE,
	CALL_LATENCY,
	CALL_CPU,
	CALL_MINOR_FAULTS,
	CALL_MAJOR_FAULTS,
	CALL_VOLUNTARY,
	CALL_INVOLUNTARY,
	CALL_BLOCKED,
	CALL_RESOURCE,
	CALL_KERNEL,
	/* These two are not in all files. */
	CALL_SIZE,
	CALL_RESULT,
};
enum { N_CALL_COLUMNS = CALL_RESULT + 1, MIN_CALL_COLUMNS = CALL_KERNEL + 1 };

/* What the lines before the header say; borrows from the input. */
struct call_head {
	size_t n_columns; /* MIN_CALL_COLUMNS or N_CALL_COLUMNS */
	uint64_t lost;
	struct str lost_at; /* where the file states it; empty: not stated */
	struct str command, clock;
};

/* Returns whether a file begins with the signature, and sets *ret_version; leaves it unchanged if
 * not. */
bool call_signature(struct str head, struct str *ret_version);

/* Reads the lines before the records and starts *ret_table after the header; reads the whole input
 * if what was read so far ends earlier.  The caller releases the table, also on failure. */
MUST_CHECK bool call_head_read(struct input *in, struct table *ret_table, struct call_head *ret,
			       struct diag *diag);

/* Adds all records of a file as one run, but no more than fit into max_bytes. */
MUST_CHECK bool call_records_read(struct calls *to, struct input *in, size_t max_bytes,
				  struct diag *diag);

#endif
