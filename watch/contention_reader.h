/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads from /proc how a program shares the processors: how much of them other programs use, and
 * how long its own threads wait to run.
 *
 * What the program uses itself is not contention: a program that uses more than before has changed.
 */
#ifndef WATCH_CONTENTION_READER_H
#define WATCH_CONTENTION_READER_H

#include <stdint.h>

#include "base/attr.h"
#include "profile/contention.h"

struct contention_reader;

/* Returns a reader for a process and all of its descendants.  Borrows `proc`, which is "/proc".
 * contention_reader_free() frees it. */
struct contention_reader *contention_reader_new(const char *proc, uint64_t pid);
void contention_reader_free(struct contention_reader *s); /* NULL is fine */

/* Reads the contention since the last call.  False: this is the first call, the process has ended,
 * or the kernel does not provide the numbers. */
MUST_CHECK bool contention_reader_read(struct contention_reader *s, struct contention *ret);

#endif
