/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/programs/traced_clock.h"

#include <stdlib.h>

#include "base/scan.h"
#include "base/xalloc.h"
#include "formats/tracer_lines.h"
#include "profile/accumulator/accumulator.h"

enum { DECIMALS = 9, LONGEST_SECONDS = 9, CLOCK_DAY = 86400 };
static const uint64_t billion = 1000000000;

static uint64_t ns_of_fraction(struct str s)
{
	uint64_t ns = 0;

	for (size_t i = 1; i <= DECIMALS; i++)
		ns = ns * 10 + (i < s.n && is_digit(s.p[i]) ? (uint64_t)(s.p[i] - '0') : 0);
	return ns;
}

/* Parses a word of the leader as a time; a number without a point is a process. */
static enum stamp parse_stamp(struct str word, uint64_t *ret_ns)
{
	struct str whole = word, fraction = { word.p + word.n, 0 };
	uint64_t seconds;
	double of_day;

	if (str_contains(word, STR(":"))) {
		if (!is_time_line(word, &of_day))
			return STAMP_NONE;
		seconds = (uint64_t)of_day;
		if (str_cut(word, '.', &whole, &fraction))
			fraction = (struct str){ fraction.p - 1, fraction.n + 1 };
		*ret_ns = seconds * billion + ns_of_fraction(fraction);
		return STAMP_CLOCK;
	}
	if (!str_cut(word, '.', &whole, &fraction) || number_u64(whole, &seconds) != NUMBER_OK ||
	    seconds > UINT64_MAX / billion / 2)
		return STAMP_NONE;
	fraction = (struct str){ fraction.p - 1, fraction.n + 1 };
	*ret_ns = seconds * billion + ns_of_fraction(fraction);
	return whole.n > LONGEST_SECONDS ? STAMP_EPOCH : STAMP_SINCE_LAST;
}

static void set_now(struct traced_clock *c, enum stamp kind, uint64_t ns)
{
	if (kind == STAMP_SINCE_LAST) {
		c->now += ns;
		return;
	}
	if (kind == STAMP_CLOCK) {
		if (c->has_now && ns + c->days + CLOCK_DAY / 2 * billion < c->now)
			c->days += CLOCK_DAY * billion;
		ns += c->days;
	}
	c->now = ns;
}

static void note_line(struct traced_clock *c, enum stamp kind, struct str printed)
{
	if (c->times.kind == STAMP_NONE)
		c->times = (struct block_times){ .kind = kind,
						 .first = c->now,
						 .earliest = c->now,
						 .latest = c->now,
						 .fine = str_contains(printed, STR(".")) };
	c->times.last = c->now;
	c->has_now = true;
	traced_clock_see(c, 0);
}

void traced_clock_read(struct traced_clock *c, struct str leader)
{
	struct cursor rest = CURSOR_OVER(leader);
	struct str word;
	uint64_t ns;

	while (scan_word(&rest, &word)) {
		enum stamp kind = parse_stamp(word, &ns);

		if (kind == STAMP_NONE)
			continue;
		set_now(c, kind, ns);
		note_line(c, kind, word);
		return;
	}
}

void traced_clock_see(struct traced_clock *c, uint64_t ns)
{
	struct block_times *t = &c->times;

	if (!c->has_now)
		return;
	if (c->now < t->earliest)
		t->earliest = c->now;
	if (c->now + ns > t->latest)
		t->latest = c->now + ns;
}

void traced_clock_begin(struct traced_clock *c)
{
	c->times = (struct block_times){ .kind = STAMP_NONE };
	c->now = c->days = 0;
	c->has_now = false;
}

static void add_block(struct traced_clock *c, const struct block_times *t)
{
	c->ended = xgrow(c->ended, &c->cap_ended, c->n_ended + 1, sizeof(*c->ended));
	c->ended[c->n_ended++] = *t;
}

void traced_clock_end(struct traced_clock *c, uint64_t block)
{
	c->times.block = block;
	if (c->times.kind != STAMP_NONE)
		add_block(c, &c->times);
}

void traced_clock_join(struct traced_clock *c, const struct traced_clock *other)
{
	for (size_t i = 0; i < other->n_ended; i++)
		add_block(c, &other->ended[i]);
}

static int by_block(const void *a, const void *b)
{
	const struct block_times *s = a, *t = b;

	return (s->block > t->block) - (s->block < t->block);
}

/* Returns what to add to the times of a block after blocks that ended at `last`. */
static uint64_t begin_of_block(const struct block_times *t, uint64_t begin, uint64_t last)
{
	if (t->kind == STAMP_SINCE_LAST)
		return last;
	if (t->kind == STAMP_CLOCK && begin + t->first + CLOCK_DAY / 2 * billion < last)
		return begin + CLOCK_DAY * billion;
	return begin;
}

void traced_clock_push(struct traced_clock *c, struct accumulator *to)
{
	uint64_t begin = 0, last = 0;

	if (c->n_ended > 0)
		qsort(c->ended, c->n_ended, sizeof(*c->ended), by_block);
	for (size_t i = 0; i < c->n_ended && c->ended[i].kind == c->ended[0].kind; i++) {
		const struct block_times *t = &c->ended[i];

		begin = begin_of_block(t, begin, last);
		last = begin + t->last;
		accumulator_see(to, decimal_from_u64(begin + t->earliest),
				decimal_from_u64(begin + t->latest), t->fine);
	}
}

void traced_clock_release(struct traced_clock *c)
{
	free(c->ended);
}
