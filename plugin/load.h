/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads plug-ins: shared objects that the user names and that no other user can have written. */
#ifndef PLUGIN_LOAD_H
#define PLUGIN_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "plugin/plugin.h"

struct diag;

/* A loaded plug-in. */
struct plugin {
	char *path; /* the real path, on the heap */
	void *library;
	struct osprof_plugin table; /* a copy; fields beyond the plug-in's `size` are 0 */
};

/* Loads a plug-in and gets its table. `name`: a path with a slash, or a name in `folder`. Only this
 * user or root may be able to write the file. False: an error was reported. */
MUST_CHECK bool plugin_load(struct plugin *ret, const char *name, const char *folder,
			    const struct osprof_host *host, struct diag *diag);
void plugin_unload(struct plugin *p);

/* Returns the real path of a plug-in, checked as above; on the heap. NULL: an error was reported.
 */
MUST_CHECK char *plugin_find(const char *name, const char *folder, struct diag *diag);

#endif
