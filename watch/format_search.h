/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of what a source sends is searched for a format, while others wait. */
#ifndef WATCH_FORMAT_SEARCH_H
#define WATCH_FORMAT_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/* All zero at the start. */
struct format_search {
	size_t bytes;  /* in this interval, those that were searched again included */
	bool gave_up;  /* too many: all is dropped until the interval ends */
	bool reported; /* that was said, and nothing was read since */
};

/* Counts n bytes that are to be searched.  False: not in this interval. */
bool format_search_pays(struct format_search *s, size_t n);
/* A new interval begins. */
void format_search_anew(struct format_search *s);

#endif
