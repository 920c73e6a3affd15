/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filters of a list: words that must all match.
 *
 *	read		the name contains "read" (or matches the pattern, if it has * ? or [)
 *	layer:block	the layer is "block"
 *	verdict:new	the verdict begins with "new"
 *	is:reported	also marked, noted, expected
 *	share>1%	compares a column with a number, by > or <: score>0.5 calls<100
 *	!word		the word does not match
 */
#ifndef TUI_FILTER_H
#define TUI_FILTER_H

#include "tui/studies/study.h"

enum { FILTER_MAX_WORDS = 16 };

/* What a word of a filter tests. */
enum filter_kind {
	FILTER_NAME,
	FILTER_LAYER,
	FILTER_VERDICT,
	FILTER_IS,
	FILTER_ABOVE,
	FILTER_BELOW
};

/* What `is:` can test. */
enum filter_state { IS_REPORTED, IS_MARKED, IS_NOTED, IS_EXPECTED };

/* One word of a filter, parsed. */
struct filter_word {
	enum filter_kind kind;
	bool not ;
	char *text; /* FILTER_NAME, _LAYER, _VERDICT; on the heap */
	enum filter_state state;
	size_t column;
	double limit;
};

/* A parsed filter; filter_release() frees it. */
struct filter {
	char *text; /* as typed; NULL: no filter */
	struct filter_word word[FILTER_MAX_WORDS];
	size_t n;
};

/* Parses a filter; false, with the invalid word in *ret_wrong and *f unchanged, when it cannot. */
bool filter_parse(struct filter *f, struct str text, struct str *ret_wrong);
void filter_release(struct filter *f);
bool filter_holds(const struct filter *f, const struct study *s, const struct item *i);

#endif
