/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first word of a statement of SQL that a log holds, line by line. */
#ifndef FORMATS_STORAGE_STATEMENT_H
#define FORMATS_STORAGE_STATEMENT_H

#include "base/attr.h"
#include "base/str.h"

enum { STATEMENT_WORD = 32 };

/* {} before each statement, but for `in_json`. */
struct statement {
	bool in_json;	 /* it stands in a string of JSON, whole and with escapes */
	bool in_comment; /* which began in a line before */
	char word[STATEMENT_WORD];
};

/* What one more line of a statement came to. */
enum statement_next {
	STATEMENT_MORE, /* this line has nothing but blanks, brackets and comments */
	STATEMENT_NONE, /* it begins with no word */
	STATEMENT_WORD_FOUND,
};

/* *ret_word: in capitals, in the statement; *ret_where: as it stands in the line. */
MUST_CHECK enum statement_next statement_seek(struct statement *s, struct str line,
					      struct str *ret_word, struct str *ret_where);

#endif
