/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program shares the processors of this machine with, from /proc: how much of them others
 * use, and how long its threads wait for one.
 *
 * What the program takes itself is no contention: a program that uses more of the processors
 * than before has changed.
 */
#ifndef WATCH_SHARING_H
#define WATCH_SHARING_H

#include <stdint.h>

#include "base/attr.h"
#include "profile/contention.h"

struct sharing;

/* Of a process and all that it has started; `proc` is "/proc", and borrowed as long as this lives.
 * sharing_free() frees it. */
struct sharing *sharing_new(const char *proc, uint64_t pid);
void sharing_free(struct sharing *s); /* NULL is fine */

/* Since the last time.  False, and nothing is known: it is the first time, the process is gone, or
 * this kernel does not tell. */
MUST_CHECK bool sharing_read(struct sharing *s, struct contention *ret);

#endif
