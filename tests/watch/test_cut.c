/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots of text that a source prints in pieces: each is read as a whole, or not at all. */
#include "tests/watch/fed.h"

#define BAR	    "|@@@@@@@@@@                                          |\n"
#define LOW(calls)  "[16, 32)        " #calls " " BAR
#define HIGH(calls) "[32, 64)        " #calls " " BAR "\n\n"

static void a_print_that_is_stopped(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	feed(&f, 1, "@read: \n" LOW(3) HIGH(4));
	intake_cut(f.k, true);
	feed(&f, 2, "@read: \n" LOW(5) HIGH(3));
	feed(&f, 3, "@read: \n" LOW(6));
	/* Long after, the rest of it comes; then the collector is killed within the next one. */
	intake_cut(f.k, true);
	assert_int_equal(f.read, 15);
	feed(&f, 9, HIGH(2) "@read: \n" LOW(100));
	intake_cut(f.k, true);
	intake_break(f.k);
	assert_int_equal(intake_ledger(f.k)->refused, 1);
	end(&f, 23, 0);
}

/* Without a pause between them, their titles show where each begins. */
static void prints_without_a_pause(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	feed(&f, 1, "Attaching 1 probe...\n\n");
	feed(&f, 1, "@read: \n" LOW(3) HIGH(4) "@read: \n" LOW(5) HIGH(3) "@read: \n" LOW(6));
	intake_cut(f.k, false);
	assert_int_equal(f.read, 15);
	feed(&f, 1.1, HIGH(2));
	intake_cut(f.k, false);
	assert_int_equal(f.read, 15);
	intake_cut(f.k, true);
	end(&f, 23, 0);
}

#define TITLES "[09:41:32]\nSYSCALL                   COUNT        TIME (us)\n"

/* A collector that writes to a pipe writes full buffers: a pause within a line ends no table, be it
 * the first one of all or a later one. */
static void tables_in_full_buffers(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	for (int i = 1; i <= 3; i++) {
		feed(&f, 10 * i, TITLES "read                         16      3415860.022\nwri");
		intake_cut(f.k, false);
		intake_cut(f.k, true);
		assert_int_equal(f.read, 16 * (i - 1));
		feed(&f, 10 * i + 5, "te                       291        12038.707\n\n");
		intake_cut(f.k, true);
		assert_int_equal(f.read, 16 * i);
		assert_int_equal(f.write, 291 * i);
	}
	assert_int_equal(f.messages, 0);
	end(&f, 48, 873);
}

/* The first print of all ends where an interval does; a blank line is within it. */
static void a_blank_line_in_the_first_table(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	feed(&f, 1, "       Value     Percentile TotalCount 1/(1-Percentile)\n\n");
	feed(&f, 1, "       1.000 0.500000000000          6           2.00\n");
	intake_cut(f.k, false);
	feed(&f, 1.1,
	     "       2.000 1.000000000000          9\n"
	     "#[Mean    =        1.333, StdDeviation   =        0.471]\n"
	     "#[Max     =        2.000, Total count    =            9]\n"
	     "#[Buckets =           20, SubBuckets     =         2048]\n");
	intake_cut(f.k, true);
	end(&f, 9, 0);
}

#define AREA_1 "0 5456 5241879 726 0 5808 8552286 0 11381955 11381955 3619037 7762918 "
#define AREA_2 "0 496 410144 66 0 528 460556 0 669377 669377 302543 366834 "
#define AREAS  "0: 0+32768 32768 dmstats - precise_timestamps histogram:50000,100000\n"

/* Prints without a time that come at once: a count decreases, so each has calls of its own. */
static void deltas_without_times(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	feed(&f, 1,
	     AREAS "0+32768 682 " AREA_1 "1394:7:5\n"
		   "0+32768 62 " AREA_2 "127:1:0\n");
	intake_cut(f.k, true);
	end(&f, 682 + 62 + 1406 + 128, 726 + 66);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_print_that_is_stopped),
		cmocka_unit_test(prints_without_a_pause),
		cmocka_unit_test(tables_in_full_buffers),
		cmocka_unit_test(a_blank_line_in_the_first_table),
		cmocka_unit_test(deltas_without_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
