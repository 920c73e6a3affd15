/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summary statistics of an operation, as collectors state them that print no histogram. */
#ifndef FORMATS_STATISTICS_H
#define FORMATS_STATISTICS_H

#include "base/attr.h"
#include "base/decimal.h"
#include "profile/builder.h"

/* What one row tells of an operation; {} tells nothing.  Strings are borrowed from the input. */
struct statistics {
	struct str layer, name;
	struct str where; /* what is blamed for the operation; NULL: the name */
	enum unit unit;	  /* of all times; UNIT_UNKNOWN: not stated */
	uint64_t count;
	struct decimal total, min, max;
	struct str count_at, total_at; /* their words; total_at of NULL: there is no total */
	bool has_min, has_max;
	bool rounded; /* the total is calls times a mean that was rounded */
	bool unique;  /* it is an error when the operation is known already */
};

/* Pushes it as an operation, new or known, of the current interval; false when an error was
 * reported. */
MUST_CHECK bool statistics_push(const struct statistics *s, struct builder *to);

#endif
