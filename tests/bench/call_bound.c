/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A call-bound program for tests/bench/recorder.py: the cheapest call that is recorded,
 * over and over.
 *
 *	call_bound COUNT
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = open("/dev/null", O_RDONLY);

	if (argc != 2 || fd < 0)
		errx(2, "usage: call_bound COUNT");
	for (int i = atoi(argv[1]); i > 0; i--)
		if (lseek(fd, 0, SEEK_CUR) != 0)
			err(1, "lseek");
	return 0;
}
