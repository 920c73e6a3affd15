/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rt-tests-json: output of cyclictest, oslat and others (rt-tests) with --json.
 *
 *	{ "cmdline:": "cyclictest -q -t2 -h 100 --json=x", "rt_test_version:": "2.40",
 *	  "resolution_in_ns": 0,
 *	  "thread": { "0": { "histogram": { "43": 1, "63": 34 },
 *	      "cycles": 40, "min": 43, "max": 876, "avg": 67.29, "cpu": 0 } } }
 *
 * The operation is the number of the thread.  In cyclictest's files, a key is [key, key + 1), and
 * cycles that are not in the histogram were longer than its last row, given by -h.  In oslat's, a
 * key is the upper edge, [key - 1, key), and the last one is open.  Other tools have summary
 * statistics: cycles, minimum, maximum and average.  When threads wake each other, cycles are the
 * samples of the sender:
 *
 *	"0": { "sender": { "samples": 200 },
 *	       "receiver": { "min": 2, "avg": 2.85, "max": 20, "cpu": 0 } }
 *
 * Seen: rt-tests 2.4, 2.10.  Left out with a note: threads without cycles, such as those of
 * rt-migrate-test.
 */
#include <string.h>

#include "formats/format.h"
#include "formats/realtime/json_threads.h"

/* Finds the number after one of the options, as in "-h 100", "-h100", "--histogram=100". */
static bool find_option(struct str command, const char *const *options, double *ret)
{
	for (; *options != NULL; options++) {
		size_t n = strlen(*options);
		const char *at = command.n > 0 ? memmem(command.p, command.n, *options, n) : NULL;
		struct input in = { .bytes = command };
		struct cursor c = cursor_on(&in);

		if (at == NULL)
			continue;
		c.at = (size_t)(at - command.p) + n;
		scan_blanks(&c);
		if (scan_f64(&c, ret) && *ret > 0 && *ret < 1 << 24)
			return true;
	}
	return false;
}

static bool read_command(void *threads)
{
	struct json_threads *r = threads;
	static const char *const rows[] = { " -h", " -H", " --histogram=", " --histofall=", NULL };
	static const char *const width[] = { " -W", " --bucket-width=", NULL };
	struct str command, tool, rest;
	double found;

	if (!json_string(&r->j, &command))
		return false;
	if (!str_cut(command, ' ', &tool, &rest))
		tool = command;
	r->upper = str_has_suffix(tool, STR("oslat"));
	if (r->upper || str_has_suffix(tool, STR("cyclictest")) ||
	    str_contains(command, STR(" -D")) || str_contains(command, STR(" --duration")))
		build_run_fixed_duration(r->to);
	if (!r->upper && find_option(command, rows, &found))
		r->rows = (uint64_t)found;
	if (r->upper && find_option(command, width, &found))
		r->width = found;
	return true;
}

static bool read_rt_tests_json(const struct read_task *task)
{
	struct json_threads r;
	uint64_t resolution = 0; /* ns */
	const struct json_member members[] = {
		JSON_READ("cmdline:", read_command, &r),
		JSON_READ("cmdline", read_command, &r),
		JSON_READ("thread", json_threads_read, &r),
		JSON_U64("resolution_in_ns", &resolution),
	};
	bool ok;

	json_threads_init(&r, task->in, task->to, task->diag);
	ok = json_members(&r.j, members, COUNT_OF(members)) && json_end(&r.j);
	r.unit = resolution > 0 ? UNIT_NS : UNIT_US;
	ok = ok && json_threads_push(&r);
	json_threads_release(&r);
	return ok;
}

const struct format format_rt_tests_json = {
	.name = "rt-tests-json",
	.title = "rt-tests --json: cyclictest and oslat, summary statistics of others",
	.versions = "rt-tests 2.4, 2.10",
	.unit = "us, or ns where resolution_in_ns says it",
	.totals = "exact where a histogram has all cycles, else average times cycles",
	.marks = MARKS("{", "\"cmdline:\"", "\"rt_test_version:\""),
	.read = read_rt_tests_json,
};
