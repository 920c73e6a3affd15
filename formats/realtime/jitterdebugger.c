/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jitterdebugger: wake-up latencies of its threads, in results.json.
 *
 *	{ "version": 3,
 *	  "sysinfo": { "sysname": "Linux", "cpus_online": 2, "resolution_in_ns": 1000 },
 *	  "cpu": { "0": { "histogram": { "22": 2, "23": 4 },
 *	      "count": 6, "min": 22, "max": 23, "avg": 22.67 } } }
 *
 * The operation is the number of the thread, which is the number of its processor unless -a is
 * used.  A row of the histogram is [row, row + 1) us, or ns with -N.  There are rows up to 1 ms;
 * calls that are in `count` but in no row were longer.
 *
 * Seen: 0.2, and version 3 of the file, from 2020.  Not supported: samples.raw; jittersamples
 * converts it to a table.
 */
#include "formats/format.h"
#include "formats/realtime/json_threads.h"

enum { LONGEST_NS = 1000000, NS_OF_US = 1000 };

static enum probe probe_jitterdebugger(struct str head, struct clue *clue)
{
	(void)clue;
	if (!str_has_prefix(str_trim(head), STR("{")) || !str_contains(head, STR("\"cpu\": {")) ||
	    !str_contains(head, STR("\"histogram\": {")) || str_contains(head, STR("\"thread\"")))
		return PROBE_NO;
	if (format_has_marks(head, MARKS("", "\"sysinfo\": {", "\"resolution_in_ns\": ")))
		return PROBE_MAGIC;
	return PROBE_MARKS;
}

static bool read_resolution(void *threads)
{
	struct json_threads *r = threads;
	size_t from = json_begin(&r->j);
	uint64_t ns;

	if (!json_u64(&r->j, &ns))
		return false;
	if (ns != 1 && ns != NS_OF_US)
		return format_fail(r->in, r->diag, DIAG_NUMBER_RANGE, json_since(&r->j, from),
				   "expected 1 or 1000 ns");
	r->unit = ns == 1 ? UNIT_NS : UNIT_US;
	r->rows = LONGEST_NS / ns;
	return true;
}

static bool read_jitterdebugger(const struct read_task *task)
{
	struct json_threads r;
	const struct json_member system[] = { JSON_READ("resolution_in_ns", read_resolution, &r) };
	const struct json_member members[] = { JSON_OBJECT("sysinfo", system),
					       JSON_READ("cpu", json_threads_read, &r) };
	bool ok;

	json_threads_init(&r, task->in, task->to, task->diag);
	build_run_fixed_duration(task->to); /* threads wake at a rate, for a given duration */
	r.rows = LONGEST_NS / NS_OF_US;
	ok = json_members(&r.j, members, COUNT_OF(members)) && json_end(&r.j) &&
	     json_threads_push(&r);
	json_threads_release(&r);
	return ok;
}

const struct format format_jitterdebugger = {
	.name = "jitterdebugger",
	.title = "jitterdebugger: histograms of its threads",
	.versions = "0.2, and of 2020",
	.unit = "us, or ns where resolution_in_ns is 1",
	.totals = "exact where a histogram has all calls, else average times count",
	.probe = probe_jitterdebugger,
	.read = read_jitterdebugger,
};
