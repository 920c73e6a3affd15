/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/programs/uftrace_depth.h"

/* Depths have ten bits and wrap around in deeper recursions, so larger differences are ignored. */
enum { MAX_LEFT = 512 };

bool uftrace_depth_leave(struct call_output *to, unsigned open, const struct call_event *record,
			 unsigned depth, bool *ret_ended)
{
	bool exits = record->what == CALL_LEAVE, ok = true;
	struct call_event e = { .what = CALL_LEAVE,
				.jumped = true,
				.timeless = record->timeless,
				.thread = record->thread,
				.at = record->at,
				.where = record->where };

	*ret_ended = false;
	if (open == UFTRACE_DEPTH_UNKNOWN || depth + exits >= open || open - depth > MAX_LEFT)
		return true;
	for (unsigned n = open - depth; ok && n > 0; n--) {
		if (n == 1 && exits && record->timed) {
			e.timed = true;
			e.latency = record->latency;
		}
		ok = call_output_push(to, &e);
	}
	*ret_ended = exits;
	return ok;
}
