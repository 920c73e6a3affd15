/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "browse/causes.h"

#include <stdlib.h>

#include "base/diag.h"
#include "browse/again.h"
#include "load/causes_load.h"
#include "load/load.h"
#include "program/settings.h"

static bool read_side(const struct settings *s, const struct operation *op, size_t first, size_t n,
		      struct call_tree **ret, struct diag *diag)
{
	struct settings one = *s;
	struct causes_side side;
	char *function;
	bool ok;

	if (!browse_may_read_again(s, first, n, diag))
		return false;
	function = causes_function_of(op);
	one.options.causes.function = function;
	one.options.causes.exact = true;
	one.options.load.observer = NULL;
	ok = causes_load(&side, s->options.load.operand + first, n, &one.options.load,
			 &one.options.causes, diag);
	*ret = side.tree;
	side.tree = NULL;
	if (!ok) {
		call_tree_free(*ret);
		*ret = NULL;
	}
	causes_side_release(&side);
	free(function);
	return ok;
}

bool browse_trees(const struct settings *s, const struct item *i, struct call_tree **ret,
		  struct call_tree **ret_before, struct diag *diag)
{
	size_t n_before = browse_n_before(s);

	*ret = *ret_before = NULL;
	if (n_before > 0 && i->before != NULL &&
	    !read_side(s, i->before, 0, n_before, ret_before, diag))
		return false;
	if (n_before > 0 && i->after == NULL) {
		*ret = *ret_before;
		*ret_before = NULL;
		return true;
	}
	if (read_side(s, n_before > 0 ? i->after : i->before, n_before,
		      s->options.load.n_operands - n_before, ret, diag))
		return true;
	call_tree_free(*ret_before);
	*ret_before = NULL;
	return false;
}

struct profile *browse_functions(const struct settings *s)
{
	size_t n_before = browse_n_before(s), n = s->options.load.n_operands - n_before;
	struct diag silent = { .emit = NULL };
	struct load_options again = s->options.load;
	struct profile *p;
	struct loaded l;

	again.observer = NULL;
	if (!browse_may_read_again(s, n_before, n, &silent) ||
	    !causes_functions_load(&l, again.operand + n_before, n, &again, &silent))
		return NULL;
	p = l.profile;
	l.profile = NULL;
	loaded_release(&l);
	return p;
}
