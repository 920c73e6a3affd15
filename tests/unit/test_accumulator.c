/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Individual samples into histograms, and the decimals that they are read as. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "profile/accumulator/operation_table.h"
#include "profile/profile.h"

enum { N_THREADS = 2 };

static struct input nothing;

static struct decimal number(const char *text)
{
	struct decimal d = { 0 };

	assert_int_equal(number_decimal(str_from(text), &d), NUMBER_OK);
	return d;
}

static enum sampled add(struct accumulator *s, const char *name, const char *latency,
			const char *start)
{
	struct sample sample = { .name = str_from(name),
				 .layer = STR(""),
				 .latency = number(latency),
				 .start = number(start) };

	return accumulator_add(s, &sample);
}

static struct profile *finish(struct accumulator *s)
{
	struct build_options options = { 0 };
	struct diag diag = { 0 };
	struct builder *b;
	struct profile *p;

	input_borrow(&nothing, "test", "", 0);
	b = builder_new(&nothing, "test", &options, &diag);
	assert_true(accumulator_push(s, b));
	p = builder_finish(b);
	assert_non_null(p);
	assert_int_equal(diag.seen[SEV_WARNING], 0);
	accumulator_free(s);
	return p;
}

/* 0.012 us = 2^-6.4 us, 3 and 2.5 us are in [2, 4); 5.512 in all. */
static void counts_by_hand(void **state)
{
	struct accumulator_options options = { .unit = UNIT_US };
	struct accumulator *s = accumulator_new(&options);
	const struct operation *op;
	struct profile *p;

	(void)state;
	assert_int_equal(add(s, "read", "0.012", "0"), SAMPLED);
	assert_int_equal(add(s, "write", "7", "0"), SAMPLED);
	assert_int_equal(add(s, "read", "3", "0"), SAMPLED);
	assert_int_equal(add(s, "read", "2.5", "0"), SAMPLED);
	p = finish(s);
	assert_int_equal(p->n_ops, 2);
	assert_int_equal(p->unit, UNIT_US);
	op = &p->op[0];
	assert_true(str_eq(op->name, STR("read")));
	assert_int_equal(op->hist.n, 2);
	assert_int_equal(op->hist.bucket[0].edges->index, -7);
	assert_int_equal(op->hist.bucket[0].count, 1);
	assert_int_equal(op->hist.bucket[1].edges->index, 1);
	assert_int_equal(op->hist.bucket[1].count, 2);
	assert_int_equal(op->stated.count, 3);
	assert_true(decimal_eq(op->stated.total, number("5.512")));
	assert_true(op->stated.min == 0.012 && op->stated.max == 3);
	assert_int_equal(op->n_intervals, 0);
	profile_free(p);
}

/* Below a nanosecond, at zero and below zero: buckets -31, -31 and -32 of seconds. */
static void keeps_nothing_negative_and_tiny_apart(void **state)
{
	struct accumulator_options options = { .unit = UNIT_S };
	struct accumulator *s = accumulator_new(&options);
	struct profile *p;

	(void)state;
	assert_int_equal(add(s, "x", "0.0000000001", "0"), SAMPLED); /* rounds to 0 */
	assert_int_equal(add(s, "x", "0", "0"), SAMPLED);
	assert_int_equal(add(s, "x", "-0.5", "0"), SAMPLED);
	assert_int_equal(add(s, "x", "0.000000001", "0"), SAMPLED);
	p = finish(s);
	assert_int_equal(p->op[0].hist.n, 3);
	assert_int_equal(p->op[0].hist.bucket[0].edges->index, -32);
	assert_int_equal(p->op[0].hist.bucket[0].count, 1);
	assert_int_equal(p->op[0].hist.bucket[1].edges->index, -31);
	assert_int_equal(p->op[0].hist.bucket[1].count, 2);
	assert_int_equal(p->op[0].hist.bucket[2].edges->index, -30);
	assert_true(p->op[0].stated.min == -0.5);
	profile_free(p);
}

