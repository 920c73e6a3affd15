/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captures that come in pieces, cut after each line and after every seventh, have the calls that
 * they have as a whole: a call may begin in one piece and end in another. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/input/input_file.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "profile/edges.h"
#include "watch/intake.h"

static const char *testdata;

static const struct read_options reading = { .build = { .unit = UNIT_NS } };

/* Calls and time of each operation.  A total that is estimated is that of the buckets of all its
 * pieces together: estimates do not add up. */
struct sums {
	size_t n;
	struct arena *arena; /* of the buckets */
	struct edges_pool edges;
	struct sum {
		char name[256];
		uint64_t calls;
		double stated;	       /* the sum of the totals that are stated */
		struct histogram hist; /* of the others */
		bool estimated;
	} sum[512];
	int messages;
};

/* Whose lines need others around them. */
static bool is_exempt(const char *name)
{
	static const char *const exempt[] = {
		"odd.txt",     /* a jump out of a function, and events lost */
		"pretty.json", /* is read again with each line until it ends, which takes long */
		"cyclictest-live.txt", /* means that were rounded, times cycles */
		"cyclictest-v-h.txt",  /* -v lost some calls, which the histogram has */
	};

	for (size_t i = 0; i < COUNT_OF(exempt); i++) {
		if (strcmp(name, exempt[i]) == 0)
			return true;
	}
	return false;
}

static struct sum *sum_of(struct sums *s, const struct operation *op)
{
	char name[sizeof(s->sum[0].name)];

	/* A piece may have one layer where the whole has two, and leave it out. */
	(void)snprintf(name, sizeof(name), "%.*s", STR_ARG(op->name));
	for (size_t i = 0; i < s->n; i++) {
		if (strcmp(s->sum[i].name, name) == 0)
			return &s->sum[i];
	}
	assert_true(s->n < COUNT_OF(s->sum));
	(void)strcpy(s->sum[s->n].name, name);
	return &s->sum[s->n++];
}

static struct sums *sums_new(void)
{
	struct sums *s = xcalloc(1, sizeof(*s));

	s->arena = arena_new();
	edges_pool_start(&s->edges, s->arena);
	return s;
}

static void sums_free(struct sums *s)
{
	edges_pool_release(&s->edges);
	arena_free(s->arena);
	free(s);
}

static double total_of(const struct sum *s)
{
	return s->stated + (s->estimated ? histogram_total(&s->hist) : 0);
}

static void add_histogram(struct sums *s, struct sum *to, const struct histogram *h)
{
	struct histogram copy = histogram_copy(&s->edges, h);

	if (!to->estimated)
		to->hist = copy;
	else
		assert_int_equal(histogram_merge(s->arena, &to->hist, &copy, &to->hist),
				 MERGE_DONE);
	to->estimated = true;
}

static void add_profile(struct sums *s, const struct profile *p)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		struct sum *sum = sum_of(s, &p->op[i]);

		sum->calls += operation_count(&p->op[i]);
		if (operation_total_stated(&p->op[i]))
			sum->stated += operation_total(&p->op[i]);
		else
			add_histogram(s, sum, &p->op[i].hist);
	}
}

static void take(void *ctx, struct profile *p)
{
	add_profile(ctx, p);
	profile_free(p);
}

static void note(void *ctx, const char *message)
{
	struct sums *s = ctx;

	s->messages++;
	print_message("%s\n", message);
}

static struct sums *in_pieces(struct str text, size_t lines)
{
	const struct intake_options options = { .read = reading, .max_bytes = 1 << 30 };
	struct sums *s = sums_new();
	struct intake *k = intake_new("test", &options, take, note, s);
	size_t n = 0;

