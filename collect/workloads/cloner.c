// SPDX-License-Identifier: MIT
/*
 * cloner: processes that fork children which end at once.
 *
 * The workload of OSprof (OSDI 2006) section 3, figure 1: with one process
 * the profile of clone has one peak; with more processes than processors it
 * has a second one where they wait for a lock.
 *
 *     cloner [-t] PROCESSES COUNT
 *
 * With -t threads of one process fork instead: they share an address space,
 * and with it the lock that a fork holds while it copies that.
 *
 * Invariant: a run that ends with status 0 forked COUNT children in each of
 * the PROCESSES and has waited for every one: none of the PROCESSES ever has
 * more than one child at a time.
 */
#include <err.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PROCESSES = 64 };

static pid_t fork_or_die(void)
{
	pid_t child = fork();

	if (child < 0)
		err(1, "fork");
	return child;
}

static void *fork_and_wait(void *count)
{
	int status;

	for (long i = 0; i < *(const long *)count; i++) {
		pid_t child = fork_or_die();
		if (child == 0)
			_exit(0);
		if (waitpid(child, &status, 0) != child || status != 0)
			errx(1, "a child did not end well");
	}
	return NULL;
}

static int run_threads(long n, long count)
{
	pthread_t threads[MAX_PROCESSES];

	for (long i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, fork_and_wait, &count) != 0)
			errx(1, "pthread_create");
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* Waits by waitid, so that wait4 is the workload's own waiting only. */
static int run_processes(long n, long count)
{
	siginfo_t info;
	int failed = 0;

	for (long i = 0; i < n; i++)
		if (fork_or_die() == 0) {
			fork_and_wait(&count);
			_exit(0);
		}
	for (long i = 0; i < n; i++) {
		if (waitid(P_ALL, 0, &info, WEXITED) != 0)
			err(1, "waitid");
		failed |= info.si_status != 0;
	}
	return failed;
}

int main(int argc, char **argv)
{
	int threaded = argc > 1 && strcmp(argv[1], "-t") == 0;

	if (argc != 3 + threaded)
		errx(2, "usage: cloner [-t] PROCESSES COUNT");
	prctl(PR_SET_NAME, "wl-cloner");
	long n = strtol(argv[1 + threaded], NULL, 10);
	long count = strtol(argv[2 + threaded], NULL, 10);
	if (n < 1 || n > MAX_PROCESSES || count < 1)
		errx(2, "PROCESSES must be 1 to %d, COUNT at least 1", MAX_PROCESSES);
	return (threaded ? run_threads : run_processes)(n, count);
}
