/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the explain and similar views need of all operations: their peaks.  These are found in
 * pieces while no key is pressed, and completed when a view needs them.
 */
#ifndef TUI_STUDIES_STORY_STUDY_H
#define TUI_STUDIES_STORY_STUDY_H

#include "analyze/align.h"
#include "analyze/rank/story.h"
#include "tui/browsed.h"

/* The comparison that is explained, of a single run with itself, and all peaks. */
struct story_study {
	struct arena *arena; /* NULL: nothing was found yet */
	struct story story;
	struct comparison alone; /* of one run */
	struct rank_rules rules;
	struct ranking ranking;
	struct aligned grid;
	struct story_context context;
};

/* Finds the next peaks; false when all are found. */
bool story_study_prepare(struct story_study *s, const struct browsed *b);
/* Completes the peaks. */
void story_study_finish(struct story_study *s, const struct browsed *b);
void story_study_release(struct story_study *s);

#endif
