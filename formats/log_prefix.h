/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What logs, and letters, put before each line of a text. */
#ifndef FORMATS_LOG_PREFIX_H
#define FORMATS_LOG_PREFIX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct cursor;

/* How likely a collector prints it itself. */
enum prefix_strength {
	PREFIX_WEAK,   /* blanks */
	PREFIX_DATED,  /* the time of an event */
	PREFIX_STRONG, /* none does */
};

/* One kind of prefix, and how it is recognised. A constant. */
struct log_prefix {
	const char *name;		   /* "syslog or journalctl" */
	bool (*take)(struct cursor *line); /* leaves the cursor after it */
	enum prefix_strength strength;
	bool same; /* in all lines */
};

/* What says more goes first; NULL past the last. */
const struct log_prefix *log_prefix_at(size_t i);
/* Whether all lines bear it, but for blank ones and what a log says of itself. */
bool log_prefix_all(const struct log_prefix *prefix, struct str text);
/* "-- Journal begins at ..." */
bool log_is_about_itself(struct str line);

/* The name of a user, a host, a program; at least a letter. */
bool log_name(struct cursor *c);
/* One of several words, whatever follows it. */
bool log_one_of(struct cursor *c, const char *const *words, size_t n);

#endif
