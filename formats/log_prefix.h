/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prefixes that logs and quoted e-mails put before each line of a text. */
#ifndef FORMATS_LOG_PREFIX_H
#define FORMATS_LOG_PREFIX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct cursor;

/* How unlikely it is that a collector printed the prefix itself. */
enum prefix_strength {
	PREFIX_WEAK,   /* blanks */
	PREFIX_DATED,  /* a time, which may be that of an event */
	PREFIX_STRONG, /* no collector prints this */
};

/* One kind of prefix, and how it is recognised. A constant. */
struct log_prefix {
	const char *name; /* "syslog or journalctl" */
	bool (*take)(
		struct cursor *line); /* moves the cursor past the prefix; false: there is none */
	enum prefix_strength strength;
	bool same; /* the prefix is the same in all lines */
};

/* Returns prefix i, most specific first; NULL past the last. */
const struct log_prefix *log_prefix_at(size_t i);
/* Returns whether all lines have the prefix, except blank ones and a log's lines about itself. */
bool log_prefix_all(const struct log_prefix *prefix, struct str text);
/* Returns whether a log says this about itself: "-- Journal begins at ...". */
bool log_is_about_itself(struct str line);

/* Skips the name of a user, host or program, at least one character. */
bool log_name(struct cursor *c);
/* Skips one of several words, whatever follows it. */
bool log_one_of(struct cursor *c, const char *const *words, size_t n);

#endif
