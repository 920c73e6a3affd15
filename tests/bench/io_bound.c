/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An I/O-bound program for tests/bench/recorder.py: writes a file record by record, and
 * asks for each to be on the disk.
 *
 *	io_bound COUNT FILE [BLOCK]
 *
 * With BLOCK, blocks of so many records take turns, as in by_turns.h.
 */
#include "tests/bench/by_turns.h"

#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { RECORD = 4096 };

struct log {
	int fd, n_records;
};

static void append(void *context)
{
	static const char record[RECORD];
	const struct log *log = context;

	for (int i = 0; i < log->n_records; i++) {
		if (call->write(log->fd, record, RECORD) != RECORD)
			err(1, "write");
		if (call->fdatasync(log->fd) != 0)
			err(1, "fdatasync");
	}
}

int main(int argc, char **argv)
{
	struct log log;
	int n;

	if (argc != 3 && argc != 4)
		errx(2, "usage: io_bound COUNT FILE [BLOCK]");
	n = atoi(argv[1]);
	log.n_records = argc == 4 ? atoi(argv[3]) : n;
	log.fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (log.n_records < 1 || log.fd < 0)
		err(1, "%s", argv[2]);
	if (argc == 4)
		take_turns((unsigned)(n / log.n_records), append, &log);
	else
		append(&log);
	(void)close(log.fd);
	return unlink(argv[2]);
}
