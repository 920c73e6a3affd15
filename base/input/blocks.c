/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/input/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/input/input_file.h"
#include "base/xalloc.h"

enum { PADDING = 64 }; /* readable bytes after a block */

static size_t count_lines(const char *p, size_t n)
{
	return str_count((struct str){ p, n }, '\n');
}

/* Numbers of the bytes that delimit records. */
struct census {
	size_t newlines, quotes, nuls;
};

static struct census census_of(struct str s, char quote)
{
	struct str_counts n = str_count_three(s, (const char[]){ '\n', quote, '\0' });

	return (struct census){ n.of[0], quote != '\0' ? n.of[1] : 0, n.of[2] };
}

static void census_take_off(struct census *c, const struct census *less)
{
	c->newlines -= less->newlines;
	c->quotes -= less->quotes;
	c->nuls -= less->nuls;
}

/* Returns how many bytes of s are whole records (0: none), and counts what is in them.  A newline
 * ends a record if the number of quotes before it is even. */
static size_t whole_records(struct str s, char quote, struct census *ret)
{
	size_t newline;

	*ret = census_of(s, quote);
	while ((newline = str_find_last(s, STR("\n"))) < s.n) {
		size_t whole = newline + 1;
		struct census after = census_of(str_skip(s, whole), quote);

		census_take_off(ret, &after);
		if (ret->quotes % 2 == 0)
			return whole;
		ret->newlines--;
		s.n = whole - 1;
	}
	return 0;
}

void blocks_start(struct blocks *b, struct input *in, size_t from, char quote)
{
	*b = (struct blocks){ .in = in, .quote = quote, .from = from, .at = from };
	b->enough = in->block > 0 ? in->block : BLOCK_BYTES;
	b->lines = in->lines_before + count_lines(in->bytes.p, from);
	(void)pthread_mutex_init(&b->lock, NULL);
}

void blocks_release(struct blocks *b)
{
	(void)pthread_mutex_destroy(&b->lock);
	free(b->carry);
}

bool blocks_are_few(const struct blocks *b)
{
	if (b->n_parts > 1)
		return false;
	return b->in->rest == NULL && b->in->bytes.n - b->from <= b->enough;
}

static void carry_tail(struct blocks *b, struct str tail)
{
	b->carry = xgrow(b->carry, &b->cap_carry, tail.n + 1, 1);
	if (tail.n > 0)
		memcpy(b->carry, tail.p, tail.n);
	b->carried = (struct str){ b->carry, tail.n };
}

/* Takes a block from the bytes in memory, without a copy.  False when no whole record is left. */
static bool from_memory(struct blocks *b, struct block *block, struct census *ret)
{
	struct str rest = str_skip(b->in->bytes, b->from), s = rest;

	for (size_t n = b->enough;; n *= 2) {
		s.n = n < rest.n ? n : rest.n;
		if (s.n == rest.n && b->in->rest == NULL) {
			*ret = census_of(s, b->quote);
			break;
		}
		s.n = whole_records(s, b->quote, ret);
		if (s.n > b->beyond || n >= rest.n)
			break;
	}
	if (s.n <= b->beyond)
		s.n = 0;
	block->part.bytes = s;
	block->limit = b->in->bytes.p + b->in->bytes.n;
	b->from += s.n;
	b->ended = b->in->rest == NULL && s.n == rest.n;
	if (s.n > 0)
		return true;
	carry_tail(b, rest);
	b->from = b->in->bytes.n;
	return false;
}

static void make_room(struct block *block, size_t n)
{
	block->room = xgrow(block->room, &block->cap, n + PADDING, 1);
}

/* Reads more bytes into block->room, after the first *n, up to `enough` in all. */
static bool read_on(struct blocks *b, struct block *block, size_t *n, size_t enough,
		    bool *ret_ended, struct diag *diag)
{
	size_t got = 1;

	make_room(block, enough);
	for (; *n < enough && got > 0; *n += got) {
		block->part.bytes = (struct str){ block->room, *n };
		if (!input_next(b->in, block->room + *n, enough - *n, &got, &block->part, diag))
			return false;
	}
	*ret_ended = got == 0;
	return true;
}

static bool too_long(struct blocks *b, struct block *block, struct diag *diag)
{
	diag_at(diag, DIAG_INPUT_LARGE, &block->part, 0, 0,
		"one record of more than %zu bytes; --max-input raises the limit",
		input_limit(b->in));
	return false;
}

