// SPDX-License-Identifier: MIT
/*
 * zeroread: processes that read nothing, as often as they can.
 *
 * The workload of OSprof (OSDI 2006) section 3.3, figure 3: a read of zero
 * bytes does next to nothing and never yields the CPU, so the slow calls in its
 * profile are due to interrupts and, with two processes on one processor, forced
 * preemption.
 *
 *     zeroread PROCESSES COUNT FILE
 *
 * Every process is pinned to the same processor, the last one it may use.
 *
 * Invariant: a run that ends with status 0 made exactly PROCESSES * COUNT
 * reads of FILE, each of which returned 0.
 */
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Keeps this process, and those it forks later, on one processor. */
static void pin_to_last_processor(void)
{
	cpu_set_t set;
	size_t last = CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof set, &set) != 0)
		err(1, "sched_getaffinity");
	while (last > 0 && !CPU_ISSET(last, &set))
		last--;
	CPU_ZERO(&set);
	CPU_SET(last, &set);
	if (sched_setaffinity(0, sizeof set, &set) != 0)
		err(1, "sched_setaffinity");
}

static void read_nothing(const char *path, long count)
{
	char byte;
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		err(1, "%s", path);
	for (long i = 0; i < count; i++)
		if (read(fd, &byte, 0) != 0)
			err(1, "read %s", path);
	close(fd);
}

int main(int argc, char **argv)
{
	int failed = 0;
	int status;

	if (argc != 4)
		errx(2, "usage: zeroread PROCESSES COUNT FILE");
	prctl(PR_SET_NAME, "wl-zeroread");
	long processes = strtol(argv[1], NULL, 10);
	long count = strtol(argv[2], NULL, 10);
	if (processes < 1 || count < 1)
		errx(2, "PROCESSES and COUNT must be at least 1");

	pin_to_last_processor();
	for (long i = 0; i < processes; i++) {
		pid_t child = fork();
		if (child < 0)
			err(1, "fork");
		if (child == 0) {
			read_nothing(argv[3], count);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		failed |= status != 0;
	return failed;
}
