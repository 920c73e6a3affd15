/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof explain as JSON, and what it shares with the text format. */
#ifndef REPORT_RANK_STORY_JSON_H
#define REPORT_RANK_STORY_JSON_H

#include "profile/quantity.h"

struct out;
struct profile;
struct story;
struct story_context;

/* Prints the explanations as JSON. */
void story_json(struct out *o, const struct story *story, const struct story_context *t);

double story_seconds(struct scale scale); /* seconds per unit; NAN when it is not a time */
/* Returns the option that is needed to convert latencies to time; NULL when none is. */
const char *story_lacks(const struct profile *p);

#endif
