/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/causing.h"

#include <math.h>

const struct causing causing_none = {
	.question = { .against = CHOSEN_ALL },
	.rules = { .min_share = NAN, .percentage = NAN },
};
