/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the builder makes of one print, and what it refuses. */
#include "tests/unit/building.h"

#include "profile/names.h"
#include "tests/mean_alone.h"

static void operations_keep_their_order_and_come_back_by_name(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	operation(b, "write");
	counts(b, (uint64_t[]){ 5 }, 1);
	operation(b, "read");
	counts(b, (uint64_t[]){ 0, 7 }, 2);
	operation(b, "write");
	assert_true(build_total(b, total_of("7.5"), nowhere));
	p = finish(&t);
	assert_int_equal(p->n_ops, 2);
	assert_str(p->op[0].name, "write");
	assert_str(p->op[1].name, "read");
	assert_bucket(&p->op[0].hist, 0, 1, 2, 5);
	assert_bucket(&p->op[1].hist, 0, 2, 4, 7);
	assert_true(operation_total(&p->op[0]) == 7.5);
	assert_str(p->source, "test");
	assert_string_equal(p->format, "by-hand");
	profile_free(p);
}

/* Names are copied: the input may go. */
static void a_profile_outlives_what_it_was_read_from(void **state)
{
	char name[] = "read";
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	assert_true(build_operation(b, STR("vfs"), (struct str){ name, 4 }, nowhere));
	counts(b, (uint64_t[]){ 1 }, 1);
	p = finish(&t);
	memset(name, 'x', 4);
	assert_str(p->op[0].name, "read");
	assert_str(p->op[0].layer, "vfs");
	profile_free(p);
}

/* Layer "a", name "b" is not layer "", name "a\0b", nor are long ones cut. */
static void layer_and_name_together_are_the_key(void **state)
{
	static char longer[2][1000];
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	memset(longer[0], 'n', 1000);
	memset(longer[1], 'n', 1000);
	longer[1][999] = 'm';
	assert_true(build_new_operation(b, STR("a"), STR("b"), nowhere));
	assert_true(build_new_operation(b, STR(""), STR("b"), nowhere));
	assert_true(build_new_operation(b, STR("b"), STR("a"), nowhere));
	assert_true(build_new_operation(b, STR(""), STR(""), nowhere));
	assert_true(build_new_operation(b, STR("a"), STR("b\0c"), nowhere));
	assert_true(build_new_operation(b, STR("a\0b"), STR("c"), nowhere));
	for (size_t i = 0; i < 2; i++)
		assert_true(
			build_new_operation(b, STR(""), (struct str){ longer[i], 1000 }, nowhere));
	p = finish(&t);
	assert_int_equal(p->n_ops, 8);
	profile_free(p);
}

/* So many that they have to move; what is said of the first ones comes last. */
static void many_operations_keep_what_was_pushed(void **state)
{
	enum { MANY = 5000 };
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;
	char name[32];

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof(name), "op %zu", i);
		operation(b, name);
		counts(b, (uint64_t[]){ 0, i + 1 }, 2);
	}
	for (size_t i = MANY; i-- > 0;) {
		(void)snprintf(name, sizeof(name), "op %zu", i);
		operation(b, name);
		assert_true(build_count(b, i + 1, nowhere));
	}
	p = finish(&t);
	assert_int_equal(p->n_ops, MANY);
	for (size_t i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof(name), "op %zu", i);
		assert_str(p->op[i].name, name);
		assert_bucket(&p->op[i].hist, 0, 2, 4, i + 1);
		assert_int_equal(p->op[i].stated.count, i + 1);
		assert_true(p->op[i].stated.count_agrees);
	}
	profile_free(p);
}

/* Those that are known to differ are looked for as soon as one is that may be known. */
static void what_differs_is_found_later(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	build_all_differ(b);
	assert_true(build_new_operation(b, STR("x"), STR("read"), nowhere));
	assert_true(build_new_operation(b, STR("y"), STR("read"), nowhere));
	assert_true(build_new_operation(b, STR("x"), STR("write"), nowhere));
	assert_true(build_operation(b, STR("y"), STR("read"), nowhere));
	assert_true(build_count(b, 5, nowhere));
	assert_true(build_new_operation(b, STR("y"), STR("write"), nowhere));
	build_all_differ(b); /* too late: it says nothing of those that are there */
	assert_true(build_new_operation(b, STR("x"), STR("read"), nowhere));
	assert_false(build_operation(b, STR("x"), STR("write"), nowhere));
	finish_with(&t, DIAG_OPERATION_TWICE);

	b = begin(&t, "");
	build_all_differ(b);
	assert_true(build_new_operation(b, STR("x"), STR("read"), nowhere));
	assert_true(build_new_operation(b, STR("x"), STR("write"), nowhere));
	assert_true(build_operation(b, STR("x"), STR("read"), nowhere));
	assert_true(build_count(b, 5, nowhere));
	p = finish(&t);
	assert_int_equal(p->n_ops, 2);
	assert_int_equal(p->op[0].stated.count, 5);
	profile_free(p);
}

