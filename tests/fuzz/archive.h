/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a tar archive (POSIX ustar) in memory. */
#ifndef TESTS_FUZZ_ARCHIVE_H
#define TESTS_FUZZ_ARCHIVE_H

#include "base/str.h"

/*
 * Takes the next file off *rest, which begins at a header: its path, of at most 100 bytes, and
 * what it holds, both borrowed from *rest. False at the end, and where *rest is no archive or is
 * cut off: then *rest is not empty.
 */
bool archive_next(struct str *rest, struct str *ret_path, struct str *ret_bytes);

#endif
