/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of the bytes of a source, cut and delayed as collectors and rotated logs do it; the
 * times at which they come are given. */
#include "tests/watch/fed.h"
#include "watch/reading.h"

/* Rows of a table, and after every `each` of them one that is none. */
static void feed_table(struct fed *f, int rows, int each, const char *bad)
{
	feed(f, 1, "op,latency_ns\n");
	for (int i = 1; i <= rows; i++) {
		feed(f, 1, i % 2 == 0 ? "read,120\n" : "write,4500\n");
		if (i % each == 0)
			feed(f, 1, bad);
	}
}

static void bad_lines_take_no_others_with_them(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	feed_table(&f, 20000, 100, "%%%\n");
	end(&f, 10000, 10000);
	assert_int_equal(f.messages, 1);
}

/* However many there are: here of short ones, in one segment, and of long ones, in several. */
static void good_lines_among_very_many_bad_ones(void **state)
{
	enum { ROWS = 80, BAD = 60, LONG = 2000 };
	char bad[LONG + 2] = "";
	struct fed f;

	(void)state;
	for (int length = 1; length <= LONG; length += LONG - 1) {
		memset(bad, '%', (size_t)length);
		bad[length] = '\n';
		start(&f);
		feed(&f, 1, "op,latency_ns\n");
		for (int row = 0; row < ROWS; row++) {
			feed(&f, 1, row % 2 == 0 ? "read,120\n" : "write,4500\n");
			for (int i = 0; i < BAD; i++)
				feed(&f, 1, bad);
		}
		intake_cut(f.k, true);
		assert_int_equal(intake_ledger(f.k)->refused, ROWS * BAD);
		assert_int_equal(intake_ledger(f.k)->lines, 1 + ROWS);
		assert_int_equal(f.messages, 1); /* until a segment has no bad line */
		end(&f, ROWS / 2, ROWS / 2);
	}
}

/* Fills n bytes as no collector prints them, the same ones each time. */
static void fill_with_noise(char *bytes, size_t n)
{
	uint32_t x = 1;

	for (size_t i = 0; i < n; i++) {
		x = x * 1664525 + 1013904223;
		bytes[i] = (char)(x >> 24);
	}
}

/* What no reader knows is searched for a format for a while, and then dropped unseen until the
 * interval ends: others wait meanwhile.  What comes later, and can be read, is read. */
static void noise_costs_no_more_the_longer_it_is(void **state)
{
	enum { NOISE = 1 << 20, TIMES = 64 };
	char *noise = test_malloc(NOISE);
	struct fed f;

	(void)state;
	fill_with_noise(noise, NOISE);
	start(&f);
	for (int i = 0; i < TIMES; i++)
		intake_take(f.k, noise, NOISE, 1);
	assert_true(intake_waiting(f.k) < NOISE);
	assert_true(f.messages <= 2);
	intake_cut(f.k, false);
	feed(&f, 2, "the rest of a line\n");
	feed_table(&f, 100, 1000, "");
	test_free(noise);
	end(&f, 50, 50);
}

/* The same among lines whose format is known: a turn reads a part, and the end of the input all. */
static void noise_in_a_known_format_is_read_by_turns(void **state)
{
	enum { NOISE = 1 << 22 };
	char *noise = test_malloc(NOISE);
	struct fed f;

	(void)state;
	fill_with_noise(noise, NOISE);
	noise[NOISE - 1] = '\n';
	start(&f);
	feed_table(&f, 100, 1000, "");
	intake_cut(f.k, true);
	intake_take(f.k, noise, NOISE, 2);
	intake_cut(f.k, false);
	assert_true(intake_waiting(f.k) > NOISE / 2);
	for (int i = 1; i <= 100; i++)
		feed(&f, 2, i % 2 == 0 ? "read,120\n" : "write,4500\n");
	test_free(noise);
	end(&f, 100, 100);
}

/* Large enough to be read by several threads, whose messages name the line, too. */
static void a_bad_line_of_many_is_found(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	feed_table(&f, 60000, 40000, "read,1,2,3\n");
	end(&f, 30000, 30000);
	assert_int_equal(f.messages, 1);
}

