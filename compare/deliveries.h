/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs that say whose they are and when they were: which were delivered twice. */
#ifndef COMPARE_DELIVERIES_H
#define COMPARE_DELIVERIES_H

#include <stddef.h>
#include <stdint.h>

struct profile;
struct delivered;

struct deliveries {
	struct delivered *first;
};

/* An input. */
struct delivery {
	size_t number;
	const char *path;
	int side; /* of two nights: both may have it */
};

enum delivered_what { DELIVERED_FIRST, DELIVERED_AGAIN, DELIVERED_OTHERWISE };

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
