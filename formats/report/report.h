/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports that tools print for people: summaries with calls, a mean, extremes, percentiles.  A
 * format describes the lines that matter as they are printed (formats/report/template.h); all others are
 * skipped:
 *
 *	static const struct report_format hyperfine_report = {
 *		.line = REPORT_LINES(
 *			LINE("Benchmark {number}: {name}", .begins = true),
 *			LINE("Time (mean ± σ): {mean} ± {deviation} *"),
 *			LINE("Range (min … max): {min} … {max} {calls} runs")),
 *	};
 *
 * A line may have been wrapped by a terminal, and may have its colours.  What a line states is of
 * the operation that began last, unless the line names another.  A time without a unit has that of
 * the {unit} in its line, else of the next time in its line that has one, else of the latest
 * {unit}, else of the format.  Several {calls} in a line are added up.
 *
 * A {group} precedes the names of the operations below it: "mail/read"; a {layer} without a name is
 * the layer of those below it.  An operation becomes a summary of its calls: a total, that is, calls
 * times a mean, deviation and extremes; percentiles become buckets.
 */
#ifndef FORMATS_REPORT_REPORT_H
#define FORMATS_REPORT_REPORT_H

#include "formats/lines.h"
#include "formats/report/template.h"

/* A kind of line.  The first that matches counts, and all that follow one with `also`. */
struct report_line {
	const char *text;	  /* a template; NULL ends a list */
	const char *layer, *name; /* of the operation that the line is about; NULL: see above */
	const char *of;		  /* what it states is of all operations whose name begins so and
				     that do not state it, in this report */
	bool of_group;		  /* the same for those below the {group} */
	bool begins;		  /* a new operation, named by `name` or the line's {name} */
	bool heads;		  /* its name is the {group} of those below it, which it calls */
	bool run;		  /* a new report */
	bool fixed_duration;	  /* the run is of fixed duration */
	bool also;		  /* further lines may match */
	bool known;		  /* only if the operation is reported above */
	bool lone;		  /* only if the {group} has a single operation */
	bool rounded;		  /* the number of calls is not exact */
	uint64_t calls;		  /* as many as the line implies; 0: none */
	unsigned in;		  /* only after a line that opens this section; 0: anywhere */
	unsigned opens;		  /* the section that follows; 0: the same */
	const char *refuse;	  /* why a report with this line is not read */
	const char *leave_out;	  /* why the line is left out, with a note */
	const char *unfinished;	  /* after a line that opens a section: what is missing where the
				     file ends before the next section is opened */
	bool once;		  /* the {layer} of the line is stated once */
};

#define LINE(...)                                                                                  \
	{                                                                                          \
		.text = __VA_ARGS__                                                                \
	}
#define REPORT_LINES(...) ((const struct report_line[]){ __VA_ARGS__, { .text = NULL } })

/* Calls of `lower` are made within calls of `upper`; each is a layer or, if there is none of this
 * name, an operation. */
struct report_nest {
	const char *upper, *lower;
};

#define REPORT_NESTS(...) ((const struct report_nest[]){ __VA_ARGS__, { .upper = NULL } })

/* What an operation that is reported again is. */
enum report_repeated {
	REPEATED_INTERVAL, /* it begins the next interval */
	REPEATED_LATEST,   /* all since the start: the last table is read */
	REPEATED_SNAPSHOT, /* the same, but each is read */
	REPEATED_ADDED,	   /* further calls */
	REPEATED_REFUSED,  /* an error */
};

struct report_format {
	const struct report_line *line;
	const struct report_nest *nest; /* of what a report has; NULL: none */
	const char *name;		/* of an operation that no line names; NULL: "latency" */
	enum unit unit;			/* of times that no unit follows */
	bool grouped;			/* the tool groups digits: "1,234" */
	bool fixed_duration;		/* of every run */
	enum report_repeated repeated;
	enum unit kept; /* the unit of the profile; UNIT_UNKNOWN: the smallest that is printed */
	bool headings;	/* a name may be of no operation */
	bool omit_uncalled;  /* operations without calls, or without a latency, are left out */
	bool omit_uncounted; /* operations without a number of calls are left out with a note */
	bool from_zero;	     /* the first bucket has all below it */
	double ratio;	     /* of a bucket's edges, where empty ones are not printed; 0: none is
				left out */
	bool one_at_a_time;  /* calls fill the elapsed time, which is their total */
};

/* Reads a file as the report_format in its `spec` says; false when an error was reported. */
MUST_CHECK bool report_read(const struct read_task *task);

#endif
