/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every unit test needs: cmocka, seeded random numbers, captured diagnostics. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"

/* xorshift64: the same numbers everywhere.  The seed is printed, so that a test
 * which fails on it can be distinguished from one that fails on another. */
struct rng {
	uint64_t state;
};

static inline struct rng rng_start(uint64_t seed)
{
	print_message("seed %llu\n", (unsigned long long)seed);
	return (struct rng){ seed * 0x9e3779b97f4a7c15ULL + 1 };
}

static inline uint64_t rng_u64(struct rng *r)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return r->state;
}

static inline unsigned rng_below(struct rng *r, unsigned n)
{
	return (unsigned)((rng_u64(r) >> 11) % n);
}

/* Any double that is finite. */
static inline double rng_f64(struct rng *r)
{
	double v;

	do {
		uint64_t bits = rng_u64(r);

		memcpy(&v, &bits, sizeof(v));
	} while (!(v - v == 0));
	return v;
}

/* Keeps the last diagnostic. */
struct captured {
	unsigned n;
	enum diag_code code;
	struct position at;
	size_t len;
	char detail[200], file[200];
};

static inline void consider(void *ctx, const struct diag_msg *msg)
{
	struct captured *h = ctx;

	h->n++;
	h->code = msg->code;
	h->at = msg->input != NULL && msg->at != DIAG_NOWHERE ? input_position(msg->input, msg->at)
							      : (struct position){ 0 };
	h->len = msg->len;
	(void)snprintf(h->detail, sizeof(h->detail), "%s", msg->detail);
	if (msg->input != NULL)
		(void)snprintf(h->file, sizeof(h->file), "%.*s", STR_ARG(msg->input->name));
}

static inline struct diag diag_to(struct captured *h)
{
	*h = (struct captured){ 0 };
	return (struct diag){ .emit = consider, .ctx = h };
}

static inline struct input input_of(const char *text)
{
	struct input in;

	input_borrow(&in, "test", text, strlen(text));
	return in;
}

static inline void assert_str(struct str got, const char *expected)
{
	if (!str_eq(got, str_from(expected)))
		fail_msg("got \"%.*s\", expected \"%s\"", STR_ARG(got), expected);
}

/* What was written so far, forgotten afterwards. */
static inline void assert_out(struct out *o, const char *expected)
{
	assert_str(out_memory(o), expected);
	out_reset(o);
}

#endif
