/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which runs are opened, how their files are read, and how they are compared: all that the
 * functions of compare/ need to know.  The command line fills one in; so may any program.
 */
#ifndef COMPARE_REQUEST_H
#define COMPARE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/quantiles.h"
#include "analyze/rank.h"
#include "analyze/runs.h"
#include "compare/causing.h"
#include "compare/nest_option.h"
#include "formats/format.h"
#include "plugin/reader.h"

struct reading_observer;

/* Which verdicts make a command fail. */
enum gate_kind { GATE_OFF, GATE_REGRESSED, GATE_ANY };

/*
 * What a caller wants of compare/; it owns its strings and arrays as long as results are in use.
 */
struct request {
	/* Operands (files, folders, "-"), and how many of them stood before a "--". */
	char **operand;
	size_t n_operands, n_before;
	bool separated;
	const char *files_from; /* a list of inputs; NULL: none */
	bool nul;		/* its names end with NUL */
	bool only_rest;		/* of folders: what is not of our own format */

	/* How a file is read. */
	const struct format *from; /* NULL: by its content */
	struct read_options read;
	bool rebin; /* to read.resolution */
	const char *names_path, *times_path;
	const char *machine;		      /* of files that do not say; NULL: not known */
	bool this_machine;		      /* ... it is this one */
	double elapsed_before, elapsed_after; /* seconds a run took; 0: not said */
	size_t max_input;		      /* bytes */
	struct plugins plugins;
	struct reading_observer *observer; /* NULL: nobody waits for it */

	/* What is chosen from it. */
	const char *op, *layer; /* glob, name; NULL: all */
	struct nest_option nest;
	const char *idle; /* patterns, or none; NULL: operations of the list */
	bool all;	  /* what is not reported, too */

	/* How runs are compared. */
	struct rank_rules rules;
	struct runs_rules runs; /* of repeated runs */
	enum gate_kind gate;
	const char *policy_path;
	bool ignore_annotations;
	struct quantile_list quantiles;
	uint64_t seed; /* of permutation tests */
	size_t splits; /* of repeated runs into halves, at most */
	struct causing causing;

	/* Hosts. */
	bool by_host;	    /* hosts are the replicates */
	bool pairs;	    /* ... and each is compared with itself */
	const char *expect; /* a list of hosts; NULL: none */
	size_t skip_bad;    /* inputs that may be left out */
};

/* What holds when nothing is said: no operands, rank's rules, one thread. */
struct request request_default(void);

/* Frees what it owns: its plug-ins and statements of nesting, not its operands. */
void request_release(struct request *q);

#endif
