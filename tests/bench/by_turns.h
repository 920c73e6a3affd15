/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a preloaded library costs, within one run: blocks of work take turns between libc and it.
 * What differs between two blocks is the cost of the library alone, whatever the machine does
 * meanwhile. */
#ifndef TESTS_BENCH_BY_TURNS_H
#define TESTS_BENCH_BY_TURNS_H

#include <sys/types.h>

struct calls {
	int (*open)(const char *path, int flags, ...);
	ssize_t (*read)(int fd, void *to, size_t n);
	ssize_t (*write)(int fd, const void *from, size_t n);
	int (*fdatasync)(int fd);
	int (*close)(int fd);
	int (*unlink)(const char *path);
};
/* What a block calls: at first as the program is linked, which a preloaded library comes before. */
extern const struct calls *call;

/* Works n_blocks times. Prints a line for each: 0 for libc or 1 as linked, and what it took of
 * elapsed and of processor time, in seconds. Exits where there is no libc.so.6. */
void take_turns(unsigned n_blocks, void (*block)(void *), void *context);

#endif
