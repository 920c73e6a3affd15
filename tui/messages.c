/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/messages.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { MAX_MESSAGES = 1000 };

static void forget_oldest(struct messages *m)
{
	free(m->v[0].text);
	memmove(m->v, m->v + 1, --m->n * sizeof(*m->v));
}

void messages_add(struct messages *m, enum severity severity, struct str text)
{
	char *copy = xcalloc(text.n + 1, 1);

	memcpy(copy, text.p, text.n);
	if (m->n == MAX_MESSAGES)
		forget_oldest(m);
	m->v = xgrow(m->v, &m->cap, m->n + 1, sizeof(*m->v));
	m->v[m->n++] = (struct message){ severity, copy };
	m->fresh = true;
}

void messages_release(struct messages *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->v[i].text);
	free(m->v);
}