/* That it is there twice is seen in the end, or as soon as there are many. */
static void an_operation_given_twice_is_blamed_where_it_is(void **state)
{
	enum { FEW = 3, MANY = 500 };

	(void)state;
	for (int n = FEW; n <= MANY; n += MANY - FEW) {
		struct building t = { 0 };
		struct builder *b = begin(&t, "read read");
		struct str name = { t.in.bytes.p, 4 };
		bool ok = build_new_operation(b, STR(""), name, name);

		assert_true(ok);
		for (int i = 0; ok && i < n; i++) {
			char other[16];

			(void)snprintf(other, sizeof(other), "write %d", i);
			ok = build_new_operation(b, STR(""), i == 1 ? name : str_from(other),
						 i == 1 ? str_skip(t.in.bytes, 5) : nowhere);
		}
		assert_int_equal(ok, n == FEW);
		if (ok)
			assert_null(builder_finish(t.b));
		else
			builder_free(t.b);
		assert_int_equal(t.seen[DIAG_OPERATION_TWICE], 1);
		assert_int_equal(t.at, 5);
	}
}

static void a_profile_without_operations_is_none(void **state)
{
	struct building t = { 0 };

	(void)state;
	(void)begin(&t, "");
	finish_with(&t, DIAG_NO_OPERATIONS);
}

/* --- buckets ------------------------------------------------------------------------ */

static void begin_scheme(struct building *t, struct bucket_scheme s)
{
	operation(begin(t, ""), "read");
	assert_true(build_scheme(t->b, &s, nowhere));
}

static void buckets_out_of_order_or_of_no_scheme_are_refused(void **state)
{
	struct building t = { 0 };

	(void)state;
	begin_scheme(&t, bucket_log2(1));
	assert_true(build_bucket(t.b, 3, 1, nowhere));
	assert_false(build_bucket(t.b, 3, 1, nowhere));
	finish_with(&t, DIAG_BUCKET_ORDER);
	begin_scheme(&t, bucket_log2(1));
	assert_true(build_bucket(t.b, -2, 1, nowhere)); /* negative */
	assert_true(build_bucket(t.b, -1, 1, nowhere)); /* zero */
	assert_false(build_bucket(t.b, -3, 1, nowhere));
	finish_with(&t, DIAG_BUCKET_BOUNDS);
	begin_scheme(&t, bucket_edges((double[]){ 1, 2, 3 }, 3));
	assert_true(build_bucket(t.b, 2, 1, nowhere)); /* from 3 on */
	assert_false(build_bucket(t.b, 3, 1, nowhere));
	finish_with(&t, DIAG_BUCKET_BOUNDS);
}

static void ranges_out_of_order_or_without_width_are_refused(void **state)
{
	static const struct {
		double low, high;
		enum diag_code code;
	} bad[] = { { 4, 4, DIAG_BUCKET_BOUNDS },   { 9, 8, DIAG_BUCKET_BOUNDS },
		    { NAN, 8, DIAG_BUCKET_BOUNDS }, { 1, 2, DIAG_BUCKET_ORDER },
		    { 3, 8, DIAG_BUCKET_ORDER },    { 2, 4, DIAG_BUCKET_ORDER } };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		struct building t = { 0 };
		struct builder *b = begin(&t, "");

		operation(b, "read");
		assert_true(build_histogram(b, nowhere));
		assert_true(build_range(b, 2, 4, 1, nowhere));
		assert_false(build_range(b, bad[i].low, bad[i].high, 1, nowhere));
		finish_with(&t, bad[i].code);
	}
}

static void rows_without_a_call_only_report_the_scheme(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	operation(b, "read");
	assert_true(build_histogram(b, nowhere));
	assert_true(build_range(b, 4, 6, 0, nowhere)); /* hist(x, 1) */
	assert_true(build_range(b, 6, 8, 3, nowhere));
	assert_true(build_range(b, 16, 24, 0, nowhere));
	p = finish(&t);
	assert_int_equal(p->op[0].hist.n, 1);
	assert_bucket(&p->op[0].hist, 0, 6, 8, 3);
	assert_int_equal(p->op[0].hist.scheme->kind, BUCKET_LOG_LINEAR);
	profile_free(p);
}

