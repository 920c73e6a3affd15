/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/commands/plot_calls.h"

#include "plotting/commands/plot_options.h"

#include <math.h>

#include "base/arena.h"
#include "base/diag.h"
#include "load/calls_load.h"
#include "load/load_options.h"
#include "plotting/kind.h"

static bool refuse_usage(struct diag *diag, const char *what)
{
	diag_plain(diag, DIAG_USAGE, "%s", what);
	return false;
}

/* Numbers of calls have no unit; times and latencies without a unit are in ns. */
static bool apply_plot_options(struct call_subject *sub, const struct figure_kind *kind,
			       const struct plot_options *w, struct diag *diag)
{
	bool over_time = kind->build_calls == figure_threads;

	sub->shown = w->axis_unit;
	if (!over_time && (w->x_from.unit != UNIT_UNKNOWN || w->x_to.unit != UNIT_UNKNOWN))
		return refuse_usage(diag, "--x-range of per-call records is in numbers of calls");
	sub->x_from = over_time ? amount_in(w->x_from, UNIT_NS, 0) : w->x_from.value;
	sub->x_to = over_time ? amount_in(w->x_to, UNIT_NS, 0) : w->x_to.value;
	sub->y_from = amount_in(w->y_from, UNIT_NS, 0);
	sub->y_to = amount_in(w->y_to, UNIT_NS, 0);
	if ((isnan(sub->y_from) && !isnan(w->y_from.value)) ||
	    (isnan(sub->y_to) && !isnan(w->y_to.value)))
		return refuse_usage(diag, "--y-range of per-call records is in ns, us, ms or s");
	if (sub->x_from >= sub->x_to || sub->y_from >= sub->y_to || sub->y_from <= 0 ||
	    sub->y_to <= 0)
		return refuse_usage(diag, "--x-range and --y-range run upwards, latencies above 0");
	return true;
}

static bool draw_calls(const struct figure_kind *kind, const struct figure_target *target,
		       const struct call_subject *sub, const struct plot_options *options,
		       struct diag *diag)
{
	struct arena *a = arena_new();
	struct figure f;
	struct figure_file file = { target->path, &f };
	bool ok = kind->build_calls(a, sub, &f);

	if (ok && options->title.n > 0)
		f.title = options->title;
	if (ok)
		ok = figures_write(target, &file, 1, diag);
	else
		diag_plain(diag, DIAG_NOTHING_TO_DRAW, "%s", kind->lacks);
	arena_free(a);
	return ok;
}

bool plot_calls(const struct figure_kind *kind, const struct figure_target *target,
		const struct plot_options *options, const struct load_options *q, struct diag *diag)
{
	struct call_subject sub = { .max_ops = kind->max_ops };
	struct calls *c;
	bool ok;

	if (!apply_plot_options(&sub, kind, options, diag))
		return false;
	c = calls_load(q->operand, q->n_operands, q, diag);
	if (c == NULL)
		return false;
	sub.calls = c;
	ok = draw_calls(kind, target, &sub, options, diag);
	calls_free(c);
	return ok;
}
