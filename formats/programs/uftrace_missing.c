/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/programs/uftrace_missing.h"

#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/scan.h"
#include "formats/text.h"

/* Returns the rest of the line that begins with `key`; empty if there is none. */
static struct str stated_after(struct str text, struct str key)
{
	struct str line;

	while (text_next(&text, &line)) {
		if (str_has_prefix(line, key))
			return str_trim(str_skip(line, key.n));
	}
	return STR("");
}

static bool is_there(const struct input *in, const char *front, uint64_t number)
{
	struct arena *a = arena_new();
	bool there = access(arena_printf(a, "%s/%s%llu.dat", in->folder, front,
					 (unsigned long long)number)
				    .p,
			    F_OK) == 0;

	arena_free(a);
	return there;
}

/* Checks the threads of "taskinfo:tids=15250,15251". */
static void report_threads(struct input *in, struct diag *diag)
{
	struct str rest = stated_after(in->bytes, STR("taskinfo:tids=")), word;
	uint64_t n = 0, missing = 0, tid;

	while (rest.n > 0) {
		if (!str_cut(rest, ',', &word, &rest)) {
			word = rest;
			rest = STR("");
		}
		if (number_u64(word, &tid) == NUMBER_OK) {
			n++;
			missing += !is_there(in, "", tid);
		}
	}
	if (missing > 0)
		diag_file(diag, DIAG_FILES_MISSING, in,
			  "of %llu of %llu threads (TID.dat): they made no call that was recorded, "
			  "or their calls are lost",
			  (unsigned long long)missing, (unsigned long long)n);
}

/* Checks the processors of "cpuinfo:nr_cpus=8 / 16 (online/possible)": there is a file for each
 * that is online, or none at all if the scheduler was not recorded. */
static void report_processors(struct input *in, struct diag *diag)
{
	enum { MAX = 1 << 16 };
	struct input text = { .bytes = stated_after(in->bytes, STR("cpuinfo:nr_cpus=")) };
	struct cursor c = cursor_on(&text);
	uint64_t online, n = 0;

	if (!scan_u64(&c, &online) || online > MAX)
		return;
	for (uint64_t i = 0; i < online; i++)
		n += is_there(in, "perf-cpu", i);
	if (n > 0 && n < online)
		diag_file(diag, DIAG_FILES_MISSING, in,
			  "of %llu of %llu processors (perf-cpuN.dat): time off the processor is "
			  "missing",
			  (unsigned long long)(online - n), (unsigned long long)online);
}

void uftrace_missing_report(struct input *in, struct diag *diag)
{
	report_threads(in, diag);
	report_processors(in, diag);
}
