/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One sample of the text exposition format of Prometheus and of OpenMetrics:
 *
 *	http_seconds_bucket{method="get",le="0.005"} 24054 1395066363000 # {id="7"} 0.003
 *	{"http.seconds_bucket", "method"="get", le="0.005"} 24054
 */
#ifndef FORMATS_MONITOR_PROMETHEUS_LINE_H
#define FORMATS_MONITOR_PROMETHEUS_LINE_H

#include "base/str.h"

struct out;

/* The part of a histogram that a sample is, given by the suffix of its metric's name. */
enum prometheus_part {
	PART_OTHER,
	PART_BUCKET,
	PART_SUM,
	PART_COUNT,
	PART_NATIVE, /* a whole native histogram; only in results of queries */
};

/* Returns the part given by the suffix of a metric's name, and removes the suffix. */
enum prometheus_part prometheus_part(struct str *metric);

/* A parsed line; strings are borrowed from it. */
struct prometheus_sample {
	struct str line;
	enum prometheus_part part; /* given by the suffix of the name */
	struct str base;	   /* name without that suffix */
	struct str labels;	   /* text between the braces */
	struct str le;		   /* p NULL: none */
	struct str value, stamp;   /* stamp may be empty */
};

/* Parses a line.  Returns NULL, or what is wrong, with its position in *ret_at; *ret then has the
 * parts found before that. */
const char *prometheus_scan(struct str line, struct prometheus_sample *ret, const char **ret_at);

/* A fast path for the lines of one histogram: parses a line that differs from the line of `other`
 * only in le and after the labels; false for any other line. */
bool prometheus_scan_similar(struct str line, const struct prometheus_sample *other,
			     struct prometheus_sample *ret);

/* Takes the next label off *rest; the value is the raw text between the quotes.  False at the end
 * of *rest. */
bool prometheus_label(struct str *rest, struct str *ret_name, struct str *ret_value);

/* Writes the series of a sample without the label le, in normal form: base{a="b",c="d"}. */
void prometheus_sample_series(const struct prometheus_sample *s, struct out *to);

#endif
