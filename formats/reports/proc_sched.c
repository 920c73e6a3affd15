/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * proc-sched: /proc/PID/sched of Linux, with schedstats on (kernel.sched_schedstats=1).
 *
 *	bash (1234, #threads: 1)
 *	wait_max                                     :             3.514289
 *	wait_sum                                     :            45.123321
 *	wait_count                                   :                 1024
 *	iowait_sum                                   :           102.551230
 *	iowait_count                                 :                   51
 *
 * Operations are "bash/wait", for a processor, and "bash/iowait".
 *
 * Seen: 6.1.
 */
#include "formats/report/report.h"

static const struct report_format proc_sched = {
	.line = REPORT_LINES(LINE("{group} ({number}, #threads: {number})"),
			     LINE("*iowait_sum : {total}", .name = "iowait"),
			     LINE("*iowait_count : {calls}", .name = "iowait"),
			     LINE("*wait_max : {max}", .name = "wait"),
			     LINE("*wait_sum : {total}", .name = "wait"),
			     LINE("*wait_count : {calls}", .name = "wait")),
	.unit = UNIT_MS,
};

const struct format format_proc_sched = {
	.name = "proc-sched",
	.title = "waits of a task, from /proc/PID/sched",
	.versions = "Linux 6.1",
	.unit = "ms, always",
	.totals = "exact",
	.line_marks =
		LINE_MARKS({ .has = MARKS("se.exec_start", " : "), .score = PROBE_MARKS },
			   { .has = MARKS("se.sum_exec_runtime", " : "), .score = PROBE_MARKS }),
	.read = report_read,
	.spec = &proc_sched,
};
