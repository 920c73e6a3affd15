/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From loaded runs to what a figure is made of. */
#ifndef CLI_PLOTTED_H
#define CLI_PLOTTED_H

#include "cli/compare.h"
#include "plotting/kind.h"

struct arena;
struct settings;

/* Runs with all of their operations, chosen or not. */
struct plotted {
	struct subject subject; /* without operations; see plotted_choose() */
	struct compared compared;
	struct loaded *run; /* n_loaded, where they are not compared */
	size_t n_loaded;
	bool is_compared;
	struct arena *arena;
	struct plotted_op *op; /* all of them, the most telling first */
	size_t n_ops;
};

/* Reads the operands; two, or two sides, are compared. */
MUST_CHECK bool plotted_load(struct plotted *ret, const struct settings *s, struct diag *diag);
void plotted_release(struct plotted *p);

/* The operations that a figure is to show: those the user names; else the reported ones,
 * or where nothing is compared, those with a share of the latency worth showing; or all, if the
 * kind shows all. No more than it holds; how many there were is *ret_all. */
void plotted_choose(struct plotted *p, const struct settings *s, const struct figure_kind *kind,
		    size_t *ret_all);

#endif
