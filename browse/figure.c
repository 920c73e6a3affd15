/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "browse/figure.h"

#include "browse/load.h"
#include "plotting/commands/figures.h"
#include "plotting/commands/plotted.h"

bool browse_figure(const struct opened *o, const struct operation *op, const char *path,
		   struct diag *diag)
{
	struct plotted p;
	bool ok;

	if (o->compared != NULL)
		plotted_borrow_pair(&p, o->compared);
	else if (!plotted_borrow_runs(&p, o->single, 1, diag))
		return false;
	ok = figure_of_operation(&p, op, path, false, diag);
	plotted_release(&p);
	return ok;
}
