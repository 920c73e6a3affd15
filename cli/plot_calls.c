/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plot_calls.h"

#include <math.h>

#include "base/arena.h"
#include "base/diag.h"
#include "cli/calls_load.h"
#include "cli/settings.h"
#include "plotting/kind.h"

static bool refuse(struct diag *diag, const char *what)
{
	diag_plain(diag, DIAG_USAGE, "%s", what);
	return false;
}

/* Numbers of calls have no unit, latencies without one are in nanoseconds. */
static bool apply_wishes(struct call_subject *sub, const struct figure_wishes *w, struct diag *diag)
{
	sub->shown = w->axis_unit;
	if (w->x_from.unit != UNIT_UNKNOWN || w->x_to.unit != UNIT_UNKNOWN)
		return refuse(diag, "--x-range of single calls is in numbers of calls");
	sub->x_from = w->x_from.value;
	sub->x_to = w->x_to.value;
	sub->y_from = amount_in(w->y_from, UNIT_NS, 0);
	sub->y_to = amount_in(w->y_to, UNIT_NS, 0);
	if ((isnan(sub->y_from) && !isnan(w->y_from.value)) ||
	    (isnan(sub->y_to) && !isnan(w->y_to.value)))
		return refuse(diag, "--y-range of single calls is in ns, us, ms or s");
	if (sub->x_from >= sub->x_to || sub->y_from >= sub->y_to || sub->y_from <= 0 ||
	    sub->y_to <= 0)
		return refuse(diag, "--x-range and --y-range run upwards, latencies above 0");
	return true;
}

static bool draw(const struct figure_kind *kind, const struct figure_place *place,
		 const struct call_subject *sub, const struct settings *s, struct diag *diag)
{
	struct arena *a = arena_new();
	struct figure f;
	struct figure_file file = { s->output, &f };
	bool fine = kind->build_calls(a, sub, &f);

	if (fine && s->figure.title.n > 0)
		f.title = s->figure.title;
	if (fine)
		fine = figures_write(place, &file, 1, diag);
	else
		diag_plain(diag, DIAG_NOTHING_TO_DRAW, "%s", kind->lacks);
	arena_free(a);
	return fine;
}

bool plot_calls(const struct figure_kind *kind, const struct figure_place *place,
		const struct settings *s, struct diag *diag)
{
	struct call_subject sub = { .most_ops = kind->most_ops };
	struct calls *c;
	bool fine;

	if (!apply_wishes(&sub, &s->figure, diag))
		return false;
	c = calls_load(s->operand, s->n_operands, s, diag);
	if (c == NULL)
		return false;
	sub.calls = c;
	fine = draw(kind, place, &sub, s, diag);
	calls_free(c);
	return fine;
}
