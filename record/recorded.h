/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a recording. */
#ifndef RECORD_RECORDED_H
#define RECORD_RECORDED_H

#include <stdint.h>

struct call_log;
struct call_tree;
struct profile;

/* The caller frees the members. */
struct recorded {
	struct profile *profile;
	struct call_log *calls; /* NULL without --calls */
	struct call_tree *tree; /* NULL without --causes */
	uint64_t waited;	/* times that threads of the command waited for the recorder */
	int status;		/* of the command, as in a shell: 128 + signal */
};

#endif
