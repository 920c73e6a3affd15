/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/causes_met.h"

#include "base/diag.h"

static void report_links(const char *path, const struct call_link_counts *l, struct diag *diag)
{
	uint64_t of_spans = l->missing + l->early + l->twice;

	if (of_spans > 0)
		diag_plain(diag, DIAG_UNMATCHED_EVENTS,
			   "%s: %llu links to spans that are missing, %llu to the span itself or "
			   "to one that starts later, %llu repeated ones",
			   path, (unsigned long long)l->missing, (unsigned long long)l->early,
			   (unsigned long long)l->twice);
	else if (l->found < l->submits)
		diag_plain(diag, DIAG_UNMATCHED_EVENTS,
			   "%s: %llu of %llu times work was handed over, the call that continues "
			   "it is missing",
			   path, (unsigned long long)(l->submits - l->found),
			   (unsigned long long)l->submits);
	if (l->left > 0)
		diag_plain(diag, DIAG_NOT_RECORDED,
			   "%s: too many links: %llu times one was not followed, or not into what "
			   "it calls",
			   path, (unsigned long long)l->left);
}

void causes_report_met(const char *path, const char *function, const struct call_grow *g,
		       struct diag *diag)
{
	const struct call_tree *tree = call_grow_tree(g);
	const struct call_tally *t = &tree->tally;
	struct skew skew = call_grow_skew(g);

	if (call_grow_is_deep(g))
		diag_plain(
			diag, DIAG_NOT_RECORDED,
			"%s: more than %d calls of a thread are open at once: those are left out",
			path, CALL_MAX_OPEN);
	else if (t->lost > 0)
		diag_plain(diag, DIAG_EVENTS_LOST,
			   "%s: %llu; calls that were open then are left out", path,
			   (unsigned long long)t->lost);
	if (t->unfinished + t->unfinished_others > 0)
		diag_plain(diag, DIAG_UNMATCHED_EVENTS,
			   "%s: %llu calls of %s and %llu others are open at the end, left out",
			   path, (unsigned long long)t->unfinished, function,
			   (unsigned long long)t->unfinished_others);
	if (t->unmatched > 0)
		diag_plain(diag, DIAG_UNMATCHED_EVENTS,
			   "%s: %llu calls without their begin or end%s", path,
			   (unsigned long long)t->unmatched,
			   t->off_order > 0 ? "; what came after those that were left may be "
					      "below them"
					    : "");
	if (t->backwards > 0)
		diag_plain(
			diag, DIAG_UNMATCHED_EVENTS,
			"%s: %llu events come before the last one of their thread, and are taken "
			"to come with it",
			path, (unsigned long long)t->backwards);
	if (t->orphans + t->twice + t->cyclic > 0)
		diag_plain(diag, DIAG_UNMATCHED_EVENTS,
			   "%s: %llu spans whose parents are missing, %llu of an id that another "
			   "has, %llu in cycles",
			   path, (unsigned long long)t->orphans, (unsigned long long)t->twice,
			   (unsigned long long)t->cyclic);
	if (t->clipped_ns > tree->below_ns / 100 && tree->below_ns > 0)
		diag_plain(
			diag, DIAG_SPANS_CLIPPED,
			"%s: %llu spans, %.2g %% of the time of all children, cut off; clocks of "
			"hosts may differ, or nobody waits for them",
			path, (unsigned long long)t->clipped,
			(double)t->clipped_ns / (double)tree->below_ns * 100);
	if (skew.n > 0)
		diag_plain(diag, DIAG_SPANS_CLIPPED,
			   "%s: %zu spans, by up to %.3g ms, as clocks of hosts differ: moved into "
			   "their callers",
			   path, skew.n, (double)skew.max / 1e6);
	report_links(path, &tree->links, diag);
	if (tree->full)
		diag_plain(diag, DIAG_NOT_RECORDED,
			   "%s: more than %d paths; further ones are (others) of their parent",
			   path, CALL_TREE_NODES);
}
