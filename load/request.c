/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/request.h"

static const size_t gibibyte = (size_t)1 << 30;

enum { USUAL_SPLITS = 300 };

struct request request_default(void)
{
	return (struct request){ .max_input = gibibyte,
				 .rules = rank_rules_default,
				 .runs = runs_rules_default,
				 .quantiles = quantiles_default,
				 .seed = 1,
				 .splits = USUAL_SPLITS,
				 .causes = causing_none };
}

void request_release(struct request *q)
{
	nest_option_release(&q->nest);
	plugins_release(&q->plugins);
}
