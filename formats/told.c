/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/told.h"

#include "base/arena.h"

void told_release(struct told *t)
{
	str_table_release(&t->of);
	arena_free(t->arena);
	*t = (struct told){ .arena = NULL };
}

bool told_again(struct told *t, struct str what)
{
	bool is_new;

	if (t->arena == NULL)
		t->arena = arena_new();
	(void)str_table_add(&t->of, what, t->arena, &is_new);
	if (is_new)
		return false;
	told_release(t);
	return !told_again(t, what); /* it is new there */
}
