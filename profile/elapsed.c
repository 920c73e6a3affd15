/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/elapsed.h"

static const char *const names[] = { [ELAPSED_UNKNOWN] = "unknown",
				     [ELAPSED_STATED] = "stated",
				     [ELAPSED_TIMESTAMPS] = "timestamps",
				     [ELAPSED_RATE] = "rate" };

const char *elapsed_source_name(enum elapsed_source s)
{
	return names[s];
}

bool elapsed_source_parse(struct str name, enum elapsed_source *ret)
{
	for (size_t i = ELAPSED_STATED; i < COUNT_OF(names); i++) {
		if (!str_eq(name, str_from(names[i])))
			continue;
		*ret = (enum elapsed_source)i;
		return true;
	}
	return false;
}
