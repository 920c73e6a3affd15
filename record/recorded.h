/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recording gives. */
#ifndef RECORD_RECORDED_H
#define RECORD_RECORDED_H

#include <stdint.h>

struct call_log;
struct call_tree;
struct profile;

/* The caller's. */
struct recorded {
	struct profile *profile;
	struct call_log *calls; /* NULL without --calls */
	struct call_tree *tree; /* NULL without --causes */
	uint64_t waited;	/* times that its threads waited for us */
	int status;		/* of the command, as a shell has it: 128 + signal */
};

#endif