/* A double would round 2^33 - 1e-9 to 2^33, one bucket too high. */
static void edges_are_exact(void **state)
{
	struct accumulator_options options = { .unit = UNIT_NS };
	struct accumulator *s = accumulator_new(&options);
	struct profile *p;

	(void)state;
	assert_int_equal(add(s, "x", "8589934591.999999999", "0"), SAMPLED);
	assert_int_equal(add(s, "x", "8589934592", "0"), SAMPLED);
	p = finish(s);
	assert_int_equal(p->op[0].hist.n, 2);
	assert_int_equal(p->op[0].hist.bucket[0].edges->index, 32);
	assert_int_equal(p->op[0].hist.bucket[1].edges->index, 33);
	profile_free(p);
}

/* Starts in ns, intervals of 2.5 s, the first start at 10 s: 12.5 s begins the next. */
static void slices_time(void **state)
{
	struct accumulator_options options = { .unit = UNIT_NS,
					       .interval = 2.5,
					       .start_rate = 1e9 };
	struct accumulator *s = accumulator_new(&options);
	const struct operation *op;
	struct profile *p;

	(void)state;
	assert_int_equal(add(s, "a", "5", "10000000000"), SAMPLED);
	assert_int_equal(add(s, "b", "5", "22500000000"), SAMPLED);
	assert_int_equal(add(s, "a", "6", "12499999999"), SAMPLED);
	assert_int_equal(add(s, "a", "9", "12500000000"), SAMPLED);
	assert_int_equal(add(s, "a", "1", "9999999999"), SAMPLED); /* earlier than the first */
	p = finish(s);
	op = &p->op[0];
	assert_int_equal(op->n_intervals, 3);
	assert_int_equal(op->hist.count, 4);
	assert_true(decimal_eq(op->stated.total, number("21")));
	assert_true(op->interval[0].start == 0 && op->interval[0].end == 2.5);
	assert_int_equal(op->interval[0].hist.count, 1);
	assert_true(op->interval[1].start == 2.5 && op->interval[1].end == 5);
	assert_int_equal(op->interval[1].hist.count, 2);
	assert_true(op->interval[1].stated.max == 6);
	assert_int_equal(op->interval[2].hist.count, 1);
	op = &p->op[1];
	assert_int_equal(op->n_intervals, 1);
	assert_true(op->interval[0].start == 15);
	profile_free(p);
}

static void refuses_what_does_not_fit(void **state)
{
	struct accumulator_options options = { .unit = UNIT_PLAIN, .interval = 1, .start_rate = 1 };
	struct accumulator *s = accumulator_new(&options);
	struct profile *p;

	(void)state;
	assert_int_equal(add(s, "x", "1.7e29", "0"), SAMPLED);
	assert_int_equal(add(s, "x", "1e28", "0"), SAMPLED_TOTAL_OVERFLOW);
	assert_int_equal(add(s, "x", "1", "1048576"), SAMPLED_TOO_MANY_INTERVALS);
	assert_int_equal(add(s, "x", "1", "-1048576"), SAMPLED_TOO_MANY_INTERVALS);
	assert_int_equal(add(s, "x", "1", "1048575"), SAMPLED);
	assert_int_equal(add(s, "y", "1", "-1"), SAMPLED_TOO_MANY_INTERVALS);
	p = finish(s);
	assert_int_equal(p->n_ops, 1);
	assert_int_equal(p->op[0].hist.count, 2);
	profile_free(p);
}

