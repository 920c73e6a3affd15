/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded: the clock of the day is off by the seconds that the file TEST_CLOCK holds, and the one
 * that only goes on by those of TEST_STEADY_CLOCK.  Both go TEST_SPEED times as fast, from
 * TEST_SPEED_FROM and TEST_STEADY_SPEED_FROM on, which are their seconds, and so do waits for
 * events; nothing waits for the disk then.  A disk takes TEST_FSYNC_MS longer to write. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
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

static long speed(void)
{
	const char *text = getenv("TEST_SPEED");

	return text != NULL ? seconds_of(text) : 1;
}

/* What has passed since then passes once more for each unit of speed above 1. */
static void go_faster(struct timespec *t, bool steady)
{
	const char *from = getenv(steady ? "TEST_STEADY_SPEED_FROM" : "TEST_SPEED_FROM");
	long factor = speed();

	if (from == NULL)
		return;
	t->tv_nsec *= factor;
	t->tv_sec += (t->tv_sec - seconds_of(from)) * (factor - 1) + t->tv_nsec / 1000000000;
	t->tv_nsec %= 1000000000;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	bool steady = clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE;
	const char *path = getenv(steady ? "TEST_STEADY_CLOCK" : "TEST_CLOCK");
	char text[32] = "";
	int fd, failed = (int)syscall(SYS_clock_gettime, clock, t);

	if (clock != CLOCK_REALTIME && !steady)
		return failed;
	go_faster(t, steady);
	if (path == NULL)
		return failed;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && read(fd, text, sizeof(text) - 1) > 0)
		t->tv_sec += seconds_of(text);
	if (fd >= 0)
		(void)close(fd);
	return failed;
}

int epoll_pwait(int fd, struct epoll_event *event, int n, int ms, const sigset_t *mask)
{
	long factor = speed();

	/* Rounded up: who waits for a time must not ask again and again. */
	return (int)syscall(SYS_epoll_pwait, fd, event, n,
			    ms > 0 ? (int)((ms + factor - 1) / factor) : ms, mask, _NSIG / 8);
}

int epoll_wait(int fd, struct epoll_event *event, int n, int ms)
{
	return epoll_pwait(fd, event, n, ms, NULL);
}

int fsync(int fd)
{
	const char *ms = getenv("TEST_FSYNC_MS");
	const struct timespec longer = { .tv_nsec = (ms != NULL ? seconds_of(ms) : 0) * 1000000 };

	if (speed() > 1)
		return 0;
	(void)nanosleep(&longer, NULL);
	return (int)syscall(SYS_fsync, fd);
}
