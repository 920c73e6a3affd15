/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All messages, the newest one first. */
#include "tui/state.h"

static enum face face_of(enum severity s)
{
	return s == SEV_ERROR ? FACE_ERROR : s == SEV_WARNING ? FACE_WARNING : FACE_PLAIN;
}

static unsigned write(const struct view *v, const struct tui *t, struct canvas *c)
{
	unsigned row = 0;

	(void)v;
	if (t->messages.n == 0) {
		canvas_text(c, 0, 1, FACE_DIM, STR("there are no messages"));
		return 1;
	}
	for (size_t i = t->messages.n; i-- > 0;) {
		const struct message *m = &t->messages.v[i];

		row = canvas_lines(c, row, 1, face_of(m->severity), str_from(m->text));
	}
	return row;
}

static const enum action hints[] = { ACT_DOWN, ACT_UP, ACT_NONE };

const struct view_class view_messages = {
	.name = "messages",
	.title = "messages",
	.opens = ACT_VIEW_MESSAGES,
	.hints = hints,
	.write = write,
};
