/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare/ as a library: a program that knows no options compares runs and asks the gate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "compare/compare.h"
#include "compare/compare_options.h"
#include "load/load_options.h"

static const char *stories;

static void count_errors(void *ctx, const struct diag_msg *msg)
{
	*(unsigned *)ctx += msg->severity == SEV_ERROR;
}

/* The gate of two folders of runs below `stories`. */
static enum gate_result gate_of(const char *before, const char *after, unsigned *ret_errors)
{
	char path[2][300], *operand[2] = { path[0], path[1] };
	struct load_options q = load_options_default();
	struct compare_options how = compare_options_default();
	struct diag diag = { .emit = count_errors, .ctx = ret_errors };
	enum gate_result result = GATE_INCONCLUSIVE;
	struct compared c;

	(void)snprintf(path[0], sizeof(path[0]), "%s/%s", stories, before);
	(void)snprintf(path[1], sizeof(path[1]), "%s/%s", stories, after);
	q.operand = operand;
	q.n_operands = 2;
	how.gate = GATE_REGRESSED;
	if (compare_runs(&c, &q, &how, &diag)) {
		result = gate_result(comparison_gate(&c.comparison), false);
		compared_release(&c);
	}
	load_options_release(&q);
	return result;
}

/* The mean of fio's reads rose by 1.4 times; testdata/stories/expected.csv. */
static void a_slower_side_fails_and_the_other_passes(void **state)
{
	unsigned errors = 0;

	(void)state;
	assert_int_equal(gate_of("fio-timed/before", "fio-timed/after", &errors), GATE_FAILED);
	assert_int_equal(gate_of("fio-timed/after", "fio-timed/before", &errors), GATE_PASSED);
	assert_int_equal(gate_of("hey-same/before", "hey-same/after", &errors), GATE_PASSED);
	assert_int_equal(errors, 0);
}

static void what_is_not_there_is_an_error(void **state)
{
	unsigned errors = 0;

	(void)state;
	(void)gate_of("fio-timed/before", "no-such-folder", &errors);
	assert_int_equal(errors, 1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slower_side_fails_and_the_other_passes),
		cmocka_unit_test(what_is_not_there_is_an_error),
	};

	if (argc != 2)
		return 2;
	stories = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
