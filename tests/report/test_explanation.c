/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of an operation, in words. */
#include "tests/analyze/made.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "report/report.h"

/* OSprof 6.1's findings. */
static void the_papers_sentence_is_said(void **state)
{
	struct profile *before = made_profile("unit ns\n"
					      "op llseek\ntotal 2000000\n7 6000\n8 2000\n"
					      "op read\ntotal 8000000000\n19 3000\n20 5000\n"
					      "op open\ntotal 1000\n9 1\n");
	struct profile *after =
		made_profile("unit ns\n"
			     "op llseek\ntotal 2100000000\n7 4500\n8 1500\n20 2000\n"
			     "op read\ntotal 8100000000\n19 2900\n20 5100\n"
			     "op close\ntotal 900\n9 1\n");
	struct rank_side b = { before, totals_of(before), 1 }, c = { after, totals_of(after), 1 };
	struct comparison compared = { .metric = METRIC_EMD };
	struct out *o = out_to_memory();
	struct arena *a = arena_new();
	struct diag diag = { 0 };
	struct ranking all;

	(void)state;
	assert_true(rank(a, &b, &c, &rank_rules_default, &all, &diag));
	assert_true(str_eq(all.v[0].before->name, STR("llseek"))); /* the only one reported */
	compared.ranking = &all;
	compared.before = (struct run){ .profile = before, .n_runs = 1 };
	compared.after = (struct run){ .profile = after, .n_runs = 1 };
	explain(o, &compared, &all.v[0]);
	/* 2 ms in 8000 calls, then 2.1 s in as many; of the 8000 calls before, all were in the two
	 * buckets of which 6000 are left. */
	assert_true(
		str_eq(out_memory(o),
		       STR("Slower (mean 1050x higher, 250 ns -> 263 us). 25 % of the calls take "
			   "1.05-2.10 ms, before 0 %. Before, 100 % took 128-512 ns, now 75 %. p90 "
			   "~290 ns -> ~1.2 ms, p99 ~370 ns -> ~1.5 ms")));
	out_free(o);
	arena_free(a);
	profile_free(before);
	profile_free(after);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_papers_sentence_is_said) };

	return cmocka_run_group_tests_name("explanation", tests, NULL, NULL);
}