/* Nothing is kept but what each latency is defined to be. */
static void agrees_with_brute_force(void **state)
{
	enum { N = 3000, OPS = 3, INTERVALS = 5 };
	struct accumulator_options options = {
		.unit = UNIT_MS, .resolution = 3, .interval = 1, .start_rate = 1
	};
	struct bucket_scheme scheme = accumulator_scheme(UNIT_MS, 3);
	static int index[N], op_of[N], interval_of[N];
	struct accumulator *s = accumulator_new(&options);
	uint64_t seed = 1;
	struct profile *p;

	(void)state;
	for (int i = 0; i < N; i++) {
		char name[2] = "a", latency[32], start[32];
		double v;

		seed = seed * 6364136223846793005U + 1442695040888963407U;
		v = exp2((double)(seed >> 40) / (1 << 24) * 40 - 22) - 1e-6;
		(void)snprintf(latency, sizeof(latency), "%.9f", v);
		op_of[i] = (int)(seed >> 20) % OPS & 3;
		interval_of[i] = i == 0 ? 0 : (int)((seed >> 30) % INTERVALS);
		name[0] = (char)('a' + op_of[i]);
		(void)snprintf(start, sizeof(start), "%d.25", interval_of[i]);
		assert_int_equal(add(s, name, latency, start), SAMPLED);
		index[i] = bucket_find(&scheme, decimal_f64(number(latency)));
	}
	p = finish(s);
	for (size_t o = 0; o < p->n_ops; o++) {
		const struct operation *op = &p->op[o];
		int which = op->name.p[0] - 'a';
		uint64_t seen = 0;

		assert_int_equal(op->n_intervals, INTERVALS);
		for (size_t k = 0; k < op->n_intervals; k++) {
			const struct histogram *h = &op->interval[k].hist;

			for (size_t i = 0; i < h->n; i++) {
				uint64_t expected = 0;

				for (int e = 0; e < N; e++)
					expected += op_of[e] == which &&
						    index[e] == h->bucket[i].edges->index &&
						    interval_of[e] == (int)op->interval[k].start;
				assert_int_equal(h->bucket[i].count, expected);
				seen += expected;
			}
		}
		assert_int_equal(op->hist.count, seen);
		for (int e = 0; e < N; e++)
			seen -= op_of[e] == which;
		assert_int_equal(seen, 0);
	}
	profile_free(p);
}

/* --- what a clock reads as zero ------------------------------------------------------ */

/* The zero bucket of milliseconds: up to the first step of their clock where that is known, or
 * all of them are whole; else up to the last octave of nanoseconds. */
static double zero_reaches(double granularity, unsigned resolution, const char *const *latency)
{
	struct accumulator_options options = { .unit = UNIT_MS,
					       .resolution = resolution,
					       .granularity = granularity };
	struct accumulator *s = accumulator_new(&options);
	struct profile *p;
	double high;

	for (; *latency != NULL; latency++)
		assert_int_equal(add(s, "x", *latency, "0"), SAMPLED);
	p = finish(s);
	assert_true(p->op[0].hist.bucket[0].edges->low == 0);
	high = p->op[0].hist.bucket[0].edges->high;
	assert_true(bucket_high(p->op[0].hist.scheme, p->op[0].hist.bucket[0].edges->index) ==
		    high);
	profile_free(p);
	return high;
}

static void zero_is_at_the_first_step(void **state)
{
	const char *const whole[] = { "0", "2", "1", "0", NULL };
	const char *const parts[] = { "0", "2", "0.25", NULL };
	const char *const tens[] = { "0", "20", "10", NULL };
	const char *const hundredths[] = { "0.00", "0.32", "1.43", NULL };

	(void)state;
	assert_true(zero_reaches(1, 1, whole) == 1);
	assert_true(zero_reaches(1, 8, whole) == 1);
	assert_true(zero_reaches(0, 1, whole) == 1);
	assert_true(zero_reaches(0, 8, whole) == 1);
	assert_true(zero_reaches(0, 1, parts) == ldexp(1, -20));
	/* 10 is in [8, 16); 0.01 in [2^-7, 2^-6). */
	assert_true(zero_reaches(10, 1, tens) == 8);
	assert_true(zero_reaches(0.01, 1, hundredths) == ldexp(1, -7));
	/* A clock that tells more than it is said to. */
	assert_true(zero_reaches(1, 1, parts) == ldexp(1, -20));
}

/* 0 and 1 ms are neighbours as 1 and 2 ms are. */
static void zero_is_one_bucket_below_the_first_step(void **state)
{
	const char *const latency[] = { "0", "1", "2" };
	struct accumulator_options options = { .unit = UNIT_MS, .granularity = 1 };
	struct accumulator *s = accumulator_new(&options);
	struct profile *p;
	double offset[3];

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(add(s, "x", latency[i], "0"), SAMPLED);
	p = finish(s);
	assert_int_equal(p->op[0].hist.n, 3);
	for (size_t i = 0; i < 3; i++)
		offset[i] =
			bucket_position(p->op[0].hist.scheme, p->op[0].hist.bucket[i].edges->index);
	assert_true(offset[1] - offset[0] == 1);
	assert_true(offset[2] - offset[1] == 1);
	profile_free(p);
}