	while (text.n > 0) {
		size_t end = str_find(text, STR("\n"));

		end += end < text.n;
		intake_take(k, text.p, end, 1);
		text = str_skip(text, end);
		if (++n % lines == 0)
			intake_cut(k, false);
	}
	intake_end(k);
	intake_finish(k);
	intake_free(k);
	return s;
}
static void check_same(const char *path, size_t lines, const struct sums *whole,
		       const struct sums *pieces)
{
	uint64_t calls[2] = { 0 };
	double total[2] = { 0 };

	for (size_t i = 0; i < whole->n; i++) {
		calls[0] += whole->sum[i].calls;
		total[0] += total_of(&whole->sum[i]);
	}
	for (size_t i = 0; i < pieces->n; i++) {
		calls[1] += pieces->sum[i].calls;
		total[1] += total_of(&pieces->sum[i]);
	}
	if (calls[0] != calls[1] || whole->n != pieces->n ||
	    fabs(total[0] - total[1]) > 1e-9 * total[0] || pieces->messages > 0)
		fail_msg("%s after each %zu lines: %llu calls of %zu operations, %g ns; as a whole "
			 "%llu, %zu, %g",
			 path, lines, (unsigned long long)calls[1], pieces->n, total[1],
			 (unsigned long long)calls[0], whole->n, total[0]);
	for (size_t i = 0; i < whole->n; i++) {
		size_t j = 0;

		while (j < pieces->n && strcmp(pieces->sum[j].name, whole->sum[i].name) != 0)
			j++;
		if (j == pieces->n || pieces->sum[j].calls != whole->sum[i].calls)
			fail_msg("%s after each %zu lines: another number of %s", path, lines,
				 whole->sum[i].name);
	}
}

/* What is in it as a whole; NULL: it cannot be read, or is not of lines that add up. */
static struct sums *whole_of(const char *path)
{
	struct diag ignored = { 0 };
	struct sums *whole = NULL;
	struct profile *p;
	struct input in;

	assert_true(input_open(&in, path, 1 << 30, &ignored));
	p = format_read(NULL, &in, &reading, &ignored);
	input_release(&in);
	if (p != NULL && format_by_name(str_from(p->format))->streams) {
		whole = sums_new();
		add_profile(whole, p);
	}
	profile_free(p);
	return whole;
}

static bool check_capture(const char *path)
{
	struct sums *whole = whole_of(path), *pieces;
	struct diag ignored = { 0 };
	struct input in;

	if (whole == NULL)
		return false;
	assert_true(input_open(&in, path, 1 << 30, &ignored));
	for (size_t lines = 1; lines < 10; lines += 6) {
		pieces = in_pieces(in.bytes, lines);
		check_same(path, lines, whole, pieces);
		sums_free(pieces);
	}
	input_release(&in);
	sums_free(whole);
	return true;
}

static void check_twice(const char *path)
{
	struct sums *whole = whole_of(path), *pieces;
	struct diag ignored = { 0 };
	struct input in;
	char *twice;

	assert_non_null(whole);
	for (size_t i = 0; i < whole->n; i++) {
		whole->sum[i].calls *= 2;
		whole->sum[i].stated *= 2;
		if (whole->sum[i].estimated)
			add_histogram(whole, &whole->sum[i], &whole->sum[i].hist);
	}
	assert_true(input_open(&in, path, 1 << 30, &ignored));
	twice = xcalloc(2, in.bytes.n);
	memcpy(twice, in.bytes.p, in.bytes.n);
	memcpy(twice + in.bytes.n, in.bytes.p, in.bytes.n);
	for (size_t lines = 1; lines < 200; lines += 33) {
		pieces = in_pieces((struct str){ twice, 2 * in.bytes.n }, lines);
		check_same(path, lines, whole, pieces);
		sums_free(pieces);
	}
	input_release(&in);
	free(twice);
	sums_free(whole);
}

static bool is_capture(const char *name)
{
	static const char *const suffix[] = { ".txt", ".csv", ".log", ".jtl", ".json" };

	for (size_t i = 0; i < COUNT_OF(suffix); i++) {
		if (strstr(name, suffix[i]) != NULL)
			return true;
	}
	return false;
}

