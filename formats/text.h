/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines as terminals and editors leave them: for readers of text. */
#ifndef FORMATS_TEXT_H
#define FORMATS_TEXT_H

#include "base/attr.h"
#include "base/str.h"

/* The name of a file without what says that it is compressed. */
struct str text_expanded_name(struct str path);
/* Without blanks at both ends and without the ^C of a terminal. */
static inline struct str text_content(struct str line)
{
	/* Most lines have nothing around them. */
	if (line.n > 0 && (unsigned char)line.p[0] > ' ' && line.p[0] != '^' &&
	    (unsigned char)line.p[line.n - 1] > ' ')
		return line;
	line = str_trim(line);
	while (str_has_prefix(line, STR("^C")))
		line = str_trim(str_skip(line, 2));
	return line;
}

/* Whole lines of it; all of it where there is no newline. */
struct str text_whole_lines(struct str s);
/* Takes the last word off *s, and the blanks before it; of no bytes: there is none. */
struct str text_last_word(struct str *s);

/* A time of day at the beginning of s, "13:19:35" or "13:19:35.218", in seconds: how many
 * bytes it takes; 0: none. */
size_t text_clock(struct str s, double *ret_seconds);

/* What stands after a label, with which the line begins, without blanks around it; false, with
 * *ret untouched, where it begins otherwise. */
bool text_value(struct str line, struct str label, struct str *ret);

/* The digits and points that stand after a label, wherever it is, and after blanks, perhaps none;
 * false, with *ret untouched, where it is not. */
bool text_number_after(struct str s, struct str label, struct str *ret);

/* Takes the next line, with what is around it, from *rest.  False at the end. */
MUST_CHECK static inline bool text_next(struct str *rest, struct str *ret_line)
{
	const char *newline;

	if (rest->n == 0)
		return false;
	newline = (const char *)memchr(rest->p, '\n', rest->n);
	*ret_line =
		(struct str){ rest->p, newline != NULL ? (size_t)(newline - rest->p) : rest->n };
	*rest = str_skip(*rest, ret_line->n + 1);
	return true;
}

/* The same, without what is around it. */
MUST_CHECK static inline bool text_line(struct str *rest, struct str *ret_line)
{
	if (!text_next(rest, ret_line))
		return false;
	*ret_line = text_content(*ret_line);
	return true;
}

/* Whether these words are in the line, in this order, and no others. */
bool text_is_words(struct str line, const char *words);
/* Whether a line of it is one, without what is around it. */
bool text_has(struct str text, bool (*is_one)(struct str line));

#endif
