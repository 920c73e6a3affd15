/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/watching_options.h"

#include <math.h>

#include "cli/option_value.h"

bool take_watching_option(struct settings *s, enum option_id id, const char *arg, struct diag *diag)
{
	struct watching *w = &s->watch;
	const char *expected = NULL;
	double n = 0;

	if (id == OPT_EVERY)
		expected = take_duration(&w->every, 0.1, arg);
	else if (id == OPT_LATENESS)
		expected = take_duration(&w->lateness, 0, arg);
	else if (id == OPT_FOR)
		expected = take_duration(&w->duration, 0.001, arg);
	else if (id == OPT_FALSE_ALARMS)
		expected = take_false_alarms(w, arg);
	else if (id == OPT_KEEP_SIZE)
		expected = take_keep_size(w, arg);
	else if (id == OPT_TIERS)
		expected = take_tiers(w, arg);
	else if (id == OPT_THRESHOLD_FACTOR)
		return take_number(id, arg, 1, &w->factor, diag);
	else if (id == OPT_MAX_OPERATIONS) {
		if (!take_number(id, arg, 1, &n, diag))
			return false;
		w->max_operations = (size_t)fmin(n, 1e6);
	} else if (id == OPT_WATCH) {
		if (w->n_watched == MAX_WATCHED)
			return bad_argument(id, arg, "16 sources at most", diag);
		w->watched[w->n_watched++] = arg;
	} else if (id == OPT_TRUST_NETWORK) {
		w->trust_network = true;
	} else {
		w->calibrate = true;
	}
	return expected == NULL || bad_argument(id, arg, expected, diag);
}
