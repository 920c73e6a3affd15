/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "browse/values.h"

#include "base/xalloc.h"
#include "browse/again.h"
#include "compare/values_found.h"
#include "profile/variables.h"
#include "program/settings.h"
#include "tui/studies/value_study.h"

bool browse_values(const struct settings *s, struct value_study **ret, struct diag *diag)
{
	size_t n_before = browse_n_before(s);
	struct settings one = *s;
	struct values_found found;
	bool ok;

	if (!browse_may_read_again(s, n_before, s->options.load.n_operands - n_before, diag))
		return false;
	one.options.load.operand += n_before;
	one.options.load.n_operands -= n_before;
	one.options.load.op = one.options.load.layer = NULL;
	one.options.load.observer = NULL;
	ok = values_found_load(&found, &one.options.load, s->options.compare.seed, diag) &&
	     values_found_check(&found, one.options.load.operand[0], diag) &&
	     values_found_find(&found, &one.options.load, diag);
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
