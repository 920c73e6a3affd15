/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the instructions of an object file come from in the source: by debugging information
 * (DWARF) and symbol tables, with libdw. Without libdw, nothing is found. */
#ifndef RECORD_DEBUG_INFO_H
#define RECORD_DEBUG_INFO_H

#include <stdbool.h>
#include <stdint.h>

struct debug_info;

struct code_location {
	char *function;	  /* to be freed */
	const char *file; /* of the debug_info; NULL: only the function is known */
	int line;
};

/* Says whether this osprof has libdw. */
bool debug_info_is_read(void);

/* Returns NULL if the file cannot be read. */
struct debug_info *debug_info_open(const char *path);
void debug_info_free(struct debug_info *d);

/* Finds the function and the line of the instruction that holds the byte at offset, which counts
 * from the load address of the file. The location is one that the author of the program wrote:
 * wrappers that the compiler is told to regard as artificial are stepped out of. */
bool debug_info_find(struct debug_info *d, uint64_t offset, struct code_location *ret);

#endif