static void a_line_of_noise_at_the_beginning(void **state)
{
	static const char noise[] = "\0\1\2\n";
	struct fed f;

	(void)state;
	start(&f);
	feed_table(&f, 10, 100, "");
	intake_take(f.k, noise, sizeof(noise) - 1, 1);
	feed(&f, 1, "read,7\n");
	end(&f, 6, 5);
	assert_int_equal(f.messages, 1);
}

/* One map of bpftrace, as JSON. */
static void print_map(struct fed *f, double at, const char *name, int low, int high)
{
	char text[300];

	(void)snprintf(text, sizeof(text),
		       "{\"type\": \"hist\", \"data\": {\"@%s\": [{\"min\": 16, \"max\": 31, "
		       "\"count\": %d}, {\"min\": 32, \"max\": 63, \"count\": %d}]}}\n",
		       name, low, high);
	feed(f, at, text);
	if (intake_format(f->k) == NULL)
		intake_cut(f->k, true);
}

static void counters_in_two_parts(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	for (int i = 1; i <= 12; i++) {
		print_map(&f, i, "read", 100 * i, 50 * i);
		if (i % 3 == 0) /* an interval ends between the two */
			intake_cut(f.k, false);
		print_map(&f, i, "write", 10 * i, 40 * i);
		if (i % 4 == 0)
			intake_cut(f.k, false);
	}
	assert_int_equal(intake_ledger(f.k)->resets, 0);
	end(&f, 1800, 600);
}

static void two_prints_at_once(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	/* One of them is small by chance: the next one holds all of it. */
	for (int i = 0; i < 6; i++) {
		print_map(&f, i, "read", 100 + i % 3, 50);
		print_map(&f, i, "read", 30, 20);
		print_map(&f, i, "read", 66, 41);
		print_map(&f, i, "read", 64, 50);
	}
	end(&f, 6 * 150 + 6 + 6 * (50 + 107 + 114), 0);
}

static void the_third_print_is_late(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	print_map(&f, 1, "read", 100, 50);
	print_map(&f, 2, "read", 90, 60);
	print_map(&f, 4, "read", 195, 110);
	print_map(&f, 5, "read", 96, 52);
	end(&f, 150 + 150 + 305 + 148, 0);
}

static void the_second_print_is_late(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	print_map(&f, 1, "read", 100, 50);
	print_map(&f, 3, "read", 205, 110);
	print_map(&f, 4, "read", 96, 52);
	end(&f, 150 + 315 + 148, 0);
}

static void a_clear_that_was_lost(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	print_map(&f, 1, "read", 100, 50);
	print_map(&f, 2, "read", 90, 60);
	print_map(&f, 3, "read", 195, 110);
	print_map(&f, 4, "read", 96, 52);
	end(&f, 150 + 150 + 155 + 148, 0);
}

/* Two buckets are no proof, but they never shrink: what was counted twice until then is reported.
 */
static void counters_with_few_buckets(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	for (int i = 1; i <= 40; i++)
		print_map(&f, i, "read", 1000 + 3 * i, 500 + 2 * i);
	assert_true(intake_ledger(f.k)->differenced > 20);
	assert_int_equal(intake_ledger(f.k)->gaps, 1);
	assert_true(f.read < (40 - intake_ledger(f.k)->differenced + 1) * 1600);
	intake_free(f.k);
}

/* A load of a timer is the same each time: in one bucket, or in the next one, too. */
static void a_regular_load(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	for (int i = 1; i <= 100; i++)
		print_map(&f, i, "read", 12 + (i >= 50), 3);
	assert_int_equal(intake_ledger(f.k)->differenced, 0);
	end(&f, 100 * 15 + 51, 0);
}

/* Stopped for a while, a collector prints what was due at once: it all counts. */
static void a_burst_of_prints(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	for (int i = 1; i <= 4; i++)
		print_map(&f, i, "read", 1000 + i % 2, 500);
	print_map(&f, 7.5, "read", 3500, 1750);
	print_map(&f, 7.51, "read", 200, 100);
	print_map(&f, 7.52, "read", 420, 210);
	print_map(&f, 8.5, "read", 998, 502);
	end(&f, 6002 + 5250 + 300 + 630 + 1500, 0);
}

