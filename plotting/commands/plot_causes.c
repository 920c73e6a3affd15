/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/commands/plot_causes.h"

#include "plotting/commands/plot_options.h"

#include <math.h>

#include "base/arena.h"
#include "base/diag.h"
#include "compare/causes_found.h"
#include "load/causes_options.h"
#include "load/load_options.h"
#include "plotting/kind.h"

static bool refuse_usage(struct diag *diag, const char *what)
{
	diag_plain(diag, DIAG_USAGE, "%s", what);
	return false;
}

static bool apply_plot_options(struct causes_subject *sub, const struct plot_options *w,
			       struct diag *diag)
{
	sub->shown = w->axis_unit;
	sub->x_from = amount_in(w->x_from, UNIT_NS, 0);
	sub->x_to = amount_in(w->x_to, UNIT_NS, 0);
	if ((isnan(sub->x_from) && !isnan(w->x_from.value)) ||
	    (isnan(sub->x_to) && !isnan(w->x_to.value)))
		return refuse_usage(diag, "--x-range of causes is in ns, us, ms or s");
	if (!isnan(w->y_from.value) || !isnan(w->y_to.value))
		return refuse_usage(diag, "use --depth to set how many levels of causes to draw");
	if (sub->x_from >= sub->x_to || sub->x_from < 0 || sub->x_to <= 0)
		return refuse_usage(diag, "--x-range runs upwards");
	return true;
}

static bool draw_causes(const struct figure_kind *kind, const struct figure_target *target,
			struct causes_subject *sub, const struct plot_options *options,
			struct causes_found *found, unsigned depth, struct diag *diag)
{
	struct figure f;
	struct figure_file file = { target->path, &f };

	sub->causes = &found->causes;
	sub->pair = found->pair;
	sub->levels = depth;
	if (!kind->build_causes(found->arena, sub, &f)) {
		diag_plain(diag, DIAG_NOTHING_TO_DRAW, "%s", kind->lacks);
		return false;
	}
	if (options->title.n > 0)
		f.title = options->title;
	return figures_write(target, &file, 1, diag);
}

bool plot_causes(const struct figure_kind *kind, const struct figure_target *target,
		 const struct plot_options *options, const struct load_options *q,
		 const struct causes_options *causes, unsigned depth, struct diag *diag)
{
	struct causes_subject sub;
	struct causes_found found;
	bool ok;

	if (!apply_plot_options(&sub, options, diag))
		return false;
	if (causes->function == NULL && !causes_are_kept(q))
		return refuse_usage(diag, "use --function to choose the function; `osprof causes` "
					  "lists those with several peaks");
	ok = causes_found_load(&found, q, causes, diag) && causes_found_find(&found) &&
	     draw_causes(kind, target, &sub, options, &found, depth, diag);
	causes_found_release(&found);
	return ok;
}
