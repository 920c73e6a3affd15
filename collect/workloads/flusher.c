// SPDX-License-Identifier: MIT
/*
 * flusher: a writer and reader of cached data, disturbed by a periodic flush.
 *
 * Follows OSprof (OSDI 2006) section 6.3, figure 9: there the kernel's flushing
 * daemon disturbs reads every few seconds, which shows only in a profile
 * sampled over time. Here a child flushes the file the parent works on, every
 * PERIOD seconds; profiles sampled at 2.5 s tell those times apart.
 *
 *     flusher SECONDS PERIOD FILE
 *
 * FILE is created, grows by some 8 MB a second, and is removed at the end.
 *
 * Invariant: reads only touch what was written in this run, so they are served
 * from the page cache; the child flushes, and does nothing else, until it is
 * told to stop.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RECORD = 512, PAGE = 4096, BURST = 16, NAP_US = 900 };

static double clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Flushes every period seconds, by the clock, until a signal ends it. It starts so that both
 * calls of a flush, and what they delay, end well within a sampling interval of a fifth or half
 * of the period: a flush on the edge between two intervals would have calls in both. */
static _Noreturn void flush_for_ever(int fd, double period)
{
	for (double next = clock_now() + 0.3 * period;; next += period) {
		double left = next - clock_now();
		if (left > 0)
			usleep((useconds_t)(left * 1e6));
		if (sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE) != 0)
			err(1, "sync_file_range");
		if (fsync(fd) != 0)
			err(1, "fsync");
	}
}

/* BURST times: appends a record, and reads back a page. */
static off_t append_and_read(int fd, off_t end)
{
	static char record[RECORD];
	static char page[PAGE];

	for (int i = 0; i < BURST; i++) {
		if (pwrite(fd, record, RECORD, end) != RECORD)
			err(1, "write");
		end += RECORD;
		if (pread(fd, page, PAGE, end / 2 / PAGE * PAGE) < RECORD)
			err(1, "read");
	}
	return end;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		errx(2, "usage: flusher SECONDS PERIOD FILE");
	prctl(PR_SET_NAME, "wl-flusher");
	double seconds = strtod(argv[1], NULL);
	double period = strtod(argv[2], NULL);
	if (!(seconds > 0 && period > 0))
		errx(2, "SECONDS and PERIOD must be positive");

	int fd = open(argv[3], O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		err(1, "%s", argv[3]);
	pid_t child = fork();
	if (child < 0)
		err(1, "fork");
	if (child == 0)
		flush_for_ever(fd, period);

	off_t end = 0;
	for (double stop = clock_now() + seconds; clock_now() < stop;) {
		end = append_and_read(fd, end);
		usleep(NAP_US);
	}

	kill(child, SIGTERM);
	waitpid(child, NULL, 0);
	unlink(argv[3]);
	return 0;
}
