/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages to standard error. */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include <stdbool.h>

#include "base/diag.h"

/* Of notes the first of each kind is printed, and of warnings about what a file holds; how many
 * more there were is reported at the end: a folder of runs has the same to say of each. */
struct messages_out {
	bool quiet;
	struct progress *progress; /* what else is on standard error; may be NULL */
	size_t repeated[N_DIAG_CODES];
};

/* A diag_fn; ctx is a struct messages_out. */
void messages_print(void *ctx, const struct diag_msg *msg);
void messages_report_more(const struct messages_out *m);

#endif
