/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs, host by host: all files of one come one after the other. */
#ifndef COMPARE_HOST_FILES_H
#define COMPARE_HOST_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct diag;
struct request;

/* One input, and the host that its name says. */
struct host_file {
	char *path, *host; /* on the heap */
	size_t number;	   /* among all inputs */
	int side;	   /* 0; 1: of the second list of inputs */
	bool is_rest;	   /* see compare/inputs.h: of hosts that only reading tells */
};

/* All inputs, sorted by host; host_files_release() frees them. */
struct host_files {
	struct host_file *v;
	size_t n, cap, taken;
};

/* Adds the inputs that the settings name: operands, files of folders, --files-from. */
MUST_CHECK bool host_files_add(struct host_files *h, const struct request *q, int side,
			       struct diag *diag);
/* Once all are there. */
void host_files_sort(struct host_files *h);
/* Those of the next host: how many there are, at *ret.  0 at the end. */
size_t host_files_next(struct host_files *h, const struct host_file **ret);
void host_files_release(struct host_files *h);

#endif
