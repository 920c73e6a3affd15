/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Idle time: calls that wait by design, as a server waits for work.
 *
 * What they take is no work: it belongs into no total that shares and thresholds refer
 * to.  They are known by name: idle.txt holds the list, one name a line.
 */
#ifndef ANALYZE_IDLE_H
#define ANALYZE_IDLE_H

#include "base/str.h"

struct profile;

/* The name of a system call without the prefixes that collectors put before it. */
struct str idle_bare_name(struct str name);

/* Whether an operation of this name waits by design.  Prefixes that collectors put before
 * the name of a system call are looked through. */
bool idle_by_name(struct str name);

/* Whether a call of this name ends when a time is over, whatever others do meanwhile; prefixes as
 * above. */
bool sleep_by_name(struct str name);

/* Marks the operations that wait: those whose name matches `pattern`, a shell pattern or
 * several with commas between them; NULL: those of the list; "none": none. */
void idle_mark(struct profile *p, const char *pattern);

#endif
