/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/load_options.h"

static const size_t gibibyte = (size_t)1 << 30;

struct load_options load_options_default(void)
{
	return (struct load_options){ .max_input = gibibyte };
}

const struct memory_input *memory_operand(const struct load_options *q, const char *operand)
{
	for (size_t i = 0; i < q->n_memory; i++) {
		if (q->memory[i].name == operand)
			return &q->memory[i];
	}
	return NULL;
}

void load_options_release(struct load_options *q)
{
	nest_option_release(&q->nest);
	plugins_release(&q->plugins);
}
