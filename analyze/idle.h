/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Idle time: calls that wait by design, as a server waits for work.
 *
 * Their latency is not work, so the totals that shares and thresholds refer to exclude it.
 * They are recognised by name; idle.txt lists the names, one on each line.
 */
#ifndef ANALYZE_IDLE_H
#define ANALYZE_IDLE_H

#include "base/str.h"

struct profile;

/* Returns the name of a system call without the prefixes that collectors put before it. */
struct str idle_bare_name(struct str name);

/* Whether an operation of this name waits by design; ignores prefixes of collectors. */
bool idle_by_name(struct str name);

/* Whether a call of this name sleeps for a given time, whatever others do; ignores prefixes. */
bool sleep_by_name(struct str name);

/* Marks idle operations: those whose name matches one of the shell patterns in `pattern`, which
 * are separated by commas; those of the list when it is NULL; none when it is "none". */
void idle_mark(struct profile *p, const char *pattern);

#endif