/* One map, one scheme: what one operation prints tells it for the other. */
static void operations_of_a_layer_share_their_scheme(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	operation(b, "one");
	assert_true(build_histogram(b, nowhere));
	assert_true(build_range(b, 10, 20, 1, nowhere));
	operation(b, "other");
	assert_true(build_histogram(b, nowhere));
	assert_true(build_range(b, 50, 60, 1, nowhere));
	assert_true(build_range(b, 60, HUGE_VAL, 1, nowhere));
	p = finish(&t);
	assert_int_equal(p->op[0].hist.scheme->kind, BUCKET_LINEAR);
	assert_true(bucket_scheme_eq(p->op[0].hist.scheme, p->op[1].hist.scheme));
	profile_free(p);
}

static void overlapping_rows_of_one_operation_are_refused(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");

	(void)state;
	operation(b, "read");
	assert_true(build_histogram(b, nowhere));
	assert_true(build_range(b, 1, 7, 1, nowhere));
	assert_true(build_histogram(b, nowhere)); /* the next print, with other rows */
	assert_true(build_range(b, 3, 11, 1, nowhere));
	finish_with(&t, DIAG_SCHEME_MIXED);
}

/* --- counts ---------------------------------------------------------------------------- */

static void a_count_past_64_bits_is_refused_where_it_passes(void **state)
{
	struct building t = { 0 };
	struct str where;

	(void)state;
	begin_scheme(&t, bucket_log2(1));
	where = (struct str){ t.in.bytes.p, 0 };
	assert_true(build_bucket(t.b, 3, UINT64_MAX - 1, where));
	assert_true(build_bucket(t.b, 4, 1, where));
	assert_false(build_bucket(t.b, 5, 1, where));
	finish_with(&t, DIAG_COUNT_OVERFLOW);
}

static void sums_of_intervals_past_64_bits_are_refused(void **state)
{
	struct building t = { .options = { .snapshots = SNAPSHOTS_DELTA } };
	struct builder *b = begin(&t, "");

	(void)state;
	operation(b, "read");
	counts(b, (uint64_t[]){ UINT64_MAX }, 1);
	counts(b, (uint64_t[]){ 0, 1 }, 2);
	finish_with(&t, DIAG_COUNT_OVERFLOW);
}

static void stated_sums_that_do_not_fit_are_refused(void **state)
{
	struct decimal max = total_of("170141183460469231731687303715");
	struct building t = { 0 };
	struct builder *b = begin(&t, "");

	(void)state;
	operation(b, "read");
	assert_true(build_total(b, max, nowhere));
	assert_false(build_total(b, max, nowhere));
	finish_with(&t, DIAG_TOTAL_OVERFLOW);
	operation(b = begin(&t, ""), "read");
	assert_true(build_count(b, UINT64_MAX, nowhere));
	assert_false(build_count(b, 1, nowhere));
	finish_with(&t, DIAG_COUNT_OVERFLOW);
	operation(b = begin(&t, ""), "read");
	assert_true(build_operation_lost(b, UINT64_MAX, nowhere));
	assert_false(build_operation_lost(b, 1, nowhere));
	finish_with(&t, DIAG_COUNT_OVERFLOW);
}

/* 3 calls in [4, 8): a total from 12 to 24 is possible, the edges included. */
static void expect_total(const char *total, bool agrees)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	operation(b, "read");
	counts(b, (uint64_t[]){ 0, 0, 3 }, 3);
	assert_true(build_total(b, total_of(total), nowhere));
	p = finish(&t);
	assert_int_equal(t.seen[DIAG_TOTAL_MISMATCH], !agrees);
	assert_int_equal(operation_total_exact(&p->op[0]), agrees);
	/* One that disagrees is not used. */
	assert_true(is_near(operation_total(&p->op[0]),
			    agrees ? decimal_f64(total_of(total)) : 3 * 4 * mean_alone));
	profile_free(p);
}

static void a_total_is_held_against_the_buckets(void **state)
{
	(void)state;
	expect_total("12", true);
	expect_total("24", true);
	expect_total("17.25", true);
	expect_total("11.9", false);
	expect_total("24.1", false);
	expect_total("-15", false);
}

