/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/shortest.h"

#include "base/diag.h"

void shortest_report(const struct shortest *s, enum unit unit, const char *setting,
		     struct input *in, struct diag *diag)
{
	const double millisecond = 1e6;
	double latency = decimal_f64(s->latency);

	if (s->any && latency * (double)unit_nanoseconds(unit) >= millisecond)
		diag_file(diag, DIAG_THRESHOLD_UNKNOWN, in, "the shortest took %.6g %s; %s",
			  latency, unit_name(unit), setting);
}
