/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files in memory, and where in them a byte is. */
#include "base/input/input_file.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/osprof-input-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) == NULL;
}

static const char *path_of(const char *name)
{
	static char path[100];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* With what a test that failed left there. */
static int remove_folder(void **state)
{
	static const char *const name[] = { "file", "empty", "large", "pipe" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(name); i++)
		(void)unlink(path_of(name[i]));
	return rmdir(folder);
}

static void write_file(const char *path, const char *text, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	assert_int_equal(close(fd), 0);
}

static void a_file_is_read_whole(void **state)
{
	const char *path = path_of("file");
	struct captured captured;
	struct diag diag = diag_to(&captured);
	struct input in;

	(void)state;
	write_file(path, "a\0b\n", 4);
	assert_true(input_open(&in, path, 4, &diag)); /* the limit itself is allowed */
	assert_int_equal(in.bytes.n, 4);
	assert_memory_equal(in.bytes.p, "a\0b\n", 4);
	assert_str(in.name, path);
	input_release(&in);
	input_release(&in); /* twice is fine */
	assert_int_equal(captured.n, 0);
	(void)unlink(path);
}

/* What is read first is a line that is not blank, to its end: it says what the file is, and
 * messages quote it. */
static void the_head_has_a_line(void **state)
{
	static const char text[] = " \n\n\n\t\n\n\n\n\n\n  a line\nanother\n";
	const char *path = path_of("file");
	struct captured captured;
	struct diag diag = diag_to(&captured);
	struct input in;

	(void)state;
	write_file(path, text, sizeof(text) - 1);
	for (size_t head = 0; head < sizeof(text); head++) {
		assert_true(input_begin(&in, path, head, 1000, NULL, &diag));
		assert_true(in.bytes.n >= 9);
		assert_memory_equal(in.bytes.p, "  a line\n", 9);
		assert_int_equal(input_position(&in, 2).line, 10);
		assert_str(input_line(&in, 2), "  a line");
		assert_true(input_complete(&in, &diag));
		assert_str(in.bytes, "  a line\nanother\n");
		input_release(&in);
	}
	write_file(path, " \n\n\n", 4);
	for (size_t head = 0; head < 6; head++) {
		assert_true(input_begin(&in, path, head, 1000, NULL, &diag));
		assert_str(in.bytes, " \n\n\n"); /* nothing but blank lines */
		input_release(&in);
	}
	/* No more than that is wanted. */
	write_file(path, "a line that has more than ten bytes\n", 36);
	assert_true(input_begin(&in, path, 10, 10, NULL, &diag));
	assert_int_equal(in.bytes.n, 11);
	input_release(&in);
	assert_int_equal(captured.n, 0);
	(void)unlink(path);
}

static void an_empty_file_is_empty(void **state)
{
	const char *path = path_of("empty");
	struct captured captured;
	struct diag diag = diag_to(&captured);
	struct input in;

	(void)state;
	write_file(path, "", 0);
	assert_true(input_open(&in, path, 100, &diag));
	assert_int_equal(in.bytes.n, 0);
	assert_int_equal(input_position(&in, 0).line, 1);
	assert_int_equal(input_line(&in, 0).n, 0);
	input_release(&in);
	(void)unlink(path);
}

static void expect_refused(const char *path, size_t limit, enum diag_code code)
{
	struct captured captured;
	struct diag diag = diag_to(&captured);
	struct input in = { .n_lines = 77 };

	assert_false(input_open(&in, path, limit, &diag));
	assert_int_equal(captured.n, 1);
	assert_int_equal(captured.code, code);
	assert_string_equal(captured.file, path);
	assert_int_equal(in.n_lines, 77);
}

static void a_missing_file_and_a_folder_are_unreadable(void **state)
{
	(void)state;
	expect_refused(path_of("missing"), 100, DIAG_INPUT_UNREADABLE);
	expect_refused(folder, 100, DIAG_INPUT_UNREADABLE);
}

static void a_byte_past_the_limit_is_too_large(void **state)
{
	const char *path = path_of("large");

	(void)state;
	write_file(path, "12345", 5);
	expect_refused(path, 4, DIAG_INPUT_LARGE);
	expect_refused("/dev/zero", 1000000, DIAG_INPUT_LARGE); /* endless */
	(void)unlink(path);
}

enum { PIPED = 300000 };

static void *feed(void *path)
{
	int fd = open(path, O_WRONLY);

	for (int i = 0; i < PIPED; i += 3) {
		if (write(fd, "ab\n", 3) != 3)
			break;
	}
	(void)close(fd);
	return NULL;
}

/* More than a pipe holds, in small pieces, and no size to be reported beforehand. */
static void a_pipe_is_read_to_its_end(void **state)
{
	const char *path = path_of("pipe");
	struct captured captured;
	struct diag diag = diag_to(&captured);
	struct input in;
	pthread_t feeder;

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(pthread_create(&feeder, NULL, feed, (void *)(uintptr_t)path), 0);
	assert_true(input_open(&in, path, PIPED, &diag));
	assert_int_equal(pthread_join(feeder, NULL), 0);
	assert_int_equal(in.bytes.n, PIPED);
	assert_int_equal(input_position(&in, PIPED - 1).line, PIPED / 3);
	input_release(&in);
	(void)unlink(path);
}

/* Every byte of random lines: line and column counted one by one. */
static void positions_agree_with_counting(void **state)
{
	static char text[5000];
	struct rng r = rng_start(9);
	struct position at = { 1, 1 };
	struct input in;

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = rng_below(&r, 8) == 0 ? '\n' : 'x';
	input_borrow(&in, "test", text, sizeof(text));
	for (size_t i = 0; i < sizeof(text); i++) {
		struct position got = input_position(&in, i);

		assert_true(got.line == at.line && got.column == at.column);
		at = text[i] == '\n' ? (struct position){ at.line + 1, 1 }
				     : (struct position){ at.line, at.column + 1 };
	}
	input_release(&in);
}

static void lines_are_shown_without_newline(void **state)
{
	struct input in = input_of("one\n\nthree");

	(void)state;
	assert_str(input_line(&in, 0), "one");
	assert_str(input_line(&in, 3), "one"); /* its newline belongs to it */
	assert_str(input_line(&in, 4), "");
	assert_str(input_line(&in, 5), "three");
	assert_str(input_line(&in, 10), "three"); /* the end of the file */
	input_release(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_whole),
		cmocka_unit_test(the_head_has_a_line),
		cmocka_unit_test(an_empty_file_is_empty),
		cmocka_unit_test(a_missing_file_and_a_folder_are_unreadable),
		cmocka_unit_test(a_byte_past_the_limit_is_too_large),
		cmocka_unit_test(a_pipe_is_read_to_its_end),
		cmocka_unit_test(positions_agree_with_counting),
		cmocka_unit_test(lines_are_shown_without_newline),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
