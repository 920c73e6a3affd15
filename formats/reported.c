/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/reported.h"

#include "base/arena.h"

void reported_release(struct reported *t)
{
	str_table_release(&t->of);
	arena_free(t->arena);
	*t = (struct reported){ .arena = NULL };
}

bool reported_again(struct reported *t, struct str what)
{
	bool is_new;

	if (t->arena == NULL)
		t->arena = arena_new();
	(void)str_table_add(&t->of, what, t->arena, &is_new);
	if (is_new)
		return false;
	reported_release(t);
	return !reported_again(t, what); /* true: the table is empty now */
}
