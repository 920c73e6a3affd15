/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The items as they are listed: which of them, in what order, where the cursor is.
 *
 * The cursor stays on its item when the order or the filter changes.
 */
#ifndef TUI_LIST_H
#define TUI_LIST_H

#include "tui/column.h"
#include "tui/filter.h"
#include "tui/viewport.h"

/* The list of operations as it is shown; list_release() frees what it owns. */
struct list {
	const struct study *study;
	const struct item **shown; /* on the heap; n of them */
	size_t n;
	size_t sort; /* a column's number */
	bool inverted;
	bool only_reported;
	struct filter filter;
	struct viewport viewport;
};

/* Lists all operations of a study. */
void list_init(struct list *l, const struct study *s);
/* Frees the list; the study stays. */
void list_release(struct list *l);

/* Another study takes the place of the one before: the cursor goes to the operation of
 * the same name, filter and order stay. */
void list_restudy(struct list *l, const struct study *s);

void list_sort_by(struct list *l, size_t column); /* the same once more: turned around */
void list_invert(struct list *l);
void list_show_only_reported(struct list *l, bool only);
/* What a person typed; false, with *ret_wrong the word that is not understood and the
 * list as it was. */
bool list_filter(struct list *l, struct str text, struct str *ret_wrong);

const struct item *list_current(const struct list *l); /* NULL when nothing is shown */
void list_go_to(struct list *l, const struct item *i);
/* To the next item, or the one before, whose name contains `text`, the current one
 * included or not; false when there is none. */
bool list_search(struct list *l, struct str text, bool forward, bool here);

#endif
