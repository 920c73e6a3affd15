/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ping-report: the last lines of ping and ioping.
 *
 *	5 packets transmitted, 5 received, 0% packet loss, time 815ms
 *	rtt min/avg/max/mdev = 0.018/0.034/0.041/0.008 ms
 *	4 requests completed in 3.75 ms, 16 KiB read, 1.06 k iops, 4.16 MiB/s
 *	min/avg/max/mdev = 191.0 us / 938.3 us / 1.22 ms / 431.9 us
 *
 * Where there is a line for each answer, the format ping reads those.  A layer is the target; the
 * operation is "ping", or what ioping did.
 *
 * Seen: iputils 20221126, BusyBox 1.35, ioping 1.3; Windows, macOS and fping from posts.
 */
#include "formats/report/report.h"

static const struct report_format ping_report = {
	.line = REPORT_LINES(
		LINE("--- * ioping statistics ---", .run = true),
		LINE("--- {layer} ping statistics ---", .name = "ping", .begins = true),
		LINE("{number} packets transmitted, {calls} received*"),
		LINE("{number} packets transmitted, {calls} packets received*"),
		LINE("rtt min/avg/max/mdev = {min}/{mean}/{max}/{deviation} {unit}"),
		LINE("rtt min/avg/max/mdev = {min}/{mean}/{max}/{deviation} {unit},*"),
		LINE("round-trip min/avg/max = {min}/{mean}/{max} {unit}"),
		LINE("round-trip min/avg/max/std* = {min}/{mean}/{max}/{deviation} {unit}"),
		LINE("--- owping statistics from {layer} ---", .name = "owping", .begins = true),
		LINE("{calls} sent, *"),
		LINE("one-way delay min/median/max = {min}/{p50}/{max} {unit},*"),
		LINE("Ping statistics for {layer}:", .name = "ping", .begins = true),
		LINE("Packets: Sent = {number}, Received = {calls}, Lost = *"),
		LINE("Minimum = {min}, Maximum = {max}, Average = {mean}"),
		LINE("{layer} : xmt/rcv/%loss = {number}/{calls}/*%, min/avg/max = "
		     "{min}/{mean}/{max}",
		     .name = "ping", .begins = true),
		LINE("{calls} requests completed in {total}, {number} *B written, *",
		     .name = "write", .begins = true),
		LINE("{calls} requests completed in {total}, {number} *B {name}, *",
		     .begins = true),
		LINE("min/avg/max/mdev = {min} / {mean} / {max} / {deviation}")),
	.unit = UNIT_MS,
};

const struct format format_ping_report = {
	.name = "ping-report",
	.title = "summaries of ping, fping and ioping",
	.versions = "iputils 20221126, BusyBox 1.35, ioping 1.3",
	.unit = "stated; ms for fping",
	.totals = "ioping: as printed; else mean times answers",
	.line_marks = LINE_MARKS(
		{ .line = "{name} : xmt/rcv/%loss = *min/avg/max = *", .score = PROBE_MARKS },
		{ .has = MARKS("rtt min/avg/max"), .score = PROBE_SHAPE },
		{ .has = MARKS("round-trip min/avg/max"), .score = PROBE_SHAPE },
		{ .has = MARKS("Minimum = ", "Maximum = ", "Average = "), .score = PROBE_SHAPE },
		{ .has = MARKS("min/avg/max/mdev = "), .score = PROBE_SHAPE }),
	.read = report_read,
	.spec = &ping_report,
};
