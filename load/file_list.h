/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that operands name. */
#ifndef LOAD_FILE_LIST_H
#define LOAD_FILE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct diag;
struct load_options;
struct memory_input;

/* Returns folder, slash and name on the heap; `folder` may be NULL. */
char *path_join(const char *folder, const char *name);
/* A folder that is one trace (of uftrace) counts as a file. */
bool is_folder(const char *path);
bool is_file(const char *path); /* true also if stat() fails: reading reports the error */
/* Lists what is in a folder and not hidden, in natural order; paths are on the heap. */
MUST_CHECK bool folder_entries(const char *folder, char ***ret_path, size_t *ret_n,
			       struct diag *diag);

/* One file. */
struct listed {
	char *path;			   /* on the heap */
	bool found;			   /* in a folder: the user did not name it */
	const struct memory_input *memory; /* ... or not a file, but this; NULL: a file */
};

/* Files in the order in which they are read; file_list_release() frees it. */
struct file_list {
	struct listed *v;
	size_t n, cap;
};
/* Lists the files of n operands: for a folder its files, or if it holds only folders their files.
 * False when an error was reported; the caller releases the list in any case. */
MUST_CHECK bool file_list_of(struct file_list *ret, char *const *operand, size_t n,
			     struct diag *diag);
/* The same for operands of which some may be in memory. */
MUST_CHECK bool file_list_with_memory(struct file_list *ret, char *const *operand, size_t n,
				      const struct load_options *q, struct diag *diag);
void file_list_release(struct file_list *l);

#endif
