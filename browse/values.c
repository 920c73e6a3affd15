/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "browse/values.h"

#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "cli/settings.h"
#include "compare/values_found.h"
#include "profile/variables.h"
#include "tui/value_study.h"

static bool has_stdin(const struct settings *s)
{
	for (size_t i = 0; i < s->request.n_operands; i++) {
		if (strcmp(s->request.operand[i], "-") == 0)
			return true;
	}
	return false;
}

bool browse_values(const struct settings *s, struct value_study **ret, struct diag *diag)
{
	size_t n_before = s->request.separated	      ? s->request.n_before
			  : s->request.n_operands > 1 ? 1
						      : 0;
	struct settings one = *s;
	struct values_found found;
	bool ok;

	one.request.operand += n_before;
	one.request.n_operands -= n_before;
	one.request.op = one.request.layer = NULL;
	one.request.observer = NULL;
	if (has_stdin(&one)) {
		diag_plain(diag, DIAG_USAGE, "standard input cannot be read again");
		return false;
	}
	ok = values_found_load(&found, &one.request, diag) &&
	     values_found_check(&found, one.request.operand[0], diag) &&
	     values_found_find(&found, &one.request, diag);
	if (!ok) {
		values_found_release(&found);
		return false;
	}
	*ret = xcalloc(1, sizeof(**ret));
	**ret = (struct value_study){ .values = found.values,
				      .profile = found.profile,
				      .variables = found.variables,
				      .arena = found.arena };
	return true;
}
