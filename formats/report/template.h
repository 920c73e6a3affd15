/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of reports for people, described as they are printed:
 *
 *	"Range (min … max): {min} … {max} {calls} runs"
 *	"| ~{percent}th=[{value}],"
 *
 * A blank stands for any number of blanks, or the end; `*` for any text; a word in braces for a
 * value of that meaning.  A value is a number, of which a time may have its unit: "1.5 ms", "1m30s",
 * "12k"; {name}, {layer} and {group} are text; `{{` is a brace, `**` a star.  {p99.9} is a percentile.  What
 * follows `~` repeats, up to the end or a closing bracket.  A value that was not measured
 * ("nan", "N/A", "-") is matched and has no number.
 *
 * Numbers mean the same in every locale: of "1,234.5" and "1.234,5" the last mark is the decimal
 * mark, and so is a comma that three digits do not follow.  A comma before three digits is one,
 * too, unless the tool groups digits.
 */
#ifndef FORMATS_REPORT_TEMPLATE_H
#define FORMATS_REPORT_TEMPLATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/decimal.h"
#include "base/str.h"

/* What a value in a line means. */
enum field {
	FIELD_NAME,
	FIELD_LAYER,
	FIELD_GROUP,
	FIELD_UNIT,
	/* numbers */
	FIELD_CALLS,
	FIELD_FAILED,
	FIELD_CLIENTS, /* that make calls at the same time */
	FIELD_RATE,    /* calls a second */
	FIELD_SECONDS, /* that the rate is the mean of; else it is that of the elapsed time */
	FIELD_PERCENT,
	FIELD_SHARE,  /* of calls below the following value, in percent */
	FIELD_LOSS,   /* percentage of calls that have no latency */
	FIELD_NUMBER, /* any other */
	/* times */
	FIELD_MEAN,
	FIELD_DEVIATION,
	FIELD_MIN,
	FIELD_MAX,
	FIELD_TOTAL,
	FIELD_VALUE,	  /* of the percentile in the same line */
	FIELD_PERCENTILE, /* {p99} */
	FIELD_LOW,	  /* the edges of a bucket */
	FIELD_HIGH,
	FIELD_ELAPSED,
	FIELD_PERIOD,	  /* from the beginning of a call to that of the next */
	FIELD_THROUGHPUT, /* calls in the {unit} after it; for each client, its inverse is the mean */
	FIELD_TIME,	  /* any other */
};

/* A number as printed. */
struct printed {
	bool known;   /* false: "nan" and the like */
	bool rounded; /* "12k" */
	struct decimal number;
	double step; /* of its last digit */
	uint64_t ns; /* nanoseconds of its unit; 0: it has none */
};

struct capture {
	enum field field;
	double percent; /* of a percentile */
	struct str text;
	struct printed value;
};

enum { MAX_CAPTURES = 256 };

/* What a line holds; texts are parts of the line. */
struct captures {
	struct capture of[MAX_CAPTURES];
	size_t n;
};

/* Returns the longest word between blanks and fields, and before what repeats, that every line which
 * matches has; an empty one: there is none. */
struct str template_longest_word(const char *template);
/* As template_longest_word(); an empty one: nothing excludes lines faster than template_match() does. */
struct str template_word(const char *template);
/* Matches all of a line; `grouped`: the tool groups digits. */
MUST_CHECK bool template_match(const char *template, struct str line, bool grouped,
			       struct captures *ret);

#endif
