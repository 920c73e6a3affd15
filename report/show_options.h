/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a result is shown; nothing that is computed depends on it. */
#ifndef REPORT_SHOW_OPTIONS_H
#define REPORT_SHOW_OPTIONS_H

#include <stdbool.h>

#include "analyze/rank/quantiles.h"

struct show_options {
	bool all;			/* also what is not reported */
	bool histograms;		/* JSON: the buckets of both sides */
	struct quantile_list quantiles; /* NULL values: none */
	bool quantiles_asked;		/* the user named them: text shows their bounds */
	unsigned depth;			/* levels of a tree of causes; 0: all of it */
	unsigned causes_sections;	/* bits of enum causes_section; 0: all */
};

/* Returns the defaults: what is reported, with the usual quantiles. */
static inline struct show_options show_options_default(void)
{
	return (struct show_options){ .quantiles = quantiles_default };
}

#endif
