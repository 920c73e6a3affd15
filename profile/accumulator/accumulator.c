/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/accumulator/accumulator.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sort.h"
#include "profile/accumulator/accumulator_parts.h"

enum {
	AHEAD = 8, /* operations that are prefetched before they are pushed */
	SPARE = 1, /* extra buckets: what another thread adds mostly has at most one new bucket */
};

static const uint64_t billion = 1000000000;

struct bucket_scheme accumulator_scheme(enum unit unit, unsigned resolution)
{
	/* 2^-10 us, 2^-20 ms and 2^-30 s are the next octave below a nanosecond. */
	static const int octaves[] = { [UNIT_US] = 10, [UNIT_MS] = 20, [UNIT_S] = 30 };
	struct bucket_scheme s = bucket_log2(resolution > 0 ? resolution : 1);

	s.first = -octaves[unit] * (int)s.resolution;
	return s;
}

struct accumulator *accumulator_new(const struct accumulator_options *options)
{
	struct accumulator *s = xcalloc(1, sizeof(*s));
	struct decimal slice;

	s->options = *options;
	s->scheme = accumulator_scheme(options->unit, options->resolution);
	s->impossible = accumulator_impossible_from(options->unit);
	s->start_units = accumulator_start_units(options);
	s->since_1970 = accumulator_since_1970(options);
	s->arena = arena_new();
	if (options->interval > 0 &&
	    decimal_from_f64(options->interval * options->start_rate, &slice))
		s->slice = slice.billionths > 0 ? slice.billionths : 1;
	return s;
}

void accumulator_free(struct accumulator *s)
{
	if (s == NULL)
		return;
	HASH_CLEAR(hh, s->further);
	hash_index_release(&s->hash_index);
	free(s->entry);
	arena_free(s->arena);
	free(s);
}

const struct accumulator_options *accumulator_options_of(const struct accumulator *s)
{
	return &s->options;
}

/* Finds the number of an interval, counted from the first; false when it is too far away. */
static bool count_intervals(const struct accumulator *s, struct decimal start, long *ret)
{
	decimal_int since, k;

	if (__builtin_sub_overflow(start.billionths, s->first, &since))
		return false;
	if (since >= 0 && since <= LONG_MAX && s->slice <= LONG_MAX)
		k = (long)since / (long)s->slice;
	else
		k = since / s->slice - (since % s->slice < 0);
	*ret = (long)k;
	return k < ACCUMULATOR_MAX_INTERVALS && k > -ACCUMULATOR_MAX_INTERVALS;
}

bool accumulator_interval(struct accumulator *s, struct decimal start, long *ret)
{
	long min, max;

	if (s->slice == 0) {
		*ret = 0;
		return true;
	}
	if (!s->has_first)
		accumulator_begin(s, start);
	if (!count_intervals(s, start, ret))
		return false;
	min = s->started && s->min < *ret ? s->min : *ret;
	max = s->started && s->max > *ret ? s->max : *ret;
	if (max - min >= ACCUMULATOR_MAX_INTERVALS)
		return false;
	s->min = min;
	s->max = max;
	s->started = true;
	return true;
}

/* Makes this the first of the operation's samples so far. */
static void begin_with(struct accumulator *s, struct entry *e, const struct sample *sample)
{
	e->offset = sample->offset;
	e->where = sample->where;
	e->line = (struct line_copy){ .number = 0 };
	if (sample->of != NULL && sample->where.p != NULL)
		e->where = input_copy_line(sample->of, sample->where, s->arena, &e->line);
}

static bool is_of(const struct entry *e, const struct sample *sample)
{
	return str_eq(e->name, sample->name) && str_eq(e->layer, sample->layer);
}

/* Successive operations are mostly of one layer: they share its copy. */
static struct str keep_layer(struct accumulator *s, struct str layer)
{
	if (s->current != NULL && str_eq(s->current->layer, layer))
		return s->current->layer;
	return arena_str(s->arena, layer);
}

