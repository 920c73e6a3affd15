/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls/span_skew.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/tables/number_map.h"
#include "base/xalloc.h"

/* A coin gives so many equal throws once in 2^5: fewer calls may fit one offset by chance. */
enum { MIN_CALLS = 5 };

/* What one call allows: offsets from low to high put it into its caller. */
struct slack {
	uint64_t hosts; /* of caller and called */
	int64_t low, high;
};

static uint64_t hosts_of(const struct skew_span *caller, const struct skew_span *called)
{
	return (uint64_t)caller->host << 32 | called->host;
}

static const struct skew_span *caller_of(const struct skew_span *span, size_t i)
{
	return span[i].parent == 0 ? NULL : &span[span[i].parent - 1];
}

static int by_hosts(const void *a, const void *b)
{
	const struct slack *x = a, *y = b;

	return (x->hosts > y->hosts) - (x->hosts < y->hosts);
}

static int by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Nearly all: a few callers may have given up waiting. */
static bool is_most(size_t part, size_t n)
{
	return part * 10 >= n * 9;
}

static size_t n_fitting(const struct slack *s, size_t n, int64_t offset)
{
	size_t fit = 0;

	for (size_t i = 0; i < n; i++)
		fit += s[i].low <= offset && offset <= s[i].high;
	return fit;
}

/* Returns the middle of the offsets that fit the most calls; 0 if none fits any. */
static int64_t best_offset(const struct slack *s, size_t n_calls)
{
	int64_t *low = xcalloc(n_calls, sizeof(*low)), *high = xcalloc(n_calls, sizeof(*high));
	size_t n = 0, begun = 0, ended = 0, max = 0;
	int64_t best = 0;

	for (size_t i = 0; i < n_calls; i++) {
		if (s[i].low <= s[i].high) {
			low[n] = s[i].low;
			high[n++] = s[i].high;
		}
	}
	qsort(low, n, sizeof(*low), by_time);
	qsort(high, n, sizeof(*high), by_time);
	for (; begun < n; begun++) {
		while (high[ended] < low[begun])
			ended++;
		if (begun + 1 - ended > max) {
			max = begun + 1 - ended;
			best = low[begun] + (high[ended] - low[begun]) / 2;
		}
	}
	free(low);
	free(high);
	return best;
}

/* Returns the offset between the clocks of two hosts; 0 where there is none, or none is found. */
static int64_t offset_of(const struct slack *s, size_t n)
{
	int64_t best;

	if (n < MIN_CALLS || is_most(n_fitting(s, n, 0), n))
		return 0;
	best = best_offset(s, n);
	return is_most(n_fitting(s, n, best), n) ? best : 0;
}

/* Lists the calls between hosts.  A call that outlasts its caller has no slack, whatever the
 * offset. */
static struct slack *list_calls(const struct skew_span *span, size_t n, int64_t step, size_t *ret_n)
{
	struct slack *v = NULL;
	size_t cap = 0, found = 0;

	for (size_t i = 0; i < n; i++) {
		const struct skew_span *caller = caller_of(span, i), *s = &span[i];

		if (caller == NULL || caller->host == s->host)
			continue;
		v = xgrow(v, &cap, found + 1, sizeof(*v));
		v[found++] = (struct slack){ .hosts = hosts_of(caller, s),
					     .low = caller->start - s->start - step,
					     .high = caller->end - s->end + step };
	}
	if (found > 0)
		qsort(v, found, sizeof(*v), by_hosts);
	*ret_n = found;
	return v;
}

/* Returns the offsets by hosts, as uint64_t. */
static struct number_map find_offsets(const struct slack *v, size_t n)
{
	struct number_map offsets = { .slot = NULL };
	bool is_new;

	for (size_t from = 0, to; from < n; from = to) {
		int64_t offset;

		for (to = from + 1; to < n && v[to].hosts == v[from].hosts;)
			to++;
		offset = offset_of(v + from, to - from);
		if (offset != 0)
			*number_map_at(&offsets, v[from].hosts, &is_new) = (uint64_t)offset;
	}
	return offsets;
}

static int64_t offset_between(const struct number_map *offsets, const struct skew_span *caller,
			      const struct skew_span *called)
{
	const uint64_t *found = number_map_find(offsets, hosts_of(caller, called));

	return found != NULL ? (int64_t)*found : 0;
}

enum { OPEN = 1, DONE };

/* Moves a span as far as its caller, plus the offset between their clocks.  Callers come first;
 * of spans that call each other in a circle, one is taken to have no caller. */
static void move_with_caller(const struct skew_span *span, const struct number_map *offsets,
			     uint32_t at, char *state, uint32_t *path, int64_t *ret_shift)
{
	size_t n = 0;

	for (; state[at] == 0; at = span[at].parent - 1) {
		state[at] = OPEN;
		path[n++] = at;
		if (span[at].parent == 0)
			break;
	}
	while (n > 0) {
		uint32_t i = path[--n];
		const struct skew_span *caller = caller_of(span, i);

		if (caller != NULL && state[span[i].parent - 1] == DONE)
			ret_shift[i] = ret_shift[span[i].parent - 1] +
				       offset_between(offsets, caller, &span[i]);
		state[i] = DONE;
	}
}

static struct skew move_all(const struct skew_span *span, size_t n,
			    const struct number_map *offsets, int64_t *ret_shift)
{
	char *state = xcalloc(n, 1);
	uint32_t *path = xcalloc(n, sizeof(*path));
	struct skew ret = { .n = 0 };

	for (size_t i = 0; i < n; i++) {
		move_with_caller(span, offsets, (uint32_t)i, state, path, ret_shift);
		ret.n += ret_shift[i] != 0;
		if (llabs(ret_shift[i]) > ret.max)
			ret.max = llabs(ret_shift[i]);
	}
	free(path);
	free(state);
	return ret;
}

struct skew span_skew_find(const struct skew_span *span, size_t n, int64_t step, int64_t *ret_shift)
{
	size_t n_calls;
	struct slack *calls = list_calls(span, n, step, &n_calls);
	struct number_map offsets = find_offsets(calls, n_calls);
	struct skew ret = { .n = 0 };

	for (size_t i = 0; i < n; i++)
		ret_shift[i] = 0;
	if (offsets.n > 0)
		ret = move_all(span, n, &offsets, ret_shift);
	number_map_release(&offsets);
	free(calls);
	return ret;
}
