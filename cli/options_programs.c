/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of osprof record, preempt, plot and watch. */
#include <math.h>
#include <string.h>

#include "base/scan.h"
#include "cli/options_taken.h"
#include "cli/settings.h"
#include "collect/osprof.h"

/* --- osprof record -------------------------------------------------------------------------- */

void take_layers_by(struct settings *s, int which)
{
	static const enum osprof_by by[] = { OSPROF_BY_PROGRAM, OSPROF_BY_PROCESS,
					     OSPROF_BY_THREAD };

	s->record.by = (int)by[which];
}

void take_clock(struct settings *s, int which)
{
	s->record.system_clock = which == 1;
}

const char *take_call_records(struct settings *s, const char *arg)
{
	enum { USUAL = 1000000, MOST = 1000000000 };
	uint64_t n = USUAL;

	if (arg != NULL && (number_u64(str_from(arg), &n) != NUMBER_OK || n < 1 || n > MOST))
		return "a number from 1 to 1000000000";
	s->record.calls = n;
	return NULL;
}

/* --- osprof preempt ------------------------------------------------------------------------- */

const char *take_time_slice(struct settings *s, const char *arg)
{
	return take_quantum(&s->preempt, arg);
}

const char *take_yield_probability(struct settings *s, const char *arg)
{
	return take_yield(&s->preempt, arg);
}

const char *take_tperiod(struct settings *s, const char *arg)
{
	return take_time(&s->preempt.tperiod, arg);
}

const char *take_tcpu(struct settings *s, const char *arg)
{
	return take_time(&s->preempt.tcpu, arg);
}

/* --- figures -------------------------------------------------------------------------------- */

const char *take_title(struct settings *s, const char *arg)
{
	s->figure.title = str_from(arg);
	return NULL;
}

const char *take_figure_size(struct settings *s, const char *arg)
{
	return take_size(&s->figure, arg);
}

void take_palette(struct settings *s, int which)
{
	s->figure.look.palette = (enum palette)which;
	s->figure.look.has_palette = true;
}

const char *take_figure_font(struct settings *s, const char *arg)
{
	return take_font(&s->figure, arg);
}

const char *take_x_range(struct settings *s, const char *arg)
{
	return take_range(&s->figure.x_from, &s->figure.x_to, arg);
}

const char *take_y_range(struct settings *s, const char *arg)
{
	return take_range(&s->figure.y_from, &s->figure.y_to, arg);
}

void take_axis_unit_of(struct settings *s, int which)
{
	static const enum unit units[] = { UNIT_UNKNOWN, UNIT_NS, UNIT_US,
					   UNIT_MS,	 UNIT_S,  UNIT_CYCLES };

	s->figure.axis_unit = units[which];
}

void take_figure_terminal(struct settings *s, int which)
{
	static const char *const names[] = { "png", "svg", "pdf", "eps", "tikz", "dumb" };

	(void)terminal_by_name(str_from(names[which]), &s->figure.look.terminal);
}

/* --- osprof watch --------------------------------------------------------------------------- */

const char *take_every(struct settings *s, const char *arg)
{
	return take_duration(&s->watch.every, 0.1, arg);
}

const char *take_lateness(struct settings *s, const char *arg)
{
	return take_duration(&s->watch.lateness, 0, arg);
}

const char *take_for(struct settings *s, const char *arg)
{
	return take_duration(&s->watch.duration, 0.001, arg);
}

const char *take_zoom(struct settings *s, const char *arg)
{
	return take_duration(&s->watch.zoom, 0.001, arg);
}

const char *take_alarm_rate(struct settings *s, const char *arg)
{
	return take_false_alarms(&s->watch, arg);
}

const char *take_most_operations(struct settings *s, const char *arg)
{
	double n;

	if (number_f64(str_from(arg), &n) != NUMBER_OK || !(n >= 1) || isinf(n))
		return "a number above 0";
	s->watch.max_operations = (size_t)fmin(n, 1e6);
	return NULL;
}

const char *take_kept_bytes(struct settings *s, const char *arg)
{
	return take_keep_size(&s->watch, arg);
}

const char *take_kept_tiers(struct settings *s, const char *arg)
{
	return take_tiers(&s->watch, arg);
}

const char *take_watched(struct settings *s, const char *arg)
{
	if (s->watch.n_watched == MAX_WATCHED)
		return "16 sources at most";
	s->watch.watched[s->watch.n_watched++] = arg;
	return NULL;
}
