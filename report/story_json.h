/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The story of an operation as JSON, and what both formats of it have in common. */
#ifndef REPORT_STORY_JSON_H
#define REPORT_STORY_JSON_H

#include "profile/quantity.h"

struct out;
struct profile;
struct story;
struct story_context;

void story_json(struct out *o, const struct story *story, const struct story_context *t);

double story_seconds(struct scale scale); /* in one unit of it; NAN when it is no time */
/* The option that would make times of its latencies; NULL when none is missing. */
const char *story_lacks(const struct profile *p);

#endif
