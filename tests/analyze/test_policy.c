/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/analyze/made.h"

#include <math.h>
#include <string.h>

#include "analyze/rank/policy.h"
#include "analyze/rank/rank.h"
#include "base/arena.h"
#include "base/diag.h"

struct seen {
	enum diag_code code;
	size_t line, column, len;
};

static void keep(void *ctx, const struct diag_msg *msg)
{
	struct position p = input_position(msg->input, msg->at);

	*(struct seen *)ctx = (struct seen){ msg->code, p.line, p.column, msg->len };
}

static struct policy *read_text(const char *text)
{
	struct diag diag = { .emit = NULL };
	struct policy *p;
	struct input in;

	input_borrow(&in, "policy", text, strlen(text));
	p = policy_read(&in, &diag);
	input_release(&in);
	assert_int_equal(diag.seen[SEV_ERROR], p == NULL);
	return p;
}

static struct operation operation(const char *layer, const char *name)
{
	return (struct operation){ .layer = str_from(layer), .name = str_from(name) };
}

static struct rank_rules rules_of(const struct policy *p, const char *layer, const char *name)
{
	struct operation op = operation(layer, name);

	return policy_rules(p, &rank_rules_default, &op);
}

static struct ruling ruling_of(const struct policy *p, const char *name, enum verdict v)
{
	struct operation op = operation("", name);
	struct ranked r = { .before = &op, .after = &op, .verdict = v };

	r.reported = v != VERDICT_SAME && v != VERDICT_INCONCLUSIVE;
	return policy_ruling(p, VERDICTS_REGRESSED, &r);
}

static const char *const good = "# what we promise\r\n"
				"min-effect 0.3\n"
				"min-share 2 # percent\n"
				"\n"
				"operation read\n"
				"\tmin-effect 0.1\n"
				"  fail regressed changed-shape new\n"
				"operation clock_*   # noisy\n"
				"  ignore\n"
				"operation ext4/*\n"
				"  threshold 2\n"
				"operation r* x#y\n"
				"  min-calls 1e3\n"
				"  fail none\n"
				"fail regressed gone\n";

static void test_rules(void **state)
{
	struct policy *p = read_text(good);

	(void)state;
	assert_non_null(p);
	assert_int_equal(p->n, 4);
	assert_true(rules_of(p, "", "write").min_effect == 0.3);
	assert_true(rules_of(p, "", "write").min_share == 0.02);
	assert_true(rules_of(p, "", "write").min_calls == rank_rules_default.min_calls);
	assert_true(rules_of(p, "", "read").min_effect == 0.1);
	assert_true(rules_of(p, "", "read").min_share == 0.02);
	assert_true(rules_of(p, "ext4", "write").threshold == 2);
	assert_true(isnan(rules_of(p, "xfs", "write").threshold));
	assert_true(rules_of(p, "", "rare x#y").min_calls == 1000);
	/* The first that matches holds, by its name before its layer. */
	assert_true(isnan(rules_of(p, "ext4", "read").threshold));
	policy_free(p);
}

/* Each rule sets its own number, those of shares in percent. */
static void test_each_rule(void **state)
{
	struct policy *p =
		read_text("operation x\n"
			  "  min-share 11\n  min-ops 12\n  min-difference 13\n"
			  "  threshold 14\n  min-effect 15\n  min-calls 16\n"
			  "  min-shape 17\n  small-sample-penalty 18\n  bucket-margin 19\n");
	struct rank_rules r = rules_of(p, "", "x");

	(void)state;
	assert_true(r.min_share == 0.11 && r.min_ops == 0.12 && r.min_difference == 0.13);
	assert_true(r.threshold == 14 && r.min_effect == 15 && r.min_calls == 16);
	assert_true(r.min_shape == 17 && r.small_sample == 18 && r.margin == 19);
	policy_free(p);
}

