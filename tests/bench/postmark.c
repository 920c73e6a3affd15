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
 * With BLOCK, blocks of so many transactions take turns, as in by_turns.h.
 */
#include "tests/bench/by_turns.h"

#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MIN = 500, MAX = 10000 };

static uint64_t state = 0x9e3779b97f4a7c15u;
static char bytes[MAX];

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
	size_t n = MIN + below(MAX - MIN);
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

struct mail {
	unsigned n_files, n_transactions;
};

static void transact_all(void *context)
{
	const struct mail *mail = context;

	for (unsigned i = 0; i < mail->n_transactions; i++)
		transact(i, mail->n_files);
}

int main(int argc, char **argv)
{
	struct mail mail;
	unsigned transactions;

	if (argc != 4 && argc != 5)
		errx(2, "usage: postmark FILES TRANSACTIONS FOLDER [BLOCK]");
	mail.n_files = (unsigned)atoi(argv[1]);
	transactions = (unsigned)atoi(argv[2]);
	mail.n_transactions = argc == 5 ? (unsigned)atoi(argv[4]) : transactions;
	if (mail.n_files == 0 || mail.n_transactions == 0 || mkdir(argv[3], 0700) != 0 ||
	    chdir(argv[3]) != 0)
		err(1, "%s", argv[3]);
	for (unsigned i = 0; i < mail.n_files; i++)
		put(i, O_CREAT);
	if (argc == 5)
		take_turns(transactions / mail.n_transactions, transact_all, &mail);
	else
		transact_all(&mail);
	for (unsigned i = 0; i < mail.n_files; i++)
		drop(i);
	if (chdir("..") != 0)
		err(1, "..");
	return rmdir(argv[3]);
}