static struct entry *add_entry(struct accumulator *s, const struct sample *sample)
{
	struct entry *e = arena_make(s->arena, struct entry, 1);

	e->layer = keep_layer(s, sample->layer);
	e->name = arena_str(s->arena, sample->name);
	begin_with(s, e, sample);
	s->entry = xgrow(s->entry, &s->cap_entries, s->n + 1, sizeof(*s->entry));
	s->entry[s->n++] = e;
	return e;
}

static struct entry *find_or_add(struct accumulator *s, const struct sample *sample, bool *ret_new)
{
	uint32_t hash;
	size_t at, number;

	hash_index_reserve(&s->hash_index, s->n);
	hash = hash_index_hash(&s->hash_index, sample->name,
			       hash_index_hash(&s->hash_index, sample->layer, 0));
	*ret_new = false;
	at = hash_index_first(&s->hash_index, hash);
	while (hash_index_next(&s->hash_index, &at, hash, &number)) {
		if (is_of(s->entry[number], sample))
			return s->entry[number];
		at++;
	}
	*ret_new = true;
	hash_index_take(&s->hash_index, at, hash, s->n);
	return add_entry(s, sample);
}

struct entry *accumulator_entry_of(struct accumulator *s, const struct sample *sample,
				   bool *ret_new)
{
	return s->current = find_or_add(s, sample, ret_new);
}

struct entry *accumulator_entry(struct accumulator *s, const struct sample *sample)
{
	struct entry *e = s->current;
	bool is_new;

	if (e == NULL || !is_of(e, sample))
		e = accumulator_entry_of(s, sample, &is_new);
	if (sample->offset < e->offset)
		begin_with(s, e, sample);
	return e;
}

/* Finds or adds the cell of an interval other than the first cell's. */
static struct cell *find_further(struct accumulator *s, struct entry *e, long interval)
{
	struct cell_entry *c, wanted;

	memset(&wanted.key, 0, sizeof(wanted.key));
	wanted.key.entry = e;
	wanted.key.interval = interval;
	HASH_FIND(hh, s->further, &wanted.key, sizeof(wanted.key), c);
	if (c == NULL) {
		c = arena_make(s->arena, struct cell_entry, 1);
		c->key.entry = e;
		c->key.interval = c->cell.interval = interval;
		e->last->next = &c->cell;
		e->last = &c->cell;
		e->n_cells++;
		HASH_ADD(hh, s->further, key, sizeof(c->key), c);
	}
	return &c->cell;
}

struct cell *accumulator_cell(struct accumulator *s, struct entry *e, long interval)
{
	struct cell *c = e->current;

	if (c != NULL && c->interval == interval)
		return c;
	if (c == NULL) {
		e->first.interval = interval;
		e->last = &e->first;
		e->n_cells = 1;
	}
	e->current = e->first.interval == interval ? &e->first : find_further(s, e, interval);
	return e->current;
}

/* At resolution 1 the bucket is computed without a double, which might round the latency up to
 * the next edge. */
int accumulator_bucket(const struct accumulator *s, struct decimal latency)
{
	const struct bucket_scheme *scheme = &s->scheme;
	decimal_int v = latency.billionths;

	if (scheme->resolution == 1 && v >= (decimal_int)billion && v <= (decimal_int)UINT64_MAX)
		return 63 - __builtin_clzll((uint64_t)v / billion);
	return bucket_find(scheme, decimal_f64(latency));
}

