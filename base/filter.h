/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes into other bytes on their way from a file, a piece at a time and in constant
 * memory: what is compressed, or in another encoding, into text.
 *
 *	enum filtered what = f->run(f, &rest, ended, room, n_room, &n);
 *
 * takes bytes off the front of `rest` and puts n bytes into `room`; `ended` says that
 * nothing will follow the rest.  Where there is room for a byte, it takes or gives one.
 */
#ifndef BASE_FILTER_H
#define BASE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/str.h"

/* What one call of a filter's run() came to. */
enum filtered {
	FILTERED_PART, /* more input, or more room, is wanted */
	FILTERED_END,  /* what was taken is whole: it may end here */
	FILTERED_BAD,  /* it cannot be read on; `why` tells */
};

/* One stage that turns bytes into others: a decompressor or a decoder. free() releases it. */
struct filter {
	const char *of;	    /* what it takes, for messages: "compressed stream" */
	enum diag_code bad; /* of the message about that */
	const char *why;
	enum filtered (*run)(struct filter *f, struct str *from, bool ended, char *to, size_t room,
			     size_t *ret_n);
	void (*free)(struct filter *f);
};

/* For those that are one piece of memory. */
static inline void filter_free(struct filter *f)
{
	free(f);
}

#endif
