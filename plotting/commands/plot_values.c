/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/commands/plot_values.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "compare/values_found.h"
#include "plotting/commands/plot_options.h"
#include "plotting/kind.h"
#include "profile/variables.h"

static bool has_range(const struct plot_options *w)
{
	return !isnan(w->x_from.value) || !isnan(w->x_to.value) || !isnan(w->y_from.value) ||
	       !isnan(w->y_to.value);
}

static bool draw_values(const struct figure_kind *kind, const struct figure_target *target,
			const struct values_found *found, const struct plot_options *options,
			struct diag *diag)
{
	struct values_subject sub = { .profile = found->profile, .values = &found->values };
	struct figure f;
	struct figure_file file = { target->path, &f };

	if (has_range(options)) {
		diag_plain(diag, DIAG_USAGE,
			   "values of calls are classes: no --x-range, --y-range");
		return false;
	}
	if (!kind->build_values(found->arena, &sub, &f)) {
		diag_plain(diag, DIAG_NOTHING_TO_DRAW,
			   "no operation has several peaks and a variable that differs");
		return false;
	}
	if (options->title.n > 0)
		f.title = options->title;
	return figures_write(target, &file, 1, diag);
}

enum values_plotted plot_values(const struct figure_kind *kind, const struct figure_target *target,
				const struct plot_options *options, const struct load_options *q,
				uint64_t seed, struct diag *diag)
{
	struct values_found found;
	enum values_plotted what = VALUES_FAILED;

	/* Standard input cannot be read twice.  A profile without a unit of time is a value
	 * profile. */
	if (q->read.build.unit == UNIT_PLAIN)
		return VALUES_OF_NONE;
	if (values_found_load(&found, q, seed, diag)) {
		if (found.variables->n == 0 && strcmp(q->operand[0], "-") != 0)
			what = VALUES_OF_NONE;
		else if (values_found_check(&found, q->operand[0], diag) &&
			 values_found_find(&found, q, diag) &&
			 draw_values(kind, target, &found, options, diag))
			what = VALUES_PLOTTED;
	}
	values_found_release(&found);
	return what;
}
