/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ltrace: library calls with their durations, from ltrace -T.
 *
 *	[pid 5269] strdup("a = 0 <0.5>" <unfinished ...>
 *	[pid 5270] usleep(300 <unfinished ...>
 *	[pid 5269] <... strdup resumed> )                = 0x55e9c47763c0 <0.000397>
 *	[pid 5269] +++ exited (status 0) +++
 *
 * With -f, -t, -tt, -ttt, -r, -S, -l, -x, in a file or as on a terminal.  A name is everything
 * before the bracket: "SYS_read" and "prog->read" stay as they are.  The duration of a call
 * includes nested calls; its self time is computed, too.
 *
 * It is distinguished from strace -T by "(status 0)", "= <void>", such names, and by "resumed> )"
 * if some name is not a system call; if a trace has none of them, use --from ltrace.
 *
 * Durations are wall-clock time and include the overhead of tracing, hundreds of us per call.  They
 * come in steps of 1 us.
 *
 * Seen: 0.7.3, 0.7.91.  Not supported: output without -T, which has no durations.
 */
#include "formats/programs/traced.h"

static enum probe probe_ltrace(struct str head, struct clue *clue)
{
	struct traced_sight seen = traced_look(head);

	return seen.of_ltrace ? traced_probe(&seen, head, clue) : PROBE_NO;
}

const struct format format_ltrace = {
	.name = "ltrace",
	.title = "ltrace -T: library calls with their durations",
	.versions = "0.7.3, 0.7.91",
	.unit = "stated",
	.totals = "exact",
	.calls = CALLS_NESTED,
	.probe = probe_ltrace,
	.streams = true,
	.read = traced_read_nested,
};
