/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filters convert the bytes of a file to text, piece by piece and in constant memory:
 * decompressors and decoders.
 *
 *	enum filtered what = f->run(f, &rest, ended, room, n_room, &n);
 *
 * consumes bytes from the front of `rest` and writes n bytes to `room`; `ended` means that
 * nothing follows the rest.  If there is room for a byte, run() makes progress.
 */
#ifndef BASE_INPUT_FILTER_H
#define BASE_INPUT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/str.h"

/* The result of a filter's run(). */
enum filtered {
	FILTERED_PART, /* needs more input or more room */
	FILTERED_END,  /* the input is complete if it ends here */
	FILTERED_BAD,  /* the input is damaged; `why` says how */
};

/* A decompressor or a decoder; its free() releases it. */
struct filter {
	const char *of;	    /* the kind of input, for messages: "compressed stream" */
	enum diag_code bad; /* the message for damaged input */
	const char *why;
	enum filtered (*run)(struct filter *f, struct str *from, bool ended, char *to, size_t room,
			     size_t *ret_n);
	void (*free)(struct filter *f);
};

/* The free() of filters that are a single piece of memory. */
static inline void filter_free(struct filter *f)
{
	free(f);
}

#endif
