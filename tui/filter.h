/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filters over a list: words, all of which must hold.
 *
 *	read		the name contains it (a shell pattern where it has * ? or [)
 *	layer:block	the layer is it
 *	verdict:new	the verdict begins with it
 *	is:reported	also marked, noted, expected
 *	share>1%	a column against a number, with > or <: score>0.5 calls<100
 *	!word		not
 */
#ifndef TUI_FILTER_H
#define TUI_FILTER_H

#include "tui/study.h"

enum { FILTER_MAX_WORDS = 16 };

/* What a word of a filter asks about. */
enum filter_kind {
	FILTER_NAME,
	FILTER_LAYER,
	FILTER_VERDICT,
	FILTER_IS,
	FILTER_ABOVE,
	FILTER_BELOW
};

/* What `is:` can ask for. */
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

/* False, with *ret_wrong the word that is none and *f untouched. */
bool filter_parse(struct filter *f, struct str text, struct str *ret_wrong);
void filter_release(struct filter *f);
bool filter_holds(const struct filter *f, const struct study *s, const struct item *i);

#endif
