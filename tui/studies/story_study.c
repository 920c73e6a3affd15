/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/studies/story_study.h"

#include "base/arena.h"
#include "base/diag.h"

/* Operations in a piece: peaks of 200 operations take about a millisecond. */
enum { PIECE = 200 };

/* Compares a single run with itself, so that its peaks have a story, too. */
static const struct comparison *compare_alone(struct story_study *s, const struct browsed *b)
{
	const struct run *run = &b->before;
	struct rank_side side = { run->profile, run->totals, run->n_runs };
	struct diag silent = { .emit = NULL };

	s->rules = rank_rules_default;
	s->alone = (struct comparison){ .metric = s->rules.metric,
					.rules = &s->rules,
					.before = *run,
					.after = *run,
					.ranking = &s->ranking };
	if (!rank(s->arena, &side, &side, &s->rules, &s->ranking, &silent))
		s->ranking = (struct ranking){ .n = 0 };
	return &s->alone;
}

static void begin_stories(struct story_study *s, const struct browsed *b)
{
	s->arena = arena_new();
	aligned_init(&s->grid);
	s->story = (struct story){ .times = b->times,
				   .named = true,
				   .single = b->comparison == NULL,
				   .elapsed_before = b->elapsed_before,
				   .elapsed_after = b->comparison != NULL ? b->elapsed_after
									  : b->elapsed_before };
	s->story.comparison = b->comparison != NULL ? b->comparison : compare_alone(s, b);
	s->context = story_context_begin(s->arena, &s->story, &s->grid);
}

bool story_study_prepare(struct story_study *s, const struct browsed *b)
{
	if (s->arena == NULL) {
		begin_stories(s, b);
		return true;
	}
	return peak_book_add(&s->context.before, s->arena, PIECE) ||
	       peak_book_add(&s->context.after, s->arena, PIECE);
}

void story_study_finish(struct story_study *s, const struct browsed *b)
{
	while (story_study_prepare(s, b))
		;
}

void story_study_release(struct story_study *s)
{
	if (s->arena == NULL)
		return;
	aligned_release(&s->grid);
	arena_free(s->arena);
	s->arena = NULL;
}
