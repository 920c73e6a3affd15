/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading files that may never have anything to read, such as a pipe without a writer, until
 * another thread cancels it.  Where `cancelled` is NULL nothing is cancelled.
 */
#ifndef BASE_CANCEL_H
#define BASE_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>

/* Opens a file for reading, as open() does, but without waiting for the writer of a pipe. */
int cancel_open(const char *path, const atomic_bool *cancelled);
/* Waits until read() returns at once; false, with errno set, if it was cancelled. */
bool cancel_wait(int fd, const atomic_bool *cancelled);

#endif