static void test_lines(void **state)
{
	struct policy *p = read_text(good);
	struct operation read = operation("", "read"), write = operation("", "write");

	(void)state;
	assert_int_equal(policy_rule_line(p, &read, RULE_MIN_EFFECT), 6);
	assert_int_equal(policy_rule_line(p, &write, RULE_MIN_EFFECT), 2);
	assert_int_equal(policy_rule_line(p, &read, RULE_MIN_SHARE), 3);
	assert_int_equal(policy_rule_line(p, &read, RULE_MARGIN), 0);
	assert_int_equal(ruling_of(p, "read", VERDICT_NEW).line, 7);
	assert_int_equal(ruling_of(p, "write", VERDICT_REGRESSED).line, 15);
	assert_int_equal(ruling_of(p, "clock_get", VERDICT_REGRESSED).line, 9);
	policy_free(p);
}

static void test_rulings(void **state)
{
	struct policy *p = read_text(good), *nothing = read_text("# nothing\n");

	(void)state;
	assert_true(ruling_of(p, "read", VERDICT_CHANGED_SHAPE).failed);
	assert_false(ruling_of(p, "read", VERDICT_GONE).failed);
	assert_true(ruling_of(p, "write", VERDICT_GONE).failed);
	assert_false(ruling_of(p, "write", VERDICT_NEW).failed);
	assert_false(ruling_of(p, "rare x#y", VERDICT_REGRESSED).failed);
	assert_true(ruling_of(p, "clock_get", VERDICT_REGRESSED).ignored);
	assert_false(ruling_of(p, "clock_get", VERDICT_REGRESSED).failed);
	assert_true(ruling_of(nothing, "read", VERDICT_REGRESSED).failed);
	assert_int_equal(ruling_of(nothing, "read", VERDICT_REGRESSED).line, 0);
	assert_true(ruling_of(NULL, "read", VERDICT_REGRESSED).failed);
	assert_false(ruling_of(NULL, "read", VERDICT_IMPROVED).failed);
	policy_free(p);
	policy_free(nothing);
}

static void test_what_fails(void **state)
{
	struct policy *p = read_text("fail any inconclusive");
	struct operation op = operation("", "x");
	struct ranked small = { .after = &op, .verdict = VERDICT_NEW };

	(void)state;
	assert_true(ruling_of(p, "x", VERDICT_IMPROVED).failed);
	assert_true(ruling_of(p, "x", VERDICT_INCONCLUSIVE).failed);
	assert_false(ruling_of(p, "x", VERDICT_SAME).failed);
	/* What is too small to be reported does not fail. */
	assert_false(policy_ruling(p, 0, &small).failed);
	policy_free(p);
}

