/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch/rename_new.c, also where the kernel or the file system refuses its flag. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "watch/rename_new.h"

static int refusal; /* errno of the system call; 0: it is made */

/* In place of that of the C library. */
long syscall(long number, ...)
{
	va_list list;
	int folder;
	const char *name, *new_name;

	(void)number;
	va_start(list, number);
	folder = va_arg(list, int);
	name = va_arg(list, const char *);
	(void)va_arg(list, int);
	new_name = va_arg(list, const char *);
	va_end(list);
	errno = refusal;
	if (refusal != 0)
		return -1;
	/* What the kernel does: a hard link is never made over a file. */
	return linkat(folder, name, folder, new_name, 0) == 0 ? unlinkat(folder, name, 0) : -1;
}

static void make(int folder, const char *name, const char *text)
{
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_int_equal(write(fd, text, 1), 1);
	(void)close(fd);
}

static char first_of(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY);
	char c = '-';

	if (fd >= 0) {
		assert_int_equal(read(fd, &c, 1), 1);
		(void)close(fd);
	}
	return c;
}

static void renames_and_never_replaces(void **state)
{
	const int refusals[] = { 0, EINVAL, ENOSYS };
	char path[] = "/tmp/osprof-rename-XXXXXX";
	int folder = open(mkdtemp(path), O_RDONLY | O_DIRECTORY);

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		refusal = refusals[i];
		make(folder, "old", "a");
		assert_int_equal(rename_new(folder, "old", "new"), 0);
		assert_int_equal(first_of(folder, "old"), '-');
		assert_int_equal(first_of(folder, "new"), 'a');
		make(folder, "old", "b");
		assert_int_equal(rename_new(folder, "old", "new"), -1);
		assert_int_equal(errno, EEXIST);
		assert_int_equal(first_of(folder, "old"), 'b');
		assert_int_equal(first_of(folder, "new"), 'a');
		(void)unlinkat(folder, "old", 0);
		(void)unlinkat(folder, "new", 0);
	}
	/* Any other error is that of the call. */
	make(folder, "old", "a");
	refusal = EIO;
	assert_int_equal(rename_new(folder, "old", "new"), -1);
	assert_int_equal(errno, EIO);
	assert_int_equal(first_of(folder, "old"), 'a');
	(void)unlinkat(folder, "old", 0);
	(void)close(folder);
	(void)rmdir(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(renames_and_never_replaces) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
