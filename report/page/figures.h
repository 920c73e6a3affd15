/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The HTML page that accompanies a folder of figures. */
#ifndef REPORT_PAGE_FIGURES_H
#define REPORT_PAGE_FIGURES_H

#include <stddef.h>

#include "base/str.h"

struct comparison;
struct out;

/* A figure in the same folder as the page. */
struct drawn {
	const char *file, *script; /* names without a folder */
	struct str caption;	   /* general description of the figure */
	bool is_image;		   /* in a format that browsers show */
};

/* Prints the ranking, the figures, and links to their scripts.  `overview` is the figure of all
 * operations and may be NULL; of[i] is the figure of operation i of the ranking. */
void figures_html(struct out *o, const struct comparison *c, const struct drawn *overview,
		  const struct drawn *of, size_t n);

/* The same for a run that is not compared: of[i] is the figure of the operation name[i]. */
void figures_run_html(struct out *o, struct str title, const struct drawn *overview,
		      const struct drawn *of, const struct str *name, size_t n);

#endif
