/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The intervals that snapshots belong to: given by their begin and end, or one after the other. */
#include <limits.h>
#include <math.h>

#include "base/xalloc.h"
#include "profile/builder/builder_parts.h"

static void add_span(struct builder *b, double start, double end)
{
	if (b->n_spans == INT_MAX)
		xalloc_die();
	b->span = xgrow(b->span, &b->cap_spans, b->n_spans + 1, sizeof(*b->span));
	b->span[b->n_spans++] = (struct span){ start, end };
	b->interval = (int)b->n_spans - 1;
	b->interval_used = false;
}

/* What was pushed before the first stamp turns out to be an interval, too. */
static void first_interval(struct builder *b)
{
	bool used = b->interval_used;

	add_span(b, NAN, NAN);
	b->interval_used = used;
	for (size_t i = 0; i < b->profile->n_ops; i++) {
		struct series *s = b->op_builder[i].series;

		b->op_builder[i].interval = b->interval;
		for (size_t k = 0; s != NULL && k < s->n; k++)
			s->snapshot[k].interval = b->interval;
		if (s != NULL)
			s->whole = NO_SNAPSHOT;
	}
}

void build_next_interval(struct builder *b, double stamp)
{
	if (b->failed)
		return;
	seal_histogram(b);
	if (b->n_spans == 0 && b->interval_used)
		first_interval(b);
	if (b->n_spans > 0 && !b->interval_used) /* two stamps and nothing between */
		b->span[b->n_spans - 1].end = isnan(stamp) ? b->span[b->n_spans - 1].end : stamp;
	else
		add_span(b, NAN, stamp);
}

void build_untimed(struct builder *b)
{
	b->profile->untimed = true;
}

static bool is_span(const struct builder *b, size_t number, struct span span)
{
	return b->span[number].start == span.start && b->span[number].end == span.end;
}

static uint32_t hash_of_span(const struct builder *b, const struct span *span)
{
	return hash_index_hash(&b->given, (struct str){ (const char *)span, sizeof(*span) }, 0);
}

/* Adds to the hash index the spans that are not there yet. */
static void find_span_places(struct builder *b)
{
	for (; b->n_indexed < b->n_spans; b->n_indexed++) {
		size_t at, number;
		uint32_t hash;

		hash_index_reserve(&b->given, b->n_indexed);
		hash = hash_of_span(b, &b->span[b->n_indexed]);
		at = hash_index_first(&b->given, hash);
		while (hash_index_next(&b->given, &at, hash, &number))
			at++;
		hash_index_take(&b->given, at, hash, b->n_indexed);
	}
}

/* Operations mostly have the same spans in the same order, so the index is seldom needed: a span
 * is the one after the last, or later than all known. */
static bool find_span(struct builder *b, struct span span, size_t *ret_number)
{
	uint32_t hash;

	*ret_number = b->next_given;
	if (b->next_given < b->n_spans && is_span(b, b->next_given, span))
		return true;
	if (b->n_spans == 0 || span.start > b->latest_start)
		return false;
	find_span_places(b);
	hash = hash_of_span(b, &span);
	for (size_t at = hash_index_first(&b->given, hash);
	     hash_index_next(&b->given, &at, hash, ret_number); at++) {
		if (is_span(b, *ret_number, span))
			return true;
	}
	return false;
}

bool build_interval(struct builder *b, double start, double end, struct str where)
{
	const struct span span = { start + 0.0, end + 0.0 }; /* -0 is 0 */
	size_t number;

	if (b->failed)
		return false;
	seal_histogram(b);
	if (!(start >= 0 && end >= start && end < HUGE_VAL))
		return build_fail(b, DIAG_INTERVAL_BAD, where, "expected 0 <= start <= end");
	b->spans_given = true;
	if (!find_span(b, span, &number)) {
		number = b->n_spans;
		add_span(b, span.start, span.end);
		b->latest_start = fmax(b->latest_start, span.start);
	}
	b->next_given = number + 1;
	b->interval = (int)number;
	return true;
}

void build_whole_run(struct builder *b)
{
	seal_histogram(b);
	b->interval = WHOLE_RUN;
	b->next_given = 0;
}
