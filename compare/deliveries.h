/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs that say whose they are and when they were: which were delivered twice. */
#ifndef COMPARE_DELIVERIES_H
#define COMPARE_DELIVERIES_H

#include <stddef.h>
#include <stdint.h>

struct profile;
struct delivered;

/* The inputs seen so far that say which host and time they are of. */
struct deliveries {
	struct delivered *first;
};

/* An input. */
struct delivery {
	size_t number;
	const char *path;
	int side; /* of two nights: both may have it */
};

/* Whether an input was seen before: no, the same bytes again, or other bytes for the same time. */
enum delivered_what { DELIVERED_FIRST, DELIVERED_AGAIN, DELIVERED_OTHERWISE };

/* What is known of an input that is not the first of its host and time. */
struct delivery_seen {
	enum delivered_what what;
	const char *first, *second; /* paths of the two, in the order of inputs */
};

/* The profile names a host, its intervals are in UTC, and `digest` is that of its bytes.  What
 * is found borrows from the delivery and from the earlier one. */
struct delivery_seen deliveries_add(struct deliveries *d, const struct profile *p, uint64_t digest,
				    const struct delivery *now);
void deliveries_release(struct deliveries *d);

#endif
