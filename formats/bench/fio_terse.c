/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio-terse: output of fio --output-format=terse, one line per job.
 *
 *	3;fio-3.33;mail;0;0;READ...;WRITE...;...
 *
 * For read, write and, since version 4, trim: KiB, bandwidth, IOPS, run time in ms; then min, max,
 * mean and deviation of slat and of clat, 20 percentiles of clat, four numbers of lat, and fields
 * unrelated to latency.  Times are in us.
 *
 * Seen: versions 3 to 5 of fio 3.33 and 3.41.  It has only summary statistics.  The number of calls
 * is not stated: it is computed from IOPS and run time, which are rounded down.  Percentiles are
 * left out.  Not read: version 2, which has other fields.  Text around the lines is skipped.
 */
#include <math.h>

#include "base/arena.h"
#include "formats/lines.h"

enum {
	FIRST = 5, /* fields before the first direction */
	IOPS = 2,  /* this and the following: index within a direction */
	RUNTIME = 3,
	CLAT = 8, /* min, max, mean, deviation */
	PERCENTILES = 12,
	MIN_VERSION = 3,
	MAX_VERSION = 5,
};

/* Whether a line begins with "3;fio-", the line of a job; finds its version. */
static bool is_job(struct str line, uint64_t *ret_version)
{
	struct str version, rest;

	return str_cut(line, ';', &version, &rest) && str_has_prefix(rest, STR("fio-")) &&
	       number_u64(version, ret_version) == NUMBER_OK;
}

static enum probe probe_fio_terse(struct str head, struct clue *clue)
{
	struct input in = { .bytes = head };
	struct cursor c = cursor_on(&in), line;
	enum probe score = PROBE_MAGIC;
	uint64_t version;

	while (scan_line(&c, &line)) {
		struct str text = str_trim(cursor_rest(&line));

		if (is_job(text, &version) && version >= MIN_VERSION && version <= MAX_VERSION)
			return score;
		if (is_job(text, &version))
			*clue = (struct clue){ line.at, "a version of fio's terse output other "
							"than 3, 4 and 5" };
		if (text.n > 0)
			score = PROBE_MARKS; /* other text, which another format may read */
	}
	return PROBE_NO;
}

struct reader {
	struct lines lines;
	double elapsed; /* ms */
	bool any;	/* a job was read */
};

/* Takes the next field; false at the end of the line. */
static bool next_field(struct str *rest, struct str *ret)
{
	struct str tail;

	if (rest->p == NULL)
		return false;
	if (str_cut(*rest, ';', ret, &tail)) {
		*rest = tail;
	} else {
		*ret = *rest;
		*rest = (struct str){ NULL, 0 };
	}
	return true;
}

static bool cut_off(struct reader *r, struct str line)
{
	return format_fail(r->lines.in, r->lines.diag, DIAG_INPUT_TRUNCATED,
			   (struct str){ line.p + line.n, 0 }, "fewer fields than its version has");
}

static bool read_number(struct reader *r, struct str field, double *ret)
{
	return (number_f64(field, ret) == NUMBER_OK && isfinite(*ret) && *ret >= 0) ||
	       format_fail(r->lines.in, r->lines.diag, DIAG_NUMBER_BAD, field, "expected a number");
}

static bool fio_terse_push(struct reader *r, struct str name, const double *clat, double calls,
			   struct str where)
{
	struct decimal total;

	if (!(calls < 0x1p63))
		return format_fail(r->lines.in, r->lines.diag, DIAG_COUNT_OVERFLOW, where,
				   "IOPS times run time");
	if (!decimal_from_f64(clat[2] * calls, &total))
		return format_fail(r->lines.in, r->lines.diag, DIAG_TOTAL_OVERFLOW, where,
				   "mean times calls");
	if (!build_operation_in(r->lines.to, UNIT_US, STR(""), name, where))
		return false;
	build_min(r->lines.to, clat[0]);
	build_max(r->lines.to, clat[1]);
	build_rounded_totals(r->lines.to);
	return build_count(r->lines.to, (uint64_t)calls, where) &&
	       build_total(r->lines.to, total, where);
}

static bool read_direction(struct reader *r, struct str line, struct str *rest, size_t n_fields,
			   struct str name)
{
	double iops = 0, runtime = 0, clat[4] = { 0 };
	struct str field, first = { NULL, 0 };

	for (size_t i = 0; i < n_fields; i++) {
		bool ok = true;

		if (!next_field(rest, &field))
			return cut_off(r, line);
		first = i == 0 ? field : first;
		if (i == IOPS)
			ok = read_number(r, field, &iops);
		else if (i == RUNTIME)
			ok = read_number(r, field, &runtime);
		else if (i >= CLAT && i < PERCENTILES)
			ok = read_number(r, field, &clat[i - CLAT]);
		if (!ok)
			return false;
	}
	if (runtime > r->elapsed) {
		r->elapsed = runtime;
		build_elapsed(r->lines.to, runtime / 1e3);
	}
	if (!(iops > 0 && clat[2] > 0))
		return true;
	return fio_terse_push(r, name, clat, floor(iops * runtime / 1e3 + 0.5), first);
}

static bool read_job(struct reader *r, struct str line, uint64_t version)
{
	static const char *const directions[] = { "read", "write", "trim" };
	struct str rest = line, field, job = STR("");

	for (size_t i = 0; i < FIRST; i++) {
		if (!next_field(&rest, &field))
			return cut_off(r, line);
		if (i == 2)
			job = field;
	}
	for (size_t i = 0; i < (version == 3 ? 2 : 3); i++) {
		struct str name =
			arena_printf(r->lines.arena, "%.*s/%s", STR_ARG(job), directions[i]);

		/* Version 5 has more fields for bandwidth and IOPS. */
		if (!read_direction(r, line, &rest, version == 5 ? 47 : 41, name))
			return false;
	}
	return true;
}

static bool fio_terse_line(void *reader)
{
	struct reader *r = reader;
	struct str text = r->lines.text;
	uint64_t version;

	if (!is_job(text, &version))
		return true;
	r->any = true;
	if (version < MIN_VERSION || version > MAX_VERSION)
		return format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED, text,
				   "version %llu of the terse output; 3, 4 and 5 are read",
				   (unsigned long long)version);
	return read_job(r, text, version);
}

static bool fio_terse_end(void *reader)
{
	const struct reader *r = reader;

	if (r->any)
		diag_file(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in,
			  "percentiles; calls are estimated from IOPS and run time (fio's json+ "
			  "counts them in buckets)");
	return true;
}

const struct format format_fio_terse = {
	.name = "fio-terse",
	.title = "fio --output-format=terse: summary statistics of each job and direction",
	.versions = "3 to 5 of fio 3.33, 3.41",
	.unit = "us",
	.totals = "mean times calls, whose number is estimated",
	.probe = probe_fio_terse,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = fio_terse_line,
					     .end = fio_terse_end,
					     .snapshots = SNAPSHOTS_CUMULATIVE },
};
