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

/* Which part of a histogram a sample is, by the suffix of its metric's name. */
enum prometheus_part {
	PART_OTHER,
	PART_BUCKET,
	PART_SUM,
	PART_COUNT,
	PART_NATIVE, /* all of a native histogram: in results of queries, by its value */
};

/* By the end of the name of a metric, which is taken off. */
enum prometheus_part prometheus_part(struct str *metric);

/* A line taken apart; strings are borrowed from it. */
struct prometheus_sample {
	struct str line;
	enum prometheus_part part; /* by the end of the name */
	struct str base;	   /* the name without that end */
	struct str labels;	   /* as they stand, between the braces */
	struct str le;		   /* p is NULL: there is none */
	struct str value, stamp;   /* a stamp may be empty */
};

/* NULL, or what is wrong, with its place in *ret_at; *ret has what was found so far. */
const char *prometheus_scan(struct str line, struct prometheus_sample *ret, const char **ret_at);

/* The same of a line that differs from that of another sample in le, and after the labels,
 * alone: false of any other.  So do the lines of one histogram. */
bool prometheus_scan_similar(struct str line, const struct prometheus_sample *other,
			     struct prometheus_sample *ret);

/* The next label: its name and its value as it stands between the quotes.  False at
 * the end of *rest. */
bool prometheus_label(struct str *rest, struct str *ret_name, struct str *ret_value);

/* Its series, without the label le and however blanks and commas stood: base{a="b",c="d"}. */
void prometheus_sample_series(const struct prometheus_sample *s, struct out *to);

#endif
