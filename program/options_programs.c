/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of osprof record, preempt, plot and watch. */
#include <math.h>
#include <string.h>

#include "base/scan.h"
#include "collect/osprof.h"
#include "program/options_programs.h"

/* --- osprof record -------------------------------------------------------------------------- */

void take_layers_by(struct options *o, int which)
{
	static const enum osprof_by by[] = { OSPROF_BY_PROGRAM, OSPROF_BY_PROCESS,
					     OSPROF_BY_THREAD };

	settings_of(o)->record.by = (int)by[which];
}

void take_clock(struct options *o, int which)
{
	settings_of(o)->record.system_clock = which == 1;
}

const char *take_call_records(struct options *o, const char *arg)
{
	enum { USUAL = 1000000, MAX = 1000000000 };
	uint64_t n = USUAL;

	if (arg != NULL && (number_u64(str_from(arg), &n) != NUMBER_OK || n < 1 || n > MAX))
		return "a number from 1 to 1000000000";
	settings_of(o)->record.calls = n;
	return NULL;
}

/* --- osprof preempt ------------------------------------------------------------------------- */

const char *take_time_slice(struct options *o, const char *arg)
{
	return take_quantum(&settings_of(o)->preempt, arg);
}

const char *take_yield_probability(struct options *o, const char *arg)
{
	return take_yield(&settings_of(o)->preempt, arg);
}

const char *take_tperiod(struct options *o, const char *arg)
{
	return take_time(&settings_of(o)->preempt.tperiod, arg);
}

const char *take_tcpu(struct options *o, const char *arg)
{
	return take_time(&settings_of(o)->preempt.tcpu, arg);
}

/* --- figures -------------------------------------------------------------------------------- */

const char *take_title(struct options *o, const char *arg)
{
	settings_of(o)->figure.title = str_from(arg);
	return NULL;
}

const char *take_figure_size(struct options *o, const char *arg)
{
	return take_size(&settings_of(o)->figure, arg);
}

void take_style(struct options *o, int which)
{
	settings_of(o)->figure.look.style = (enum figure_style)which;
	settings_of(o)->figure.look.has_style = true;
}

void take_palette(struct options *o, int which)
{
	settings_of(o)->figure.look.palette = (enum palette)which;
	settings_of(o)->figure.look.has_palette = true;
}

const char *take_figure_font(struct options *o, const char *arg)
{
	return take_font(&settings_of(o)->figure, arg);
}

const char *take_x_range(struct options *o, const char *arg)
{
	return take_range(&settings_of(o)->figure.x_from, &settings_of(o)->figure.x_to, arg);
}

const char *take_y_range(struct options *o, const char *arg)
{
	return take_range(&settings_of(o)->figure.y_from, &settings_of(o)->figure.y_to, arg);
}

void take_axis_unit_of(struct options *o, int which)
{
	static const enum unit units[] = { UNIT_UNKNOWN, UNIT_NS, UNIT_US,
					   UNIT_MS,	 UNIT_S,  UNIT_CYCLES };

	settings_of(o)->figure.axis_unit = units[which];
}

void take_figure_terminal(struct options *o, int which)
{
	static const char *const names[] = { "png", "svg", "pdf", "eps", "tikz", "text" };

	(void)terminal_by_name(str_from(names[which]), &settings_of(o)->figure.look.terminal);
}

/* --- osprof watch --------------------------------------------------------------------------- */

const char *take_every(struct options *o, const char *arg)
{
	return take_duration(&settings_of(o)->watch.every, 0.1, arg);
}

const char *take_lateness(struct options *o, const char *arg)
{
	return take_duration(&settings_of(o)->watch.lateness, 0, arg);
}

const char *take_for(struct options *o, const char *arg)
{
	return take_duration(&settings_of(o)->watch.duration, 0.001, arg);
}

const char *take_zoom(struct options *o, const char *arg)
{
	return take_duration(&settings_of(o)->watch.zoom, 0.001, arg);
}

const char *take_alarm_rate(struct options *o, const char *arg)
{
	return take_false_alarms(&settings_of(o)->watch, arg);
}

const char *take_most_operations(struct options *o, const char *arg)
{
	double n;

	if (number_f64(str_from(arg), &n) != NUMBER_OK || !(n >= 1) || isinf(n))
		return "a number above 0";
	settings_of(o)->watch.max_operations = (size_t)fmin(n, 1e6);
	return NULL;
}

const char *take_kept_bytes(struct options *o, const char *arg)
{
	return take_keep_size(&settings_of(o)->watch, arg);
}

const char *take_kept_tiers(struct options *o, const char *arg)
{
	return take_tiers(&settings_of(o)->watch, arg);
}

const char *take_watched(struct options *o, const char *arg)
{
	if (settings_of(o)->watch.n_watched == MAX_WATCHED)
		return "16 sources at most";
	settings_of(o)->watch.watched[settings_of(o)->watch.n_watched++] = arg;
	return NULL;
}

/* --- output --------------------------------------------------------------------------------- */

const char *take_handler(struct options *o, const char *arg)
{
	struct settings *s = settings_of(o);

	if (s->n_handlers == COUNT_OF(s->handler))
		return "8 handlers at most";
	s->handler[s->n_handlers++] = arg;
	return NULL;
}

void take_causes_format(struct options *o, int which)
{
	static const enum output_format format[] = {
		OUTPUT_FORMAT_TEXT,   OUTPUT_FORMAT_JSON, OUTPUT_FORMAT_CSV, OUTPUT_FORMAT_MARKDOWN,
		OUTPUT_FORMAT_FOLDED, OUTPUT_FORMAT_HTML, OUTPUT_FORMAT_SVG,
	};

	settings_of(o)->output_format = format[which];
}

bool take_to(struct options *o, const struct option_row *row, const char *arg, struct diag *diag)
{
	struct settings *s = settings_of(o);

	s->to = format_by_name(str_from(arg));
	return (s->to != NULL && s->to->write != NULL) || option_is_no_format(row, arg, true, diag);
}