/* --- accumulators of several threads ----------------------------------------------------- */

/* What an accumulator is given, or with none the operation table, of a line that goes with its part
 * of the file. */
static void add_passing(struct operation_table *operation_table, struct accumulator *s,
			const char *line, size_t lines_before, uint64_t offset)
{
	struct input part = { .name = STR("log"), .passing = true, .lines_before = lines_before };
	char *bytes = xcalloc(strlen(line) + 1, 1);
	struct sample sample = { .layer = STR(""),
				 .name = STR("write"),
				 .latency = number("7"),
				 .offset = offset,
				 .of = &part };

	strcpy(bytes, line);
	part.bytes = str_from(bytes);
	sample.where = str_skip(part.bytes, str_find(part.bytes, sample.name));
	sample.where.n = sample.name.n;
	if (s != NULL)
		assert_int_equal(accumulator_add(s, &sample), SAMPLED);
	else
		assert_non_null(operation_table_look_up(operation_table, &sample));
	memset(bytes, '#', strlen(line));
	free(bytes);
	input_release(&part);
}

static void first_line(void *ctx, const struct diag_msg *msg)
{
	struct out *o = ctx;

	diag_render(o, msg);
	out_char(o, '\0');
}

/* Where an operation that cannot be is said to begin: it is there already. */
static void expect_blamed(struct operation_table *operation_table, const char *expected)
{
	struct build_options build = { 0 };
	struct out *said = out_to_memory();
	struct diag diag = { .emit = first_line, .ctx = said };
	struct builder *b;

	input_borrow(&nothing, "log", "", 0);
	b = builder_new(&nothing, "test", &build, &diag);
	assert_true(build_operation(b, STR(""), STR("write"), nothing.bytes));
	assert_false(operation_table_push(operation_table, b));
	if (!str_has_prefix(out_memory(said), str_from(expected)))
		fail_msg("%.*s instead of %s", STR_ARG(out_memory(said)), expected);
	operation_table_free(operation_table);
	builder_free(b);
	out_free(said);
}

/* "write" is at byte 7 of line 17, and at byte 6 of the second line after three. */
static const char at_17[] = "at 17 write 7\n", at_5[] = "\nhere write 7\n";

/* `mine`: 0 when only the other accumulator has it. */
static void expect_taken(size_t n_threads, uint64_t mine, uint64_t other, const char *expected)
{
	struct accumulator_options options = { .unit = UNIT_NS };
	struct operation_table *operation_table = operation_table_new(&options, n_threads);
	struct accumulator *s = accumulator_new(&options), *from = accumulator_new(&options);

	if (mine > 0)
		add_passing(operation_table, s, at_17, 16, mine);
	add_passing(operation_table, from, at_5, 3, other);
	operation_table_merge(operation_table, s);
	operation_table_merge(operation_table, from);
	expect_blamed(operation_table, expected);
}

/* Of two lines the one that comes first in the file. */
static void samples_are_blamed_where_they_stood(void **state)
{
	(void)state;
	for (size_t n = 1; n <= N_THREADS; n++) {
		expect_taken(n, 900, 100, "log:5:6: error: ");
		expect_taken(n, 100, 900, "log:17:7: error: ");
		expect_taken(n, 0, 900, "log:5:6: error: ");
	}
}

/* Those that threads meet, and what one of them counted of it for itself. */
static void met_ones_are_blamed_where_they_stood(void **state)
{
	struct accumulator_options options = { .unit = UNIT_NS };

	(void)state;
	for (uint64_t offset = 100; offset <= 900; offset += 400) {
		struct operation_table *operation_table = operation_table_new(&options, N_THREADS);
		struct accumulator *s = accumulator_new(&options);

		add_passing(operation_table, NULL, at_17, 16, 500 + 1);
		add_passing(operation_table, NULL, at_5, 3, offset);
		add_passing(operation_table, s, "write\n", 0, offset + 1);
		operation_table_merge(operation_table, s);
		expect_blamed(operation_table,
			      offset <= 500 ? "log:5:6: error: " : "log:17:7: error: ");
	}
}

