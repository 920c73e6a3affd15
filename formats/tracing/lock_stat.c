/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lock-stat: how often and how long the kernel's locks were waited for and held, from
 * /proc/lock_stat.
 *
 *	lock_stat version 0.4
 *	-----------------------------------------------------------------
 *	      class name    con-bounces    contentions   waittime-min   ...
 *	-----------------------------------------------------------------
 *
 *	   &mm->mmap_lock-W:        973           3599           0.11   ...
 *	   &mm->mmap_lock-R:        554          21181           1.51   ...
 *	   ----------------
 *	     &mm->mmap_lock       1961          [<0>] vm_mmap_pgoff+0x73/0x100
 *
 * Waits and holds of a lock class are two layers; the header gives the columns.  Times are in
 * microseconds, rounded to 10 ns.  The kernel appends -W to a class only if it also has readers;
 * it is removed, so that a class is the same operation in every file.  The kernel cuts names at 37
 * letters, and numbers after # at one digit; rows with the same name are added up.  Counts are
 * cumulative until they are cleared; a file may hold several snapshots.  There is no distribution.
 *
 * Seen: version 0.3, 0.4.  Not supported: bounces of cache lines, the call sites that waited
 * or held the lock.
 */
#include <math.h>

#include "formats/lines.h"
#include "formats/statistics.h"
#include "formats/text.h"

static const struct str version = STR_INIT("lock_stat version ");

enum stage { STAGE_WAIT, STAGE_HOLD, STAGES };
enum { COLUMNS = 12 };

struct column {
	struct str title;
	enum stage stage;
	enum { WHAT_COUNT, WHAT_MIN, WHAT_MAX, WHAT_TOTAL, WHAT_OTHER } what;
};

struct layout {
	const struct column *column[COLUMNS];
	size_t n;
};

/* Returns NULL if there is no such column. */
static const struct column *find_column(struct str title)
{
	static const struct column columns[] = {
		{ STR_INIT("con-bounces"), STAGE_WAIT, WHAT_OTHER },
		{ STR_INIT("contentions"), STAGE_WAIT, WHAT_COUNT },
		{ STR_INIT("waittime-min"), STAGE_WAIT, WHAT_MIN },
		{ STR_INIT("waittime-max"), STAGE_WAIT, WHAT_MAX },
		{ STR_INIT("waittime-total"), STAGE_WAIT, WHAT_TOTAL },
		{ STR_INIT("waittime-avg"), STAGE_WAIT, WHAT_OTHER },
		{ STR_INIT("acq-bounces"), STAGE_HOLD, WHAT_OTHER },
		{ STR_INIT("acquisitions"), STAGE_HOLD, WHAT_COUNT },
		{ STR_INIT("holdtime-min"), STAGE_HOLD, WHAT_MIN },
		{ STR_INIT("holdtime-max"), STAGE_HOLD, WHAT_MAX },
		{ STR_INIT("holdtime-total"), STAGE_HOLD, WHAT_TOTAL },
		{ STR_INIT("holdtime-avg"), STAGE_HOLD, WHAT_OTHER },
	};

	for (size_t i = 0; i < COUNT_OF(columns); i++) {
		if (str_eq(title, columns[i].title))
			return &columns[i];
	}
	return NULL;
}

/* "class name con-bounces contentions ..." */
static bool lock_stat_is_head(struct str line, struct layout *ret)
{
	struct cursor c = CURSOR_OVER(line);
	struct layout l = { .n = 0 };
	struct str word;

	if (!scan_literal(&c, STR("class name ")))
		return false;
	for (; scan_word(&c, &word); l.n++) {
		if (l.n == COLUMNS || (l.column[l.n] = find_column(word)) == NULL)
			return false;
	}
	*ret = l;
	return l.n > 0;
}

static enum probe probe_lock_stat(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct layout layout;

	while (text_line(&rest, &line)) {
		if (lock_stat_is_head(line, &layout))
			return PROBE_MAGIC;
		if (str_has_prefix(line, version))
			probe_near(clue, head, line, "no names of columns");
	}
	return PROBE_NO;
}

