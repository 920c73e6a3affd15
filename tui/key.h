/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys as the browser sees them, and their names. */
#ifndef TUI_KEY_H
#define TUI_KEY_H

#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct out;

/* A code point (Ctrl-a is 1, Enter 13, Escape 27), or one of those below, which lie
 * above all code points. */
typedef uint32_t keycode;

enum {
	KEYCODE_UP = 0x110000,
	KEYCODE_DOWN,
	KEYCODE_LEFT,
	KEYCODE_RIGHT,
	KEYCODE_PAGE_UP,
	KEYCODE_PAGE_DOWN,
	KEYCODE_HOME,
	KEYCODE_END,
	KEYCODE_DELETE,
	KEYCODE_F1,
	KEYCODE_CLICK, /* see struct click */
	KEYCODE_NONE,  /* nothing was pressed: a time-out, a resize */
	KEYCODE_GONE,  /* the terminal is no longer there */
};
enum { KEYCODE_ENTER = 13, KEYCODE_ESCAPE = 27, KEYCODE_BACKSPACE = 127 };

/* "j", "Ctrl-d", "PageUp", "Space". */
MUST_CHECK bool keycode_parse(struct str name, keycode *ret);
void keycode_name(struct out *o, keycode key);

#endif
