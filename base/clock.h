/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What time it is, in seconds. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

double clock_monotonic(
	void);		/* since some time in the past; setting the clock does not change it */
double clock_utc(void); /* since 1970 */

#endif
