/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/diag.h"
#include "options/options.h"

bool option_is_bad(const struct option_row *row, const char *arg, const char *expected,
		   struct diag *diag)
{
	diag_plain(diag, DIAG_USAGE, "--%s %s: expected %s", row->name, arg, expected);
	return false;
}
