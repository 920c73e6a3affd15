/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared objects that the user names, and nobody else may have put there. */
#ifndef PLUGIN_LOAD_H
#define PLUGIN_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "plugin/plugin.h"

struct diag;

/* What the host of plug-ins of today offers and asks for: fields are added at the end. */
struct plugin {
	char *path; /* real, on the heap */
	void *library;
	struct osprof_plugin table; /* a copy; what the plug-in does not know of is 0 */
};

/* By a path that has a slash, else in `folder`. Checks that only this user or root can have
 * written it, loads it, and asks it for its table. False: the reason was reported. */
MUST_CHECK bool plugin_load(struct plugin *ret, const char *name, const char *folder,
			    const struct osprof_host *host, struct diag *diag);
void plugin_unload(struct plugin *p);

/* The path that a name means, checked; on the heap. NULL: the reason was reported. */
MUST_CHECK char *plugin_find(const char *name, const char *folder, struct diag *diag);

#endif
