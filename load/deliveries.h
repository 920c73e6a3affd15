/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects inputs that were delivered twice, by the host and time that they state. */
#ifndef LOAD_DELIVERIES_H
#define LOAD_DELIVERIES_H

#include <stddef.h>
#include <stdint.h>

struct profile;
struct delivered;

/* The inputs so far that state their host and time. */
struct deliveries {
	struct delivered *first;
};

/* An input. */
struct delivery {
	size_t number;
	const char *path;
	int side; /* of a comparison; both sides may have the same input */
};

/* Whether an input is new, has the same bytes as an earlier one, or has other bytes for the same
 * host and time. */
enum delivered_what { DELIVERED_FIRST, DELIVERED_AGAIN, DELIVERED_OTHERWISE };

/* Whether an input was seen before, and the two inputs if it was. */
struct delivery_seen {
	enum delivered_what what;
	const char *first, *second; /* paths of the two, in the order of inputs */
};

/* Adds an input.  Its profile must name a host and have intervals in UTC; `digest` is that of its
 * bytes.  The result borrows paths from `now` and from d. */
struct delivery_seen deliveries_add(struct deliveries *d, const struct profile *p, uint64_t digest,
				    const struct delivery *now);
void deliveries_release(struct deliveries *d);

#endif
