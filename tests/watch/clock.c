/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded: the clock of the day is off by the seconds that the file TEST_CLOCK holds, and the one
 * that only goes on by those of TEST_STEADY_CLOCK.  With TEST_STILL both stand still at its seconds
 * but for these files, nothing waits for the disk, and whoever waits for events at such a time with
 * nothing left to do writes the seconds of TEST_STEADY_CLOCK into TEST_IDLE.  A disk takes
 * TEST_FSYNC_MS longer to write. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Of the steady clock, when it was asked last. */
static long steady_shift;

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
	const char *still = getenv("TEST_STILL");
	char text[32] = "";
	int fd, failed = (int)syscall(SYS_clock_gettime, clock, t);

	if (clock != CLOCK_REALTIME && !steady)
		return failed;
	if (still != NULL)
		*t = (struct timespec){ .tv_sec = seconds_of(still) };
	if (path == NULL)
		return failed;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && read(fd, text, sizeof(text) - 1) > 0)
		t->tv_sec += seconds_of(text);
	if (fd >= 0)
		(void)close(fd);
	if (steady)
		steady_shift = seconds_of(text);
	return failed;
}

static void report_idle(void)
{
	const char *path = getenv("TEST_IDLE");
	FILE *f = path != NULL ? fopen(path, "we") : NULL;

	if (f == NULL)
		return;
	(void)fprintf(f, "%ld\n", steady_shift);
	(void)fclose(f);
}

/* Who waits for a clock that stands still looks at it every few milliseconds.  The first look may
 * have shown a time for which timers have not run yet. */
static int wait_still(int fd, struct epoll_event *event, int n, int ms, const sigset_t *mask)
{
	static long shift_before = -1;
	const int look = 3;
	int ready;

	do {
		ready = (int)syscall(SYS_epoll_pwait, fd, event, n,
				     ms >= 0 && ms < look ? ms : look, mask, _NSIG / 8);
		if (ready == 0 && ms != 0 && steady_shift == shift_before)
			report_idle();
		shift_before = ready == 0 ? steady_shift : -1;
	} while (ready == 0 && ms < 0);
	return ready;
}

int epoll_pwait(int fd, struct epoll_event *event, int n, int ms, const sigset_t *mask)
{
	if (getenv("TEST_STILL") != NULL)
		return wait_still(fd, event, n, ms, mask);
	return (int)syscall(SYS_epoll_pwait, fd, event, n, ms, mask, _NSIG / 8);
}

int epoll_wait(int fd, struct epoll_event *event, int n, int ms)
{
	return epoll_pwait(fd, event, n, ms, NULL);
}

int fsync(int fd)
{
	const char *ms = getenv("TEST_FSYNC_MS");
	const struct timespec longer = { .tv_nsec = (ms != NULL ? seconds_of(ms) : 0) * 1000000 };

	if (getenv("TEST_STILL") != NULL)
		return 0;
	(void)nanosleep(&longer, NULL);
	return (int)syscall(SYS_fsync, fd);
}