/* The first print came soon after the counters began. */
static void a_short_first_print(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	print_map(&f, 1, "read", 20, 10);
	print_map(&f, 2, "read", 120, 60);
	print_map(&f, 3, "read", 221, 112);
	end(&f, 333, 0);
}

static void what_waits_goes_on(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	print_map(&f, 1, "read", 100, 50);
	print_map(&f, 2, "read", 205, 110);
	print_map(&f, 3, "read", 301, 162);
	end(&f, 463, 0);
}

/* Of what lies above 2^31 bpftrace up to 0.19 prints one bucket, open above. */
static void a_bucket_that_is_open_above(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	for (int i = 1; i <= 6; i++)
		print_map(&f, i, "read", 100 * i, 50 * i);
	feed(&f, 7,
	     "{\"type\": \"hist\", \"data\": {\"@read\": [{\"min\": 16, \"max\": 31, \"count\": "
	     "700}, {\"min\": 32, \"max\": 63, \"count\": 350}, {\"min\": -2147483648, \"max\": 0, "
	     "\"count\": 1}]}}\n");
	assert_int_equal(intake_ledger(f.k)->resets, 0);
	end(&f, 1051, 0);
}

#define OTLP_POINT(count)                                                                          \
	"{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"name\":\"read\",\"unit\":"      \
	"\"ms\",\"histogram\":{\"aggregationTemporality\":2,\"dataPoints\":[{"                     \
	"\"startTimeUnixNano\":\"1790000000000000000\",\"timeUnixNano\":"                          \
	"\"17900000" #count "00000000\",\"count\":\"" #count "\",\"sum\":1,\"bucketCounts\":[\"0"  \
	"\",\"" #count "\",\"0\"],\"explicitBounds\":[1,10]}]}}]}]}]}\n"

static void counters_that_say_so(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	/* Two buckets are no proof, and none is needed. */
	feed(&f, 1, OTLP_POINT(20));
	feed(&f, 2, OTLP_POINT(23));
	feed(&f, 3, OTLP_POINT(29));
	end(&f, 29, 0);
}

static void headers(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	feed(&f, 1, "op,latency_ns\nread,5\nread,6\n");
	intake_cut(f.k, true);
	/* A second writer begins as the first one did. */
	feed(&f, 2, "read,7\nop,latency_ns\nwrite,8\nread,9\nop,latency_ns\nwrite,10\n");
	intake_cut(f.k, true);
	/* Who has the file open when it is truncated writes no header again. */
	intake_break(f.k);
	feed(&f, 3, "read,11\nwrite,12\n");
	intake_cut(f.k, true);
	/* Another file may have other columns. */
	intake_end(f.k);
	feed(&f, 4, "latency_ns,op\n");
	intake_cut(f.k, true);
	feed(&f, 5, "13,read\n14,write\n");
	assert_int_equal(intake_ledger(f.k)->refused, 0);
	intake_cut(f.k, true);
	assert_int_equal(f.messages, 0);
	end(&f, 6, 4);
}

