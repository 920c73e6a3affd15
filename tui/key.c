/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/key.h"

#include "base/out.h"
#include "base/utf8.h"

static const struct {
	const char *name;
	keycode key;
} named[] = {
	{ "Up", KEYCODE_UP },
	{ "Down", KEYCODE_DOWN },
	{ "Left", KEYCODE_LEFT },
	{ "Right", KEYCODE_RIGHT },
	{ "PageUp", KEYCODE_PAGE_UP },
	{ "PageDown", KEYCODE_PAGE_DOWN },
	{ "Home", KEYCODE_HOME },
	{ "End", KEYCODE_END },
	{ "Delete", KEYCODE_DELETE },
	{ "F1", KEYCODE_F1 },
	{ "Enter", KEYCODE_ENTER },
	{ "Escape", KEYCODE_ESCAPE },
	{ "Backspace", KEYCODE_BACKSPACE },
	{ "Tab", '\t' },
	{ "Space", ' ' },
};

bool keycode_parse(struct str name, keycode *ret)
{
	uint32_t code;
	size_t n;

	for (size_t i = 0; i < COUNT_OF(named); i++) {
		if (str_eq_nocase(name, str_from(named[i].name))) {
			*ret = named[i].key;
			return true;
		}
	}
	if (name.n == 6 && str_eq_nocase((struct str){ name.p, 5 }, STR("ctrl-"))) {
		char letter = name.p[5] & ~0x20;

		if (letter < 'A' || letter > 'Z')
			return false;
		*ret = (keycode)(letter - 'A' + 1);
		return true;
	}
	if (!utf8_decode(name, &code, &n) || n != name.n || code <= ' ')
		return false;
	*ret = code;
	return true;
}

void keycode_name(struct out *o, keycode key)
{
	for (size_t i = 0; i < COUNT_OF(named); i++) {
		if (named[i].key == key) {
			out_text(o, named[i].name);
			return;
		}
	}
	if (key >= 1 && key <= 26)
		out_printf(o, "Ctrl-%c", (char)('a' + key - 1));
	else if (key < KEYCODE_UP)
		out_code_point(o, key);
}
