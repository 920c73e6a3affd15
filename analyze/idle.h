/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Idle time: calls that wait by design, as a server waits for work.
 *
 * Their latency is not work, so the totals that shares and thresholds refer to exclude it.
 * They are recognised by name; idle.txt lists the names and what they wait for, one on each line.
 * Whether their waiting mattered to a comparison is another question (analyze/rank/waits.h).
 */
#ifndef ANALYZE_IDLE_H
#define ANALYZE_IDLE_H

#include "base/str.h"

struct profile;

/* Returns the name of a system call without the prefixes that collectors put before it. */
struct str idle_bare_name(struct str name);

/* What a call of some name waits for. */
enum wait_class {
	WAIT_CLASS_NONE,  /* it is not known to wait by design */
	WAIT_CLASS_INPUT, /* for input, a message or a signal */
	WAIT_CLASS_LOCK,  /* for another thread */
	WAIT_CLASS_SLEEP, /* for a given time, whatever others do */
	WAIT_CLASS_CHILD, /* for the end of a process or thread */
};
/* Returns the class of a name; ignores prefixes of collectors. */
enum wait_class wait_class_of(struct str name);

/* Whether an operation of this name waits by design; ignores prefixes of collectors. */
bool idle_by_name(struct str name);

/* Marks idle operations: those whose name matches one of the shell patterns in `pattern`, which
 * are separated by commas; those of the list when it is NULL; none when it is "none". */
void idle_mark(struct profile *p, const char *pattern);

#endif
