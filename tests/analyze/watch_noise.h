/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Made series for the judge of osprof watch: what changes nothing, and changes that are known. */
#ifndef TESTS_ANALYZE_WATCH_NOISE_H
#define TESTS_ANALYZE_WATCH_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct noise_kind {
	const char *name;
	double correlation; /* at lag 1 */
	bool spells;	    /* of twice the noise, two hours in eight on average */
	bool heavy;	    /* Student's t with 3 degrees of freedom */
	double drift;	    /* standard deviations a day */
	double cycle;	    /* half the height of a daily cycle, in standard deviations */
};

enum { NOISE_DAY = 8640, NOISE_SERIES = 60 }; /* intervals of 10 s; 20 operations */

/* How many alarms there are in so many days where one a day is allowed. */
size_t noise_alarms(const struct noise_kind *kind, double days, uint64_t seed);
/* The same of lasting changes: minutes of 8 intervals, whose level must be new by half of a
 * standard deviation of an interval. */
size_t noise_lasting_alarms(const struct noise_kind *kind, double days, uint64_t seed);
/* Intervals until a step of so many standard deviations is reported, the mean of so many trials;
 * *ret_missed of them took longer than 2,000. */
double noise_delay(double correlation, double step, double threshold, size_t trials,
		   size_t *ret_missed);

#endif
