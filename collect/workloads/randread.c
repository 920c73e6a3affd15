// SPDX-License-Identifier: MIT
/*
 * randread: processes that seek and read at random in one open file.
 *
 * The random-read workload of OSprof (OSDI 2006) section 6.1, figure 6: the
 * processes share one open file description, and so one file position, whose
 * lock a read holds while it waits for the disk. With one process lseek is
 * among the cheapest calls there are; with two it waits for the other's read.
 *
 *     randread PROCESSES COUNT FILE
 *
 * FILE is read without the page cache (O_DIRECT) if its file system allows it.
 * The positions come from a seeded generator, so that runs are repeatable.
 *
 * Invariant: every read returns a whole block. One seek may be followed by
 * up to PROCESSES reads before the next, each moving the position on, so the
 * last PROCESSES blocks of FILE are never sought.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 512 };

/* Marsaglia's xorshift with 64 bits of state, which must not be 0. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static int open_direct(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECT);

	if (fd < 0 && errno == EINVAL) {
		warnx("%s: no O_DIRECT here, reading through the page cache", path);
		fd = open(path, O_RDONLY);
	}
	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

static void seek_and_read(int fd, long count, uint64_t n_positions, uint64_t seed)
{
	static _Alignas(4096) char block[BLOCK];

	for (long i = 0; i < count; i++) {
		off_t position = (off_t)(next_random(&seed) % n_positions) * BLOCK;
		if (lseek(fd, position, SEEK_SET) != position)
			err(1, "lseek");
		ssize_t got = read(fd, block, BLOCK);
		if (got < 0)
			err(1, "read");
		if (got != BLOCK)
			errx(1, "short read: %zd bytes", got);
	}
}

int main(int argc, char **argv)
{
	struct stat file;
	int failed = 0;
	int status;

	if (argc != 4)
		errx(2, "usage: randread PROCESSES COUNT FILE");
	prctl(PR_SET_NAME, "wl-randread");
	long processes = strtol(argv[1], NULL, 10);
	long count = strtol(argv[2], NULL, 10);
	if (processes < 1 || count < 1)
		errx(2, "PROCESSES and COUNT must be at least 1");

	int fd = open_direct(argv[3]);
	if (fstat(fd, &file) != 0)
		err(1, "%s", argv[3]);
	if (file.st_size / BLOCK <= processes)
		errx(1, "%s: too small", argv[3]);

	uint64_t n_positions = (uint64_t)(file.st_size / BLOCK - processes);
	for (long i = 0; i < processes; i++) {
		pid_t child = fork();
		if (child < 0)
			err(1, "fork");
		if (child == 0) {
			seek_and_read(fd, count, n_positions, 0x9e3779b97f4a7c15u + (uint64_t)i);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		failed |= status != 0;
	return failed;
}