/* The rest of a report is waited for, and it counts where it is complete. */
static void a_report_that_comes_in_two_intervals(void **state)
{
	static const char head[] = "\nSummary:\n  Total:\t1.0000 secs\n  Slowest:\t0.0110 secs\n"
				   "  Fastest:\t0.0010 secs\n  Average:\t0.0020 secs\n"
				   "  Requests/sec:\t30.0000\n\nResponse time histogram:\n"
				   "  0.001 [1]\t|\n  0.002 [29]\t|\n";
	static const char rows[] = "  0.003 [0]\t|\n  0.004 [0]\t|\n  0.005 [0]\t|\n  0.006 "
				   "[0]\t|\n  0.007 [0]\t|\n  0.008 [0]\t|\n  0.009 [0]\t|\n"
				   "  0.010 [0]\t|\n  0.011 [0]\t|\n\n"
				   "Status code distribution:\n  [200]\t28 responses\n";
	struct fed f;

	(void)state;
	start(&f);
	for (int i = 1; i <= 2; i++) {
		feed(&f, i, head);
		intake_cut(f.k, false);
		feed(&f, i, rows);
		intake_cut(f.k, false);
		assert_int_equal(f.read, 30 * (i - 1));
		feed(&f, i, "  [404]\t2 responses\n\n");
		intake_cut(f.k, false);
		assert_int_equal(f.read, 30 * i);
	}
	/* One without its end is complete when nothing follows for a while, or ever. */
	feed(&f, 3, head);
	feed(&f, 3, rows);
	feed(&f, 3, "  [404]\t2 responses\n");
	intake_cut(f.k, false);
	assert_int_equal(f.read, 60);
	feed(&f, 4, head);
	assert_int_equal(f.read, 90);
	feed(&f, 4, rows);
	feed(&f, 4, "  [404]\t2 responses\n");
	intake_cut(f.k, true);
	assert_int_equal(f.messages, 0);
	/* This is one half, which its writer never completes. */
	feed(&f, 5, head);
	intake_break(f.k);
	assert_true(f.messages > 0 && intake_ledger(f.k)->refused > 0);
	end(&f, 120, 0);
}

#define SLOW_QUERY                                                                                 \
	"# Time: 261122 12:34:14\n# User@Host: shop[shop] @ localhost []\n"                        \
	"# Query_time: 0.010139  Lock_time: 0.000092  Rows_sent: 1  Rows_examined: 4\n"

static void a_query_that_comes_in_two_intervals(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	feed(&f, 1, SLOW_QUERY);
	feed(&f, 1, "SET timestamp=1795350854;\n/* of the shop\n");
	intake_cut(f.k, false);
	feed(&f, 1, "*/\n");
	intake_cut(f.k, false);
	assert_int_equal(f.read, 0);
	feed(&f, 1, "SELECT count(*)\n");
	intake_cut(f.k, false);
	assert_int_equal(f.read, 2); /* Query_time and Lock_time */
	feed(&f, 1, "  FROM orders;\n" SLOW_QUERY);
	intake_cut(f.k, false);
	assert_int_equal(f.messages, 0);
	intake_break(f.k);
	assert_int_equal(f.messages, 1);
	assert_int_equal(intake_ledger(f.k)->refused, 1);
	end(&f, 2, 0);
}

/* More than one segment at once, each of which ends within one. */
static void very_many_queries(void **state)
{
	enum { QUERIES = 60000 };
	struct fed f;

	(void)state;
	start(&f);
	for (int i = 0; i < QUERIES; i++)
		feed(&f, 1, SLOW_QUERY "SELECT count(*)\n  FROM orders;\n");
	assert_int_equal(intake_ledger(f.k)->refused, 0);
	assert_true(f.read > QUERIES);
	end(&f, 2 * QUERIES, 0);
}

/* What is too large for a record is not waited for. */
static void a_quote_before_very_many_lines(void **state)
{
	enum { ROWS = 2 * SEGMENT_BYTES / 200, ZEROS = 193 };
	char text[ZEROS + 8];
	struct fed f;

	(void)state;
	(void)snprintf(text, sizeof(text), "read,%0*d\n", ZEROS, 6);
	start(&f);
	feed(&f, 1, "op,latency_ns\nread,5\n\"write\n");
	intake_cut(f.k, false);
	for (int i = 0; i < ROWS; i++)
		feed(&f, 1, text);
	assert_true(f.read > 1 && f.messages == 1);
	assert_int_equal(intake_ledger(f.k)->refused, 1);
	end(&f, 1 + ROWS, 0);
}

/* Who reads writes where the intake has room, which stays there while bad lines are taken out. */
static void bad_lines_before_what_is_in_the_room(void **state)
{
	static const char more[] = "read,9\n";
	struct fed f;
	char *room;

	(void)state;
	start(&f);
	feed(&f, 1, "op,latency_ns\nread,5\n\"write\n");
	for (int i = 0; i < 3000; i++)
		feed(&f, 1, "a line that is none\n");
	intake_cut(f.k, false);
	assert_int_equal(f.read, 1);
	room = intake_room(f.k, sizeof(more));
	memcpy(room, more, sizeof(more) - 1);
	intake_take(f.k, room, sizeof(more) - 1, 9);
	assert_int_equal(intake_ledger(f.k)->refused, 3001);
	end(&f, 2, 0);
}

