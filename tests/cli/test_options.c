/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of options: that each is complete, and that its kinds take what they say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "program/option_list.h"
#include "program/settings.h"

static bool same_letter(const struct option_row *a, const struct option_row *b)
{
	return a->letter != 0 && a->letter == b->letter;
}

static void no_command_has_two_of_one_name(void **state)
{
	(void)state;
	for (size_t i = 0; option_at(i) != NULL; i++) {
		for (size_t k = 0; k < i; k++) {
			const struct option_row *a = option_at(i), *b = option_at(k);

			if (strcmp(a->name, b->name) != 0 && !same_letter(a, b))
				continue;
			for (enum command_id c = 0; c < N_COMMANDS; c++)
				assert_false(option_is_of(a, c) && option_is_of(b, c));
		}
	}
}

static void each_row_is_complete(void **state)
{
	(void)state;
	for (size_t i = 0; option_at(i) != NULL; i++) {
		const struct option_row *row = option_at(i);
		bool has_words = row->kind == OPTION_CHOICE || row->kind == OPTION_SECTIONS ||
				 row->kind == OPTION_CHOSEN;

		assert_true(row->commands != 0 && row->help != NULL && row->name[0] != '\0');
		assert_true(!has_words || row->words != NULL);
		assert_int_equal(row->kind == OPTION_CHOSEN, row->choose != NULL);
		assert_int_equal(row->kind == OPTION_TAKEN, row->take != NULL);
		assert_int_equal(row->kind == OPTION_REPORTED, row->report != NULL);
		assert_int_equal(row->kind == OPTION_COUNT, row->expected != NULL);
		assert_true(row->kind != OPTION_FLAG ||
			    (row->arg == NULL && row->size == sizeof(bool)));
		assert_true(row->target + row->size <= sizeof(struct settings));
	}
}

/* Whether the option of a command takes it. */
static bool takes(struct settings *s, enum command_id command, const char *name, const char *arg)
{
	struct diag silent = { .emit = NULL };
	const struct option_row *row = option_of(command, name);

	assert_non_null(row);
	return option_take(row, &s->options, arg, &silent);
}

static void numbers_have_their_range(void **state)
{
	struct settings s = { 0 };

	(void)state;
	assert_true(takes(&s, COMMAND_aa, "splits", "100000") &&
		    s.options.compare.splits == 100000);
	assert_false(takes(&s, COMMAND_aa, "splits", "0"));
	assert_false(takes(&s, COMMAND_aa, "splits", "100001"));
	assert_false(takes(&s, COMMAND_aa, "splits", "1.5"));
	assert_true(takes(&s, COMMAND_record, "repeat", "7") && s.record.repeat == 7);
	assert_false(takes(&s, COMMAND_record, "repeat", "100001"));
	assert_true(takes(&s, COMMAND_rank, "min-share", "5") &&
		    s.options.compare.rules.min_share == 0.05);
	assert_false(takes(&s, COMMAND_rank, "min-share", "-1"));
	assert_false(takes(&s, COMMAND_rank, "min-share", "nan"));
	assert_false(takes(&s, COMMAND_rank, "threshold", "inf"));
	assert_true(takes(&s, COMMAND_show, "interval", "250ms"));
	assert_true(s.options.load.read.build.interval == 0.25);
	assert_false(takes(&s, COMMAND_show, "interval", "0"));
}

/* One option for single runs and for repeated ones. */
static void an_effect_is_that_of_both_rules(void **state)
{
	struct settings s = { 0 };

	(void)state;
	assert_true(takes(&s, COMMAND_rank, "min-effect", "100%"));
	assert_true(s.options.compare.rules.min_effect == 1 &&
		    s.options.compare.runs.min_effect == 1);
	assert_true(takes(&s, COMMAND_rank, "min-calls", "0.5"));
	assert_true(s.options.compare.rules.min_calls == 0.5 &&
		    s.options.compare.runs.min_calls == 0.5);
	assert_false(takes(&s, COMMAND_rank, "min-effect", "x%"));
}

static void words_are_numbers_of_their_list(void **state)
{
	struct settings s = { 0 };

	(void)state;
	assert_true(takes(&s, COMMAND_rank, "format", "markdown"));
	assert_int_equal(s.output_format, OUTPUT_FORMAT_MARKDOWN);
	assert_false(takes(&s, COMMAND_rank, "format", "mark"));
	assert_true(takes(&s, COMMAND_causes, "format", "folded"));
	assert_int_equal(s.output_format, OUTPUT_FORMAT_FOLDED);
	assert_true(takes(&s, COMMAND_rank, "exit-code", NULL));
	assert_int_equal(s.options.compare.gate, GATE_REGRESSED);
	assert_true(takes(&s, COMMAND_rank, "exit-code", "any"));
	assert_int_equal(s.options.compare.gate, GATE_ANY);
	assert_true(takes(&s, COMMAND_calls, "section", "summary,trends"));
	assert_int_equal(s.sections, 1U << 0 | 1U << 3);
	assert_false(takes(&s, COMMAND_calls, "section", "summary,trend"));
	assert_true(takes(&s, COMMAND_show, "unit", "us"));
	assert_int_equal(s.options.load.read.build.unit, UNIT_US);
	assert_true(takes(&s, COMMAND_show, "snapshots", "cumulative"));
	assert_int_equal(s.options.load.read.build.snapshots, SNAPSHOTS_CUMULATIVE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_command_has_two_of_one_name),
		cmocka_unit_test(each_row_is_complete),
		cmocka_unit_test(numbers_have_their_range),
		cmocka_unit_test(an_effect_is_that_of_both_rules),
		cmocka_unit_test(words_are_numbers_of_their_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
