/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of slow calls that do not tell from which latency on a call is one. */
#ifndef FORMATS_SHORTEST_H
#define FORMATS_SHORTEST_H

#include "base/decimal.h"
#include "profile/unit.h"

struct diag;
struct input;

/* The shortest latency that was met, {} at the beginning. */
struct shortest {
	bool any;
	struct decimal latency;
};

/* Notes a latency, if it is the shortest so far. */
static inline void shortest_take(struct shortest *s, struct decimal latency)
{
	if (s->any && s->latency.billionths <= latency.billionths)
		return;
	s->any = true;
	s->latency = latency;
}

/* Notes that shorter ones may have been left out, of a file without any below a millisecond.
 * `setting`: what the collector calls its threshold. */
void shortest_report(const struct shortest *s, enum unit unit, const char *setting,
		     struct input *in, struct diag *diag);

#endif
