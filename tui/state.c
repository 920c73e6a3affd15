/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tui/studies/cause_study.h"
#include "tui/studies/value_study.h"

const struct item *tui_item(const struct tui *t)
{
	return list_current(&t->list);
}

struct view *tui_view(struct tui *t)
{
	return &t->visited[t->at];
}

void tui_say(struct tui *t, enum severity severity, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	messages_add(&t->messages, severity, str_from(text));
}

void tui_forget_causes(struct tui *t)
{
	cause_study_free(t->causes.study);
	t->causes.study = NULL;
	t->causes.of = NULL;
}

void tui_open(struct tui *t, const struct view_class *cls)
{
	if (tui_view(t)->cls == cls)
		return;
	if (cls == t->visited[0].cls) { /* the first view: go back to it */
		t->at = 0;
		return;
	}
	if (t->at + 1 == MAX_VISITED) { /* forget the oldest view after the first */
		memmove(&t->visited[1], &t->visited[2], (MAX_VISITED - 2) * sizeof(t->visited[0]));
		t->at--;
	}
	t->visited[++t->at] = (struct view){ .cls = cls };
	t->n_visited = t->at + 1;
}

void tui_forget_functions(struct tui *t)
{
	profile_free(t->functions.profile);
	t->functions.profile = NULL;
	t->functions.tried = false;
}

void tui_forget_values(struct tui *t)
{
	value_study_free(t->values.study);
	t->values.study = NULL;
	t->values.tried = false;
}
