/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting, and whether it mattered.
 *
 * A name says that a call may wait by design; only the run says whether its waiting made the run
 * longer.  Growth of the elapsed time is first attributed to the calls that work and to the rest of
 * the run (analyze/rank/run_account.h).  A wait that covers at least half of what remains mattered, and
 * is judged like any other operation.  Waits for input and for child processes are named instead:
 * what they wait for is not theirs.
 */
#ifndef ANALYZE_RANK_WAITS_H
#define ANALYZE_RANK_WAITS_H

#include "analyze/rank/ranked.h"

/* Compares the accounts of two sides. */
struct elapsed_change elapsed_change_of(const struct run_account *before,
					const struct run_account *after);

/* Fills the role of each operation of a ranking; `repeated`: both sides have several runs. */
void waits_find(struct ranking *all, bool repeated);

/* Whether an operation is left out of the judgement because it waits. */
bool ranked_is_idle(const struct ranked *r);
/* Whether its wait grew without being judged, so that a report has to name it. */
bool wait_is_left_out(enum wait_role role);
const char *wait_role_name(enum wait_role role); /* "waits for input" */

#endif