static void check_folder(const char *name, size_t min)
{
	char path[4096];
	struct dirent *e;
	size_t n = 0;
	DIR *d;

	(void)snprintf(path, sizeof(path), "%s/%s", testdata, name);
	d = opendir(path);
	assert_non_null(d);
	while ((e = readdir(d)) != NULL) {
		if (!is_capture(e->d_name) || is_exempt(e->d_name))
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s/%s", testdata, name, e->d_name);
		n += check_capture(path);
	}
	(void)closedir(d);
	assert_true(n >= min);
}

/* Begins and ends are lines of their own. */
static void calls_over_several_pieces(void **state)
{
	(void)state;
	check_folder("ftrace", 12);
	check_folder("trace-cmd", 6);
	check_folder("perf-script", 10);
	check_folder("babeltrace", 15);
	check_folder("sysdig", 6);
	check_folder("blkparse", 4);
	check_folder("uftrace", 10);
}

/* The first line says what follows, and may be all there is for a while. */
static void headers_that_come_alone(void **state)
{
	(void)state;
	check_folder("bcc-events", 5);
	check_folder("strace", 15);
	check_folder("ltrace", 5);
}

/* Of calls that were counted as they came. */
static void a_summary_at_the_end(void **state)
{
	char path[4096];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/perf-trace/calls-and-summary.txt", testdata);
	assert_true(check_capture(path));
}

/* Of several lines: an interval ends within it. */
static void records_of_several_lines(void **state)
{
	(void)state;
	check_folder("mysql-slow", 10);
	check_folder("postgresql", 14);
	check_folder("jmeter", 6);
	check_folder("calls", 8);
	check_folder("csv", 5);
}

static void reports(void **state)
{
	(void)state;
	check_folder("hey", 13);
	check_folder("ghz", 8);
	check_folder("ycsb", 11);
	check_folder("rt-tests", 9);
}

/* What prints it runs again. */
static void one_report_after_the_other(void **state)
{
	static const char *const names[] = {
		"hey/hey-0.1.5.txt",
		"hey/oha-ms.txt",
		"ghz/summary.txt",
		"ycsb/histogram.txt",
		"ycsb/status-lines.txt",
		"ycsb/raw.csv",
		"ycsb/timeseries.txt",
		"ycsb/hdrhistogram-verbose.txt",
		"mysql-slow/good.log",
		"postgresql/text.log",
		"postgresql/log.csv",
		"rt-tests/cyclictest-h.txt",
		"rt-tests/cyclictest-v2.7.txt",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		char path[4096];

		(void)snprintf(path, sizeof(path), "%s/%s", testdata, names[i]);
		check_twice(path);
	}
}

/* Its first line alone says what the rows are, and may be anywhere. */
static void raw_data_below_other_lines(void **state)
{
	struct sums *whole, *pieces;
	struct diag ignored = { 0 };
	char path[4096], *text;
	struct input in;
	size_t n;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/ycsb/raw.csv", testdata);
	whole = whole_of(path);
	assert_true(input_open(&in, path, 1 << 30, &ignored));
	for (int above = 1; above < 20; above += 6) {
		text = xcalloc(1, in.bytes.n + 20 * 32);
		n = 0;
		for (int i = 0; i < above; i++)
			n += (size_t)snprintf(text + n, 32, "%d sec: 0 operations;\n", i);
		memcpy(text + n, in.bytes.p, in.bytes.n);
		pieces = in_pieces((struct str){ text, n + in.bytes.n }, 1);
		check_same(path, 1, whole, pieces);
		sums_free(pieces);
		free(text);
	}
	input_release(&in);
	sums_free(whole);
}

