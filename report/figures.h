/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page beside a folder of figures. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include <stddef.h>

#include "base/str.h"

struct comparison;
struct out;

/* A figure that lies beside the page. */
struct drawn {
	const char *file, *script; /* names without a folder */
	struct str caption;	   /* what the figure shows, in general */
	bool is_image;		   /* browsers show it */
};

/* The ranking, what each operation's figure shows, and where its script is.  `overview`
 * is of all operations and may be NULL; of[i] is of operation i of the ranking. */
void figures_html(struct out *o, const struct comparison *c, const struct drawn *overview,
		  const struct drawn *of, size_t n);

#endif
