/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnostics: what is wrong, where, and how bad.
 *
 * Library code reports; only cli/ and tui/ print.  A function that reported an
 * error returns false; a function that reported a warning goes on.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdint.h>

#include "base/attr.h"
#include "base/input.h"

struct out;

/* How bad a message is; an error means that no result exists. */
enum severity { SEV_NOTE, SEV_WARNING, SEV_ERROR };
enum { SEV_COUNT = SEV_ERROR + 1 }; /* apart, so that -Wswitch stays honest */

/* What kind of problem a message reports: the lines of base/diag_codes.def. */
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
#define DIAG_NO_CARET SIZE_MAX /* for the number of bytes: their line is not shown */

/* Borrowed for the time of the call that hands it over. */
struct diag_msg {
	enum diag_code code;
	enum severity severity;
	struct input *input; /* NULL when no file is to blame */
	size_t at, len;	     /* blamed bytes of the input; at DIAG_NOWHERE: all of it */
	const char *detail;
	size_t line;	      /* of what is rendered; see diag_line() */
	const char *rendered; /* when not NULL: what diag_render() has said already; no input */
};

/* Receives one rendered message; `msg` is valid during the call only. */
typedef void diag_fn(void *ctx, const struct diag_msg *msg);

/* Where messages go, and how many of each severity were reported. Owned by the caller. */
struct diag {
	diag_fn *emit; /* NULL: only count */
	void *ctx;
	unsigned seen[SEV_COUNT];
	unsigned max_each; /* messages of one severity before silence; 0: DIAG_MAX_EACH */
};
enum { DIAG_MAX_EACH = 20 };

/* Reports a message about `len` bytes at byte `at` of the input. */
void diag_at(struct diag *d, enum diag_code code, struct input *in, size_t at, size_t len,
	     const char *fmt, ...) PRINTF_LIKE(6, 7);
/* The same at a part of the input's own bytes; one at NULL is all of the input. */
void diag_part(struct diag *d, enum diag_code code, struct input *in, struct str part,
	       const char *fmt, ...) PRINTF_LIKE(5, 6);
void diag_file(struct diag *d, enum diag_code code, struct input *in, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
void diag_plain(struct diag *d, enum diag_code code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Whether the next message of this code is reported: where very many are only counted, there is no
 * need to write their text. */
bool diag_is_reported(const struct diag *d, enum diag_code code);

/* The severity that every message of this code has. */
enum severity diag_severity(enum diag_code code);
const char *diag_name(enum diag_code code); /* "bucket-order" */
const char *diag_text(enum diag_code code); /* "buckets out of order" */

/* "path:12:7: error: buckets out of order: 9 after 11 [bucket-order]", then the
 * line and a caret.  Whatever comes from the file is escaped for a terminal. */
void diag_render(struct out *o, const struct diag_msg *msg);
/* The line that a message blames, from 1; 0: none, or it is not known. */
size_t diag_line(const struct diag_msg *msg);

#endif