/* A quote that nothing closes takes no other lines with it. */
static void a_quote_that_is_never_closed(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	feed(&f, 1, "op,latency_ns\nread,5\n\"wri");
	intake_cut(f.k, false);
	feed(&f, 1, "te\",7\n\"write\n");
	intake_cut(f.k, false);
	assert_int_equal(f.messages, 0);
	assert_int_equal(f.write, 1);
	for (int i = 0; i < 5; i++)
		feed(&f, 1, "read,6\n");
	intake_cut(f.k, false);
	feed(&f, 2, "read,6\n");
	assert_int_equal(f.messages, 1);
	assert_int_equal(intake_ledger(f.k)->refused, 1);
	end(&f, 7, 1);
}

#define FIO_HEAD "{\n  \"fio version\" : \"fio-3.33\",\n  \"jobs\" : [\n    {\n"
#define FIO_READ(ios)                                                                              \
	"      \"jobname\" : \"a\",\n      \"read\" : {\n        \"total_ios\" : " #ios            \
	",\n        \"clat_ns\" : {\n          \"min\" : 100,\n          \"max\" : 200,\n"         \
	"          \"mean\" : 150.0,\n          \"stddev\" : 1.0,\n          \"N\" : " #ios        \
	",\n          \"bins\" : {\n            \"151\" : " #ios "\n          }\n        }\n"      \
	"      }\n    }\n  ]\n}\n"

static void a_document_that_is_stopped(void **state)
{
	struct fed f;

	(void)state;
	start(&f);
	feed(&f, 1, FIO_HEAD FIO_READ(1000));
	intake_cut(f.k, true);
	assert_string_equal(intake_format(f.k), "fio");
	feed(&f, 2, FIO_HEAD FIO_READ(2000));
	feed(&f, 3, FIO_HEAD);
	intake_cut(f.k, false);
	intake_cut(f.k, true);
	feed(&f, 9, FIO_READ(3500));
	intake_cut(f.k, true);
	assert_int_equal(f.read, 3500);
	/* One that is never ended is refused when the next one begins. */
	feed(&f, 10, FIO_HEAD);
	intake_cut(f.k, true);
	assert_int_equal(intake_ledger(f.k)->refused, 0);
	feed(&f, 11, FIO_HEAD FIO_READ(4000));
	intake_cut(f.k, true);
	assert_true(intake_ledger(f.k)->refused > 0);
	end(&f, 4000, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_lines_take_no_others_with_them),
		cmocka_unit_test(good_lines_among_very_many_bad_ones),
		cmocka_unit_test(noise_costs_no_more_the_longer_it_is),
		cmocka_unit_test(noise_in_a_known_format_is_read_by_turns),
		cmocka_unit_test(a_bad_line_of_many_is_found),
		cmocka_unit_test(a_line_of_noise_at_the_beginning),
		cmocka_unit_test(counters_in_two_parts),
		cmocka_unit_test(two_prints_at_once),
		cmocka_unit_test(the_third_print_is_late),
		cmocka_unit_test(the_second_print_is_late),
		cmocka_unit_test(a_clear_that_was_lost),
		cmocka_unit_test(counters_with_few_buckets),
		cmocka_unit_test(a_regular_load),
		cmocka_unit_test(a_burst_of_prints),
		cmocka_unit_test(a_short_first_print),
		cmocka_unit_test(what_waits_goes_on),
		cmocka_unit_test(a_bucket_that_is_open_above),
		cmocka_unit_test(counters_that_say_so),
		cmocka_unit_test(headers),
		cmocka_unit_test(a_document_that_is_stopped),
		cmocka_unit_test(a_report_that_comes_in_two_intervals),
		cmocka_unit_test(a_query_that_comes_in_two_intervals),
		cmocka_unit_test(a_quote_that_is_never_closed),
		cmocka_unit_test(bad_lines_before_what_is_in_the_room),
		cmocka_unit_test(very_many_queries),
		cmocka_unit_test(a_quote_before_very_many_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
