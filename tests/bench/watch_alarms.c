/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of JUDGEMENT in osprof-watch(1): false alarms of made noise where one a day is
 * allowed, and how long known steps take.
 *
 *	bench_watch_alarms [DAYS]        30 by default, 20 operations, intervals of 10 s
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/analyze/watch_noise.h"

static void alarms(double days)
{
	static const struct noise_kind kind[] = {
		{ .name = "independent, normal" },
		{ .name = "independent, t(3)", .heavy = true },
		{ .name = "autocorrelation 0.3", .correlation = 0.3 },
		{ .name = "autocorrelation 0.6", .correlation = 0.6 },
		{ .name = "autocorrelation 0.9", .correlation = 0.9 },
		{ .name = "spells of twice the noise", .spells = true },
		{ .name = "spells and 0.6", .correlation = 0.6, .spells = true },
		{ .name = "drift, 1 deviation a day", .drift = 1 },
		{ .name = "daily cycle of +-2 deviations", .cycle = 2 },
		{ .name = "daily cycle of +-2 and 0.6", .cycle = 2, .correlation = 0.6 },
	};

	for (size_t i = 0; i < sizeof(kind) / sizeof(*kind); i++)
		printf("%-32s %.2f alarms a day, %.2f of lasting changes\n", kind[i].name,
		       (double)noise_alarms(&kind[i], days, 20061106) / days,
		       (double)noise_lasting_alarms(&kind[i], days, 20061106) / days);
}

static void delays(const char *title, double threshold)
{
	static const double correlation[] = { 0, 0.6 }, step[] = { 2, 3, 5 };

	printf("%s\n", title);
	for (size_t i = 0; i < 2; i++) {
		for (size_t k = 0; k < 3; k++) {
			size_t missed;
			double delay =
				noise_delay(correlation[i], step[k], threshold, 200, &missed);

			printf("  autocorrelation %.1f, %.0f deviations: %.0f intervals, "
			       "%.0f %% missed\n",
			       correlation[i], step[k], delay, (double)missed / 2);
		}
	}
}

int main(int argc, char **argv)
{
	double days = argc > 1 ? strtod(argv[1], NULL) : 30;

	alarms(days);
	delays("20 operations, one in a day", 60. * NOISE_DAY);
	delays("500 operations, one in 30 days", 1500. * 30 * NOISE_DAY);
	return 0;
}
