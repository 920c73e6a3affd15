/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summary statistics of an operation, for collectors that print no histogram. */
#ifndef FORMATS_STATISTICS_H
#define FORMATS_STATISTICS_H

#include "base/attr.h"
#include "base/decimal.h"
#include "profile/builder/builder.h"

/* What one row states about an operation; {} states nothing.  Strings are borrowed from the
 * input. */
struct statistics {
	struct str layer, name;
	struct str where; /* the bytes that messages point at; NULL: the name */
	enum unit unit;	  /* of all times; UNIT_UNKNOWN: not stated */
	uint64_t count;
	struct decimal total, min, max;
	struct str count_at, total_at; /* the words that were parsed; total_at of NULL: no total */
	bool has_min, has_max;
	bool rounded; /* the total is calls times a mean that was rounded */
	bool unique;  /* a second row of the same operation is an error */
};

/* Pushes the statistics to the operation, which may be new, in the current interval; false when an
 * error was reported. */
MUST_CHECK bool statistics_push(const struct statistics *s, struct builder *to);

#endif
