/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of plug-ins, which run in this process: builds a profile from what they push. */
#ifndef PLUGIN_READER_H
#define PLUGIN_READER_H

#include "base/attr.h"
#include "formats/format.h"
#include "plugin/load.h"

struct diag;
struct input;
struct profile;

/* A plug-in, and its reader as a format; format.read is NULL if it has no reader. */
struct plugin_reader {
	struct plugin plugin;
	struct format format;
	bool latencies; /* whether it pushed latencies in its last read */
};

/* Plug-ins, in the order in which they were named. */
struct plugins {
	struct plugin_reader **v; /* each on the heap */
	size_t n, cap;
};

/* Loads another plug-in, as plugin_load() of plugin/load.h. */
MUST_CHECK bool plugins_add(struct plugins *all, const char *name, const char *folder,
			    struct diag *diag);
void plugins_release(struct plugins *all);

/* Returns the format of this name that a plug-in reads, or NULL. */
const struct format *plugins_format(const struct plugins *all, struct str name);

/* Whether f is a plug-in's format whose lines are events: its last read pushed latencies. */
bool plugins_reads_events(const struct format *f);

/* Reads an input in format f, which may be a plug-in's. f NULL: in the format of the plug-in that
 * claims the input, else in the detected one. Returns NULL after an error, which was reported. */
MUST_CHECK struct profile *plugins_read(const struct plugins *all, const struct format *f,
					struct input *in, const struct read_options *options,
					struct diag *diag);

#endif