/* Where lines of -v were counted, the histogram after them is not. */
static void lines_and_their_histogram(void **state)
{
	enum { LINES = 295 };
	struct diag ignored = { 0 };
	struct sums *pieces;
	uint64_t calls = 0;
	struct input in;
	char path[4096];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/rt-tests/cyclictest-v-h.txt", testdata);
	assert_true(input_open(&in, path, 1 << 30, &ignored));
	pieces = in_pieces(in.bytes, 1);
	for (size_t i = 0; i < pieces->n; i++)
		calls += pieces->sum[i].calls;
	assert_int_equal(calls, LINES);
	input_release(&in);
	sums_free(pieces);
}

static void rows_that_count_on(void **state)
{
	(void)state;
	check_folder("sockperf", 2);
	check_folder("sipp", 2);
}

#define EVENT(at, what) "  prog-100     [000] ..... " at ": sys_read" what "\n"

static void feed(struct intake *k, const char *line)
{
	intake_take(k, line, strlen(line), 1);
	intake_cut(k, false);
}

/* The call that was open before is not the one that ends after it. */
static void a_gap_within_a_call(void **state)
{
	const struct intake_options options = { .read = reading, .max_bytes = 1 << 30 };
	struct sums *s = sums_new();
	struct intake *k = intake_new("test", &options, take, note, s);

	(void)state;
	feed(k, EVENT("1000.000001", "(fd: 3, buf: 0, count: 1)"));
	feed(k, EVENT("1000.000003", " -> 0x1"));
	feed(k, EVENT("1000.000005", "(fd: 3, buf: 0, count: 1)"));
	intake_gap(k);
	feed(k, EVENT("1007.000006", " -> 0x1"));
	feed(k, EVENT("1007.000007", "(fd: 3, buf: 0, count: 1)"));
	feed(k, EVENT("1007.000011", " -> 0x1"));
	intake_end(k);
	assert_int_equal(s->n, 1);
	assert_int_equal(s->sum[0].calls, 2);
	assert_true(total_of(&s->sum[0]) == 2000 + 4000);
	intake_free(k);
	sums_free(s);
}

/* More tasks than are carried on come, run once and end, which no line says. */
static void tasks_that_end(void **state)
{
	enum { TASKS = 140000, EACH = 10000 };
	const struct intake_options options = { .read = reading, .max_bytes = 1 << 30 };
	struct sums *s = sums_new();
	struct intake *k = intake_new("test", &options, take, note, s);
	char text[512];

	(void)state;
	for (int i = 0; i < TASKS; i++) {
		int n = snprintf(
			text, sizeof(text),
			"  <idle>-0 [000] d..2. 1000.%06d: sched_switch: prev_comm=a "
			"prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=t next_pid=%d "
			"next_prio=120\n"
			"  t-%d [000] d..2. 1000.%06d: sched_switch: prev_comm=t "
			"prev_pid=%d prev_prio=120 prev_state=X ==> next_comm=a "
			"next_pid=0 next_prio=120\n",
			4 * i, i + 1, i + 1, 4 * i + 3, i + 1);

		intake_take(k, text, (size_t)n, 1);
		if (i % EACH == 0)
			intake_cut(k, false);
	}
	intake_end(k);
	assert_int_equal(s->n, 1);
	assert_int_equal(s->sum[0].calls, TASKS);
	assert_true(total_of(&s->sum[0]) == 3000.0 * TASKS);
	assert_int_equal(s->messages, 0);
	intake_free(k);
	sums_free(s);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_over_several_pieces),
		cmocka_unit_test(headers_that_come_alone),
		cmocka_unit_test(a_summary_at_the_end),
		cmocka_unit_test(records_of_several_lines),
		cmocka_unit_test(reports),
		cmocka_unit_test(one_report_after_the_other),
		cmocka_unit_test(raw_data_below_other_lines),
		cmocka_unit_test(lines_and_their_histogram),
		cmocka_unit_test(rows_that_count_on),
		cmocka_unit_test(a_gap_within_a_call),
		cmocka_unit_test(tasks_that_end),
	};

	assert_int_equal(argc, 2);
	testdata = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
