/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints messages to standard error. */
#ifndef PROGRAM_MESSAGES_H
#define PROGRAM_MESSAGES_H

#include <stdbool.h>

#include "base/diag.h"

/* Only the first of each kind of note, and of warning about the contents of files, is printed;
 * how many more there were is reported at the end, since the runs of a folder cause the same. */
struct messages_out {
	bool quiet;
	struct progress *progress; /* the progress line on standard error; may be NULL */
	size_t repeated[N_DIAG_CODES];
};

/* A diag_fn; ctx is a struct messages_out. */
void messages_print(void *ctx, const struct diag_msg *msg);
void messages_report_more(const struct messages_out *m);

#endif
