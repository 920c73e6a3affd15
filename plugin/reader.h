/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of plug-ins, in this process: what they push becomes a profile. */
#ifndef PLUGIN_READER_H
#define PLUGIN_READER_H

#include "base/attr.h"
#include "formats/format.h"

struct diag;
struct input;
struct plugin;
struct profile;

/* Plug-ins, in the order in which they were named. */
struct plugins {
	struct plugin *v; /* on the heap */
	size_t n, cap;
};

/* Loads one more (plugin_load() of plugin/load.h). */
MUST_CHECK bool plugins_add(struct plugins *all, const char *name, const char *folder,
			    struct diag *diag);
void plugins_release(struct plugins *all);

/* The one that claims this input: surer than every other plug-in and, on a tie, than the formats
 * of osprof, too. NULL: none does. */
const struct plugin *plugins_claim(const struct plugins *all, const struct input *in);

/* NULL: an error was reported. */
MUST_CHECK struct profile *plugin_read(const struct plugin *p, struct input *in,
				       const struct read_options *options, struct diag *diag);

#endif
