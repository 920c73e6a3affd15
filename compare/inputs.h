/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of any number of inputs, one after the other: operands, files of folders, lines
 * of --files-from, none of which is held longer than it is needed.
 */
#ifndef COMPARE_INPUTS_H
#define COMPARE_INPUTS_H

#include <stdio.h>

#include "base/attr.h"
#include "compare/file_list.h"
#include "compare/load.h"

struct diag;
struct request;

/* A walk over all inputs; inputs_close() frees what it holds. */
struct inputs {
	size_t number;	    /* of those that came so far */
	bool failed;	    /* an error was reported */
	bool can_come_back; /* all of them are files, and can be read a second time */
	/* What came last is a folder, of which all is meant that is not of our own format
	 * (gather_rest()). */
	bool is_rest;

	/* Its own. */
	const struct request *request;
	size_t n_operands_taken;
	struct file_list folder; /* the current one */
	size_t n_folder_taken;
	char *rest; /* the folder, as long as that has not come; NULL: there is none */
	FILE *list;
	char *line;
	size_t cap_line;
};

/* Begins to list operands and the files of --files-from; false when an error was reported. */
MUST_CHECK bool inputs_open(struct inputs *i, const struct request *q, struct diag *diag);
/* On the heap; NULL at the end, and when it failed. */
char *inputs_next(struct inputs *i, struct diag *diag);
void inputs_close(struct inputs *i);

/* The name of a host that its file has: without folders and from the first dot on. */
struct str inputs_host_of(const char *path);
/* The host that a file of our own format states first, as it is written there; else the name
 * that the file has.  On the heap.  What can be read only once is not looked into. */
char *inputs_host_in(const char *path);

#endif
