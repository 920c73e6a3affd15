/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a gate made of a comparison, and why, in words. */
#ifndef REPORT_GATE_H
#define REPORT_GATE_H

#include "analyze/gate.h"
#include "base/str.h"

struct arena;
struct comparison;
struct out;
struct ranked;

/* "2 of 21 operations regressed, 1 improved"; the reported ones are counted. */
void gate_verdicts(struct out *o, const struct comparison *c);
/* "FAILED, 1 operation" or "passed". */
void gate_outcome(struct out *o, const struct comparison *c);

/* Why one operation fails: "mean 0.93 octaves up, allowed is less than
 * 0.17 (min-effect 0.1, policy line 4); policy line 5 fails regressed".  "" when it
 * does not fail. */
struct str gate_reason(struct arena *a, const struct comparison *c, const struct ranked *r);
/* Its verdict, its explanation, and why it fails, if it does. */
struct str gate_story(struct arena *a, const struct comparison *c, const struct ranked *r);

#endif
