/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What osprof needs of the system beyond POSIX.1-2024: on another system, only platform.c differs.
 * What is Linux by nature, collecting profiles and tracing the kernel, calls it directly;
 * tests/lint/posix.py lists these files.
 */
#ifndef BASE_PLATFORM_H
#define BASE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct dirent;
struct option;
struct tm;

/* --- memory ----------------------------------------------------------------------------------- */

/* Bytes from which malloc() maps memory of its own, and bytes free at the end of the heap from
 * which it returns them to the system; only advice. */
void platform_tune_heap(int map_from, int return_from);
void platform_use_one_heap(void); /* for all threads */

/* Advises pages of 2 MiB for all whole pages in this range. */
void platform_advise_large_pages(void *p, size_t bytes);

/* Whether platform_remap() is more than a failure. */
#if defined(__linux__)
#define PLATFORM_CAN_REMAP 1
#else
#define PLATFORM_CAN_REMAP 0
#endif
/* Changes the size of a mapping, which may move; MAP_FAILED: no memory. */
void *platform_remap(void *p, size_t had, size_t bytes);

/* Returns the last byte `c`, or NULL. */
const char *platform_last_byte(const char *p, char c, size_t n);

/* --- files ------------------------------------------------------------------------------------ */

/* Opens a file that has no name in any folder and whose size can be sealed; -1: see errno. */
int platform_memory_file(const char *name);

/* Locks an open file for as long as it is open here, also in children; false: see errno. */
MUST_CHECK bool platform_lock_file(int fd);

/* Renames within a folder, and fails with EEXIST rather than replace a file; ENOSYS or EINVAL: the
 * kernel or the file system cannot do it. */
MUST_CHECK bool platform_rename_new(int folder, const char *name, const char *new_name);

/* Whether a program gets rights from its file, besides set-user-ID and set-group-ID. */
bool platform_gives_rights(const char *path);

/* --- processes -------------------------------------------------------------------------------- */

enum { PLATFORM_MAX_PROCESSORS = 1024 };

struct platform_processors {
	uint64_t mask[PLATFORM_MAX_PROCESSORS / 64];
};

/* How many processors this process may use; at least 1. */
size_t platform_count_processors(void);

/* Restricts this process, and what it starts, to one of its processors, another one for each
 * number; false: see errno. */
MUST_CHECK bool platform_use_one_processor(unsigned number, struct platform_processors *ret_before);
void platform_use_processors(const struct platform_processors *p);

/* Kills this process when its parent ends. */
void platform_end_with_parent(void);

/* --- the rest --------------------------------------------------------------------------------- */

/* Returns bytes that are random in each run, and the same throughout it; 0: there are none. */
uint64_t platform_random(void);

/* Seconds from 1970 to a date of UTC. */
int64_t platform_seconds(struct tm *utc);

/* Compares by the values of numbers within names: "run-2" comes before "run-10". */
int platform_natural_order(const char *a, const char *b);

/* The same for scandir(3). */
int platform_natural_entries(const struct dirent **a, const struct dirent **b);

/* Columns of a terminal; 0: it has none, or this is not a terminal. */
unsigned platform_columns(int fd);

/* getopt_long(3): restarts at the first word, or returns the next option; -1: there is none. */
void platform_restart_options(void);
int platform_next_option(int argc, char **argv, const char *letters, const struct option *longs);

#endif
