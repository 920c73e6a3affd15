/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * strace: system calls with their durations, from strace -T.
 *
 *	execve("/usr/bin/true", ["true"], 0x7fff) = 0 <0.000450>
 *	31182 1795181274.215876 read(3,  <unfinished ...>
 *	31182 1795181274.218257 <... read resumed>"x", 1) = 1 <0.002368>
 *	exit_group(0)                           = ?
 *	+++ exited with 0 +++
 *
 * With -f, -t, -tt, -ttt, -r, -y, --syscall-times=..., in a file or as on a terminal.
 * Only the last <...> of a line is a duration: paths and strings may contain others.  A call that
 * was interrupted by a signal counts as ended; when the kernel resumes it, it is
 * restart_syscall.  Other lines are left out: signals, exits, output of programs, the table of -C.
 *
 * Durations are wall-clock time and include the overhead of tracing, some tens of us per call. They
 * come in steps of the last digit, 1 us unless --syscall-times=ns.
 *
 * Seen: 6.1, 7.2.  Not supported: output without -T, which has no durations.
 */
#include "formats/programs/traced.h"

static enum probe probe_strace(struct str head, struct clue *clue)
{
	struct traced_sight seen = traced_look(head);

	return seen.of_ltrace ? PROBE_NO : traced_probe(&seen, head, clue);
}

const struct format format_strace = {
	.name = "strace",
	.title = "strace -T: system calls with their durations",
	.versions = "6.1, 7.2",
	.unit = "stated",
	.totals = "exact",
	.probe = probe_strace,
	.streams = true,
	.read = traced_read,
};
