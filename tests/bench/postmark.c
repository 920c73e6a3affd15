/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The load of a mail server, after Postmark: many small files that are made, read,
 * appended to and deleted at random.
 *
 *	postmark FILES TRANSACTIONS FOLDER [BLOCK]
 *
 * FOLDER is made, and removed at the end. Sizes are 500 to 10000 bytes, and what is done
 * comes from a seeded generator, so that runs are equal.
 *
 * With BLOCK, blocks of so many transactions take turns: their calls go to libc, or, where a
 *library is preloaded, through it. A line for each block has 0 or 1 and its processor time in
 *seconds. What differs between two blocks is the cost of the library alone, whatever the machine
 *does meanwhile.
 */
#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LEAST = 500, MOST = 10000 };

static uint64_t state = 0x9e3779b97f4a7c15u;
static char bytes[MOST];

/* The calls of a block. */
struct calls {
	int (*open)(const char *path, int flags, ...);
	ssize_t (*read)(int fd, void *to, size_t n);
	ssize_t (*write)(int fd, const void *from, size_t n);
	int (*close)(int fd);
	int (*unlink)(const char *path);
};
enum { OF_LIBC, AS_LINKED };
static struct calls calls[] = { [AS_LINKED] = { open, read, write, close, unlink } };
static const struct calls *call = &calls[AS_LINKED];

static void find(void *libc, const char *name, void *to)
{
	*(void **)to = dlsym(libc, name);
	if (*(void **)to == NULL)
		errx(1, "%s", dlerror());
}

static void find_calls_of_libc(void)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);

	if (libc == NULL)
		errx(1, "%s", dlerror());
	find(libc, "open", &calls[OF_LIBC].open);
	find(libc, "read", &calls[OF_LIBC].read);
	find(libc, "write", &calls[OF_LIBC].write);
	find(libc, "close", &calls[OF_LIBC].close);
	find(libc, "unlink", &calls[OF_LIBC].unlink);
}

static unsigned below(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state % n);
}

static int open_file(unsigned number, int flags)
{
	char name[32];
	int fd;

	(void)snprintf(name, sizeof(name), "%u", number);
	fd = call->open(name, flags, 0600);
	if (fd < 0)
		err(1, "%s", name);
	return fd;
}

static void put(unsigned number, int flags)
{
	size_t n = LEAST + below(MOST - LEAST);
	int fd = open_file(number, O_WRONLY | flags);

	if (call->write(fd, bytes, n) != (ssize_t)n)
		err(1, "write");
	(void)call->close(fd);
}

static void get(unsigned number)
{
	int fd = open_file(number, O_RDONLY);
	ssize_t n;

	while ((n = call->read(fd, bytes, 4096)) > 0)
		;
	if (n < 0)
		err(1, "read");
	(void)call->close(fd);
}

static void drop(unsigned number)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "%u", number);
	if (call->unlink(name) != 0)
		err(1, "%s", name);
}

static void transact(unsigned i, unsigned n)
{
	unsigned file = below(n);

	if (i % 2 == 0) {
		get(file);
	} else if (i % 4 == 1) {
		put(file, O_APPEND);
	} else {
		drop(file);
		put(file, O_CREAT);
	}
}

static double processor_time(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Each way is first in every other pair. */
static void transact_by_turns(unsigned transactions, unsigned block, unsigned n)
{
	find_calls_of_libc();
	for (unsigned b = 0; b < transactions / block; b++) {
		int way = (b & 1) ^ (b >> 1 & 1);
		double start = processor_time();

		call = &calls[way];
		for (unsigned i = 0; i < block; i++)
			transact(i, n);
		(void)printf("%d %.9f\n", way, processor_time() - start);
	}
}

int main(int argc, char **argv)
{
	unsigned n, transactions, block;

	if (argc != 4 && argc != 5)
		errx(2, "usage: postmark FILES TRANSACTIONS FOLDER [BLOCK]");
	n = (unsigned)atoi(argv[1]);
	transactions = (unsigned)atoi(argv[2]);
	block = argc == 5 ? (unsigned)atoi(argv[4]) : 0;
	if (n == 0 || mkdir(argv[3], 0700) != 0 || chdir(argv[3]) != 0)
		err(1, "%s", argv[3]);
	for (unsigned i = 0; i < n; i++)
		put(i, O_CREAT);
	if (block > 0) {
		transact_by_turns(transactions, block, n);
	} else {
		for (unsigned i = 0; i < transactions; i++)
			transact(i, n);
	}
	for (unsigned i = 0; i < n; i++)
		drop(i);
	if (chdir("..") != 0)
		err(1, "..");
	return rmdir(argv[3]);
}
