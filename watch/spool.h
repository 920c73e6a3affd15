/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames that wait to be sent, one file each, so that they outlive their process:
 * 00000001790000010-9f3c21aa-00000000000000000412.frame, by the time at which their interval
 * ended, the start of their sender and their number.
 */
#ifndef WATCH_SPOOL_H
#define WATCH_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "watch/frame.h"

struct diag;
struct spool;

/* A frame as it is sent, until it is acknowledged. */
struct waiting_frame {
	char sender[FRAME_NAME + 1];
	uint64_t boot, seq;
	double end;  /* of its interval, by the clock of then */
	double from; /* the earliest end of what waits of the same start of the sender */
	char *bytes; /* its line, then the profile; on the heap */
	size_t n;
	bool spooled; /* it is in a file, too */
};

/* Makes the folder where it is not there, for this user alone.  NULL when an error was reported:
 * it cannot be written to, or another process has it. */
MUST_CHECK struct spool *spool_open(const char *folder, struct diag *diag);
/* The files stay. */
void spool_close(struct spool *s); /* NULL is fine */

/* Adds what is there to an array, oldest first, and what is of one start of a sender by its
 * numbers, even if the clock was set back; *ret_bad files were no whole frames, and were removed.
 * False when the folder cannot be read. */
MUST_CHECK bool spool_read(struct spool *s, struct waiting_frame **frame, size_t *n, size_t *cap,
			   uint64_t *ret_bad, struct diag *diag);
/* False, and errno: it is in no file.  Of no spool (NULL) nothing is written. */
bool spool_write(struct spool *s, struct waiting_frame *frame);
/* Removes its file, where it has one. */
void spool_remove(struct spool *s, const struct waiting_frame *frame);

#endif