/* The words of a line: name, latency, start. */
static void add_line(struct accumulator *s, struct str line, uint64_t offset)
{
	struct str name, latency = STR(""), start = STR(""), rest;
	struct sample sample;
	enum sampled what;

	assert_true(str_cut(line, ' ', &name, &rest) && str_cut(rest, ' ', &latency, &start));
	sample = (struct sample){ .layer = STR(""), .name = name, .where = name, .offset = offset };
	assert_int_equal(number_decimal(latency, &sample.latency), NUMBER_OK);
	assert_int_equal(number_decimal(start, &sample.start), NUMBER_OK);
	what = accumulator_add(s, &sample);
	sample.where = what == SAMPLED_TOO_MANY_INTERVALS ? start : name;
	if (what != SAMPLED)
		accumulator_miss(s, what, &sample);
}

/* Two threads take the lines, each those of its bits. */
static void expect_missed(const char *text, unsigned second, const char *expected)
{
	struct accumulator_options options = { .unit = UNIT_PLAIN, .interval = 1, .start_rate = 1 };
	struct operation_table *operation_table = operation_table_new(&options, N_THREADS);
	struct accumulator *s[N_THREADS];
	struct build_options build = { 0 };
	struct out *said = out_to_memory();
	struct diag diag = { .emit = first_line, .ctx = said };
	struct str rest = str_from(text), line;
	struct input in;
	struct builder *b;

	for (size_t i = 0; i < N_THREADS; i++) {
		s[i] = accumulator_new(&options);
		accumulator_begin(s[i], number("0"));
	}
	for (unsigned n = 0; str_cut(rest, '\n', &line, &rest); n++)
		add_line(s[second >> n & 1], line, n);
	for (size_t i = 0; i < N_THREADS; i++)
		operation_table_merge(operation_table, s[i]);
	input_borrow(&in, "log", text, strlen(text));
	b = builder_new(&in, "test", &build, &diag);
	assert_false(operation_table_push(operation_table, b));
	if (!str_has_prefix(out_memory(said), str_from(expected)))
		fail_msg("%x: %.*s instead of %s", second, STR_ARG(out_memory(said)), expected);
	operation_table_free(operation_table);
	builder_free(b);
	input_release(&in);
	out_free(said);
}

/* a is 1.9e29 in all and b 2.5e29; those after lie too far from 0, or
 * from each other. */
static void misses_are_reported_the_same_whoever_met_them(void **state)
{
	static const char sums[] = "b 1 0\na 1e29 0\nb 1.5e29 0\na 0.9e29 0\nb 1e29 0\nc 1 0\n",
			  far[] = "b 1 0\na 1e29 0\nb 1.5e29 0\na 0.9e29 0\nb 1e29 0\nc 1 0\n"
				  "c 1 1048576\na 1 -2000000\n",
			  wide[] = "b 1 0\na 1 600000\nb 1 1\nc 1 -500000\n";

	(void)state;
	for (unsigned second = 0; second < 1 << 8; second++) {
		expect_missed(sums, second,
			      "log:1:1: error: total too large: the latencies of b add up");
		expect_missed(far, second,
			      "log:7:5: error: not a time interval: more than 1048576 "
			      "intervals up to here");
		expect_missed(wide, second,
			      "log: error: not a time interval: more than 1048576 intervals [");
	}
}

static void expect_decimal(const char *text, const char *expected)
{
	struct out *o = out_to_memory();

	decimal_print(o, number(text));
	if (!str_eq(out_memory(o), str_from(expected)))
		fail_msg("%s: got %.*s", text, STR_ARG(out_memory(o)));
	out_free(o);
}

/* 2^64 ns is the difference of a clock that ran backwards.  Two threads meet such calls, of an
 * operation that has others, and of one that has not. */
