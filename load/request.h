/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A request: which runs to open, how to read their files, and how to compare them.  It holds
 * everything that the functions of compare/ need; the command line, or any program, fills it in.
 */
#ifndef LOAD_REQUEST_H
#define LOAD_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/rank/quantiles.h"
#include "analyze/rank/rank.h"
#include "analyze/rank/runs.h"
#include "formats/format.h"
#include "load/causes_options.h"
#include "load/nest_option.h"
#include "plugin/reader.h"

struct reading_observer;

/* Which verdicts make a command fail. */
enum gate_kind { GATE_OFF, GATE_REGRESSED, GATE_ANY };

/* What a caller asks of compare/.  Its strings and arrays must live as long as results are used. */
struct request {
	/* Operands (files, folders, "-"), and how many of them stood before a "--". */
	char **operand;
	size_t n_operands, n_before;
	bool separated;
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
	struct plugins plugins;
	struct reading_observer *observer; /* NULL: none */

	/* Which operations are chosen. */
	const char *op, *layer; /* glob, name; NULL: all */
	struct nest_option nest;
	const char *idle; /* patterns, or "none"; NULL: the built-in list */
	bool all;	  /* show also what is not reported */

	/* How runs are compared. */
	struct rank_rules rules;
	struct runs_rules runs; /* of repeated runs */
	enum gate_kind gate;
	const char *policy_path;
	bool ignore_annotations;
	struct quantile_list quantiles;
	bool quantiles_asked; /* the user named them */
	uint64_t seed;	      /* of permutation tests */
	size_t splits;	      /* maximum number of splits of repeated runs into halves */
	struct causes_options causes;

	/* Hosts. */
	bool by_host;	    /* hosts are the replicates */
	bool pairs;	    /* each host is compared with itself */
	const char *expect; /* a list of hosts; NULL: none */
	size_t skip_bad;    /* inputs that may be left out */
};

/* Returns the defaults: no operands, the rules of rank, one thread. */
struct request request_default(void);

/* Frees its plug-ins and statements of nesting, but not its operands. */
void request_release(struct request *q);

#endif
