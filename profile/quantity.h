/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats numbers for people: three digits and a unit. */
#ifndef PROFILE_QUANTITY_H
#define PROFILE_QUANTITY_H

#include "profile/unit.h"

struct out;

/* What latencies are measured in. */
struct scale {
	enum unit unit;
	double hz;	    /* 0: not known */
	double granularity; /* as in struct histogram; 0: not known */
};

void quantity_latency(struct out *o, double value, struct scale s); /* "3.07 ms" */
/* The same with two digits: "~3.1 ms", for what is interpolated. */
void quantity_estimate(struct out *o, double value, struct scale s);
/* "1.6-6.6 ms"; a range from 0 reaches at least to the granularity. */
void quantity_range(struct out *o, double low, double high, struct scale s);
void quantity_count(struct out *o, double value);   /* "27 408", "3.1 M" */
void quantity_calls(struct out *o, double mean);    /* the same; whole from 100 on */
void quantity_percent(struct out *o, double share); /* "25 %", "0.3 %" */
void quantity_ratio(struct out *o, double ratio);   /* "3.3" */

#endif
