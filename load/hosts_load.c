/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/hosts_load.h"

#include <stdlib.h>

#include "analyze/idle.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "load/expected.h"
#include "load/file_list.h"
#include "load/fold.h"
#include "load/load_options.h"

/* Returns the options with the operands of one side. */
static struct load_options side_of(const struct load_options *q, size_t from, size_t to)
{
	struct load_options side = *q;

	side.operand = q->operand + from;
	side.n_operands = to - from;
	return side;
}

static void take_profile(struct loaded *l, struct profile *p, const struct load_options *side,
			 struct diag *diag)
{
	idle_mark(p, side->idle);
	*l = (struct loaded){ .profile = p, .n_files = 1, .n_runs = 1 };
	l->file = xcalloc(1, sizeof(*l->file));
	l->file[0] = path_join(NULL, side->operand[0]);
	l->run = (struct run){ .path = side->operand[0],
			       .n_more = side->n_operands - 1,
			       .profile = p,
			       .totals = totals_of(p),
			       .n_runs = p->n_hosts > 0 ? p->n_hosts : 1,
			       .file = l->file,
			       .n_files = 1,
			       .representative = l->file[0] };
	choose_operations(p, side, diag);
}

static bool enough_hosts(const struct profile *p, const struct load_options *side,
			 struct diag *diag)
{
	if (p->n_hosts >= 2 && p->by_host)
		return true;
	diag_plain(diag, DIAG_RUNS_TOO_FEW, "%s: %zu host%s; how hosts vary is known from 2 on",
		   side->operand[0], p->n_hosts, p->n_hosts == 1 ? "" : "s");
	return false;
}

static bool fold_sides(const struct load_options *before, const struct load_options *after,
		       struct paired_sums *n, struct diag *diag)
{
	size_t n_skipped;

	if (before->pairs)
		return fold_pairs(before, after, n, diag);
	*n = (struct paired_sums){ .before = fold_inputs(before, &n_skipped, diag) };
	if (n->before != NULL)
		n->after = fold_inputs(after, &n_skipped, diag);
	return n->after != NULL;
}

static void release_sums(struct paired_sums *n)
{
	profile_free(n->before);
	profile_free(n->after);
	profile_free(n->differences);
}

bool hosts_load(struct loaded *ret_before, struct loaded *ret_after,
		struct profile **ret_differences, const struct load_options *q, struct diag *diag)
{
	size_t n_before = q->separated ? q->n_before : 1;
	struct load_options before = side_of(q, 0, n_before);
	struct load_options after = side_of(q, n_before, q->n_operands);
	struct paired_sums n = { .before = NULL };

	if (!fold_sides(&before, &after, &n, diag) || !enough_hosts(n.before, &before, diag) ||
	    !enough_hosts(n.after, &after, diag)) {
		release_sums(&n);
		return false;
	}
	expected_report(n.before, diag);
	expected_report(n.after, diag);
	take_profile(ret_before, n.before, &before, diag);
	take_profile(ret_after, n.after, &after, diag);
	*ret_differences = n.differences;
	return true;
}
