/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An intake that a test feeds, and the calls that come out of it. */
#ifndef TESTS_WATCH_FED_H
#define TESTS_WATCH_FED_H

#include "tests/unit/unit.h"

#include <string.h>

#include "base/str.h"
#include "watch/intake.h"

struct fed {
	struct intake *k;
	uint64_t read, write; /* calls of these operations */
	int messages;
};

static inline void count(void *ctx, struct profile *p)
{
	struct fed *f = ctx;

	for (size_t i = 0; i < p->n_ops; i++) {
		bool writes = str_eq(p->op[i].name, STR("write"));

		*(writes ? &f->write : &f->read) += operation_count(&p->op[i]);
	}
	profile_free(p);
}

static inline void note(void *ctx, const char *message)
{
	struct fed *f = ctx;

	(void)message;
	f->messages++;
}

static inline void start(struct fed *f)
{
	const struct intake_options options = { .read.build.unit = UNIT_NS, .max_bytes = 1 << 30 };

	*f = (struct fed){ .messages = 0 };
	f->k = intake_new("test", &options, count, note, f);
}

static inline void feed(struct fed *f, double at, const char *text)
{
	intake_take(f->k, text, strlen(text), at);
}

/* Ends the intake: its ledger adds up, and so many calls were read. */
static inline void end(struct fed *f, uint64_t read, uint64_t write)
{
	const struct ledger *l = intake_ledger(f->k);

	intake_cut(f->k, true);
	intake_finish(f->k);
	assert_int_equal(l->in, l->read + l->dropped + intake_waiting(f->k));
	assert_int_equal(f->read, read);
	assert_int_equal(f->write, write);
	intake_free(f->k);
}

#endif