static void a_stated_count_is_held_against_the_buckets(void **state)
{
	(void)state;
	for (uint64_t stated = 2; stated <= 4; stated++) {
		struct building t = { 0 };
		struct builder *b = begin(&t, "");
		struct profile *p;

		operation(b, "read");
		counts(b, (uint64_t[]){ 1, 2 }, 2);
		assert_true(build_count(b, stated, nowhere));
		p = finish(&t);
		assert_int_equal(t.seen[DIAG_COUNT_MISMATCH], stated != 3);
		assert_int_equal(operation_count(&p->op[0]), 3);
		profile_free(p);
	}
}

static void moments_alone_are_taken_at_their_word(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	operation(b, "read");
	assert_true(build_count(b, 4, nowhere));
	assert_true(build_total(b, total_of("10"), nowhere));
	build_min(b, 2);
	build_min(b, 1);
	build_min(b, 3);
	build_max(b, 5);
	build_max(b, 4);
	p = finish(&t);
	assert_true(operation_summary_only(&p->op[0]));
	assert_int_equal(operation_count(&p->op[0]), 4);
	assert_true(operation_mean(&p->op[0]) == 2.5);
	assert_true(p->op[0].stated.min == 1 && p->op[0].stated.max == 5);
	assert_int_equal(t.seen[DIAG_TOTAL_MISMATCH] + t.seen[DIAG_COUNT_MISMATCH], 0);
	profile_free(p);
}

static void an_empty_histogram_counts_nothing(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	operation(b, "read");
	counts(b, NULL, 0);
	assert_true(build_count(b, 0, nowhere));
	assert_true(build_total(b, total_of("0"), nowhere));
	p = finish(&t);
	assert_int_equal(operation_count(&p->op[0]), 0);
	assert_false(operation_summary_only(&p->op[0]));
	assert_true(isnan(operation_mean(&p->op[0])));
	profile_free(p);
}

/* --- units, names, layers ---------------------------------------------------------------- */

static enum unit unit_from(enum unit of_file, enum unit_source source, enum unit option,
			   struct building *t)
{
	struct builder *b;
	struct profile *p;
	enum unit unit;

	t->options.unit = option;
	operation(b = begin(t, ""), "read");
	build_unit(b, of_file, source);
	counts(b, (uint64_t[]){ 1 }, 1);
	p = finish(t);
	unit = p->unit;
	assert_int_equal(p->op[0].unit, unit);
	profile_free(p);
	return unit;
}

static void a_stated_unit_stands_a_guessed_one_yields(void **state)
{
	struct building t = { 0 };

	(void)state;
	assert_int_equal(unit_from(UNIT_US, UNIT_STATED, UNIT_UNKNOWN, &t), UNIT_US);
	assert_int_equal(unit_from(UNIT_US, UNIT_STATED, UNIT_NS, &t), UNIT_US);
	assert_int_equal(unit_from(UNIT_US, UNIT_GUESSED, UNIT_UNKNOWN, &t), UNIT_US);
	assert_int_equal(t.seen[DIAG_UNIT_GUESSED], 1);
	assert_int_equal(unit_from(UNIT_US, UNIT_GUESSED, UNIT_NS, &t), UNIT_NS);
	assert_int_equal(t.seen[DIAG_UNIT_GUESSED], 0);
	assert_int_equal(unit_from(UNIT_UNKNOWN, UNIT_GUESSED, UNIT_NS, &t), UNIT_NS);
	assert_int_equal(unit_from(UNIT_UNKNOWN, UNIT_GUESSED, UNIT_UNKNOWN, &t), UNIT_UNKNOWN);
	assert_int_equal(t.seen[DIAG_UNIT_UNKNOWN], 1);
}

static void keys_get_their_names(void **state)
{
	struct building t = { 0 };
	struct input list = input_of("# calls\n0 read\n1\t  write all \n");
	struct names *names = names_read(&list, &t.diag);
	struct builder *b;
	struct profile *p;

	(void)state;
	assert_non_null(names);
	t.options.names = names;
	b = begin(&t, "");
	operation(b, "1");
	operation(b, "2");
	operation(b, "0");
	p = finish(&t);
	assert_str(p->op[0].name, "write all");
	assert_str(p->op[1].name, "2");
	assert_str(p->op[2].name, "read");
	profile_free(p);
	names_free(names);
}

static void a_single_layer_is_dropped_two_are_not(void **state)
{
	(void)state;
	for (size_t n = 1; n <= 2; n++) {
		struct building t = { 0 };
		struct builder *b = begin(&t, "");
		struct profile *p;

		build_drop_single_layer(b);
		assert_true(build_operation(b, STR("usecs"), STR("read"), nowhere));
		if (n == 2)
			assert_true(build_operation(b, STR("block"), STR("read"), nowhere));
		p = finish(&t);
		assert_str(p->op[0].layer, n == 1 ? "" : "usecs");
		profile_free(p);
	}
}

