/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One file of a run, read as the settings say. */
#ifndef COMPARE_READ_FILE_H
#define COMPARE_READ_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct diag;
struct input;
struct input_watch;
struct profile;
struct read_options;
struct request;

/* Why a file was not read: only the first is a fault of the file. */
enum unread {
	UNREAD_DAMAGED,
	UNREAD_EMPTY,
	UNREAD_BINARY,	/* from its first bytes on, of no known kind */
	UNREAD_MEANS,	/* a log of means over time */
	UNREAD_OTHER,	/* no profile at all, by its first bytes */
	UNREAD_UNKNOWN, /* text that no format is like */
	UNREAD_FOLDER,	/* its whole folder is a recording of another tool */
};

enum { FILE_BEGIN = 80 };

/* What came of reading one file: a profile, which belongs to the caller, or why there is none. */
struct file_read {
	struct profile *profile; /* NULL: not read, which was reported */
	uint64_t digest;	 /* of its bytes, where it says whose it is and when it was; or 0 */
	enum unread unread;
	const char *what;	/* "a PNG image", of what is known by its first bytes */
	char begin[FILE_BEGIN]; /* its first line, digits as #; cut off */
};

/* Reads one file into ret->profile, which is NULL when an error was reported. */
void read_file(struct file_read *ret, const char *path, const struct request *q,
	       const struct read_options *options, struct diag *diag);

/* Begins to read a file, a folder that is one trace (of uftrace), or the counters of a program
 * that runs (pid:N, region:FILE). */
MUST_CHECK bool trace_begin(struct input *ret, const char *path, size_t max_input,
			    struct input_watch *watch, struct diag *diag);

#endif
