/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/typescript.h"

#include <string.h>

#include "base/xalloc.h"
#include "formats/text.h"

enum { ESC = 0x1b, BEL = 0x07 };

enum scope {
	IN_TEXT,
	AFTER_ESC,
	IN_CONTROL, /* ESC [, up to a byte from @ to ~ */
	IN_COMMAND, /* ESC ], up to BEL or ESC \ */
};

struct cleaner {
	struct filter filter; /* first, so that a pointer to it points to the cleaner */
	enum scope scope;
	bool at_start; /* of a line, not counting what was removed */
};

bool is_typescript(struct str text)
{
	struct str line;

	if (str_has_prefix(text, STR("Script started on ")))
		return true;
	if (text.n == 0 || memchr(text.p, ESC, text.n) == NULL)
		return false;
	while (text_next(&text, &line)) {
		if (str_has_prefix(line, STR("\x1b[?2004h")))
			return true;
	}
	return false;
}

size_t typescript_colour(struct str s)
{
	size_t n = 2;

	if (s.n < 3 || s.p[0] != ESC || s.p[1] != '[')
		return 0;
	while (n < s.n && (is_digit(s.p[n]) || s.p[n] == ';'))
		n++;
	return n < s.n && s.p[n] == 'm' ? n + 1 : 0;
}

bool typescript_has_colours(struct str text)
{
	const char *at;

	while (text.n > 0 && (at = memchr(text.p, ESC, text.n)) != NULL) {
		text = str_skip(text, (size_t)(at - text.p));
		if (typescript_colour(text) > 0)
			return true;
		text = str_skip(text, 1);
	}
	return false;
}

/* Whether the byte is text. */
static bool is_kept(struct cleaner *f, char c)
{
	if (c == '\n') { /* ends any sequence */
		f->scope = IN_TEXT;
		f->at_start = true;
		return true;
	}
	if (c == ESC) {
		f->scope = AFTER_ESC;
		return false;
	}
	switch (f->scope) {
	case AFTER_ESC:
		f->scope = c == '[' ? IN_CONTROL : c == ']' ? IN_COMMAND : IN_TEXT;
		return false;
	case IN_CONTROL:
		f->scope = c >= '@' && c <= '~' ? IN_TEXT : IN_CONTROL;
		return false;
	case IN_COMMAND:
		f->scope = c == BEL ? IN_TEXT : IN_COMMAND;
		return false;
	case IN_TEXT:
		break;
	}
	if (c == '\r' && f->at_start)
		return false;
	f->at_start = false;
	return true;
}

static enum filtered run(struct filter *f, struct str *from, bool ended, char *to, size_t room,
			 size_t *ret_n)
{
	struct cleaner *cleaner = (struct cleaner *)f;
	size_t n = 0;

	for (; n < room && from->n > 0; *from = str_skip(*from, 1)) {
		if (is_kept(cleaner, *from->p))
			to[n++] = *from->p;
	}
	*ret_n = n;
	return ended && from->n == 0 ? FILTERED_END : FILTERED_PART;
}

struct filter *typescript_filter(void)
{
	struct cleaner *f = xcalloc(1, sizeof(*f));

	f->filter = (struct filter){ .of = "typescript", .run = run, .free = filter_free };
	f->scope = IN_TEXT;
	f->at_start = true;
	return &f->filter;
}
