/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "browse/causes.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "cli/settings.h"
#include "compare/causes_load.h"
#include "compare/load.h"

static size_t n_before_of(const struct settings *s)
{
	if (s->request.separated)
		return s->request.n_before;
	return s->request.n_operands > 1 ? 1 : 0;
}

static bool can_be_read_again(const struct settings *s, size_t first, size_t n, struct diag *diag)
{
	for (size_t i = first; i < first + n; i++) {
		if (strcmp(s->request.operand[i], "-") == 0) {
			diag_plain(diag, DIAG_USAGE, "standard input cannot be read again");
			return false;
		}
	}
	return true;
}

static bool read_side(const struct settings *s, const struct operation *op, size_t first, size_t n,
		      struct call_tree **ret, struct diag *diag)
{
	struct settings one = *s;
	struct causes_side side;
	char *function;
	bool ok;

	if (!can_be_read_again(s, first, n, diag))
		return false;
	function = causes_function_of(op);
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
	size_t n_before = n_before_of(s);

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

bool browse_functions(const struct settings *s, struct profile **ret, struct diag *diag)
{
	size_t n_before = n_before_of(s), n = s->request.n_operands - n_before;
	struct request again = s->request;
	struct loaded l;

	again.observer = NULL;
	if (!can_be_read_again(s, n_before, n, diag) ||
	    !causes_functions_load(&l, again.operand + n_before, n, &again, diag))
		return false;
	*ret = l.profile;
	l.profile = NULL;
	loaded_release(&l);
	return true;
}
