/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reports that a command line requests: each -f FORMAT with its -o FILE.
 *
 * A command prints to all outputs of its context.  Files appear when all of them are complete; a
 * page that is made of Markdown is made when its command has ended.
 */
#ifndef CLI_REPORTS_H
#define CLI_REPORTS_H

#include "base/outfile.h"
#include "program/command.h"

/* One report that is being written. */
struct report_file {
	struct outfile file;
	struct out *markdown; /* the source of a page; NULL: printed directly */
};

struct reports {
	struct output output[MAX_REPORTS];
	struct report_file file[MAX_REPORTS];
	size_t n;
};

/* Opens the files of all reports. */
MUST_CHECK bool reports_open(struct reports *ret, const struct command *c, const struct settings *s,
			     struct context *cx);
/* Gives the files their names; on failure those that are left are discarded. */
MUST_CHECK bool reports_commit(struct reports *r, const struct command *c, const struct settings *s,
			       struct diag *diag);
void reports_discard(struct reports *r);

#endif