static void lost_events_are_a_warning_and_add_up(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");
	struct profile *p;

	(void)state;
	operation(b, "read");
	assert_true(build_lost(b, 3, nowhere) && build_lost(b, 4, nowhere));
	assert_true(build_operation_lost(b, 5, nowhere));
	p = finish(&t);
	assert_int_equal(p->lost, 7);
	assert_int_equal(p->op[0].lost, 5);
	assert_int_equal(t.seen[DIAG_EVENTS_LOST], 1);
	profile_free(p);
}

/* --- after an error --------------------------------------------------------------------------- */

/* With an operation and a histogram at hand, with an operation only, with nothing. */
static void after_the_first_error_everything_is_false(void **state)
{
	struct bucket_scheme s = bucket_log2(1);

	(void)state;
	for (int begun = 0; begun < 3; begun++) {
		struct building t = { 0 };
		struct builder *b = begin(&t, "");

		if (begun > 0)
			operation(b, "read");
		if (begun > 1)
			counts(b, (uint64_t[]){ 1 }, 1);
		assert_true(build_lost(b, UINT64_MAX, nowhere));
		assert_false(build_lost(b, 1, nowhere));
		assert_false(build_operation(b, STR(""), STR("write"), nowhere));
		assert_false(build_new_operation(b, STR(""), STR("write"), nowhere));
		assert_false(build_histogram(b, nowhere));
		assert_false(build_scheme(b, &s, nowhere));
		assert_false(build_bucket(b, 1, 1, nowhere));
		assert_false(build_range(b, 2, 1, 1, nowhere));
		assert_false(build_total(b, total_of("1"), nowhere));
		assert_false(build_count(b, 1, nowhere));
		assert_false(build_operation_lost(b, 1, nowhere));
		assert_false(build_interval(b, 2, 1, nowhere));
		build_unit(b, UNIT_NS, UNIT_STATED);
		build_threshold(b, 1);
		build_approximate(b);
		build_min(b, 1);
		build_max(b, 1);
		build_next_interval(b, 1);
		build_whole_run(b);
		finish_with(&t, DIAG_COUNT_OVERFLOW);
	}
}

static void giving_up_leaves_nothing_after(void **state)
{
	struct building t = { 0 };
	struct builder *b = begin(&t, "");

	(void)state;
	operation(b, "read");
	counts(b, (uint64_t[]){ 1, 2, 3 }, 3);
	build_next_interval(b, 5);
	builder_free(b); /* a sanitizer tells what is left */
	builder_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_keep_their_order_and_come_back_by_name),
		cmocka_unit_test(a_profile_outlives_what_it_was_read_from),
		cmocka_unit_test(layer_and_name_together_are_the_key),
		cmocka_unit_test(many_operations_keep_what_was_pushed),
		cmocka_unit_test(what_differs_is_found_later),
		cmocka_unit_test(an_operation_given_twice_is_blamed_where_it_is),
		cmocka_unit_test(a_profile_without_operations_is_none),
		cmocka_unit_test(buckets_out_of_order_or_of_no_scheme_are_refused),
		cmocka_unit_test(ranges_out_of_order_or_without_width_are_refused),
		cmocka_unit_test(rows_without_a_call_only_report_the_scheme),
		cmocka_unit_test(operations_of_a_layer_share_their_scheme),
		cmocka_unit_test(overlapping_rows_of_one_operation_are_refused),
		cmocka_unit_test(a_count_past_64_bits_is_refused_where_it_passes),
		cmocka_unit_test(sums_of_intervals_past_64_bits_are_refused),
		cmocka_unit_test(stated_sums_that_do_not_fit_are_refused),
		cmocka_unit_test(a_total_is_held_against_the_buckets),
		cmocka_unit_test(a_stated_count_is_held_against_the_buckets),
		cmocka_unit_test(moments_alone_are_taken_at_their_word),
		cmocka_unit_test(an_empty_histogram_counts_nothing),
		cmocka_unit_test(a_stated_unit_stands_a_guessed_one_yields),
		cmocka_unit_test(keys_get_their_names),
		cmocka_unit_test(a_single_layer_is_dropped_two_are_not),
		cmocka_unit_test(lost_events_are_a_warning_and_add_up),
		cmocka_unit_test(after_the_first_error_everything_is_false),
		cmocka_unit_test(giving_up_leaves_nothing_after),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
