/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls functions that _FORTIFY_SOURCE wraps, once or as often as the comment after the call
 * says, which sites.py reads: the operation, the function that the site is in, the times.
 * sites.cc is the same in C++, with more.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

enum { SIZE = 64 };

#define CHECK(ok)                                                                                  \
	do {                                                                                       \
		if (!(ok))                                                                         \
			_exit(9);                                                                  \
	} while (0)

static void read_some(int fd, char *buffer, size_t n)
{
	for (int i = 0; i < 5; i++)
		CHECK(read(fd, buffer, n) >= 0); /* site: read read_some 5 */
}

/* Compilers inline it where they can; it is the program's all the same. */
static inline ssize_t read_at(int fd, char *buffer, size_t n, off_t at)
{
	return pread(fd, buffer, n, at); /* site: pread read_at 6 */
}

static inline void read_twice(int fd, char *buffer, size_t n)
{
	{
		char *half = buffer + n / 2;

		CHECK(read_at(fd, buffer, n / 2, 0) >= 0);
		CHECK(read_at(fd, half, n / 2, 0) >= 0);
	}
}

__attribute__((noinline)) static void read_line(FILE *f, char *line, int n)
{
	CHECK(fgets(line, n, f) != NULL); /* site: fgets read_line 3 */
}

int main(int argc, char **argv)
{
	char buffer[SIZE];
	size_t n = (size_t)argc * SIZE / 2;
	struct pollfd p = { 0, POLLIN, 0 };
	int fd = open(argv[1], O_RDONLY); /* site: open main 1 */
	FILE *f = fopen(argv[1], "r");

	CHECK(argc == 2 && fd >= 0 && f != NULL);
	read_some(fd, buffer, n);
	CHECK(read(fd, buffer, n) >= 0); /* site: read main 1 */
	for (int i = 0; i < 3; i++) {
		read_twice(fd, buffer, n);
		read_line(f, buffer, (int)n);
	}
	CHECK(poll(&p, (nfds_t)argc - 1, 0) >= 0); /* site: poll main 1 */
#ifdef __cplusplus
	more(fd, buffer, n);
#endif
	return 0;
}
