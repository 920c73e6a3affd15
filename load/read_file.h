/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads one file of a run as the options say. */
#ifndef LOAD_READ_FILE_H
#define LOAD_READ_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct diag;
struct input;
struct input_watch;
struct profile;
struct read_options;
struct load_options;
struct memory_input;

/* Why a file was not read: only the first is a fault of the file. */
enum unread {
	UNREAD_DAMAGED,
	UNREAD_EMPTY,
	UNREAD_BINARY,	/* binary from its first bytes on, of no known kind */
	UNREAD_MEANS,	/* a log of means over time */
	UNREAD_OTHER,	/* a known kind of file that is not a profile */
	UNREAD_UNKNOWN, /* text that does not resemble any format */
	UNREAD_FOLDER,	/* part of a folder that is a recording of another tool */
};

enum { FILE_BEGIN = 80 };

/* The result of reading one file: a profile, which belongs to the caller, or why there is none. */
struct file_read {
	struct profile *profile; /* NULL: not read, which was reported */
	uint64_t digest;	 /* digest of its bytes if it states its host and time, else 0 */
	enum unread unread;
	const char *what;	/* "a PNG image": its kind, if that is known */
	char begin[FILE_BEGIN]; /* its first line, truncated, with # for digits */
};

/* Reads one file into ret->profile, which is NULL when an error was reported. */
void read_file(struct file_read *ret, const char *path, const struct load_options *q,
	       const struct read_options *options, struct diag *diag);

/* The same of one in memory. */
void read_memory(struct file_read *ret, const struct memory_input *memory,
		 const struct load_options *q, const struct read_options *options,
		 struct diag *diag);

/* Begins to read a file, a folder that is one trace (of uftrace), or the counters of a running
 * program (pid:N, region:FILE).  False when an error was reported. */
MUST_CHECK bool trace_begin(struct input *ret, const char *path, size_t max_input,
			    struct input_watch *watch, struct diag *diag);

#endif
