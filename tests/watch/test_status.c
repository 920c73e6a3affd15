/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The status beside kept intervals: what it says, and that nothing put in its place does harm. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/out.h"
#include "watch/status.h"

static char folder[64], path[128];

static int make_folder(void **state)
{
	(void)state;
	(void)strcpy(folder, "/tmp/osprof-status-XXXXXX");
	if (mkdtemp(folder) == NULL)
		return 1;
	(void)snprintf(path, sizeof(path), "%s/%s", folder, WATCH_STATUS_NAME);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	(void)unlink(path);
	return rmdir(folder);
}

/* 2026-09-21 14:13:20 UTC is 1790000000. */
static const struct watch_status sample = { .watching = true,
					    .time = 1790000000,
					    .every = 10,
					    .end = 1790000000,
					    .intervals = 7,
					    .incomplete = 2,
					    .unkept = 1,
					    .alarms = 3,
					    .active = 1,
					    .lost = 340,
					    .refused = 1,
					    .gaps = 4,
					    .dropped = 99,
					    .late = 5,
					    .sources = 6,
					    .waiting = 1,
					    .failed = 2 };

static void put(const void *text, size_t n)
{
	int fd;

	(void)unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	assert_int_equal(close(fd), 0);
}

static bool reads(const char *text)
{
	struct watch_status s;

	put(text, strlen(text));
	return watch_status_read(folder, &s);
}

static struct out *printed(const struct watch_status *s)
{
	struct out *o = out_to_memory();

	watch_status_print(o, s);
	return o;
}

static void reads_what_was_printed(void **state)
{
	struct out *o = printed(&sample), *again;
	struct watch_status s = sample, got;

	(void)state;
	put(out_memory(o).p, out_memory(o).n);
	assert_true(watch_status_read(folder, &got));
	again = printed(&got);
	assert_true(str_eq(out_memory(again), out_memory(o)));
	out_free(again);
	out_free(o);
	s.watching = false;
	s.end = NAN;
	o = printed(&s);
	put(out_memory(o).p, out_memory(o).n);
	assert_true(watch_status_read(folder, &got));
	assert_true(!got.watching && isnan(got.end));
	out_free(o);
}

static void says(const struct watch_status *s, double now, const char *expected)
{
	struct out *o = out_to_memory();

	watch_status_say(o, s, now, ", ");
	out_char(o, '\0');
	assert_string_equal(out_memory(o).p, expected);
	out_free(o);
}

static void says_what_matters_first(void **state)
{
	struct watch_status s = { .watching = true, .time = 1790000000, .every = 10, .end = NAN };

	(void)state;
	says(&sample, 1790000012.9,
	     "12 s ago, 3 alarms (1 active), 2 of 6 sources failed, 1 of 6 sources waiting, "
	     "340 events lost, 1 line not read, 4 gaps, 1 interval not kept, 5 late profiles, "
	     "2 intervals incomplete");
	says(&s, 1790000005, "no interval yet");
	s.end = 1790000000;
	says(&s, 1790000000, "0 s ago");
	says(&s, 1789990000, "0 s ago"); /* by the clock of another host */
	says(&s, 1790000030, "30 s ago");
	says(&s, 1790000030.5, "stale: 30 s ago");
	says(&s, 1790000119, "stale: 119 s ago");
	says(&s, 1790000120, "stale: 2 min ago");
	says(&s, 1790007199, "stale: 119 min ago");
	says(&s, 1790007200, "stale: 2 h ago");
	says(&s, 1790172800, "stale: 2 days ago");
	s.alarms = s.active = 1;
	says(&s, 1790000001, "1 s ago, 1 alarm");
	s.active = 0;
	says(&s, 1790000001, "1 s ago, 1 alarm (over)");
	/* It stops with its watch, whose sources are of no interest then. */
	s.watching = false;
	s.failed = s.sources = 1;
	says(&s, 1890000000, "ended 2026-09-21 14:13 UTC, 1 alarm (over)");
}

