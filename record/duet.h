/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two recordings at once, on one processor. */
#ifndef RECORD_DUET_H
#define RECORD_DUET_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/attr.h"
#include "base/platform.h"

struct diag;

/* A duet that is being recorded. */
struct duet {
	char id[64];	 /* the same in the files of both partners, and in no others */
	bool is_partner; /* this is the process of the second command */

	/* Private. */
	pid_t partner;
	int to_partner[2], from_partner[2]; /* pipes */
	struct platform_processors before;
};

/* Splits this process in two, which both go on from here at the same time; both, and what they
 * start, stay on one processor, another one for each number.  False when an error was reported. */
MUST_CHECK bool duet_split(struct duet *d, unsigned number, struct diag *diag);

/* How the recording of one partner ended. */
struct duet_end {
	int result; /* exit status of osprof; not 0: it could not record */
	int status; /* of the command */
};

/* The partner's process ends here, with `own`; the first one waits for it and returns how it
 * ended. */
struct duet_end duet_join(struct duet *d, struct duet_end own);

#endif