static void impossible_latencies_are_lost(void **state)
{
	struct accumulator_options options = { .unit = UNIT_MS };
	struct build_options build = { 0 };
	struct diag diag = { 0 };
	struct operation_table *table = operation_table_new(&options, N_THREADS);
	struct builder *b;
	struct profile *p;

	(void)state;
	for (int i = 0; i < N_THREADS; i++) {
		struct accumulator *s = accumulator_new(&options);

		operation_table_register(table, s);
		assert_int_equal(add(s, "read", "0.5", "0"), SAMPLED);
		assert_int_equal(add(s, "read", "18446744073709.55", "0"), SAMPLED_IMPOSSIBLE);
		assert_int_equal(add(s, "lost", "8796093022208", "0"), SAMPLED_IMPOSSIBLE);
		assert_int_equal(add(s, "long", "8796093022207", "0"), SAMPLED);
		operation_table_merge(table, s);
	}
	input_borrow(&nothing, "test", "", 0);
	b = builder_new(&nothing, "test", &build, &diag);
	assert_true(operation_table_push(table, b));
	p = builder_finish(b);
	assert_non_null(p);
	assert_int_equal(diag.seen[SEV_WARNING], 1);
	assert_int_equal(p->n_ops, 3);
	for (size_t i = 0; i < p->n_ops; i++) {
		const struct operation *op = &p->op[i];
		bool none = str_eq(op->name, STR("lost"));

		assert_int_equal(op->lost, str_eq(op->name, STR("long")) ? 0 : 2);
		assert_int_equal(operation_count(op), none ? 0 : 2);
		assert_true(!str_eq(op->name, STR("read")) || decimal_f64(op->stated.total) == 1);
	}
	profile_free(p);
	operation_table_free(table);
}

static void reads_decimals(void **state)
{
	static const char *const none[] = { "",	   "-",	  ".",	 "e5",	"1e", "1e+", "1.2.3",
					    "1,5", "0x1", "inf", "nan", "1 ", "--1", "+-1" };
	struct decimal d = { 42 };

	(void)state;
	expect_decimal("0.000012", "0.000012");
	expect_decimal("1.2000000000000002e-05", "0.000012");
	expect_decimal("+5.", "5");
	expect_decimal("-.5", "-0.5");
	expect_decimal("12e3", "12000");
	expect_decimal("18446744073709551615", "18446744073709551615");
	expect_decimal("0.0000000005", "0.000000001");
	expect_decimal("-0.0000000005", "-0.000000001");
	expect_decimal("0.00000000049999999999999999999999999999999999999999", "0");
	expect_decimal("170141183460469231731687303715884105727e-9",
		       "170141183460469231731687303715.884105727");
	expect_decimal("1e-99999999999", "0");
	expect_decimal("0e99999999999", "0");
	assert_int_equal(number_decimal(STR("1.8e29"), &d), NUMBER_TOO_LARGE);
	assert_int_equal(number_decimal(STR("1e99999999999"), &d), NUMBER_TOO_LARGE);
	for (size_t i = 0; i < COUNT_OF(none); i++)
		assert_int_equal(number_decimal(str_from(none[i]), &d), NUMBER_NONE);
	assert_true(d.billionths == 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_by_hand),
		cmocka_unit_test(keeps_nothing_negative_and_tiny_apart),
		cmocka_unit_test(edges_are_exact),
		cmocka_unit_test(slices_time),
		cmocka_unit_test(refuses_what_does_not_fit),
		cmocka_unit_test(agrees_with_brute_force),
		cmocka_unit_test(zero_is_at_the_first_step),
		cmocka_unit_test(zero_is_one_bucket_below_the_first_step),
		cmocka_unit_test(samples_are_blamed_where_they_stood),
		cmocka_unit_test(met_ones_are_blamed_where_they_stood),
		cmocka_unit_test(misses_are_reported_the_same_whoever_met_them),
		cmocka_unit_test(impossible_latencies_are_lost),
		cmocka_unit_test(reads_decimals),
	};

	return cmocka_run_group_tests_name("accumulator", tests, NULL, NULL);
}