static bool from_file(struct blocks *b, struct block *block, struct census *ret, struct diag *diag)
{
	size_t n = b->carried.n, whole = b->drained ? n : 0;

	make_room(block, n);
	if (n > 0)
		memcpy(block->room, b->carried.p, n);
	for (size_t enough = b->enough; whole <= b->beyond && !b->drained; enough *= 2) {
		if (!read_on(b, block, &n, enough, &b->drained, diag))
			return false;
		block->part.bytes = (struct str){ block->room, n };
		whole = b->drained ? n : whole_records(block->part.bytes, b->quote, ret);
		if (whole <= b->beyond && !b->drained && n > input_limit(b->in))
			return too_long(b, block, diag);
	}
	b->ended = b->drained;
	carry_tail(b, (struct str){ block->room + whole, n - whole });
	memset(block->room + n, 0, PADDING);
	block->part.bytes = (struct str){ block->room, whole };
	block->limit = block->room + n + PADDING;
	if (b->drained)
		*ret = census_of(block->part.bytes, b->quote);
	return true;
}

/* Puts back the record that has a NUL byte and all after it.  If nothing new is left in the block,
 * reports an error and returns false. */
static bool stop_at_nul(struct blocks *b, struct block *block, struct diag *diag)
{
	struct str *s = &block->part.bytes, front = *s;

	front.n = (size_t)((const char *)memchr(s->p, '\0', s->n) - s->p);
	front.n = whole_records(front, b->quote, &(struct census){ 0 });
	if (front.n <= b->beyond)
		return input_is_text(&block->part, *s, diag);
	blocks_again(b, block, front.n);
	b->ended = false;
	*s = front;
	return true;
}

static enum block_next next_block(struct blocks *b, struct block *block, struct diag *diag)
{
	struct census found = { 0 };

	if (b->ended || b->stopped)
		return BLOCK_END;
	block->part.name = b->in->name;
	block->part.lines_before = b->lines;
	block->number = b->number++;
	block->at = b->at;
	if (!(b->from < b->in->bytes.n && from_memory(b, block, &found)) &&
	    !from_file(b, block, &found, diag)) {
		b->stopped = true;
		return BLOCK_FAILED;
	}
	block->part.passing = block->part.bytes.p == block->room;
	b->lines += found.newlines;
	b->at += block->part.bytes.n;
	if (found.nuls > 0 && !stop_at_nul(b, block, diag)) {
		b->stopped = true;
		return BLOCK_FAILED;
	}
	b->beyond = 0;
	return block->part.bytes.n > 0 ? BLOCK_TAKEN : BLOCK_END;
}

enum block_next blocks_next(struct blocks *b, struct block *block, struct diag *diag)
{
	enum block_next what;

	input_release(&block->part);
	(void)pthread_mutex_lock(&b->lock);
	do
		what = next_block(b, block, diag);
	while (what == BLOCK_TAKEN && b->n_parts > 0 && block->number % b->n_parts != b->part);
	(void)pthread_mutex_unlock(&b->lock);
	return what;
}

void blocks_stop(struct blocks *b)
{
	(void)pthread_mutex_lock(&b->lock);
	b->stopped = true;
	(void)pthread_mutex_unlock(&b->lock);
}

void blocks_again(struct blocks *b, const struct block *block, size_t at)
{
	struct str tail = str_skip(block->part.bytes, at);

	b->lines -= count_lines(tail.p, tail.n);
	b->at -= tail.n;
	b->beyond = tail.n;
	if (!block->part.passing) {
		b->from -= tail.n;
		return;
	}
	b->carry = xgrow(b->carry, &b->cap_carry, tail.n + b->carried.n + 1, 1);
	memmove(b->carry + tail.n, b->carry, b->carried.n);
	memcpy(b->carry, tail.p, tail.n);
	b->carried = (struct str){ b->carry, tail.n + b->carried.n };
}

bool blocks_complete(struct blocks *b, struct block *block, size_t at, struct diag *diag)
{
	size_t lines = input_position(&block->part, at).line - 1;
	struct str front = str_skip(block->part.bytes, at), after = b->carried;
	char *bytes;

	if (!block->part.passing)
		after = str_skip(b->in->bytes, b->from);
	bytes = xcalloc(front.n + after.n + 1, 1);
	memcpy(bytes, front.p, front.n);
	if (after.n > 0)
		memcpy(bytes + front.n, after.p, after.n);
	blocks_stop(b);
	input_release(&block->part);
	return input_complete_from(b->in, bytes, front.n + after.n, lines, diag);
}

void block_release(struct block *block)
{
	input_release(&block->part);
	free(block->room);
}
