/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of plug-ins, in this process: what they push becomes a profile. */
#ifndef PLUGIN_READER_H
#define PLUGIN_READER_H

#include "base/attr.h"
#include "formats/format.h"
#include "plugin/load.h"

struct diag;
struct input;
struct profile;

/* A plug-in, and its reader as a format like others; without a reader that cannot be read. */
struct plugin_reader {
	struct plugin plugin;
	struct format format;
	bool latencies; /* it pushed some when it last read */
};

/* Plug-ins, in the order in which they were named. */
struct plugins {
	struct plugin_reader **v; /* on the heap, as each of them */
	size_t n, cap;
};

/* Loads one more (plugin_load() of plugin/load.h). */
MUST_CHECK bool plugins_add(struct plugins *all, const char *name, const char *folder,
			    struct diag *diag);
void plugins_release(struct plugins *all);

/* The one of this name that has a reader; NULL: none has it. */
const struct format *plugins_format(const struct plugins *all, struct str name);

/* Whether it is a plug-in's that pushed latencies when it last read: its lines are events. */
bool plugins_reads_events(const struct format *f);

/* Reads by `f`, which may be a plug-in's, or (NULL) by the plug-in that claims the input, or by
 * the format that is detected.  NULL: an error was reported. */
MUST_CHECK struct profile *plugins_read(const struct plugins *all, const struct format *f,
					struct input *in, const struct read_options *options,
					struct diag *diag);

#endif
