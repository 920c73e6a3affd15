/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * To be compiled with -finstrument-functions: serve() is called a known number of times, by
 * threads and processes, one of which is killed within it; every tenth call sleeps, two
 * functions below it.  Prints of all processes, in nanoseconds, the time of these as seen from
 * within; how many calls took as long as LONG, as seen from outside, for a call may be preempted,
 * and their time; and the time of the sleeps from outside.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define QUIET __attribute__((no_instrument_function))
#define APART __attribute__((noinline))

enum { THREADS = 2, CALLS = 50, CHILD_CALLS = 20, KILLED_CALLS = 5, DEPTH = 1000, LONG = 2500000 };

int dive(int n);
void jump(void);
void rest(void);
void flush(void);
void quick(void);
void serve(int n);
void *work(void *unused);

static _Atomic long long *inside_ns, *n_long, *outside_ns, *slept_ns;
static __thread jmp_buf back;

static QUIET long long now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

APART int dive(int n)
{
	return n > 1 ? dive(n - 1) + 1 : 1;
}

APART void jump(void)
{
	longjmp(back, 1);
}

APART void rest(void)
{
	long long start = now();

	(void)usleep(3000);
	*slept_ns += now() - start;
}

APART void flush(void)
{
	rest();
}

APART void quick(void)
{
	for (volatile int i = 0; i < 1000; i++)
		;
}

APART void serve(int n)
{
	long long start = now();

	quick();
	if (n % 10 == 3)
		flush();
	else if (n % 10 == 4 && setjmp(back) == 0)
		jump();
	else if (n == 5)
		(void)dive(DEPTH);
	if (n < 0)
		(void)kill(getpid(), SIGKILL);
	if (n % 10 == 3)
		*inside_ns += now() - start;
}

static QUIET void serve_in_time(int n)
{
	long long start = now();

	serve(n);
	start = now() - start;
	if (start >= LONG) {
		*n_long += 1;
		*outside_ns += start;
	}
}

void *work(void *unused)
{
	for (int i = 0; i < CALLS; i++)
		serve_in_time(i);
	return unused;
}

static QUIET void in_child(int calls, int last)
{
	pid_t child = fork();

	if (child == 0) {
		for (int i = 0; i < calls; i++)
			serve_in_time(i);
		if (last != 0)
			serve(last);
		_exit(0);
	}
	(void)waitpid(child, NULL, 0);
}

int main(void)
{
	pthread_t thread[THREADS];

	inside_ns = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	outside_ns = inside_ns + 1;
	slept_ns = inside_ns + 2;
	n_long = inside_ns + 3;
	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&thread[i], NULL, work, NULL) != 0)
			return 1;
	}
	for (int i = 0; i < THREADS; i++)
		(void)pthread_join(thread[i], NULL);
	in_child(CHILD_CALLS, 0);
	in_child(KILLED_CALLS, -1);
	(void)printf("%lld %lld %lld %lld\n", (long long)*inside_ns, (long long)*n_long,
		     (long long)*outside_ns, (long long)*slept_ns);
	return 0;
}
