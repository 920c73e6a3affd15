/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ltrace: library calls and how long they took, from ltrace -T.
 *
 *	[pid 5269] strdup("a = 0 <0.5>" <unfinished ...>
 *	[pid 5270] usleep(300 <unfinished ...>
 *	[pid 5269] <... strdup resumed> )                = 0x55e9c47763c0 <0.000397>
 *	[pid 5269] +++ exited (status 0) +++
 *
 * With -f, -t, -tt, -ttt, -r, -S, -l, -x, in a file or as on a terminal.  A name is
 * all up to the bracket: "SYS_read" and "prog->read" stay as they are.  A call that
 * calls others lasts until it returns, theirs included; what is its own is known, too.
 *
 * What tells it from strace -T are "(status 0)", "resumed> )", "= <void>" and such
 * names; --from ltrace settles it where a trace has none of them.
 *
 * Durations are wall-clock time and hold what tracing costs, hundreds of us a call.
 * They come in steps of 1 us.
 *
 * Seen: 0.7.3, 0.7.91.  Not supported: output without -T, which holds no durations.
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