/* Finds the first tally of this bucket or a higher one; c->n when there is none. */
static size_t find_tally(const struct cell *c, int index)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->tally[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void make_room(struct cell *c, size_t need, struct arena *a)
{
	size_t more = c->cap + c->cap / 2, cap = (need > more ? need : more) + SPARE;
	struct tally *tally;

	if (need <= c->cap)
		return;
	tally = arena_make(a, struct tally, cap);
	if (c->n > 0)
		memcpy(tally, c->tally, c->n * sizeof(*tally));
	c->tally = tally;
	c->cap = cap;
}

static size_t count_missing(const struct cell *c, const struct tally *add, size_t n)
{
	size_t missing = 0, at = 0;

	for (size_t i = 0; i < n; i++) {
		while (at < c->n && c->tally[at].index < add[i].index)
			at++;
		missing += at == c->n || c->tally[at].index != add[i].index;
	}
	return missing;
}

/* Merges from the highest bucket down, so that no tally is overwritten before it is moved. */
static void add_tallies(struct cell *c, const struct tally *add, size_t n, struct arena *a)
{
	size_t from = c->n, to = from + count_missing(c, add, n);

	make_room(c, to, a);
	c->n = to;
	while (n > 0) {
		struct tally *next = &c->tally[--to];

		if (from == 0 || c->tally[from - 1].index < add[n - 1].index) {
			*next = add[--n];
			continue;
		}
		*next = c->tally[--from];
		if (next->index == add[n - 1].index)
			next->count += add[--n].count;
	}
}

static void count_one(struct cell *c, int index, struct arena *a)
{
	struct tally one = { index, 1 };
	size_t at = find_tally(c, index);

	if (at < c->n && c->tally[at].index == index)
		c->tally[at].count++;
	else
		add_tallies(c, &one, 1, a);
}

static bool add_sums(struct cell *c, const struct counted *more)
{
	struct decimal sum;

	if (!decimal_add(c->total, more->total, &sum))
		return false;
	c->total = sum;
	if (c->count == 0 || more->min.billionths < c->min.billionths)
		c->min = more->min;
	if (c->count == 0 || more->max.billionths > c->max.billionths)
		c->max = more->max;
	c->count += more->count;
	return true;
}

bool cell_add(struct cell *c, const struct counted *more, struct arena *a)
{
	if (!add_sums(c, more))
		return false;
	add_tallies(c, more->tally, more->n, a);
	return true;
}

enum sampled accumulator_add(struct accumulator *s, const struct sample *sample)
{
	const struct counted one = {
		.count = 1, .total = sample->latency, .min = sample->latency, .max = sample->latency
	};
	struct cell *c;
	long interval;

	if (accumulator_is_impossible(s, sample->latency))
		return accumulator_lose(accumulator_entry(s, sample), sample);
	if (!accumulator_interval(s, sample->start, &interval))
		return SAMPLED_TOO_MANY_INTERVALS;
	c = accumulator_cell(s, accumulator_entry(s, sample), interval);
	/* One latency always fits into an empty total: no cell is left empty. */
	if (!add_sums(c, &one))
		return SAMPLED_TOTAL_OVERFLOW;
	count_one(c, accumulator_bucket(s, sample->latency), s->arena);
	if (sample->timed)
		accumulator_see_latency(s, sample->start, sample->latency);
	if (s->options.tap != NULL)
		s->options.tap->sampled(s->options.tap, sample, &s->options);
	return SAMPLED;
}

static void miss_interval(struct accumulator *s, const struct sample *sample)
{
	long interval;

	if (count_intervals(s, sample->start, &interval)) {
		s->too_wide = true;
		return;
	}
	if (s->far == NULL)
		s->far = arena_make(s->arena, struct entry, 1);
	else if (s->far->offset <= sample->offset)
		return;
	begin_with(s, s->far, sample);
}

void accumulator_miss(struct accumulator *s, enum sampled why, const struct sample *sample)
{
	if (why == SAMPLED_TOTAL_OVERFLOW)
		accumulator_entry(s, sample)->overflow = true;
	else if (why == SAMPLED_TOO_MANY_INTERVALS)
		miss_interval(s, sample);
}

void accumulator_begin(struct accumulator *s, struct decimal start)
{
	s->first = start.billionths;
	s->has_first = true;
	if (!s->options.utc || s->slice == 0)
		return;
	s->base = s->first / s->slice - (s->first % s->slice < 0);
	s->first = s->base * s->slice;
}

/* --- to the builder ---------------------------------------------------------- */

/* What the operations of several accumulators have in common. */
struct pushed {
	const struct accumulator *s; /* one of them */
	struct bucket_scheme scheme; /* theirs, but its bucket of zero may reach higher */
	long min;		     /* lowest interval of all */
	bool recursive;		     /* calls of the current entry lie within its own calls */
	struct builder *b;
};

/* Returns the lowest bucket above zero in use; INT_MAX if there is none. */
static int lowest_above_zero(const struct cell *c, int first)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->tally[i].index >= first)
			return c->tally[i].index;
	}
	return INT_MAX;
}

