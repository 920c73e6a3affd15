/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that wait, and of which is known for what.
 *
 *	waits sem own|shared ROUNDS      two threads hold a semaphore for 0.3 ms a round: one each,
 *	                                 or the same
 *	waits mutex own|shared ROUNDS    a mutex
 *	waits flock own|shared ROUNDS    two processes lock a file
 *	waits sleep MICROSECONDS ROUNDS  reads, and after every 20 of them a pause of so long
 *	waits child PERMILLE ROUNDS      waits for a child that reads; so many of its reads are of
 *	                                 512 KiB instead of 4
 *	waits input MICROSECONDS ROUNDS  select() on a pipe into which a child, whose calls are not
 *	                                 recorded, writes every 0.5 ms, the last time after so long
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL = 4096, LARGE = 512 << 10, HELD = 300 };

static char buffer[LARGE];
static pthread_mutex_t mutex[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static sem_t semaphore[2];
static bool shared, by_mutex;
static int rounds, data;

static void read_some(int n)
{
	char part[SMALL];

	for (int i = 0; i < n; i++)
		if (pread(data, part, sizeof(part), (off_t)(i % 64) * SMALL) < 0)
			exit(1);
}

static void take(long i)
{
	if (by_mutex)
		pthread_mutex_lock(&mutex[i]);
	else
		sem_wait(&semaphore[i]);
}

static void give(long i)
{
	if (by_mutex)
		pthread_mutex_unlock(&mutex[i]);
	else
		sem_post(&semaphore[i]);
}

static void *thread(void *number)
{
	long mine = shared ? 0 : (long)number;

	for (int i = 0; i < rounds; i++) {
		take(mine);
		read_some(4);
		usleep(HELD);
		give(mine);
		read_some(1);
	}
	return NULL;
}

static void run_threads(void)
{
	pthread_t threads[2];

	for (long i = 0; i < 2; i++)
		sem_init(&semaphore[i], 0, 1);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, thread, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static void lock_file(int number)
{
	char name[16];
	int file;

	snprintf(name, sizeof(name), "lock.%d", shared ? 0 : number);
	file = open(name, O_RDWR | O_CREAT, 0600);
	for (int i = 0; i < rounds; i++) {
		flock(file, LOCK_EX);
		usleep(HELD);
		flock(file, LOCK_UN);
		read_some(1);
	}
}

static void run_processes(void)
{
	for (int i = 0; i < 2; i++)
		if (fork() == 0) {
			lock_file(i);
			exit(0);
		}
	while (wait(NULL) > 0)
		;
}

static void run_sleep(int micros)
{
	for (int i = 0; i < rounds; i++) {
		read_some(20);
		if (micros > 0)
			usleep((useconds_t)micros);
	}
}

static void run_child(int permille)
{
	if (fork() != 0) {
		wait(NULL);
		return;
	}
	for (int i = 0; i < rounds; i++)
		if (pread(data, buffer, i * 37 % 1000 < permille ? LARGE : SMALL, 0) < 0)
			exit(1);
}

/* The child makes its calls itself, so that no recorder of libc's functions sees them. */
static void write_slowly(int pipe_end, int micros)
{
	for (int i = 0; i < rounds; i++) {
		struct timeval pause = { .tv_usec = i + 1 < rounds ? 500 : micros };

		syscall(SYS_select, 0, NULL, NULL, NULL, &pause);
		syscall(SYS_write, pipe_end, "x", 1);
	}
	_exit(0);
}

static void run_input(int micros)
{
	int ends[2];
	char byte;

	if (pipe(ends) != 0)
		exit(1);
	if (fork() == 0)
		write_slowly(ends[1], micros);
	close(ends[1]);
	for (;;) {
		fd_set ready;

		FD_ZERO(&ready);
		FD_SET(ends[0], &ready);
		select(ends[0] + 1, &ready, NULL, NULL, NULL);
		if (read(ends[0], &byte, 1) <= 0)
			return;
		read_some(10);
	}
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	rounds = atoi(argv[3]);
	shared = strcmp(argv[2], "shared") == 0;
	by_mutex = strcmp(argv[1], "mutex") == 0;
	data = open("waits.data", O_RDWR | O_CREAT, 0600);
	if (data < 0 || ftruncate(data, LARGE) != 0)
		return 1;
	if (by_mutex || strcmp(argv[1], "sem") == 0)
		run_threads();
	else if (strcmp(argv[1], "flock") == 0)
		run_processes();
	else if (strcmp(argv[1], "sleep") == 0)
		run_sleep(atoi(argv[2]));
	else if (strcmp(argv[1], "child") == 0)
		run_child(atoi(argv[2]));
	else if (strcmp(argv[1], "input") == 0)
		run_input(atoi(argv[2]));
	else
		return 2;
	return 0;
}
