/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles made by hand through the builder. */
#ifndef TESTS_BUILDING_H
#define TESTS_BUILDING_H

#include "tests/unit/unit.h"

#include <math.h>

#include "profile/builder/builder.h"
#include "profile/profile.h"

/* Diagnostics counted by their code. */
struct building {
	struct input in;
	struct diag diag;
	struct build_options options;
	struct builder *b;
	unsigned seen[DIAG_OUTPUT_FAILED + 1];
	size_t at; /* of the last one */
};

static const struct str nowhere = { NULL, 0 };

static inline void count_code(void *ctx, const struct diag_msg *msg)
{
	struct building *t = ctx;

	t->seen[msg->code]++;
	t->at = msg->at;
}

/* Call with options already set; `text` is what places are parts of. */
static inline struct builder *begin(struct building *t, const char *text)
{
	memset(t->seen, 0, sizeof(t->seen));
	t->diag = (struct diag){ .emit = count_code, .ctx = t };
	t->in = input_of(text);
	t->b = builder_new(&t->in, "by-hand", &t->options, &t->diag);
	return t->b;
}

static inline void operation(struct builder *b, const char *name)
{
	assert_true(build_operation(b, STR(""), str_from(name), nowhere));
}

/* A histogram of the current operation: counts of buckets 0, 1, 2 ... */
static inline void counts(struct builder *b, const uint64_t *count, size_t n)
{
	assert_true(build_histogram(b, nowhere));
	for (size_t i = 0; i < n; i++) {
		if (count[i] > 0)
			assert_true(build_range(b, ldexp(1, (int)i), ldexp(1, (int)i + 1), count[i],
						nowhere));
	}
}

static inline struct profile *finish(struct building *t)
{
	struct profile *p = builder_finish(t->b);

	assert_non_null(p);
	assert_int_equal(t->diag.seen[SEV_ERROR], 0);
	return p;
}

/* One error of this code, everything false from then on, and no profile. */
static inline void finish_with(struct building *t, enum diag_code code)
{
	assert_true(builder_failed(t->b) || code == DIAG_NO_OPERATIONS ||
		    code == DIAG_SCHEME_MIXED || code == DIAG_COUNT_OVERFLOW ||
		    code == DIAG_TOTAL_OVERFLOW);
	assert_null(builder_finish(t->b));
	assert_int_equal(t->diag.seen[SEV_ERROR], 1);
	if (t->seen[code] != 1)
		fail_msg("expected %s", diag_name(code));
}

static inline struct decimal total_of(const char *text)
{
	struct decimal d;

	assert_true(decimal_parse(str_from(text), &d));
	return d;
}

static inline void assert_bucket(const struct histogram *h, size_t i, double low, double high,
				 uint64_t count)
{
	assert_true(i < h->n);
	if (h->bucket[i].edges->low != low || h->bucket[i].edges->high != high ||
	    h->bucket[i].count != count)
		fail_msg("bucket %zu is [%g, %g) x %llu", i, h->bucket[i].edges->low,
			 h->bucket[i].edges->high, (unsigned long long)h->bucket[i].count);
}

#endif