static bool has_zero(const struct cell *c, int first)
{
	for (size_t i = 0; i < c->n && c->tally[i].index < first; i++) {
		if (c->tally[i].index == first - 1)
			return true;
	}
	return false;
}

/* Without a known granularity: guesses that latencies are whole units, when some are zero and none
 * lies between 0 and 1. */
static bool are_whole_units(const struct accumulator *s, struct entry *const *entry, size_t n)
{
	int first = s->scheme.first;
	bool zeros = false;

	if (first >= 0 || s->options.granularity > 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		for (const struct cell *c = &entry[i]->first; c != NULL; c = c->next) {
			if (lowest_above_zero(c, first) < 0)
				return false;
			zeros |= has_zero(c, first);
		}
	}
	return zeros;
}

static bool push_cell(const struct pushed *to, const struct cell *c, struct str where)
{
	const struct accumulator *s = to->s;
	double length = s->options.interval;
	struct builder *b = to->b;

	if (s->slice > 0) {
		decimal_int k = s->options.utc ? s->base + c->interval : c->interval - to->min;

		if (!build_interval(b, (double)k * length, (double)(k + 1) * length, where))
			return false;
	}
	if (!build_scheme(b, &to->scheme, where))
		return false;
	for (size_t i = 0; i < c->n; i++) {
		int index = c->tally[i].index;

		if (index < s->scheme.first)
			index += to->scheme.first - s->scheme.first;
		if (!build_bucket(b, index, c->tally[i].count, where))
			return false;
	}
	build_min(b, decimal_f64(c->min));
	build_max(b, decimal_f64(c->max));
	if (c->n_nested == c->count && !s->not_nested &&
	    (!build_self(b, c->self, where) ||
	     (to->recursive && !build_inclusive(b, c->outermost, where))))
		return false;
	return build_count(b, c->count, where) && build_total(b, c->total, where);
}

static int by_interval(const void *pa, const void *pb)
{
	const struct cell *const *a = pa, *const *b = pb;

	return ((*a)->interval > (*b)->interval) - ((*a)->interval < (*b)->interval);
}

static bool is_recursive(const struct entry *e)
{
	for (const struct cell *c = &e->first; c != NULL; c = c->next) {
		if (c->n_nested == c->count && !decimal_eq(c->outermost, c->total))
			return true;
	}
	return false;
}

static bool push_cells(struct pushed *to, const struct entry *e)
{
	const struct cell **cell;
	size_t n = 0;
	bool ok = true;

	to->recursive = is_recursive(e);
	if (e->n_cells == 0) /* all of its latencies are impossible */
		return build_scheme(to->b, &to->scheme, e->where);
	if (e->n_cells == 1)
		return push_cell(to, &e->first, e->where);
	cell = xcalloc(e->n_cells, sizeof(*cell));
	for (const struct cell *c = &e->first; c != NULL; c = c->next)
		cell[n++] = c;
	qsort(cell, n, sizeof(*cell), by_interval);
	for (size_t i = 0; i < n && ok; i++)
		ok = push_cell(to, cell[i], e->where);
	free(cell);
	return ok;
}

