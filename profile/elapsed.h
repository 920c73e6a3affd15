/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the elapsed time of a run is known. */
#ifndef PROFILE_ELAPSED_H
#define PROFILE_ELAPSED_H

#include "base/attr.h"
#include "base/str.h"

/* The most certain first, after unknown. */
enum elapsed_source {
	ELAPSED_UNKNOWN,
	ELAPSED_STATED,	    /* the file states it */
	ELAPSED_TIMESTAMPS, /* from the first to the last time in the file */
	ELAPSED_RATE,	    /* a number of calls divided by their stated rate */
};

const char *elapsed_source_name(enum elapsed_source s); /* "stated"; "unknown" */
/* Parses the name of a source other than ELAPSED_UNKNOWN. */
MUST_CHECK bool elapsed_source_parse(struct str name, enum elapsed_source *ret);

#endif
