/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/studies/cause_study.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"

/* --- the lines of the tree ------------------------------------------------------------------- */

/* Uses an explicit stack, because trees may be deeper than the call stack allows. */
static void list_rows(struct cause_study *s)
{
	struct arena *a = arena_new();
	struct cause_row *stack = NULL;
	size_t n = 0, cap = 0;

	s->n_rows = 0;
	stack = xgrow(stack, &cap, n + 1, sizeof(*stack));
	stack[n++] = (struct cause_row){ .node = 0 };
	while (n > 0) {
		struct cause_row at = stack[--n];
		uint32_t *child;
		size_t children;

		s->row = xgrow(s->row, &s->cap_rows, s->n_rows + 1, sizeof(*s->row));
		s->row[s->n_rows++] = at;
		if (!s->open[at.node])
			continue;
		children = cause_children(&s->causes, a, at.node, &child);
		for (size_t i = children; i-- > 0;) {
			if (!(s->causes.node[child[i]].chosen.present > 0 ||
			      s->causes.node[child[i]].against.present > 0))
				continue;
			stack = xgrow(stack, &cap, n + 1, sizeof(*stack));
			stack[n++] = (struct cause_row){ child[i], at.level + 1 };
		}
	}
	free(stack);
	arena_free(a);
}

/* Opens the nodes above each cause, so that it is visible. */
static void open_causes(struct cause_study *s)
{
	const struct causes *c = &s->causes;

	s->open[0] = true;
	for (size_t i = 0; i < c->n_causes; i++) {
		for (uint32_t n = c->cause[i].node; n != 0; n = c->node[n].parent)
			s->open[c->node[n].parent] = true;
	}
}

/* --- choosing ------------------------------------------------------------------------------ */

/* Allocates in s->now; false when there is no such peak or it has no calls. */
static bool choose_calls(struct cause_study *s, struct cause_choice *chosen,
			 struct cause_choice *against)
{
	struct cause_question q = { .peak = s->peak, .against = CHOSEN_ALL };
	enum cause_error trouble;

	if (s->base != NULL)
		trouble = causes_choose_pair(s->now, s->base, &s->base_peaks, s->tree, &s->peaks,
					     &q, &cause_rules_default, chosen, against);
	else
		trouble = causes_choose(s->now, s->tree, &s->peaks, &q, &cause_rules_default,
					chosen, against);
	if (trouble == CAUSE_OK && s->turned) {
		struct cause_choice other = *chosen;

		*chosen = *against;
		*against = other;
	}
	return trouble == CAUSE_OK && chosen->count > 0;
}

static void show_causes(struct cause_study *s)
{
	open_causes(s);
	list_rows(s);
}

struct cause_study *cause_study_new(struct call_tree *tree, struct call_tree *before)
{
	struct cause_study *s = xcalloc(1, sizeof(*s));
	struct cause_choice chosen = { .count = 0 }, against = { .count = 0 };

	s->tree = tree;
	s->base = before;
	s->arena = arena_new();
	s->now = arena_new();
	s->peaks = cause_peaks(s->arena, tree, &s->hist);
	if (before != NULL)
		s->base_peaks = cause_peaks(s->arena, before, &s->base_hist);
	if (!choose_calls(s, &chosen, &against)) {
		cause_study_free(s);
		return NULL;
	}
	s->peak = chosen.number;
	causes_find(&s->causes, s->arena, tree, &chosen, before != NULL ? before : tree, &against,
		    CAUSES_ADDED, &cause_rules_default);
	s->open = arena_make(s->arena, bool, s->causes.n_nodes + 1);
	show_causes(s);
	return s;
}

void cause_study_free(struct cause_study *s)
{
	if (s == NULL)
		return;
	arena_free(s->now);
	arena_free(s->arena);
	call_tree_free(s->tree);
	call_tree_free(s->base);
	free(s->row);
	free(s);
}

/* Updates the results after a choice; false, with nothing changed, when no calls are chosen. */
static bool look_again(struct cause_study *s, bool turn)
{
	struct cause_choice chosen, against;
	struct arena *before = s->now;

	s->now = arena_new();
	if (!choose_calls(s, &chosen, &against)) {
		arena_free(s->now);
		s->now = before;
		return false;
	}
	if (turn) {
		causes_swap_sides(&s->causes);
		memset(s->open, 0, s->causes.n_nodes * sizeof(*s->open));
	}
	causes_update(&s->causes, s->now, &chosen, &against, &cause_rules_default);
	arena_free(before);
	show_causes(s);
	return true;
}

/* With two runs, "all calls" comes before the first peak. */
bool cause_study_step(struct cause_study *s, bool forward)
{
	size_t first = s->base != NULL ? 0 : 1, before = s->peak;

	if (forward ? s->peak >= s->peaks.n : s->peak <= first)
		return false;
	s->peak += forward ? 1 : (size_t)-1;
	if (look_again(s, false))
		return true;
	s->peak = before;
	return false;
}

bool cause_study_turn(struct cause_study *s)
{
	s->turned = !s->turned;
	if (look_again(s, true))
		return true;
	s->turned = !s->turned;
	return false;
}

void cause_study_toggle(struct cause_study *s, size_t row)
{
	if (row < s->n_rows) {
		s->open[s->row[row].node] = !s->open[s->row[row].node];
		list_rows(s);
	}
}

bool cause_study_is_open(const struct cause_study *s, uint32_t node)
{
	return s->open[node];
}
