/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded: the clock of the day is off by the seconds that the file TEST_CLOCK holds, and the one
 * that only goes on by those of TEST_STEADY_CLOCK.  A disk takes TEST_FSYNC_MS longer to write. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long seconds_of(const char *text)
{
	const char *at = text + (*text == '-');
	long v = 0;

	for (; *at >= '0' && *at <= '9'; at++)
		v = v * 10 + (*at - '0');
	return *text == '-' ? -v : v;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	bool steady = clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE;
	const char *path = getenv(steady ? "TEST_STEADY_CLOCK" : "TEST_CLOCK");
	char text[32] = "";
	int fd, failed = (int)syscall(SYS_clock_gettime, clock, t);

	if ((clock != CLOCK_REALTIME && !steady) || path == NULL)
		return failed;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && read(fd, text, sizeof(text) - 1) > 0)
		t->tv_sec += seconds_of(text);
	if (fd >= 0)
		(void)close(fd);
	return failed;
}

int fsync(int fd)
{
	const char *ms = getenv("TEST_FSYNC_MS");
	const struct timespec longer = { .tv_nsec = (ms != NULL ? seconds_of(ms) : 0) * 1000000 };

	(void)nanosleep(&longer, NULL);
	return (int)syscall(SYS_fsync, fd);
}
