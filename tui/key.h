/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys as the browser sees them, and their names. */
#ifndef TUI_KEY_H
#define TUI_KEY_H

#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

struct out;

/* A code point (Ctrl-a is 1, Enter 13, Escape 27), or one of the codes below, which are larger
 * than any code point. */
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
	KEYCODE_NONE,  /* no key: a time-out or a resize */
	KEYCODE_GONE,  /* the terminal has been closed */
};
enum { KEYCODE_ENTER = 13, KEYCODE_ESCAPE = 27, KEYCODE_BACKSPACE = 127 };

/* Parse and print the name of a key: "j", "Ctrl-d", "PageUp", "Space". */
MUST_CHECK bool keycode_parse(struct str name, keycode *ret);
void keycode_name(struct out *o, keycode key);

#endif
