/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of input at the bottom of the screen. */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include "base/str.h"
#include "canvas/canvas.h"
#include "tui/key.h"

/* A line of input while it is edited; prompt_release() frees the text. */
struct prompt {
	const char *label; /* NULL: the prompt is closed */
	char *text;	   /* UTF-8, on the heap; NUL-terminated */
	size_t n, cap;
	size_t cursor; /* offset of the first byte of a character, or n */
};

/* What a key did to a prompt. */
enum prompt_event { PROMPT_TYPED, PROMPT_ACCEPTED, PROMPT_CANCELLED, PROMPT_IGNORED };

/* Opens the prompt with an initial text. */
void prompt_open(struct prompt *p, const char *label, struct str text);
/* Closes the prompt; its text stays valid until the next one is opened. */
void prompt_close(struct prompt *p);
/* Frees the text. */
void prompt_release(struct prompt *p);
/* Handles a key, and returns what it did. */
enum prompt_event prompt_key(struct prompt *p, keycode key);
/* Returns the column of the cursor. */
unsigned prompt_draw(const struct prompt *p, struct canvas *c, unsigned row);

/* Returns the text typed so far; borrowed. */
static inline struct str prompt_text(const struct prompt *p)
{
	return (struct str){ p->text, p->n };
}

#endif
