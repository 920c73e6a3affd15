/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clocks of several hosts, in spans.
 *
 * A span of another service lies within the span that called it.  If the clocks differ, it does
 * not; but then one and the same offset puts nearly all spans of the service into their callers.
 * Where callers do not wait, as for messages in a queue, there is no such offset, and nothing is
 * changed.
 */
#ifndef CALLS_SPAN_SKEW_H
#define CALLS_SPAN_SKEW_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* A span, by what is needed of it. */
struct skew_span {
	int64_t start, end; /* ns */
	uint32_t parent;    /* number of a span + 1; 0: none */
	uint32_t host;	    /* span_host() */
};

/* Offsets that were found. */
struct skew {
	size_t n;    /* spans that are moved */
	int64_t max; /* ns, the farthest of them */
};

/* Returns a number of the service; in rare cases two have the same. */
static inline uint16_t span_host(struct str service)
{
	uint32_t hash = UINT32_C(2166136261);

	for (size_t i = 0; i < service.n; i++)
		hash = (hash ^ (unsigned char)service.p[i]) * UINT32_C(16777619);
	return (uint16_t)(hash ^ hash >> 16);
}

/* Sets ret_shift[i] to the time by which span i has to be moved; `step` is the granularity of
 * starts. */
struct skew span_skew_find(const struct skew_span *span, size_t n, int64_t step,
			   int64_t *ret_shift);

#endif
