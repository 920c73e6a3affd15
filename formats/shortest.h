/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For logs of slow calls that do not state the threshold above which calls are logged. */
#ifndef FORMATS_SHORTEST_H
#define FORMATS_SHORTEST_H

#include "base/decimal.h"
#include "profile/unit.h"

struct diag;
struct input;

/* The shortest latency so far; {} at the beginning. */
struct shortest {
	bool any;
	struct decimal latency;
};

/* Keeps the latency if it is the shortest so far. */
static inline void shortest_add(struct shortest *s, struct decimal latency)
{
	if (s->any && s->latency.billionths <= latency.billionths)
		return;
	s->any = true;
	s->latency = latency;
}

/* Notes that shorter calls may be missing, if the shortest took a millisecond or more. `setting`:
 * what the collector calls its threshold. */
void shortest_report(const struct shortest *s, enum unit unit, const char *setting,
		     struct input *in, struct diag *diag);

#endif