/* Makes messages about this entry point into its copied line, or into the input. */
static void stand_at(struct builder *b, const struct entry *e)
{
	if (e->line.text.p != NULL)
		builder_line(b, &e->line);
	else
		builder_part(b, NULL);
}

static bool push_entry(struct pushed *to, const struct entry *e)
{
	const struct accumulator_options *o = &to->s->options;
	struct builder *b = to->b;

	stand_at(b, e);
	if (e->overflow)
		return build_fail(b, DIAG_TOTAL_OVERFLOW, e->where,
				  "the latencies of %.*s add up to more than 1.7e29",
				  STR_ARG(e->name));
	if (!build_new_operation(b, e->layer, e->name, e->where))
		return false;
	build_whole_run(b);
	build_unit(b, o->unit, o->unit_source);
	if (o->threshold > 0)
		build_threshold(b, o->threshold);
	if (o->granularity > 0)
		build_granularity(b, o->granularity);
	if (o->fixed_duration)
		build_fixed_duration(b);
	return (e->n_impossible == 0 ||
		build_impossible(b, e->n_impossible, decimal_f64(e->impossible), e->where)) &&
	       push_cells(to, e);
}

/* Returns all operations, ordered by the offsets of their first samples, then as they were met. */
static struct entry **in_order(struct accumulator *const *s, size_t n_accumulators, size_t n)
{
	struct sort_item *item = xreallocarray(NULL, n, sizeof(*item));
	struct entry **entry = xreallocarray(NULL, n, sizeof(*entry));
	struct entry **ordered = xreallocarray(NULL, n, sizeof(*ordered));

	n = 0;
	for (size_t i = 0; i < n_accumulators; i++) {
		for (size_t k = 0; k < s[i]->n; k++, n++) {
			entry[n] = s[i]->entry[k];
			item[n] = (struct sort_item){ entry[n]->offset, n };
		}
	}
	sort_by_key(item, n);
	for (size_t i = 0; i < n; i++)
		ordered[i] = entry[item[i].number];
	free(entry);
	free(item);
	return ordered;
}

/* Reports samples that did not fit; s is the first accumulator, which holds them all. */
static bool push_misses(const struct accumulator *s, struct builder *b)
{
	struct str nowhere = { NULL, 0 };
	const char *hint = s->options.start_hint != NULL ? s->options.start_hint : "";

	if (s->far == NULL && !s->too_wide)
		return true;
	if (s->far != NULL)
		stand_at(b, s->far);
	return build_fail(b, DIAG_INTERVAL_BAD, s->far != NULL ? s->far->where : nowhere,
			  "more than %d intervals%s%s", ACCUMULATOR_MAX_INTERVALS,
			  s->far != NULL ? " up to here" : "", hint);
}

bool accumulators_push(struct accumulator *const *s, size_t n_accumulators, struct builder *b)
{
	struct pushed to = { .s = s[0], .scheme = s[0]->scheme, .min = LONG_MAX, .b = b };
	struct entry **entry;
	bool ok = true;
	size_t n = 0;

	for (size_t i = 0; i < n_accumulators; i++) {
		n += s[i]->n;
		if (s[i]->started && s[i]->min < to.min)
			to.min = s[i]->min;
	}
	if (!push_misses(s[0], b))
		return false;
	if (s[0]->options.utc && s[0]->slice > 0)
		build_epoch(b);
	entry = in_order(s, n_accumulators, n);
	if (are_whole_units(s[0], entry, n))
		to.scheme.first = 0;
	build_all_differ(b);
	for (size_t i = 0; i < n && ok; i++) {
		if (i + AHEAD < n)
			accumulator_ask(entry[i + AHEAD]);
		ok = push_entry(&to, entry[i]);
	}
	builder_part(b, NULL);
	free(entry);
	accumulators_push_elapsed(s, n_accumulators, b);
	return ok && !builder_failed(b);
}

bool accumulator_push(struct accumulator *s, struct builder *b)
{
	return accumulators_push(&s, 1, b);
}
