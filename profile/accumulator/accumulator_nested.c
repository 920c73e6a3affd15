/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Self time of samples. */
#include "profile/accumulator/accumulator_parts.h"

/* A sum that would overflow makes self time unknown, as n_nested stays below the count. */
static void add_nested(struct cell *c, const struct sample *sample, struct decimal self,
		       bool outermost)
{
	struct decimal own, sum = c->outermost;

	if (!decimal_add(c->self, self, &own) ||
	    (outermost && !decimal_add(c->outermost, sample->latency, &sum)))
		return;
	c->self = own;
	c->outermost = sum;
	c->n_nested++;
}

void accumulator_nested(struct accumulator *s, const struct sample *sample, struct decimal self,
			bool outermost)
{
	if (!accumulator_is_impossible(s, sample->latency))
		add_nested(s->current->current, sample, self, outermost);
}

void accumulator_nested_late(struct accumulator *s, const struct sample *sample,
			     struct decimal self, bool outermost)
{
	bool is_new;
	long interval;

	if (!accumulator_is_impossible(s, sample->latency) &&
	    accumulator_interval(s, sample->start, &interval))
		add_nested(accumulator_cell(s, accumulator_entry_of(s, sample, &is_new), interval),
			   sample, self, outermost);
}

void accumulator_restart_nested(struct accumulator *s)
{
	for (size_t i = 0; i < s->n; i++) {
		for (struct cell *c = &s->entry[i]->first; c != NULL; c = c->next) {
			c->self = c->outermost = (struct decimal){ 0 };
			c->n_nested = 0;
		}
	}
}

void accumulator_forget_nested(struct accumulator *s)
{
	s->not_nested = true;
}
