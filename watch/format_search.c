/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/format_search.h"

enum {
	MAX_BYTES = 1 << 23, /* in an interval: some 0.1 s of a processor */
	MIN_COST = 1 << 12,  /* a search of fewer bytes takes as long as one of these */
};

bool format_search_pays(struct format_search *s, size_t n)
{
	s->bytes += n > MIN_COST ? n : MIN_COST;
	s->gave_up |= s->bytes > MAX_BYTES;
	return !s->gave_up;
}

void format_search_anew(struct format_search *s)
{
	s->bytes = 0;
	s->gave_up = false;
}
