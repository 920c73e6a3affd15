/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "browse/causes.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "cli/settings.h"
#include "compare/causes_load.h"

static bool read_side(const struct settings *s, const struct operation *op, size_t first, size_t n,
		      struct call_tree **ret, struct diag *diag)
{
	struct settings one = *s;
	char *function = causes_function_of(op);
	struct causes_side side;
	bool ok;

	for (size_t i = first; i < first + n; i++) {
		if (strcmp(s->request.operand[i], "-") == 0) {
			diag_plain(diag, DIAG_USAGE, "standard input cannot be read again");
			free(function);
			return false;
		}
	}
	one.request.causing.function = function;
	one.request.causing.exact = true;
	one.request.observer = NULL;
	ok = causes_load(&side, s->request.operand + first, n, &one.request, diag);
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
	size_t n_before = s->request.separated	      ? s->request.n_before
			  : s->request.n_operands > 1 ? 1
						      : 0;

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
		      s->request.n_operands - n_before, ret, diag))
		return true;
	call_tree_free(*ret_before);
	*ret_before = NULL;
	return false;
}
