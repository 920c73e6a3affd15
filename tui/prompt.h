/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line that a person types at the bottom of the screen. */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include "base/str.h"
#include "tui/canvas.h"
#include "tui/key.h"

/* A line of input while it is edited; prompt_release() frees the text. */
struct prompt {
	const char *label; /* NULL: nobody is asked */
	char *text;	   /* UTF-8, on the heap; NUL-terminated */
	size_t n, cap;
	size_t cursor; /* a byte where a character begins, or n */
};

/* What a key did to a prompt. */
enum prompt_event { PROMPT_TYPED, PROMPT_ACCEPTED, PROMPT_CANCELLED, PROMPT_IGNORED };

/* Opens a line to type into, with a text to begin with. */
void prompt_open(struct prompt *p, const char *label, struct str text);
/* Closes it; what was typed stays until the next one. */
void prompt_close(struct prompt *p);
/* Frees the text. */
void prompt_release(struct prompt *p);
/* Handles a key, and says what it did. */
enum prompt_event prompt_key(struct prompt *p, keycode key);
/* Returns the column of the cursor. */
unsigned prompt_draw(const struct prompt *p, struct canvas *c, unsigned row);

/* What was typed so far; borrowed. */
static inline struct str prompt_text(const struct prompt *p)
{
	return (struct str){ p->text, p->n };
}

#endif
