/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/carried.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct part {
	const struct carried_class *class;
	void *what; /* NULL: none */
};

struct carried {
	struct part kept[N_CARRIED], left[N_CARRIED];
	bool dropped; /* the current reading dropped what was kept */
	bool goes_on; /* the next piece may continue the last record */
};

static void release_part(struct part *p)
{
	if (p->what != NULL)
		p->class->free(p->what);
	p->what = NULL;
}

static size_t n_open(const struct part *p)
{
	return p->what != NULL ? p->class->n_open(p->what) : 0;
}

struct carried *carried_new(void)
{
	return xcalloc(1, sizeof(struct carried));
}

struct carried *carried_branch(const struct carried *c)
{
	struct carried *branch = carried_new();

	branch->goes_on = c->goes_on;
	for (enum carried_part i = 0; i < N_CARRIED; i++)
		branch->kept[i] = (struct part){ c->kept[i].class, carried_take(c, i) };
	return branch;
}

void carried_free(struct carried *c)
{
	if (c == NULL)
		return;
	carried_restart(c);
	carried_forget(c);
	for (size_t i = 0; i < CARRIED_READER; i++)
		release_part(&c->kept[i]);
	free(c);
}

void *carried_take(const struct carried *c, enum carried_part part)
{
	if (c == NULL || c->dropped || c->kept[part].what == NULL)
		return NULL;
	return c->kept[part].class->copy(c->kept[part].what);
}

void carried_leave(struct carried *c, enum carried_part part, const struct carried_class *class,
		   void *what)
{
	release_part(&c->left[part]);
	c->left[part] = (struct part){ class, what };
}

/* --- bytes ----------------------------------------------------------------------------- */

struct bytes {
	size_t n;
	char byte[];
};

static void *new_bytes(const void *bytes, size_t n)
{
	struct bytes *b = xcalloc(1, sizeof(*b) + n);

	b->n = n;
	if (n > 0)
		memcpy(b->byte, bytes, n);
	return b;
}

static void *copy_bytes(const void *what)
{
	const struct bytes *b = what;

	return new_bytes(b->byte, b->n);
}

static size_t no_calls(const void *what)
{
	(void)what;
	return 0;
}

void carried_leave_bytes(struct carried *c, enum carried_part part, const void *bytes, size_t n)
{
	static const struct carried_class class = { copy_bytes, free, no_calls };

	if (c != NULL)
		carried_leave(c, part, &class, new_bytes(bytes, n));
}

const void *carried_bytes(const struct carried *c, enum carried_part part, size_t *ret_n)
{
	const struct bytes *b = c != NULL && !c->dropped ? c->kept[part].what : NULL;

	*ret_n = b != NULL ? b->n : 0;
	return b != NULL ? b->byte : NULL;
}

void carried_copy(const struct carried *c, enum carried_part part, void *to)
{
	size_t n;
	const void *bytes = carried_bytes(c, part, &n);

	if (n > 0)
		memcpy(to, bytes, n);
}

/* --- readings -------------------------------------------------------------------------- */

void carried_drop(struct carried *c)
{
	if (c != NULL)
		c->dropped = true;
}

void carried_set_going_on(struct carried *c, bool goes_on)
{
	c->goes_on = goes_on;
}

bool carried_goes_on(const struct carried *c)
{
	return c != NULL && c->goes_on;
}

void carried_restart(struct carried *c)
{
	c->dropped = false;
	for (size_t i = 0; i < N_CARRIED; i++)
		release_part(&c->left[i]);
}

bool carried_is_open(const struct carried *c)
{
	for (size_t i = 0; i < N_CARRIED; i++) {
		if (n_open(&c->left[i]) > 0)
			return true;
	}
	return false;
}

bool carried_keep(struct carried *c)
{
	size_t n = 0;

	if (c->dropped)
		carried_forget(c);
	for (size_t i = 0; i < N_CARRIED; i++) {
		if (c->left[i].what != NULL) {
			release_part(&c->kept[i]);
			c->kept[i] = c->left[i];
			c->left[i].what = NULL;
		}
		n += n_open(&c->kept[i]);
	}
	if (n <= MAX_CARRIED)
		return true;
	carried_forget(c);
	return false;
}

void carried_forget(struct carried *c)
{
	for (size_t i = CARRIED_READER; i < N_CARRIED; i++)
		release_part(&c->kept[i]);
}
