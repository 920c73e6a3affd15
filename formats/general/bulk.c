/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/general/bulk.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/input/pages.h"
#include "profile/accumulator/accumulator_parts.h"
#include "profile/accumulator/operation_table.h"

enum {
	MAX_RESOLUTION = 8,
	FIRST_SLOTS = 64,
	MAX_SLOTS = 1 << 20,  /* further names go to the accumulator */
	TABLE_SPACE = 2,      /* table entries per slot, at least */
	AHEAD = 8,	      /* names between one being flushed and one being prefetched */
	SHARED_AT_ONCE = 512, /* names */
	MAX_KNOWN = 1 << 17,  /* shared names: of more, most may never come again */
};

struct bulk_name {
	struct entry *entry; /* in the operation table */
	struct entry *own;   /* in the accumulator; NULL: none yet */
	const char *raw;     /* all bytes of the name; NULL if it has at most BULK_INLINE */
	int32_t interval;    /* of the latencies counted now */
	uint32_t hash;
};

static const uint64_t power[] = { 1,	  10,	   100,	     1000,	10000,
				  100000, 1000000, 10000000, 100000000, 1000000000 };

/* Digits after the point: down to a nanosecond where the unit is a known unit of time, and with
 * enough room for large latencies in a small unit. */
static unsigned digits_of(enum unit unit)
{
	switch (unit) {
	case UNIT_S:
		return 9;
	case UNIT_MS:
	case UNIT_US:
		return 6;
	case UNIT_NS:
	case UNIT_CYCLES:
		return 3;
	case UNIT_PLAIN:
	case UNIT_UNKNOWN:
		break;
	}
	return 6;
}

/* --- steps ---------------------------------------------------------------------- */

static struct decimal decimal_of(const struct bulk *b, uint64_t v)
{
	return (struct decimal){ (decimal_int)v * power[9 - b->digits] };
}

static int bucket_of(const struct bulk *b, uint64_t v)
{
	return accumulator_bucket(b->accumulator, decimal_of(b, v));
}

/* Returns about the smallest v that lies above `bucket`; UINT64_MAX: it may be beyond 2^63. */
static uint64_t about_edge(const struct bulk *b, int bucket)
{
	double edge = bucket_high(&b->accumulator->scheme, bucket) / decimal_f64(decimal_of(b, 1));

	return edge < 0x1p63 ? (uint64_t)fmax(edge, 0) : UINT64_MAX;
}

/* Returns the smallest v >= low that lies above `bucket`; 0 when there is none.  Most often it is
 * next to where the scheme has the edge, and then few buckets are asked for. */
