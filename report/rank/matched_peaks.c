/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON: the peaks of a comparison, and how calls moved between them. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "report/jout.h"
#include "report/parts.h"

static const struct peak *end_of(const struct peak_link *l, bool before)
{
	return before ? l->before : l->after;
}

static int by_after(const void *x, const void *y)
{
	const struct peak_link *a = x, *b = y;

	if (a->after != b->after)
		return a->after < b->after ? -1 : 1;
	return (a->before > b->before) - (a->before < b->before);
}

/* Returns the links in the order of one side's peaks, for free(). */
static struct peak_link *links_of_side(const struct peak_pairs *pairs, bool before)
{
	struct peak_link *link = xcalloc(pairs->n_links + 1, sizeof(*link));

	for (size_t i = 0; i < pairs->n_links; i++)
		link[i] = pairs->link[i];
	if (!before)
		qsort(link, pairs->n_links, sizeof(*link), by_after);
	return link;
}

/* Writes the calls that moved between a peak and peaks of the other side that it is not matched
 * with. */
static void write_links(struct jout *j, const struct peak_link *link, size_t n,
			const struct peaks *others, const struct peak_pair *own, bool before)
{
	bool began = false;

	for (size_t i = 0; i < n; i++) {
		const struct peak *other = end_of(&link[i], !before);

		if (other == (before ? own->after : own->before))
			continue;
		if (!began)
			jout_array(j, before ? "to" : "from");
		began = true;
		jout_flat_object(j, NULL);
		jout_u64(j, "peak", 1 + (uint64_t)(other - others->v));
		jout_f64(j, "share", link[i].share);
		jout_end_object(j);
	}
	if (began)
		jout_end_array(j);
}

void jout_matched_peaks(struct jout *j, const struct ranked_peaks *p, bool before)
{
	const struct peaks *side = before ? &p->before : &p->after;
	const size_t *of = before ? p->pairs.of_before : p->pairs.of_after;
	struct peak_link *link = links_of_side(&p->pairs, before);
	size_t from = 0;

	jout_array(j, "peaks");
	for (size_t i = 0; i < side->n; i++) {
		const struct peak_pair *pair = &p->pairs.v[of[i]];
		size_t to = from;

		while (to < p->pairs.n_links && end_of(&link[to], before) == &side->v[i])
			to++;
		jout_flat_object(j, NULL);
		jout_peak_fields(j, &side->v[i]);
		jout_text(j, "change", peak_change_name(pair->change));
		write_links(j, link + from, to - from, before ? &p->after : &p->before, pair,
			    before);
		jout_end_object(j);
		from = to;
	}
	jout_end_array(j);
	free(link);
}
