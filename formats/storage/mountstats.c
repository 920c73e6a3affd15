/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mountstats: /proc/self/mountstats of NFS clients, from the kernel or mountstats --raw.
 *
 *	device proc mounted on /proc with fstype proc
 *	device server:/export mounted on /mnt with fstype nfs4 statvers=1.1
 *		age:	120
 *		...
 *		per-op statistics
 *		        READ: 120 121 0 19200 491520 4 310 350 0
 *		 EXCHANGE_ID: 1 1 0 276 108 0 2 2 0
 *
 * Columns: calls, transmissions, timeouts, bytes sent and received; then the total time of all
 * calls in ms: waiting to be sent (queue), from there to the reply (rtt), and from beginning to
 * end (execute, which includes the other two); in RPC iostats 1.1, errors.  A stage is a layer,
 * prefixed by the mount point.  No distribution.  The kernel counts since the mount; a file may
 * hold several snapshots.
 *
 * Some kernels let the sum of a stage become negative and print it as an unsigned number: such a
 * stage is left out with a note.
 *
 * Seen: RPC iostats 1.0, and 1.1 of Linux 6.12.  Not supported: transmissions, bytes, errors,
 * and the lines above the operations.
 */
#include <math.h>

#include "base/arena.h"
#include "formats/lines.h"
#include "formats/reported.h"
#include "formats/statistics.h"
#include "formats/text.h"
#include "profile/nest.h"

enum { STAGES = 3, BEFORE_STAGES = 4 }; /* columns between the calls and the stages */

struct mount {
	struct str path;
	bool nfs; /* NFS, with statistics */
};

/* Parses "device server:/export mounted on /mnt with fstype nfs4 statvers=1.1". */
static bool is_mount(struct str s, struct mount *ret)
{
	struct cursor c = CURSOR_OVER(s);
	struct str device, type;

	if (!scan_literal(&c, STR("device ")) || !scan_word(&c, &device) ||
	    !scan_literal(&c, STR(" mounted on ")) || !scan_word(&c, &ret->path) ||
	    !scan_literal(&c, STR(" with fstype ")) || !scan_word(&c, &type))
		return false;
	ret->nfs = str_has_prefix(type, STR("nfs")) && scan_literal(&c, STR(" statvers="));
	return true;
}

static bool is_any_mount(struct str line)
{
	struct mount mount;

	return is_mount(line, &mount);
}

/* --- operations ---------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	uint64_t oldest;	  /* largest age of the mounts */
	struct str layer[STAGES]; /* layers of the current mount */
};

static const char row_form[] = "expected OPERATION: and eight numbers or more";

/* Takes a count; *ret_where is its text with the surrounding blanks. */
static bool take_count(struct reader *r, struct cursor *c, uint64_t *ret, struct str *ret_where)
{
	const char *text = r->lines.in->bytes.p;
	size_t from = c->at;

	if (!lines_counted(&r->lines, lines_next_count(&r->lines, c, ret),
			   str_skip(r->lines.text, r->lines.text.n), row_form))
		return false;
	*ret_where = (struct str){ text + from, c->at - from };
	return true;
}

static bool push_stage(struct reader *r, struct statistics *of, uint64_t ms)
{
	if (of->count == 0)
		return true;
	if (ms > INT64_MAX) {
		diag_part(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in, str_trim(of->total_at),
			  "the kernel counted below zero");
		return true;
	}
	of->total = decimal_from_u64(ms);
	return statistics_push(of, r->lines.to);
}

/* Reads "READ: 120 121 0 19200 491520 4 310 350 0". */
static bool mountstats_read_row(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct statistics of = { .unit = UNIT_MS };
	struct str where;
	uint64_t v;

	if (!scan_word(&c, &of.name) || of.name.n < 2 || !str_has_suffix(of.name, STR(":")))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text, "%s", row_form);
	of.name.n--;
	if (!take_count(r, &c, &of.count, &of.count_at))
		return false;
	for (int i = 0; i < BEFORE_STAGES; i++) {
		if (!take_count(r, &c, &v, &where))
			return false;
	}
	for (size_t stage = 0; stage < STAGES; stage++) {
		of.layer = r->layer[stage];
		if (!take_count(r, &c, &v, &of.total_at) || !push_stage(r, &of, v))
			return false;
	}
	return true;
}

/* --- mounts -------------------------------------------------------------------------- */

/* States that queue and rtt are nested in execute. */
static void state_nesting(struct reader *r)
{
	for (size_t i = 0; i + 1 < STAGES; i++) {
		struct nest nest = { .upper = { .layer = STR(""), .name = r->layer[STAGES - 1] },
				     .lower = { .layer = STR(""), .name = r->layer[i] } };

		build_nest(r->lines.to, &nest);
	}
}

static void begin_mount(struct reader *r, struct str path)
{
	static const char *const stages[STAGES] = { "queue", "rtt", "execute" };

	arena_clear(r->lines.arena);
	for (size_t i = 0; i < STAGES; i++)
		r->layer[i] = arena_join(r->lines.arena, path, ',', str_from(stages[i]));
	state_nesting(r);
	if (reported_again(&r->lines.reported, r->lines.text))
		build_next_interval(r->lines.to, NAN);
}

/* Reads "age:	120". */
static bool read_age(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct str name;
	uint64_t age;

	if (!lines_counted(&r->lines,
			   scan_word(&c, &name) ? lines_next_count(&r->lines, &c, &age)
						: COUNT_MISSING,
			   r->lines.text, "expected seconds since the mount"))
		return false;
	if (age > r->oldest) {
		r->oldest = age;
		build_elapsed(r->lines.to, (double)age);
	}
	return true;
}

/* Reads up to a blank line or the next mount. */
static bool mountstats_read_rows(struct reader *r)
{
	while (lines_next(&r->lines) && r->lines.text.n > 0) {
		if (is_any_mount(r->lines.text)) {
			lines_again(&r->lines);
			break;
		}
		if (!mountstats_read_row(r))
			return false;
	}
	return true;
}

static bool mountstats_mounts(void *reader)
{
	struct reader *r = reader;
	struct mount mount = { .nfs = false };

	while (lines_next(&r->lines)) {
		struct str s = r->lines.text;
		bool ok = true;

		if (is_mount(s, &mount)) {
			if (mount.nfs)
				begin_mount(r, mount.path);
		} else if (mount.nfs && str_has_prefix(s, STR("age:"))) {
			ok = read_age(r);
		} else if (mount.nfs && str_eq(s, STR("per-op statistics"))) {
			ok = mountstats_read_rows(r);
		}
		if (!ok)
			return false;
	}
	if (r->lines.reported.of.n == 0)
		return format_fail(r->lines.in, r->lines.diag, DIAG_NO_OPERATIONS,
				   (struct str){ r->lines.in->bytes.p, 0 },
				   "none of the mounts is of NFS");
	return true;
}

const struct format format_mountstats = {
	.name = "mountstats",
	.title = "mountstats of NFS clients: calls and totals only",
	.versions = "RPC iostats 1.0 and 1.1",
	.unit = "milliseconds, always",
	.totals = "exact, cut off to 1 ms",
	.line_marks = LINE_MARKS({ .is = is_any_mount, .score = PROBE_MAGIC },
				 { .has = MARKS("Stats for ", " mounted on "),
				   .why = "averages of mountstats, which --raw prints as counters",
				   .first = true }),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = mountstats_mounts,
					     .snapshots = SNAPSHOTS_CUMULATIVE },
};
