/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * To be compiled with -finstrument-functions: calls of serve() that longjmp() and its like
 * leave in several ways, and what makes them slow only comes after that.  Threads end within
 * it, and one program replaces another.  Prints for each way how many nanoseconds that took,
 * as the program sees it itself.
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

enum { CALLS = 60, NAP = 2000, DEPTH = 4, TRIES = 3 };
enum way {
	TO_RECOVER,
	TO_CALLER,
	OUT_OF_HANDLER,
	ACROSS_RECURSION,
	N_WAYS,
	QUICK,
	LEAVE,
	WAIT,
	REPLACE
};

void parse(void);
void deep(int n);
void attempt(void);
void other_attempt(void);
void recover(void);
void handler(int number);
void after_signal(void);
int climb(int n);
void quick(void);
void leave_thread(void);
void wait_cancelled(void);
void serve(int way);
void *in_thread(void *way);

static const char *program;
static _Atomic long long *slept_ns; /* of ways */
static volatile int leaves = 1;	    /* always */
static __thread jmp_buf back;
static __thread sigjmp_buf from_handler;
static void (*volatile const attempts[])(void) = { attempt, other_attempt, attempt };

static QUIET long long now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Is put into its callers, so that they sleep. */
static inline __attribute__((always_inline)) QUIET void nap(enum way way)
{
	long long start = now();

	(void)usleep(NAP);
	slept_ns[way] += now() - start;
}

APART void deep(int n)
{
	if (n > 0)
		deep(n - 1);
	else if (leaves)
		longjmp(back, 1);
	leaves = 1;
}

APART void parse(void)
{
	deep(DEPTH);
	leaves = 1;
}

APART void attempt(void)
{
	longjmp(back, 1);
}

APART void other_attempt(void)
{
	longjmp(back, 2);
}

APART void recover(void)
{
	nap(TO_RECOVER);
}

void handler(int number)
{
	(void)number;
	siglongjmp(from_handler, 1);
}

APART void after_signal(void)
{
	nap(OUT_OF_HANDLER);
}

/* The innermost call leaves for the second one, which then is slow. */
APART int climb(int n)
{
	if (n == 0)
		longjmp(back, 1);
	if (n == DEPTH - 1 && setjmp(back) != 0) {
		nap(ACROSS_RECURSION);
		return 1;
	}
	return climb(n - 1) + 1;
}

APART void quick(void)
{
	for (volatile int i = 0; i < 1000; i++)
		;
}

APART void leave_thread(void)
{
	pthread_exit(NULL);
}

APART void wait_cancelled(void)
{
	for (;;)
		(void)pause();
}

APART void serve(int way)
{
	volatile int tries = 0;

	quick();
	if (way == TO_RECOVER) {
		if (setjmp(back) == 0)
			parse();
		else
			recover();
	} else if (way == TO_CALLER) {
		(void)setjmp(back);
		if (tries++ < TRIES)
			attempts[tries - 1]();
		nap(TO_CALLER);
	} else if (way == OUT_OF_HANDLER) {
		if (sigsetjmp(from_handler, 1) == 0)
			(void)raise(SIGUSR1);
		after_signal();
	} else if (way == ACROSS_RECURSION) {
		(void)climb(DEPTH);
	} else if (way == LEAVE) {
		leave_thread();
	} else if (way == WAIT) {
		wait_cancelled();
	} else if (way == REPLACE) {
		(void)execl(program, program, "replaced", (char *)NULL);
	}
	quick();
}

void *in_thread(void *way)
{
	serve(*(const int *)way);
	return NULL;
}

static QUIET void start_thread(int way)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, in_thread, &way) != 0)
		exit(1);
	(void)usleep(10000);
	if (way == WAIT)
		(void)pthread_cancel(thread);
	(void)pthread_join(thread, NULL);
}

/* A child, whose calls are counted before and after its program is another one. */
static QUIET void start_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		serve(QUICK);
		serve(REPLACE);
	}
	(void)waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	static char stack[65536];
	const stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

	program = argv[0];
	slept_ns = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	(void)sigaltstack(&other, NULL);
	(void)sigaction(SIGUSR1, &action, NULL);
	if (argc > 1) {
		for (int i = 0; i < CALLS; i++)
			serve(QUICK);
		return 0;
	}
	for (int i = 0; i < CALLS; i++)
		serve(i % (N_WAYS + 1) < N_WAYS ? i % (N_WAYS + 1) : QUICK);
	start_thread(LEAVE);
	start_thread(WAIT);
	start_child();
	for (int i = 0; i < N_WAYS; i++)
		(void)printf("%lld ", (long long)slept_ns[i]);
	(void)printf("\n");
	return 0;
}
