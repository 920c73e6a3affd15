/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "browse/again.h"

#include <string.h>

#include "base/diag.h"
#include "program/settings.h"

size_t browse_n_before(const struct settings *s)
{
	if (s->options.load.separated)
		return s->options.load.n_before;
	return s->options.load.n_operands > 1 ? 1 : 0;
}

bool browse_may_read_again(const struct settings *s, size_t first, size_t n, struct diag *diag)
{
	for (size_t i = first; i < first + n; i++) {
		if (strcmp(s->options.load.operand[i], "-") == 0) {
			diag_plain(diag, DIAG_USAGE, "standard input cannot be read again");
			return false;
		}
	}
	return true;
}
