/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists inputs host by host: all files of a host are consecutive. */
#ifndef LOAD_HOST_FILES_H
#define LOAD_HOST_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct diag;
struct load_options;

/* One input and its host, by inputs_host_in(). */
struct host_file {
	char *path, *host; /* on the heap */
	size_t number;	   /* among all inputs */
	int side;	   /* 0 for the first list of inputs, 1 for the second */
	bool is_rest;	   /* see load/inputs.h; its hosts are known only after reading */
};

/* All inputs, sorted by host; host_files_release() frees them. */
struct host_files {
	struct host_file *v;
	size_t n, cap, taken;
};

/* Adds all inputs: operands, files of folders, --files-from.  False when an error was
 * reported. */
MUST_CHECK bool host_files_add(struct host_files *h, const struct load_options *q, int side,
			       struct diag *diag);
/* Sorts the inputs, after all were added. */
void host_files_sort(struct host_files *h);
/* Returns the number of inputs of the next host, and the first of them in *ret; 0 at the end. */
size_t host_files_next(struct host_files *h, const struct host_file **ret);
void host_files_release(struct host_files *h);

#endif