static void test_errors(void **state)
{
	static const struct {
		const char *text;
		struct seen expected;
	} cases[] = {
		{ "min-efect 1\n", { DIAG_POLICY_BAD, 1, 1, 9 } },
		{ "\nmin-effect lots", { DIAG_NUMBER_BAD, 2, 12, 4 } },
		{ "min-effect -1", { DIAG_NUMBER_BAD, 1, 12, 2 } },
		{ "min-effect inf", { DIAG_NUMBER_BAD, 1, 12, 3 } },
		{ "min-effect nan", { DIAG_NUMBER_BAD, 1, 12, 3 } },
		{ "min-effect # 1", { DIAG_NUMBER_BAD, 1, 11, 0 } },
		{ "min-effect 1 2", { DIAG_POLICY_BAD, 1, 14, 1 } },
		{ "min-effect 1\nmin-effect 1", { DIAG_POLICY_BAD, 2, 1, 10 } },
		{ "  fail any", { DIAG_POLICY_BAD, 1, 3, 4 } },
		{ "ignore", { DIAG_POLICY_BAD, 1, 1, 6 } },
		{ "operation", { DIAG_POLICY_BAD, 1, 1, 9 } },
		{ "operation # x", { DIAG_POLICY_BAD, 1, 1, 9 } },
		{ "operation a\n operation b", { DIAG_POLICY_BAD, 2, 2, 9 } },
		{ "operation a\n ignore now", { DIAG_POLICY_BAD, 2, 9, 3 } },
		{ "operation a\n ignore\n fail any", { DIAG_POLICY_BAD, 3, 2, 4 } },
		{ "operation a\n fail any\n ignore", { DIAG_POLICY_BAD, 3, 2, 6 } },
		{ "fail", { DIAG_POLICY_BAD, 1, 1, 4 } },
		{ "fail regressed same", { DIAG_POLICY_BAD, 1, 16, 4 } },
		{ "fail any\nfail new", { DIAG_POLICY_BAD, 2, 1, 4 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct seen seen = { 0 };
		struct diag diag = { .emit = keep, .ctx = &seen };
		struct input in;

		input_borrow(&in, "policy", cases[i].text, strlen(cases[i].text));
		assert_null(policy_read(&in, &diag));
		input_release(&in);
		print_message("%s\n", cases[i].text);
		assert_int_equal(seen.code, cases[i].expected.code);
		assert_int_equal(seen.line, cases[i].expected.line);
		assert_int_equal(seen.column, cases[i].expected.column);
		assert_int_equal(seen.len, cases[i].expected.len);
	}
}

/* More operations that did not move, so that no change is that of the run. */
#define OTHERS                                                                                     \
	"op c\ntotal 6000000\n9 10000\nop d\ntotal 6000000\n9 10000\n"                             \
	"op e\ntotal 6000000\n9 10000\nop f\ntotal 6000000\n9 10000\n"

static void rank_with(const char *policy, bool *ret_reported, struct rank_cause *ret_cause)
{
	struct profile *before = made_profile("unit ns\nop a\ntotal 6000000\n9 10000\n"
					      "op b\ntotal 6000000\n9 10000\n" OTHERS);
	struct profile *after = made_profile("unit ns\nop a\ntotal 7800000\n9 10000\n"
					     "op b\ntotal 7800000\n9 10000\n" OTHERS);
	struct rank_side b = { before, totals_of(before), 1 }, c = { after, totals_of(after), 1 };
	struct rank_rules rules = rank_rules_default;
	struct policy *p = read_text(policy);
	struct arena *a = arena_new();
	struct diag diag = { .emit = NULL };
	struct ranking all;

	rules.policy = p;
	assert_true(rank(a, &b, &c, &rules, &all, &diag));
	for (size_t i = 0; i < all.n; i++) {
		bool is_a = str_eq(all.v[i].before->name, STR("a"));

		if (is_a || str_eq(all.v[i].before->name, STR("b")))
			ret_reported[is_a ? 0 : 1] = all.v[i].reported;
		if (is_a)
			*ret_cause = rank_cause(&all, &all.v[i], &rules);
	}
	arena_free(a);
	policy_free(p);
	profile_free(before);
	profile_free(after);
}

/* Both operations are 1.3 times slower: 0.38 octaves. */
static void test_ranking(void **state)
{
	struct rank_cause cause;
	bool reported[2];

	(void)state;
	rank_with("# none\n", reported, &cause);
	assert_false(reported[0] || reported[1]);
	assert_false(cause.known);
	rank_with("operation a\n min-effect 0.2\n", reported, &cause);
	assert_true(reported[0] && !reported[1]);
	assert_true(cause.known && cause.rule == RULE_MIN_EFFECT);
	assert_true(fabs(cause.value - log2(1.3)) < 1e-12);
	/* 7 over the fourth root of 72 times 10,000 octaves, for a spread of an eighth of the usual
	 * one. */
	assert_true(fabs(cause.min - 0.2 - 7 / pow(72 * 10000, 0.25) / 8) < 1e-12);
	rank_with("min-effect 0.2\noperation a\n min-effect 0.4\n", reported, &cause);
	assert_true(!reported[0] && reported[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),	   cmocka_unit_test(test_each_rule),
		cmocka_unit_test(test_lines),	   cmocka_unit_test(test_rulings),
		cmocka_unit_test(test_what_fails), cmocka_unit_test(test_errors),
		cmocka_unit_test(test_ranking),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