static uint64_t edge_above(const struct bulk *b, int bucket, uint64_t low)
{
	uint64_t about = about_edge(b, bucket), reach = (about >> 40) + 2, high = UINT64_MAX;

	if (bucket_of(b, low) > bucket)
		return low;
	if (about < UINT64_MAX && about + reach > low && bucket_of(b, about + reach) > bucket)
		high = about + reach;
	else if (bucket_of(b, high) <= bucket)
		return 0;
	if (about > low + reach && about < high && bucket_of(b, about - reach) <= bucket)
		low = about - reach;
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (bucket_of(b, middle) > bucket)
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* Finds steps by asking the accumulator, so that both always agree. */
static void find_steps(struct bulk *b)
{
	struct bulk_steps *s = &b->steps;
	size_t cap = 0, step = 0, beyond;
	uint64_t edge = 0;

	s->half = 1;
	s->first = bucket_of(b, 0);
	do {
		s->edge = xgrow(s->edge, &cap, s->n + 1, sizeof(*s->edge));
		edge = edge_above(b, s->first + (int)s->n, edge);
		s->edge[s->n++] = edge > 0 ? edge : UINT64_MAX;
	} while (edge > 0);
	for (int i = 0; i < 64; i++) {
		size_t in = 0;

		while (step + 1 < s->n && s->edge[step] <= UINT64_C(1) << i)
			step++;
		s->octave[i] = i == 0 ? 0 : (uint32_t)step;
		while (s->octave[i] + in + 1 < s->n &&
		       (i == 63 || s->edge[s->octave[i] + in] < UINT64_C(2) << i))
			in++;
		while (2 * s->half <= in)
			s->half *= 2;
	}
	/* The search reads edges beyond the last one. */
	beyond = s->n + 2 * s->half;
	s->edge = xreallocarray(s->edge, beyond, sizeof(*s->edge));
	for (size_t i = s->n - 1; i < beyond; i++)
		s->edge[i] = UINT64_MAX;
}

/* --- slots ----------------------------------------------------------------------- */

/* Slots have pages of their own, which grow without being copied and are returned to the system
 * before the profile is built. */
static void make_slots(struct bulk *b, size_t cap)
{
	b->slots = pages_grow(b->slots, b->cap * b->stride, cap * b->stride);
	b->second_word = pages_grow(b->second_word, b->cap * sizeof(*b->second_word),
				    cap * sizeof(*b->second_word));
	b->names = pages_grow(b->names, b->cap * sizeof(*b->names), cap * sizeof(*b->names));
	b->cap = cap;
}

/* Enters a slot's number where its name is searched.  False where it cannot be: such names, which
 * are few, go to the accumulator each time. */
static bool enter_slot(struct bulk *b, uint32_t hash, size_t number)
{
	size_t at = hash & b->mask;

	for (int probe = 0; probe < BULK_PROBES; probe++, at = (at + 1) & b->mask) {
		bulk_group *g = &b->table[at];

		if (bulk_in_group(*g, hash, b->number_bits) != 0)
			return false;
		for (int i = 0; i < BULK_GROUP; i++) {
			if ((*g)[i] == 0) {
				(*g)[i] = (hash & ~b->number_bits[i]) | (uint32_t)(number + 1);
				return true;
			}
		}
	}
	return false;
}

uint32_t bulk_in_next_groups(const struct bulk *b, uint32_t hash)
{
	size_t at = hash & b->mask;
	uint32_t found = 0;

	for (int probe = 1; found == 0 && probe < BULK_PROBES; probe++) {
		if (b->table[at][BULK_GROUP - 1] == 0)
			break;
		at = (at + 1) & b->mask;
		found = bulk_in_group(b->table[at], hash, b->number_bits);
	}
	return found;
}

/* Makes a table for b->cap slots, a power of two. */
static void make_table(struct bulk *b)
{
	size_t size = b->cap * TABLE_SPACE / BULK_GROUP;

	free(b->table);
	b->table = xzeroed(size, sizeof(*b->table));
	b->mask = size - 1;
	b->number_bits = (bulk_group){ 0 } + ((uint32_t)b->cap * 2 - 1);
	/* A name that no longer has room goes to the accumulator from here on. */
	for (size_t i = 0; i < b->n; i++)
		(void)enter_slot(b, b->names[i].hash, i);
}

/* Returns the least latency that the accumulator would not count, in bulk units of so many
 * billionths. */
static uint64_t limit_of(const struct accumulator *s, uint64_t scale)
{
	decimal_int limit = s->impossible / (decimal_int)scale;

	return limit < (decimal_int)UINT64_MAX ? (uint64_t)limit : UINT64_MAX;
}

struct bulk *bulk_new(struct accumulator *s)
{
	struct bulk *b;
	const size_t head = offsetof(struct bulk_slot, count);

	if (s->scheme.resolution > MAX_RESOLUTION || s->options.tap != NULL)
		return NULL;
	b = xcalloc(1, sizeof(*b));
	b->accumulator = s;
	b->digits = digits_of(s->options.unit);
	b->limit = limit_of(s, power[9 - b->digits]);
	find_steps(b);
	b->flushed = xcalloc(b->steps.n, sizeof(*b->flushed));
	b->window = b->steps.n;
	if (s->scheme.resolution == 1 && b->window > BULK_LINE - head)
		b->window = BULK_LINE - head; /* one bucket an octave */
	b->stride = (head + b->window + BULK_LINE - 1) / BULK_LINE * BULK_LINE;
	make_slots(b, FIRST_SLOTS);
	make_table(b);
	/* One more, because vector code reads two cells at once. */
	b->latest = xzeroed(BULK_LATEST + 1, sizeof(*b->latest));
	return b;
}

void bulk_free(struct bulk *b)
{
	if (b == NULL)
		return;
	free(b->steps.edge);
	free(b->table);
	free(b->latest);
	pages_free(b->slots, b->cap * b->stride);
	pages_free(b->second_word, b->cap * sizeof(*b->second_word));
	pages_free(b->names, b->cap * sizeof(*b->names));
	free(b->flushed);
	free(b->met);
	free(b);
}

static bool is_empty(const struct bulk_slot *slot)
{
	return slot->min > slot->max;
}

static void clear_slot(const struct bulk *b, struct bulk_slot *slot)
{
	slot->sum = 0;
	slot->min = UINT64_MAX;
	slot->max = 0;
	memset(slot->count, 0, b->window);
}

struct range {
	size_t low, high; /* steps */
};

static void widen_range(struct range *r, size_t step)
{
	r->low = step < r->low ? step : r->low;
	r->high = step > r->high ? step : r->high;
}

/* Widens the range by what the accumulator has counted for the name in its latest interval, except
 * in buckets that are never counted here. */
static void widen_by_own(const struct bulk *b, struct range *r, const struct bulk_name *name)
{
	const struct cell *c = name->own != NULL ? name->own->current : NULL;

	for (size_t i = 0; c != NULL && i < c->n; i++) {
		long step = (long)c->tally[i].index - b->steps.first;

		if (step >= 0 && (size_t)step < b->steps.n)
			widen_range(r, (size_t)step);
	}
}

/* Returns the base for which the range is in the middle of the window. */
static uint16_t base_for(const struct bulk *b, struct range r)
{
	size_t spare = b->window - (r.high - r.low + 1), max = b->steps.n - b->window;
	size_t base = r.low > spare / 2 ? r.low - spare / 2 : 0;

	return (uint16_t)(base < max ? base : max);
}

void bulk_set_any_name(struct bulk_item *item, struct str name)
{
	char first[BULK_INLINE] = { 0 };

	if (name.n > BULK_INLINE) {
		bulk_set_name(item, name);
		return;
	}
	if (name.n > 0)
		memcpy(first, name.p, name.n);
	bulk_set_name(item, (struct str){ first, name.n });
	item->name = name;
}

/* Converts a latency to bulk units; false when it is not a whole number of them, or too large. */
static bool in_units(const struct bulk *b, struct decimal latency, uint64_t *ret)
{
	const uint64_t scale = power[9 - b->digits];
	decimal_int v = latency.billionths, whole;

	if (v >= 0 && v <= (decimal_int)UINT64_MAX)
		whole = (decimal_int)((uint64_t)v / scale); /* the usual case, which is faster */
	else
		whole = v / scale;
	if (whole < 0 || whole >= (decimal_int)b->limit || whole * scale != v)
		return false;
	*ret = (uint64_t)whole;
	return true;
}

static struct bulk_name *bulk_name_of(const struct bulk *b, const struct bulk_slot *slot)
{
	return &b->names[(size_t)((const char *)slot - b->slots) / b->stride];
}

/* Adds an empty slot; false when its name cannot have one. */
static bool add_slot(struct bulk *b, const struct met *met)
{
	struct bulk_slot *slot;

	if (b->n == b->cap) {
		make_slots(b, b->cap * 2);
		make_table(b);
	}
	if (!enter_slot(b, met->hash, b->n))
		return false;
	slot = bulk_at(b, b->n);
	clear_slot(b, slot);
	slot->first_word = met->word[0];
	slot->n_name = met->n_name;
	slot->base = BULK_KNOWN;
	slot->sum = met->offset;
	b->second_word[b->n] = met->word[1];
	b->second_words |= met->word[1] != 0;
	b->names[b->n++] =
		(struct bulk_name){ .entry = met->entry, .raw = met->raw, .hash = met->hash };
	return true;
}

static void begin_slot(const struct bulk *b, struct bulk_slot *slot, size_t step)
{
	slot->sum = 0;
	slot->base = base_for(b, (struct range){ step, step });
}

/* Shares the names met here with the other threads, and adds slots for the names they shared. */
static void exchange_names(struct bulk *b)
{
	struct shared_names *shared = operation_table_shared_names(b->accumulator->operation_table);

	(void)pthread_mutex_lock(&shared->lock);
	for (; b->n_known < shared->n && b->n < MAX_KNOWN; b->n_known++)
		(void)add_slot(b, &shared->met[b->n_known]);
	if (shared->n < MAX_KNOWN) {
		shared->met =
			xgrow(shared->met, &shared->cap, shared->n + b->n_met, sizeof(*b->met));
		memcpy(shared->met + shared->n, b->met, b->n_met * sizeof(*b->met));
		shared->n += b->n_met;
	}
	b->n_known = shared->n;
	b->n_met = 0;
	(void)pthread_mutex_unlock(&shared->lock);
}

/* Adds an item's name, which is new here.  False when it cannot have a slot. */
static bool add_name(struct bulk *b, struct bulk_item *item, const struct sample *sample)
{
	struct met met = { .word = { item->word[0], item->word[1] },
			   .offset = sample->offset,
			   .hash = item->hash,
			   .n_name = (uint16_t)item->name.n };

	if (b->n == MAX_SLOTS || item->name.n > UINT16_MAX)
		return false;
	if (item->name.n > BULK_INLINE)
		met.raw = arena_str(b->accumulator->arena, item->name).p;
	if (!add_slot(b, &met))
		return false;
	item->number = (uint32_t)b->n - 1;
	item->slot = bulk_at(b, item->number);
	met.entry = b->names[item->number].entry =
		operation_table_look_up(b->accumulator->operation_table, sample);
	b->met = xgrow(b->met, &b->cap_met, b->n_met + 1, sizeof(*b->met));
	b->met[b->n_met++] = met;
	return true;
}

bool bulk_learn(struct bulk *b, struct bulk_item *item, const struct sample *sample)
{
	long interval;

	if (!in_units(b, sample->latency, &item->latency) ||
	    !accumulator_interval(b->accumulator, sample->start, &interval))
		return false;
	bulk_prefetch_slot(b, item);
	if (!bulk_knows(b, item)) {
		if (!add_name(b, item, sample))
			return false;
	} else if (item->slot->base == BULK_KNOWN) {
		(void)operation_table_look_up(b->accumulator->operation_table, sample);
	} else {
		return false;
	}
	item->step = (uint32_t)bulk_step(&b->steps, item->latency);
	begin_slot(b, item->slot, item->step);
	b->names[item->number].interval = (int32_t)interval;
	if (!bulk_count(b, item))
		return false;
	if (sample->timed)
		bulk_see(b, sample->start, item->latency);
	if (b->n_met == SHARED_AT_ONCE)
		exchange_names(b);
	return true;
}

bool bulk_meet(struct bulk *b, const struct bulk_item *item, uint64_t offset)
{
	if (item->slot->base != BULK_KNOWN || offset < item->slot->sum)
		return false;
	begin_slot(b, item->slot, item->step);
	return true;
}

bool bulk_same_rest(const struct bulk *b, const struct bulk_slot *slot, struct str name)
{
	return memcmp(bulk_name_of(b, slot)->raw, name.p, name.n) == 0;
}

/* --- to the accumulator and the operation table ---------------------------------------------
 */

/* Returns what a slot has counted; the tallies are in b->flushed. */
static struct counted counted_in(struct bulk *b, const struct bulk_slot *slot)
{
	/* A sum below 2^64, times at most 10^9, fits into a decimal. */
	struct counted ret = { .total = decimal_of(b, slot->sum),
			       .min = decimal_of(b, slot->min),
			       .max = decimal_of(b, slot->max),
			       .tally = b->flushed };

	for (size_t i = 0; i < b->window; i++) {
		if (slot->count[i] == 0)
			continue;
		ret.count += slot->count[i];
		b->flushed[ret.n++] =
			(struct tally){ b->steps.first + slot->base + (int)i, slot->count[i] };
	}
	return ret;
}

/* Returns the accumulator's cell for the name in its current interval. */
static struct cell *own_cell(struct bulk *b, struct bulk_name *name)
{
	/* The operation table already knows the name's first offset. */
	const struct sample met = { .layer = name->entry->layer,
				    .name = name->entry->name,
				    .offset = UINT64_MAX };

	if (name->own == NULL)
		name->own = accumulator_entry(b->accumulator, &met);
	return accumulator_cell(b->accumulator, name->own, name->interval);
}

bool bulk_flush_slot(struct bulk *b, struct bulk_slot *slot)
{
	struct counted counted;

	if (is_empty(slot))
		return true;
	counted = counted_in(b, slot);
	if (!cell_add(own_cell(b, bulk_name_of(b, slot)), &counted, b->accumulator->arena))
		return false;
	clear_slot(b, slot);
	return true;
}

bool bulk_move(struct bulk *b, struct bulk_slot *slot, size_t step)
{
	struct range r = { step, step };

	if (slot->base == BULK_KNOWN)
		return false;
	widen_by_own(b, &r, bulk_name_of(b, slot));
	if (!is_empty(slot)) {
		widen_range(&r, bulk_step(&b->steps, slot->min));
		widen_range(&r, bulk_step(&b->steps, slot->max));
	}
	if (r.high - r.low >= b->window || !bulk_flush_slot(b, slot))
		return false;
	slot->base = base_for(b, r);
	return true;
}

void bulk_flush(struct bulk *b)
{
	for (size_t i = 0; i < b->n; i++) {
		struct bulk_slot *slot = bulk_at(b, i);
		const struct bulk_name *name = &b->names[i];
		struct counted counted;

		if (i + AHEAD < b->n)
			accumulator_ask(b->names[i + AHEAD].entry);
		if (is_empty(slot))
			continue;
		counted = counted_in(b, slot);
		operation_table_add(b->accumulator->operation_table, name->entry, name->interval,
				    &counted);
		clear_slot(b, slot);
	}
}

void bulk_see(struct bulk *b, struct decimal start, uint64_t latency)
{
	accumulator_see_latency(b->accumulator, start, decimal_of(b, latency));
}

bool bulk_turn(struct bulk *b, struct bulk_slot *slot, long interval)
{
	struct bulk_name *name = bulk_name_of(b, slot);

	if (name->interval == interval)
		return true;
	if (!bulk_flush_slot(b, slot))
		return false;
	name->interval = (int32_t)interval;
	return true;
}
