/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings about a whole profile: one of each kind, for any number of operations. */
#include "base/out.h"
#include "profile/builder/builder_parts.h"

/* --- contradictions --------------------------------------------------------------------- */

/* Reports counter resets: how many the first operation had, and of how many operations. */
static void report_resets(struct builder *b)
{
	const struct operation *op;

	if (b->n_reset == 0)
		return;
	op = &b->profile->op[b->first_reset];
	if (b->n_reset == 1)
		build_warn(b, DIAG_COUNTER_RESET, b->op_builder[b->first_reset].where,
			   "%.*s: %zu time%s; what came before is added", STR_ARG(op->name),
			   b->times_reset, b->times_reset == 1 ? "" : "s");
	if (b->n_reset > 1)
		build_warn(b, DIAG_COUNTER_RESET, b->op_builder[b->first_reset].where,
			   "of %zu operations, of %.*s %zu time%s; what came before is added",
			   b->n_reset, STR_ARG(op->name), b->times_reset,
			   b->times_reset == 1 ? "" : "s");
}

/* "; the same of write, lseek and 3 more": the operations after number `first` that
 * `disagrees` finds; nothing where there are none. */
static void list_others(struct builder *b, size_t first,
			bool (*disagrees)(const struct operation *op), struct out *list)
{
	enum { MAX = 3 };
	size_t n = 0;

	for (size_t i = first + 1; i < b->profile->n_ops; i++) {
		const struct operation *op = &b->profile->op[i];

		if (disagrees(op) && n++ < MAX)
			out_printf(list, "%s%.*s", n == 1 ? "; the same of " : ", ",
				   STR_ARG(op->name));
	}
	if (n > MAX)
		out_printf(list, " and %zu more", n - MAX);
	out_char(list, '\0');
}

static bool count_disagrees(const struct operation *op)
{
	return !op->stated.count_agrees;
}

static bool total_disagrees(const struct operation *op)
{
	return !op->stated.total_agrees;
}

static bool self_disagrees(const struct operation *op)
{
	return !op->stated.self_agrees;
}

static void report_selves(struct builder *b, size_t first)
{
	const struct operation *op = &b->profile->op[first];
	struct out *others = out_to_memory();

	list_others(b, first, self_disagrees, others);
	build_warn(b, DIAG_NEST_IMPOSSIBLE, b->op_builder[first].where,
		   "%.*s: its self time or inclusive time passes its total; not used%s",
		   STR_ARG(op->name), out_memory(others).p);
	out_free(others);
}

static void report_counts(struct builder *b, size_t first)
{
	const struct operation *op = &b->profile->op[first];
	struct out *others = out_to_memory();

	list_others(b, first, count_disagrees, others);
	build_warn(b, DIAG_COUNT_MISMATCH, b->op_builder[first].where,
		   "%.*s: stated %llu calls, buckets hold %llu%s", STR_ARG(op->name),
		   (unsigned long long)op->stated.count, (unsigned long long)op->hist.count,
		   out_memory(others).p);
	out_free(others);
}

static void report_totals(struct builder *b, size_t first)
{
	const struct operation *op = &b->profile->op[first];
	struct out *others = out_to_memory();

	list_others(b, first, total_disagrees, others);
	build_warn(b, DIAG_TOTAL_MISMATCH, b->op_builder[first].where,
		   "%.*s: stated %.15g, buckets allow %.15g to %.15g; not used%s",
		   STR_ARG(op->name), decimal_f64(op->stated.total), histogram_total_min(&op->hist),
		   histogram_total_max(&op->hist), out_memory(others).p);
	out_free(others);
}

void report_disagreements(struct builder *b)
{
	bool counts = false, totals = false, selves = false;

	report_resets(b);
	for (size_t i = 0; i < b->profile->n_ops; i++) {
		const struct operation *op = &b->profile->op[i];

		if (count_disagrees(op) && !counts)
			report_counts(b, i);
		if (total_disagrees(op) && !totals)
			report_totals(b, i);
		if (self_disagrees(op) && !selves)
			report_selves(b, i);
		selves |= self_disagrees(op);
		counts |= count_disagrees(op);
		totals |= total_disagrees(op);
	}
}

/* --- limits ---------------------------------------------------------------- */

/* What histograms cannot show: a user who compares them has to know. */
struct limits {
	size_t estimated, bare, truncated, coarse; /* operations */
	const struct operation *first_truncated, *first_coarse;
};

static void count_limits(struct limits *l, const struct operation *op)
{
	l->estimated += !op->stated.has_total && op->hist.n > 0;
	l->bare += operation_summary_only(op);
	if (op->threshold > 0 && l->truncated++ == 0)
		l->first_truncated = op;
	if (op->hist.granularity > 0 && op->hist.n > 0 && l->coarse++ == 0)
		l->first_coarse = op;
}

void report_limits(struct builder *b)
{
	const struct str nowhere = { NULL, 0 };
	size_t n_ops = b->profile->n_ops;
	struct limits limits = { .bare = 0 }, *l = &limits;

	for (size_t i = 0; i < n_ops; i++)
		count_limits(l, &b->profile->op[i]);
	if (l->estimated > 0)
		build_warn(b, DIAG_TOTAL_MISSING, nowhere,
			   "of %zu of %zu operations; estimated from their buckets", l->estimated,
			   n_ops);
	if (l->bare > 0)
		build_warn(b, DIAG_NO_DISTRIBUTION, nowhere,
			   "of %zu of %zu operations there are calls and totals only", l->bare,
			   n_ops);
	if (l->coarse > 0)
		build_warn(b, DIAG_COARSE_CLOCK, nowhere,
			   "%zu of %zu operations, in steps of %.9g %s; finer is not told apart",
			   l->coarse, n_ops, l->first_coarse->hist.granularity,
			   unit_name(l->first_coarse->unit));
	if (l->truncated > 0)
		build_warn(b, DIAG_TRUNCATED, nowhere,
			   "%zu of %zu operations, only what took %.9g %s or longer", l->truncated,
			   n_ops, l->first_truncated->threshold,
			   unit_name(l->first_truncated->unit));
}
