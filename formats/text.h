/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines as terminals and editors leave them: for readers of text. */
#ifndef FORMATS_TEXT_H
#define FORMATS_TEXT_H

#include "base/attr.h"
#include "base/str.h"

/* Without a byte order mark. */
struct str text_without_bom(struct str s);
/* The name of a file without what says that it is compressed. */
struct str text_expanded_name(struct str path);
/* Without blanks at both ends and without the ^C of a terminal. */
static inline struct str text_content(struct str line)
{
	line = str_trim(line);
	while (str_has_prefix(line, STR("^C")))
		line = str_trim(str_skip(line, 2));
	return line;
}

/* Takes the next line, with what is around it, from *rest.  False at the end. */
MUST_CHECK bool text_next(struct str *rest, struct str *ret_line);
/* The same, without what is around it. */
MUST_CHECK bool text_line(struct str *rest, struct str *ret_line);
/* Whether a line of it is one, without what is around it. */
bool text_has(struct str text, bool (*is_one)(struct str line));

#endif
