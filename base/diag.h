/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnostics: what is wrong, where, and how severe it is.
 *
 * Library code reports messages; only the programs (cli/, browse/, mpi/) print them.
 * A function that reported an error returns false; after a warning it goes on.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdint.h>

#include "base/attr.h"
#include "base/input/input.h"

struct out;

/* The severity of a message; an error means that there is no result. */
enum severity { SEV_NOTE, SEV_WARNING, SEV_ERROR };
enum { SEV_COUNT = SEV_ERROR + 1 }; /* separate, so that -Wswitch does not ask for it */

/* The kinds of messages: the lines of base/diag_codes.def. */
enum diag_code {
#define DIAG(id, severity, name, text) DIAG_##id,
#include "base/diag_codes.def"
#undef DIAG
};
enum {
#define DIAG(id, severity, name, text) DIAG_COUNTED_##id,
#include "base/diag_codes.def"
#undef DIAG
	N_DIAG_CODES
};

#define DIAG_NOWHERE  SIZE_MAX
#define DIAG_NO_CARET SIZE_MAX /* as `len`: do not show the line */

/* A message; everything in it is borrowed for the duration of the call. */
struct diag_msg {
	enum diag_code code;
	enum severity severity;
	struct input *input; /* NULL: the message is not about a file */
	size_t at, len;	     /* bytes of the input it is about; at DIAG_NOWHERE: all of it */
	const char *detail;
	size_t line;	      /* the line of a rendered message; see diag_line() */
	const char *rendered; /* not NULL: the output of diag_render(), kept without the input */
};

/* Receives a message; `msg` is valid only during the call. */
typedef void diag_fn(void *ctx, const struct diag_msg *msg);

/* Where messages go, and how many of each severity there were. Owned by the caller. */
struct diag {
	diag_fn *emit; /* NULL: only count */
	void *ctx;
	unsigned seen[SEV_COUNT];
	unsigned max_each; /* limit for messages of one severity; 0: DIAG_MAX_EACH */
	bool lenient;	   /* a truncated input is only a warning: what is there is wanted */
	bool truncated;	   /* ... and there was one */
};
enum { DIAG_MAX_EACH = 20 };

/* Reports a message about `len` bytes at byte `at` of the input. */
void diag_at(struct diag *d, enum diag_code code, struct input *in, size_t at, size_t len,
	     const char *fmt, ...) PRINTF_LIKE(6, 7);
/* The same about a part of the input's own bytes; NULL: all of the input. */
void diag_part(struct diag *d, enum diag_code code, struct input *in, struct str part,
	       const char *fmt, ...) PRINTF_LIKE(5, 6);
void diag_file(struct diag *d, enum diag_code code, struct input *in, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
void diag_plain(struct diag *d, enum diag_code code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Returns the severity of a message of this code here. */
enum severity diag_severity_here(const struct diag *d, enum diag_code code);
/* Whether the next message of this code would be emitted, and not only counted: lets callers skip
 * formatting its text. */
bool diag_is_reported(const struct diag *d, enum diag_code code);

/* Returns the severity of all messages of this code. */
enum severity diag_severity(enum diag_code code);
const char *diag_name(enum diag_code code); /* "bucket-order" */
const char *diag_text(enum diag_code code); /* "buckets out of order" */

/* Writes "path:12:7: error: buckets out of order: 9 after 11 [bucket-order]", the line
 * and a caret.  Text from the file is escaped for a terminal. */
void diag_render(struct out *o, const struct diag_msg *msg);
/* Returns the line that a message is about, from 1; 0: none, or not known. */
size_t diag_line(const struct diag_msg *msg);

#endif
