/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of reports: formats/report/template.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/report/template.h"
#include "tests/unit/unit.h"

static struct captures found;

static bool matches(const char *template, const char *line, bool grouped)
{
	return template_match(template, str_from(line), grouped, &found);
}

/* Matches "v = {mean}" and returns the nanoseconds; -1: nothing was measured, -2: no match. */
static double time_of(const char *text, bool grouped)
{
	char line[128];

	(void)snprintf(line, sizeof(line), "v = %s", text);
	if (!matches("v = {mean}", line, grouped))
		return -2;
	if (!found.of[0].value.known)
		return -1;
	return decimal_f64(found.of[0].value.number) *
	       (found.of[0].value.ns > 0 ? (double)found.of[0].value.ns : 1);
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		bool grouped;
		double ns;
	} cases[] = {
		{ "1.5 ms", false, 1500000 },
		{ "1.5ms", false, 1500000 },
		{ "7 \xc2\xb5s", false, 7000 },
		{ "1m30s", false, 90e9 },
		{ "2.5", false, 2.5 },
		{ "1e-05s", false, 10000 },
		{ "19224k", false, 19224000 },
		/* decimal commas and groups */
		{ "1,5 ms", false, 1500000 },
		{ "1,234", false, 1.234 },
		{ "1,234", true, 1234 },
		{ "1,234.5", true, 1234.5 },
		{ "1.234,5", false, 1234.5 },
		{ "1,234,567", false, 1234567 },
		{ "1\xe2\x80\xaf"
		  "234,5",
		  false, 1234.5 },
		{ "1\xc2\xa0"
		  "234",
		  false, 1234 },
		{ "1'234.5", false, 1234.5 },
		/* nothing measured */
		{ "nan", false, -1 },
		{ "-nanus", false, -1 },
		{ "N/A", false, -1 },
		{ "-", false, -1 },
		/* no time */
		{ "", false, -2 },
		{ "ms", false, -2 },
		{ "1.5 mistakes", false, -2 },
		{ "1.5 ms more", false, -2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_true(fabs(time_of(cases[i].text, cases[i].grouped) - cases[i].ns) < 1e-9);
}

static void test_text(void **state)
{
	(void)state;
	assert_true(matches("{name} {calls} {number}(*%) | {mean} *",
			    "GET  /a b   188   3(0.5%) |  11 1 44", false));
	assert_int_equal(found.n, 4);
	assert_true(str_eq(found.of[0].text, STR("GET  /a b")));
	assert_int_equal(decimal_f64(found.of[1].value.number), 188);
	/* A blank in a template is a blank in the line. */
	assert_false(matches("a b", "ab", false));
	assert_true(matches("a b *", "a   b", false));
	assert_true(matches("{{ *", "{ x }", false));
	/* Counts in lists are not numbers with groups. */
	assert_true(matches("total={number},{calls},*", "total=1,234,5,0", false));
	assert_int_equal(decimal_f64(found.of[1].value.number), 234);
}

static void test_repetition(void **state)
{
	(void)state;
	assert_true(
		matches("| ~{percent}th=[{value}],", "|  1.00th=[   33], 99.99th=[16581]", false));
	assert_int_equal(found.n, 4);
	assert_int_equal(found.of[3].field, FIELD_VALUE);
	assert_true(matches("a ~{high}={share}%,*", "a 4=1.5%, 10=2%, >=2000=1%", false));
	assert_int_equal(found.n, 4);
}

/* Many ways to match must not take more than a moment. */
static void test_hostile(void **state)
{
	char line[1001];

	(void)state;
	memset(line, 'a', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	assert_false(matches("*a*a*a*a*{name}b", line, false));
	memset(line, '1', sizeof(line) - 1);
	assert_false(matches("v = {mean}", line, false));
	assert_int_equal(time_of("99999999999999999999999999999999999999999", false), -2);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_repetition),
		cmocka_unit_test(test_hostile),
	};

	(void)argc;
	(void)argv;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
