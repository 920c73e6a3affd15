/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of the capture library have in common: a profile, read back. */
#ifndef TESTS_COLLECT_CAPTURING_H
#define TESTS_COLLECT_CAPTURING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/diag.h"
#include "base/input/input.h"
#include "collect/osprof.h"
#include "formats/format.h"
#include "profile/profile.h"

/* Prints p and reads it; nothing in it may be worth a message. */
static inline struct profile *read_back(struct osprof *p)
{
	struct diag diag = { .emit = NULL };
	struct read_options options = { .numbering = NUMBERING_UNKNOWN };
	struct profile *profile;
	struct input in;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	assert_non_null(f);
	assert_int_equal(osprof_print(p, f), 0);
	assert_int_equal(fclose(f), 0);
	input_borrow(&in, "captured.osprof", text, n);
	profile = format_read(NULL, &in, &options, &diag);
	if (profile == NULL || diag.seen[SEV_WARNING] != 0)
		print_error("%s", text);
	assert_non_null(profile);
	assert_int_equal(diag.seen[SEV_WARNING], 0);
	assert_string_equal(profile->format, "osprof");
	input_release(&in);
	free(text);
	return profile;
}

static inline const struct operation *operation_named(const struct profile *p, const char *name)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (str_eq(p->op[i].name, str_from(name)))
			return &p->op[i];
	}
	return NULL;
}

/* Calls of an operation, after holding count and total against each other. */
static inline uint64_t calls_of(const struct profile *p, const char *name)
{
	const struct operation *op = operation_named(p, name);

	assert_non_null(op);
	assert_true(op->stated.has_count && op->stated.count_agrees);
	assert_true(op->stated.has_total && op->stated.total_agrees);
	return operation_count(op);
}

#endif
