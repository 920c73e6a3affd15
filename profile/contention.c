/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/contention.h"

static void add_saturated(uint64_t *to, uint64_t more)
{
	if (__builtin_add_overflow(*to, more, to))
		*to = UINT64_MAX;
}

void contention_add(struct contention *to, const struct contention *more)
{
	add_saturated(&to->others, more->others);
	add_saturated(&to->capacity, more->capacity);
	add_saturated(&to->waited, more->waited);
	add_saturated(&to->waits, more->waits);
}

bool contention_is_known(const struct contention *c)
{
	return c->capacity > 0;
}

double contention_others(const struct contention *c)
{
	return (double)c->others / (double)c->capacity;
}

double contention_wait(const struct contention *c)
{
	return c->waits > 0 ? (double)c->waited / (double)c->waits : 0;
}
