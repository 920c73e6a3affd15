/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report for people (formats/report/report.h) states of an operation, until it is pushed. */
#ifndef FORMATS_REPORT_REPORT_OPERATION_H
#define FORMATS_REPORT_REPORT_OPERATION_H

#include "base/attr.h"
#include "formats/lines.h"
#include "formats/report/template.h"

struct report_format;

/* A share of the calls took the time or less. */
struct report_point {
	double percent;
	struct printed time;
};

/* A bucket. */
struct report_range {
	struct printed low, high;
	uint64_t calls;
	struct str where;
};

struct report_operation {
	struct str layer, name;
	struct str where; /* the line that begins it */
	size_t run;	  /* number of its report in the file */
	size_t head;	  /* 1 + the operation that its group is named after; 0: none */
	bool has_calls;
	bool rounded; /* the number of calls is */
	uint64_t calls, failed;
	double loss;	/* percentage of calls that have no latency */
	double rate;	/* calls a second; 0: not stated */
	double seconds; /* that the rate is of; 0: the elapsed time */
	struct printed mean, deviation, min, max, total, elapsed; /* `known`, if stated */
	struct report_point *point;
	size_t n_points, cap_points;
	struct report_range *range;
	size_t n_ranges, cap_ranges;
	double share; /* of calls in the points so far, where shares are stated */
};

/* All operations of a file, in its order. */
struct report_operations {
	struct report_operation *of;
	size_t n, cap;
};

/* Stores the values of the current line in the operation.  False when an error was reported. */
MUST_CHECK bool report_take_values(struct report_operation *o, struct lines *l,
				   const struct captures *c);

/* Pushes them to l->to; their names are in l->arena.  False when an error was reported. */
MUST_CHECK bool report_push(const struct report_format *f, struct lines *l,
			    struct report_operations *ops);

#endif
