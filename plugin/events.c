/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/events.h"

static const char *const names[] = {
	[OSPROF_PROFILE] = "profile", [OSPROF_JUDGED] = "judged", [OSPROF_ALARM] = "alarm",
	[OSPROF_MESSAGE] = "message", [OSPROF_END] = "end",
};

const char *event_name(int kind)
{
	return kind >= OSPROF_PROFILE && kind <= OSPROF_END ? names[kind] : NULL;
}

int event_by_name(struct str name)
{
	for (int kind = OSPROF_PROFILE; kind <= OSPROF_END; kind++) {
		if (str_eq(name, str_from(names[kind])))
			return kind;
	}
	return 0;
}
