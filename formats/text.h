/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines as terminals and editors leave them, for readers of text. */
#ifndef FORMATS_TEXT_H
#define FORMATS_TEXT_H

#include "base/attr.h"
#include "base/str.h"

/* Removes the suffix of a compressed file (".gz") from a file name. */
struct str text_expanded_name(struct str path);
/* Removes blanks at both ends, and the ^C of a terminal. */
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

/* Returns the whole lines of s; all of s when it has no newline. */
struct str text_whole_lines(struct str s);
/* Takes the last word, and the blanks before it, off *s; empty: there is none. */
struct str text_last_word(struct str *s);

/* Parses a time of day at the beginning of s, "13:19:35" or "13:19:35.218", as seconds.  Returns
 * the number of bytes it takes; 0: none. */
size_t text_clock(struct str s, double *ret_seconds);

/* If the line begins with the label, returns what follows it, trimmed; else false, with *ret
 * unchanged. */
bool text_value(struct str line, struct str label, struct str *ret);

/* Finds the label anywhere in s and returns the digits and points after it and after optional
 * blanks; else false, with *ret unchanged. */
bool text_number_after(struct str s, struct str label, struct str *ret);

/* Takes the next line off *rest, as it stands.  False at the end. */
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

/* Does the same, and trims the line by text_content(). */
MUST_CHECK static inline bool text_line(struct str *rest, struct str *ret_line)
{
	if (!text_next(rest, ret_line))
		return false;
	*ret_line = text_content(*ret_line);
	return true;
}

/* Returns whether the line consists of exactly these words in this order. */
bool text_is_words(struct str line, const char *words);
/* Returns whether is_one() holds for any line of the text, after text_content(). */
bool text_has(struct str text, bool (*is_one)(struct str line));

#endif
