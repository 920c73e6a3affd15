/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/causes_options.h"

#include <math.h>

const struct causes_options causing_none = {
	.question = { .against = CHOSEN_ALL },
	.rules = { .min_share = NAN, .percentage = NAN },
};
