/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of waits, and of the elapsed time of two sides (analyze/rank/waits.h finds it). */
#ifndef ANALYZE_RANK_WAIT_ROLE_H
#define ANALYZE_RANK_WAIT_ROLE_H

#include "analyze/rank/run_account.h"

/* What is known of a wait of a comparison. */
enum wait_role {
	WAIT_NONE,	/* it does not wait by design */
	WAIT_STEADY,	/* its time grew by too little to matter to the run */
	WAIT_MATTERS,	/* it made the run longer: judged */
	WAIT_RELATIVE,	/* elapsed time is not known: judged relative to the work of the run */
	WAIT_FOR_INPUT, /* it grew, and waits for input */
	WAIT_FOR_CHILD, /* it grew, and waits for a process or thread */
	WAIT_DECLARED,	/* it grew, but the user declared it idle */
	WAIT_EXPLAINED, /* it grew, but the run did not take longer, or for other reasons */
	WAIT_UNKNOWN,	/* it grew; elapsed time is not known, and one run is not enough to judge it
			 */
};

/* The accounts of both sides, per run, and what they say together. */
struct elapsed_change {
	struct run_account before, after;
	double grew;	  /* seconds a run; NAN: not known */
	double remainder; /* what calls that work and the rest do not explain; NAN */
	bool certain;	  /* one run a side, or significant over runs */
};

#endif
