/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to read: which files, how, and which of their operations. */
#ifndef LOAD_LOAD_OPTIONS_H
#define LOAD_LOAD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/format.h"
#include "load/nest_option.h"
#include "plugin/reader.h"

struct reading_observer;

/* A file in the memory of the caller; an operand that is its name, the very same string, is it. */
struct memory_input {
	const char *name;
	struct str bytes;
};

/* Its strings and arrays must live as long as what is read by it. */
struct load_options {
	/* Operands (files, folders, "-"), and how many of them stood before a "--". */
	char **operand;
	size_t n_operands, n_before;
	bool separated;
	const struct memory_input *memory; /* operands that are no paths */
	size_t n_memory;
	const char *files_from; /* a list of inputs; NULL: none */
	bool nul;		/* names in that list end with NUL */
	bool only_rest;		/* take only the files of folders that are not in osprof(5) */

	/* How a file is read. */
	const struct format *from; /* NULL: by its content */
	struct read_options read;
	bool rebin; /* put histograms on read.resolution */
	const char *names_path, *times_path;
	const char *machine;		      /* of files that state none; NULL: not known */
	bool this_machine;		      /* ... is the one we run on */
	double elapsed_before, elapsed_after; /* seconds a run took; 0: not given */
	size_t max_input;		      /* bytes */
	size_t threads;			      /* files to read at the same time; 0 counts as 1 */
	struct plugins plugins;
	struct reading_observer *observer; /* NULL: none */

	/* Which operations are chosen. */
	const char *op, *layer; /* glob, name; NULL: all */
	struct nest_option nest;
	const char *idle; /* patterns, or "none"; NULL: the built-in list */

	/* Hosts. */
	bool by_host;	    /* hosts are the replicates */
	bool pairs;	    /* each host is compared with itself */
	const char *expect; /* a list of hosts; NULL: none */
	size_t skip_bad;    /* inputs that may be left out */
};

/* Returns the defaults: no operands, one thread. */
struct load_options load_options_default(void);

/* Returns the file in memory that is this operand; NULL: it is a path. */
const struct memory_input *memory_operand(const struct load_options *q, const char *operand);

/* Frees plug-ins and statements of nesting, but not the operands. */
void load_options_release(struct load_options *q);

#endif
