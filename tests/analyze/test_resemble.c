/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/analyze/made.h"

#include "analyze/resemble.h"
#include "base/arena.h"

struct book {
	struct profile *p;
	struct arena *a;
	struct aligned grid;
	struct peak_book b;
};

static void open_book(struct book *k, struct profile *p)
{
	k->p = p;
	k->a = arena_new();
	aligned_init(&k->grid);
	k->b = peak_book_of(k->a, p, &k->grid, &resemble_rules_default);
}

static void close_book(struct book *k)
{
	aligned_release(&k->grid);
	arena_free(k->a);
	profile_free(k->p);
}

static void counts_are_alike(void **state)
{
	(void)state;
	assert_int_equal(counts_compare(7, 7), COUNTS_EQUAL);
	assert_int_equal(counts_compare(0, 1), COUNTS_BY_ONE);
	assert_int_equal(counts_compare(13641, 13640), COUNTS_BY_ONE);
	assert_int_equal(counts_compare(0, 2), COUNTS_NEAR);
	assert_int_equal(counts_compare(0, 3), COUNTS_APART);
	assert_int_equal(counts_compare(10000, 10200), COUNTS_NEAR);
	assert_int_equal(counts_compare(10201, 10000), COUNTS_APART);
	assert_int_equal(counts_compare(UINT64_MAX, 0), COUNTS_APART);
	assert_string_equal(counts_name(COUNTS_BY_ONE), "by-one");
}

/* FSprof 5.1.1, table 1 and figure 6: read_inode is called once more than lookup, and
 * the numbers of calls in their peaks (8-11, 17-18, 20-24) agree. */
static void lookup_calls_read_inode(void **state)
{
	struct resemble_calls relatives[MAX_LIKE];
	struct like_peak like[MAX_LIKE];
	struct book k;

	(void)state;
	open_book(&k, made_profile("unit cycles\nop lookup\n"
				   "8 1500\n9 8000\n10 3000\n11 40\n17 600\n18 200\n"
				   "20 40\n21 100\n22 90\n23 50\n24 20\n"
				   "op read_inode\n"
				   "8 2500\n9 8001\n10 2000\n11 40\n17 600\n18 200\n"
				   "20 40\n21 100\n22 90\n23 50\n24 20\n"
				   "op release\n5 12915\n"));
	assert_int_equal(operation_count(&k.p->op[0]), 13640);
	assert_int_equal(operation_count(&k.p->op[1]), 13641);
	assert_int_equal(resemble_calls(&k.b, 0, relatives), 1);
	assert_ptr_equal(relatives[0].op, &k.p->op[1]);
	assert_int_equal(relatives[0].counts, COUNTS_BY_ONE);
	assert_int_equal(relatives[0].n_matching, 3);
	assert_int_equal(relatives[0].n_peaks, 3);
	assert_int_equal(resemble_peaks(&k.b, 0, 1, like), 1);
	assert_int_equal(like[0].counts, COUNTS_EQUAL);
	assert_int_equal(like[0].number, 2);
	assert_true(like[0].apart == 0 && like[0].emd == 0);
	assert_int_equal(resemble_peaks(&k.b, 0, 0, like), 1);
	assert_int_equal(like[0].counts, COUNTS_BY_ONE);
	assert_true(like[0].apart > 0 && like[0].apart < 0.2);
	close_book(&k);
}

/* OSprof 6.2: the calls of readdir's third and fourth peak are those of readpage,
 * which is much faster. */
static void readdir_peaks_are_readpage(void **state)
{
	struct like_sum sum[MAX_LIKE];
	struct like_peak like[MAX_LIKE];
	struct book k;

	(void)state;
	open_book(&k, made_profile("op readdir\n"
				   "6 900\n7 700\n"
				   "9 40\n10 500\n11 300\n12 60\n13 20\n14 8\n"
				   "16 300\n17 30\n18 90\n19 120\n20 200\n21 160\n22 60\n23 10\n"
				   "op readpage\n11 500\n12 400\n13 70\n"
				   "op open\n10 1234\n"));
	assert_int_equal(resemble_sums(&k.b, 0, sum), 1);
	assert_int_equal(sum[0].first, 2);
	assert_int_equal(sum[0].last, 3);
	assert_int_equal(sum[0].count, 970);
	assert_string_equal(sum[0].op->name.p, "readpage");
	assert_int_equal(sum[0].counts, COUNTS_EQUAL);
	assert_int_equal(resemble_peaks(&k.b, 0, 3, like), 0);
	assert_int_equal(resemble_sums(&k.b, 1, sum), 0);
	close_book(&k);
}

/* OSprof 6.1: a quarter of the seeks look like reads; fast peaks that hold no latency
 * resemble nothing, other units neither. */
static void llseek_waits_like_read(void **state)
{
	struct like_peak like[MAX_LIKE];
	struct book k;

	(void)state;
	open_book(&k, made_profile("op llseek\n8 30000\n21 2500\n22 5000\n23 2500\n"
				   "op read\n21 10000\n22 20000\n23 10000\n"
				   "op getpid\n8 20000\n"
				   "op values\nunit plain\n8 30000\n22 10000\n"));
	assert_int_equal(resemble_peaks(&k.b, 0, 1, like), 1);
	assert_string_equal(like[0].op->name.p, "read");
	assert_int_equal(like[0].counts, COUNTS_APART);
	assert_true(like[0].emd == 0);
	assert_int_equal(resemble_peaks(&k.b, 0, 0, like), 0);
	close_book(&k);
}

/* A block layer that missed a few requests; in one layer that would be chance. */
static void layers_may_miss_a_few(void **state)
{
	struct like_sum sum[MAX_LIKE];
	struct book k;

	(void)state;
	open_book(&k, made_profile("layer syscall\nop read\n8 500\n16 10000\n"
				   "layer block\nop RA\n12 9900\n"
				   "layer syscall\nop pread\n12 9900\n"));
	assert_int_equal(resemble_sums(&k.b, 0, sum), 1);
	assert_string_equal(sum[0].op->name.p, "RA");
	assert_int_equal(sum[0].counts, COUNTS_NEAR);
	close_book(&k);
}

/* Never more than three, the best first. */
static void three_best(void **state)
{
	struct like_peak like[MAX_LIKE];
	struct resemble_calls relatives[MAX_LIKE];
	struct book k;

	(void)state;
	open_book(&k, made_profile("op a\n10 1000\nop b\n10 1020\nop c\n10 1001\nop d\n10 1000\n"
				   "op e\n10 1010\nop f\n10 999\n"));
	assert_int_equal(resemble_peaks(&k.b, 0, 0, like), 3);
	assert_string_equal(like[0].op->name.p, "d");
	assert_int_equal(like[1].counts, COUNTS_BY_ONE);
	assert_int_equal(like[2].counts, COUNTS_BY_ONE);
	assert_int_equal(resemble_calls(&k.b, 0, relatives), 3);
	assert_string_equal(relatives[0].op->name.p, "d");
	close_book(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_alike),
		cmocka_unit_test(lookup_calls_read_inode),
		cmocka_unit_test(readdir_peaks_are_readpage),
		cmocka_unit_test(llseek_waits_like_read),
		cmocka_unit_test(layers_may_miss_a_few),
		cmocka_unit_test(three_best),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
