/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/compare_options.h"

enum { USUAL_SPLITS = 300 };

struct compare_options compare_options_default(void)
{
	return (struct compare_options){ .rules = rank_rules_default,
					 .runs = runs_rules_default,
					 .seed = 1,
					 .splits = USUAL_SPLITS };
}
