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

enum { LETTER = 4 }; /* bytes of a character, at most */

struct cleaner {
	struct filter filter; /* first, so that a pointer to it points to the cleaner */
	enum scope scope;
	bool at_start; /* of a line, not counting what was removed */
	bool digit;    /* the latest text is a digit */
	char part[LETTER];
	size_t n_part; /* bytes of what may be a blank beyond ASCII */
	bool blank;    /* it is one, after a digit */
	char made[2 * LETTER];
	size_t n_made; /* text that did not fit yet */
};

/* Blanks of pages and office programs: no-break, of various widths, narrow, of no width. */
static const struct str wide_blanks[] = {
	STR_INIT("\xc2\xa0"),	  STR_INIT("\xe2\x80\x82"), STR_INIT("\xe2\x80\x83"),
	STR_INIT("\xe2\x80\x84"), STR_INIT("\xe2\x80\x85"), STR_INIT("\xe2\x80\x86"),
	STR_INIT("\xe2\x80\x87"), STR_INIT("\xe2\x80\x88"), STR_INIT("\xe2\x80\x89"),
	STR_INIT("\xe2\x80\x8a"), STR_INIT("\xe2\x80\x8b"), STR_INIT("\xe2\x80\xaf"),
	STR_INIT("\xe2\x81\x9f"), STR_INIT("\xe3\x80\x80"),
};

/* Whether these bytes are such a blank, or *ret_begin: only its beginning. */
static bool is_wide_blank(struct str s, bool *ret_begin)
{
	*ret_begin = false;
	for (size_t i = 0; i < COUNT_OF(wide_blanks); i++) {
		if (str_eq(s, wide_blanks[i]))
			return true;
		*ret_begin |= str_has_prefix(wide_blanks[i], s);
	}
	return false;
}

bool typescript_has_blanks(struct str text)
{
	static const char begins[] = { '\xc2', '\xe2', '\xe3' }; /* every blank above */
	bool ignored;

	for (size_t i = 0; i < COUNT_OF(begins); i++) {
		const char *at;

		for (struct str rest = text;
		     rest.n > 0 && (at = memchr(rest.p, begins[i], rest.n)) != NULL;
		     rest = str_skip(rest, 1)) {
			size_t letter = begins[i] == '\xc2' ? 2 : 3;

			rest = str_skip(rest, (size_t)(at - rest.p));
			if (rest.n >= letter &&
			    is_wide_blank((struct str){ rest.p, letter }, &ignored))
				return true;
		}
	}
	return false;
}

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

static void make_bytes(struct cleaner *f, const char *bytes, size_t n)
{
	memcpy(f->made + f->n_made, bytes, n);
	f->n_made += n;
	f->digit = is_digit(bytes[n - 1]);
}

/* Makes a plain blank of the held one, unless it stands between digits: it groups them. */
static void make_blank(struct cleaner *f, char next)
{
	if (is_digit(next))
		make_bytes(f, f->part, f->n_part);
	else
		make_bytes(f, " ", 1);
	f->blank = false;
	f->n_part = 0;
}

static void take_byte(struct cleaner *f, char c)
{
	bool begin;

	if (f->blank)
		make_blank(f, c);
	if (f->n_part == 0 && (unsigned char)c < 0x80) {
		make_bytes(f, &c, 1);
		return;
	}
	f->part[f->n_part++] = c;
	if (is_wide_blank((struct str){ f->part, f->n_part }, &begin)) {
		f->blank = true;
		if (!f->digit)
			make_blank(f, ' ');
	} else if (!begin) {
		make_bytes(f, f->part, f->n_part);
		f->n_part = 0;
	}
}

static size_t give_bytes(struct cleaner *f, char *to, size_t room)
{
	size_t n = f->n_made < room ? f->n_made : room;

	memcpy(to, f->made, n);
	memmove(f->made, f->made + n, f->n_made - n);
	f->n_made -= n;
	return n;
}

static enum filtered run(struct filter *f, struct str *from, bool ended, char *to, size_t room,
			 size_t *ret_n)
{
	struct cleaner *cleaner = (struct cleaner *)f;
	size_t n = give_bytes(cleaner, to, room);

	for (; n < room && from->n > 0; *from = str_skip(*from, 1)) {
		if (is_kept(cleaner, *from->p))
			take_byte(cleaner, *from->p);
		n += give_bytes(cleaner, to + n, room - n);
	}
	if (ended && from->n == 0 && cleaner->n_made == 0 && cleaner->n_part > 0) {
		make_bytes(cleaner, cleaner->part, cleaner->n_part);
		cleaner->n_part = 0;
		n += give_bytes(cleaner, to + n, room - n);
	}
	*ret_n = n;
	return ended && from->n == 0 && cleaner->n_made == 0 ? FILTERED_END : FILTERED_PART;
}

struct filter *typescript_filter(void)
{
	struct cleaner *f = xcalloc(1, sizeof(*f));

	f->filter = (struct filter){ .of = "typescript", .run = run, .free = filter_free };
	f->scope = IN_TEXT;
	f->at_start = true;
	return &f->filter;
}