static void nothing_but_a_whole_one_is_read(void **state)
{
	struct out *o = printed(&sample);
	struct str all = out_memory(o);
	struct watch_status s;

	(void)state;
	for (size_t n = 0; n + 1 < all.n; n++) { /* its last byte is a newline */
		put(all.p, n);
		assert_false(watch_status_read(folder, &s));
	}
	out_free(o);
	assert_false(reads("nothing"));
	assert_false(reads("{}"));
	assert_false(reads("{\"schema\": \"osprof.watch-status/2\", \"time\": 1, \"every\": 1}"));
	assert_true(reads("{\"schema\": \"osprof.watch-status/1\", \"time\": 1, \"every\": 1}"));
	assert_true(reads("{\"schema\": \"osprof.watch-status/1\", \"time\": 1, \"every\": 1, "
			  "\"more\": [{\"of\": \"later\"}]}"));
	assert_false(reads("{\"schema\": \"osprof.watch-status/1\", \"time\": 1, \"every\": 0}"));
	assert_false(reads("{\"schema\": \"osprof.watch-status/1\", \"time\": 1, \"every\": -1}"));
	assert_false(
		reads("{\"schema\": \"osprof.watch-status/1\", \"time\": 1e300, \"every\": 1}"));
	assert_false(
		reads("{\"schema\": \"osprof.watch-status/1\", \"time\": 1e999, \"every\": 1}"));
	assert_false(reads("{\"schema\": \"osprof.watch-status/1\", \"time\": 1, \"every\": 1, "
			   "\"end\": -1}"));
	assert_false(reads("{\"schema\": \"osprof.watch-status/1\", \"time\": 1, \"every\": 1, "
			   "\"alarms\": -1}"));
}

/* Whatever a byte is changed to, it is read or not, and what is said is one line of ASCII. */
static void changed_bytes(void **state)
{
	struct out *o = printed(&sample);
	size_t n = out_memory(o).n;
	char text[1024];
	unsigned random = 1;

	(void)state;
	assert_true(n < sizeof(text));
	for (int round = 0; round < 20000; round++) {
		struct out *words = out_to_memory();
		struct watch_status s;

		memcpy(text, out_memory(o).p, n);
		for (int k = 0; k <= round % 3; k++) {
			random = random * 1664525 + 1013904223;
			text[(random >> 8) % n] = (char)(random >> 20);
		}
		put(text, n);
		if (watch_status_read(folder, &s))
			watch_status_say(words, &s, 1790000000, ", ");
		for (size_t i = 0; i < out_memory(words).n; i++)
			assert_in_range(out_memory(words).p[i], ' ', '~');
		out_free(words);
	}
	out_free(o);
}

static void what_is_no_file_of_ours(void **state)
{
	struct out *o = printed(&sample);
	struct watch_status s;
	char *large = calloc(1, 5000);

	(void)state;
	(void)unlink(path);
	assert_false(watch_status_read(folder, &s));
	assert_false(watch_status_read("/nowhere", &s));
	assert_int_equal(mkfifo(path, 0644), 0);
	assert_false(watch_status_read(folder, &s)); /* and does not wait for a writer */
	(void)unlink(path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_false(watch_status_read(folder, &s));
	(void)unlink(path);
	assert_int_equal(mkdir(path, 0755), 0);
	assert_false(watch_status_read(folder, &s));
	assert_int_equal(rmdir(path), 0);
	memset(large, ' ', 5000);
	memcpy(large, out_memory(o).p, out_memory(o).n);
	put(large, 5000);
	assert_false(watch_status_read(folder, &s));
	free(large);
	/* Others could have written it. */
	put(out_memory(o).p, out_memory(o).n);
	assert_int_equal(chmod(path, 0666), 0);
	assert_false(watch_status_read(folder, &s));
	assert_int_equal(chmod(path, 0644), 0);
	assert_true(watch_status_read(folder, &s));
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 65534, 65534), 0);
		assert_false(watch_status_read(folder, &s));
		assert_int_equal(chown(folder, 65534, 65534), 0); /* whose folder it is may */
		assert_true(watch_status_read(folder, &s));
		assert_int_equal(chown(folder, 0, 0), 0);
	}
	out_free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_was_printed),
		cmocka_unit_test(says_what_matters_first),
		cmocka_unit_test(nothing_but_a_whole_one_is_read),
		cmocka_unit_test(changed_bytes),
		cmocka_unit_test(what_is_no_file_of_ours),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
