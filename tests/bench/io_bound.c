/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An I/O-bound program for tests/bench/recorder.py: writes a file record by record, and
 * asks for each to be on the disk.
 *
 *	io_bound COUNT FILE
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { RECORD = 4096 };

int main(int argc, char **argv)
{
	static char record[RECORD];
	int fd;

	if (argc != 3)
		errx(2, "usage: io_bound COUNT FILE");
	fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		err(1, "%s", argv[2]);
	for (int i = atoi(argv[1]); i > 0; i--) {
		if (write(fd, record, RECORD) != RECORD)
			err(1, "write");
		if (fdatasync(fd) != 0)
			err(1, "fdatasync");
	}
	(void)close(fd);
	return unlink(argv[2]);
}