/* --- rows ------------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct layout layout; /* without columns: before the first snapshot */
};

static bool lock_stat_take_time(const struct reader *r, struct str word, struct decimal *ret_us)
{
	return (decimal_parse(word, ret_us) && ret_us->billionths >= 0) ||
	       lines_fail(&r->lines, DIAG_NUMBER_BAD, word, "expected microseconds");
}

static bool take_cell(const struct reader *r, const struct column *column, struct str word,
		      struct statistics of_stage[STAGES])
{
	struct statistics *m = &of_stage[column->stage];
	struct decimal other;

	switch (column->what) {
	case WHAT_COUNT:
		m->count_at = word;
		return lines_count(&r->lines, word, &m->count, "expected a count");
	case WHAT_TOTAL:
		m->total_at = word;
		return lock_stat_take_time(r, word, &m->total);
	case WHAT_MIN:
		return lock_stat_take_time(r, word, &m->min);
	case WHAT_MAX:
		return lock_stat_take_time(r, word, &m->max);
	case WHAT_OTHER:
		break;
	}
	return lock_stat_take_time(r, word, &other);
}

/* Reads "&mm->mmap_lock-W: 973 3599 0.11 ..."; names may contain blanks and colons. */
static bool lock_stat_read_row(struct reader *r)
{
	struct str line = r->lines.text, name = { line.p, str_find_last(line, STR(":")) }, word;
	struct cursor c = cursor_at(r->lines.in, str_skip(line, name.n + 1));
	struct statistics of_stage[STAGES] = {
		[STAGE_WAIT] = { .layer = STR("wait"),
				 .unit = UNIT_US,
				 .has_min = true,
				 .has_max = true },
		[STAGE_HOLD] = { .layer = STR("hold"),
				 .unit = UNIT_US,
				 .has_min = true,
				 .has_max = true },
	};

	if (name.n == 0 || name.n == line.n)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line,
				  "expected a class of locks, a colon, and numbers");
	for (size_t i = 0; i < r->layout.n; i++) {
		if (!scan_word(&c, &word))
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, str_skip(line, line.n),
					  "expected a number for each column of the head");
		if (!take_cell(r, r->layout.column[i], word, of_stage))
			return false;
	}
	scan_blanks(&c);
	if (!cursor_done(&c))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, cursor_rest(&c),
				  "expected the end of the row");
	if (str_has_suffix(name, STR("-W")))
		name.n -= 2;
	for (size_t i = 0; i < STAGES; i++) {
		of_stage[i].name = name;
		if (of_stage[i].count > 0 && !statistics_push(&of_stage[i], r->lines.to))
			return false;
	}
	return true;
}

/* --- snapshots ------------------------------------------------------------------------ */

/* Lines between rows: rules, and call sites below a class, by name, count and address. */
static bool is_passed_over(struct str line)
{
	return line.n == 0 || str_has_prefix(line, STR("----")) ||
	       str_has_prefix(line, STR("....")) || str_contains(line, STR(" [<")) ||
	       str_has_prefix(line, version);
}

static bool lock_stat_line(void *reader)
{
	struct reader *r = reader;
	struct str line = r->lines.text;
	struct layout layout;

	if (str_has_prefix(line, STR("*WARNING*"))) {
		diag_part(r->lines.diag, DIAG_COLLECTOR_ERROR, r->lines.in, line,
			  "later events are missing");
	} else if (lock_stat_is_head(line, &layout)) {
		if (r->layout.n > 0)
			build_next_interval(r->lines.to, NAN);
		r->layout = layout;
	} else if (r->layout.n > 0 && !is_passed_over(line)) {
		return lock_stat_read_row(r);
	}
	return true;
}

const struct format format_lock_stat = {
	.name = "lock-stat",
	.title = "/proc/lock_stat: calls and totals only, of waits and holds",
	.versions = "0.3, 0.4",
	.unit = "microseconds, always",
	.totals = "exact, rounded to 10 ns",
	.probe = probe_lock_stat,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = lock_stat_line,
					     .snapshots = SNAPSHOTS_CUMULATIVE },
};
