/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks over the names of any number of inputs: operands, files of folders, lines of --files-from.
 * No name is kept longer than needed.
 */
#ifndef LOAD_INPUTS_H
#define LOAD_INPUTS_H

#include <stdio.h>

#include "base/attr.h"
#include "load/file_list.h"
#include "load/load.h"

struct diag;
struct load_options;

/* A walk over all inputs; inputs_close() frees what it holds. */
struct inputs {
	size_t number;	    /* inputs so far */
	bool failed;	    /* an error was reported */
	bool can_come_back; /* all inputs so far are files that can be read again */
	char *once;	    /* the first that cannot; NULL: none, or the list of inputs */
	int once_errno;	    /* why it could not be looked at; 0: it could */
	/* The last input is a folder and stands for its files that are not in osprof(5)
	 * (gather_rest()). */
	bool is_rest;

	/* Private. */
	const struct load_options *load;
	size_t n_operands_taken;
	struct file_list folder; /* the current one */
	size_t n_folder_taken;
	char *rest; /* a folder whose rest comes next; NULL: none */
	FILE *list;
	char *line;
	size_t cap_line;
};

/* Begins a walk over operands and --files-from; false when an error was reported. */
MUST_CHECK bool inputs_open(struct inputs *i, const struct load_options *q, struct diag *diag);
/* Returns the next name, on the heap; NULL at the end, and after an error (`failed`). */
char *inputs_next(struct inputs *i, struct diag *diag);
void inputs_close(struct inputs *i);

/* Returns the host named by a path: the file name up to the first dot, without folders. */
struct str inputs_host_of(const char *path);
/* Returns the first host that a file in osprof(5) states, as written there, else that of its name;
 * on the heap.  Does not read files that can be read only once. */
char *inputs_host_in(const char *path);

#endif
