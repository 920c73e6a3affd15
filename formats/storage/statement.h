/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the first word of an SQL statement in a log, line by line. */
#ifndef FORMATS_STORAGE_STATEMENT_H
#define FORMATS_STORAGE_STATEMENT_H

#include "base/attr.h"
#include "base/str.h"

enum { STATEMENT_WORD = 32 };

/* The state of the search; set everything except in_json to zero before each statement. */
struct statement {
	bool in_json;	 /* the statement is a JSON string: complete, and with escapes */
	bool in_comment; /* inside a comment that began on an earlier line */
	char word[STATEMENT_WORD];
};

/* The result of a further line of a statement. */
enum statement_next {
	STATEMENT_MORE, /* the line has only blanks, brackets and comments */
	STATEMENT_NONE, /* the statement does not begin with a word */
	STATEMENT_WORD_FOUND,
};

/* Searches a line.  *ret_word is the word in capitals, stored in `s`; *ret_where is the word in the
 * line. */
MUST_CHECK enum statement_next statement_seek(struct statement *s, struct str line,
					      struct str *ret_word, struct str *ret_where);

#endif
