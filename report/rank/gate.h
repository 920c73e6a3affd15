/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a gate, and the reasons for it, in words. */
#ifndef REPORT_RANK_GATE_H
#define REPORT_RANK_GATE_H

#include "analyze/rank/gate.h"
#include "base/str.h"

struct arena;
struct comparison;
struct out;
struct ranked;
struct style;

/* "2 of 21 operations regressed, 1 improved"; counts reported operations only. */
void gate_verdicts(struct out *o, const struct comparison *c);
/* "FAILED: futex (regressed)" or "passed". */
void gate_outcome(struct out *o, const struct style *s, const struct comparison *c);
/* A line that names the waits that grew and are not judged, with why; nothing without one. */
void gate_not_judged(struct out *o, const struct style *s, const struct comparison *c);

/* Returns why an operation fails: "latency +90 %, allowed is less than +12 % (min-effect 0.1,
 * policy line 4); policy line 5 fails regressed".  Empty when it does not fail. */
struct str gate_reason(struct arena *a, const struct comparison *c, const struct ranked *r);
/* Returns an operation's verdict, its explanation and, when it fails, the reason. */
struct str gate_story(struct arena *a, const struct comparison *c, const struct ranked *r);

#endif
