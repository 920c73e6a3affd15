/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * smbstatus: Samba's counters of its calls, from smbstatus --profile.
 *
 *	**** System Calls *************************************************************
 *	syscall_openat_count:                                                        62
 *	syscall_openat_time:                                                        306
 *	**** SMB2 Calls ***************************************************************
 *	smb2_write_count:                                                             3
 *	smb2_write_time:                                                          24973
 *	smb2_write_idle:                                                              0
 *
 * A section is a layer; an operation has both a count and a time, the total duration in
 * microseconds.  Counters are cumulative until they are cleared; a file may hold several
 * snapshots, each beginning with the same section.  No distribution.
 *
 * Seen: 4.17.  Left out: idle times, bytes, counts without times and times without counts.
 */
#include "formats/report/report.h"

static const struct report_format smbstatus = {
	.line = REPORT_LINES(
		LINE("******** {layer} ***", .opens = 1), LINE("", .in = 1),
		LINE("{name}_count: {calls}", .in = 1, .begins = true),
		LINE("{name}_time: {total}", .in = 1, .known = true),
		LINE("{name}_*: {number}", .in = 1, .known = true),
		LINE("*", .refuse = "expected NAME_count: NUMBER or the like", .in = 1)),
	.unit = UNIT_US,
	.repeated = REPEATED_SNAPSHOT,
	.omit_uncalled = true,
};

const struct format format_smbstatus = {
	.name = "smbstatus",
	.title = "smbstatus --profile of Samba: calls and totals only",
	.versions = "4.17",
	.unit = "microseconds, always",
	.totals = "exact, in steps of 1 us",
	.line_marks = LINE_MARKS(
		{ .line = "******** {name} ***", .why = "no counter after a section" },
		{ .place = LINE_AFTER, .line = "{name}_count: {calls}", .score = PROBE_MAGIC }),
	.read = report_read,
	.spec = &smbstatus,
};
