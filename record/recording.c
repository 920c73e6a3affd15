/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/recording.h"

#include "base/scan.h"
#include "collect/osprof.h"

enum { MAX_RUNS = 100000, CALLS = 1000000, MAX_CALLS = 1000000000 };

const char *const recording_bys[] = { "program", "process", "thread", NULL };

bool take_repeat(struct recording *r, const char *arg)
{
	uint64_t n;

	if (number_u64(str_from(arg), &n) != NUMBER_OK || n < 1 || n > MAX_RUNS)
		return false;
	r->repeat = (unsigned)n;
	return true;
}

bool take_calls(struct recording *r, const char *arg)
{
	uint64_t n = CALLS;

	if (arg != NULL && (number_u64(str_from(arg), &n) != NUMBER_OK || n < 1 || n > MAX_CALLS))
		return false;
	r->calls = n;
	return true;
}

bool take_by(struct recording *r, int which)
{
	static const enum osprof_by by[] = { OSPROF_BY_PROGRAM, OSPROF_BY_PROCESS,
					     OSPROF_BY_THREAD };

	r->by = (int)by[which];
	return true;
}
