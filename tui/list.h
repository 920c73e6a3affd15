/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of items: which are shown, in what order, and the position of the cursor.
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
	const struct item **shown; /* the n items shown; on the heap */
	size_t n;
	size_t sort; /* number of the column to sort by */
	bool inverted;
	bool only_reported;
	struct filter filter;
	struct viewport viewport;
};

/* Lists all operations of a study. */
void list_init(struct list *l, const struct study *s);
/* Frees the list; the study stays. */
void list_release(struct list *l);

/* Replaces the study.  The cursor goes to the operation of the same name; the filter and the
 * order stay. */
void list_restudy(struct list *l, const struct study *s);

void list_sort_by(struct list *l, size_t column); /* the current column again: inverts the order */
void list_invert(struct list *l);
void list_show_only_reported(struct list *l, bool only);
/* Applies a filter that the user typed; false, with the invalid word in *ret_wrong and the list
 * unchanged, when it cannot be parsed. */
bool list_filter(struct list *l, struct str text, struct str *ret_wrong);

const struct item *list_current(const struct list *l); /* NULL when nothing is shown */
void list_go_to(struct list *l, const struct item *i);
/* Goes to the next or previous item whose name contains `text`; `here` includes the current one.
 * False when there is none. */
bool list_search(struct list *l, struct str text, bool forward, bool here);

#endif
