/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call-table: one call a line under a header that names the columns, as scripts for bpftrace,
 * SystemTap or DTrace can print it.  collect/call_table.bt is one.
 *
 * 	start_ns,end_ns,thread,name
 * 	1000,9000,871,handle_request
 * 	1200,8800,871,read_page
 *
 * The columns are start, end or duration (latency), thread (tid, task) and name (function,
 * operation), in any order, among others.  The suffix _ns, _us, _ms or _s of a time column is its
 * unit; ns without one.  With id and parent, calls nest by these and not by their times.  Calls may
 * come in any order.  Columns are separated by commas, tabs, semicolons or bars.
 */
#include "formats/call_latencies.h"
#include "formats/lines.h"
#include "formats/table/table.h"
#include "formats/text.h"

enum role { ROLE_START, ROLE_END, ROLE_DURATION, ROLE_THREAD, ROLE_NAME, ROLE_ID, ROLE_PARENT };
enum { N_ROLES = ROLE_PARENT + 1, NO_COLUMN = -1 };

struct layout {
	int at[N_ROLES];
	uint64_t ns[N_ROLES]; /* nanoseconds in the column's unit */
	char separator;
};

static const struct {
	struct str name;
	enum role role;
	bool timed; /* may have a unit as a suffix */
} known[] = {
	{ STR_INIT("start"), ROLE_START, true },      { STR_INIT("begin"), ROLE_START, true },
	{ STR_INIT("end"), ROLE_END, true },	      { STR_INIT("duration"), ROLE_DURATION, true },
	{ STR_INIT("latency"), ROLE_DURATION, true }, { STR_INIT("thread"), ROLE_THREAD, false },
	{ STR_INIT("tid"), ROLE_THREAD, false },      { STR_INIT("task"), ROLE_THREAD, false },
	{ STR_INIT("name"), ROLE_NAME, false },	      { STR_INIT("function"), ROLE_NAME, false },
	{ STR_INIT("operation"), ROLE_NAME, false },  { STR_INIT("id"), ROLE_ID, false },
	{ STR_INIT("parent"), ROLE_PARENT, false },
};

static const struct {
	struct str name;
	uint64_t ns;
} units[] = {
	{ STR_INIT("_ns"), 1 },
	{ STR_INIT("_us"), 1000 },
	{ STR_INIT("_ms"), 1000000 },
	{ STR_INIT("_s"), 1000000000 },
};

static void take_column(struct layout *l, struct str name, int column)
{
	uint64_t ns = 1;
	struct str stem = name;

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		if (str_has_suffix(name, units[i].name)) {
			stem.n = name.n - units[i].name.n;
			ns = units[i].ns;
			break;
		}
	}
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		enum role role = known[i].role;

		if (str_eq(known[i].timed ? stem : name, known[i].name) &&
		    l->at[role] == NO_COLUMN) {
			l->at[role] = column;
			l->ns[role] = ns;
			return;
		}
	}
}

/* Returns whether a header has all the columns that a call needs. */
static bool find_layout(struct str header, struct layout *l)
{
	static const char separators[] = { ',', '\t', ';', '|' };

	for (size_t s = 0; s < COUNT_OF(separators); s++) {
		struct str rest = header, one;
		int column = 0;
		bool more;

		l->separator = separators[s];
		for (int i = 0; i < N_ROLES; i++)
			l->at[i] = NO_COLUMN;
		do {
			more = str_cut(rest, l->separator, &one, &rest);
			take_column(l, str_trim(more ? one : rest), column++);
		} while (more);
		if (l->at[ROLE_START] != NO_COLUMN && l->at[ROLE_NAME] != NO_COLUMN &&
		    (l->at[ROLE_END] != NO_COLUMN || l->at[ROLE_DURATION] != NO_COLUMN) &&
		    (l->at[ROLE_THREAD] != NO_COLUMN || l->at[ROLE_ID] != NO_COLUMN))
			return true;
	}
	return false;
}

static enum probe probe_call_table(struct str head, struct clue *clue)
{
	struct layout l;
	struct str line;

	(void)clue;
	while (text_next(&head, &line)) {
		line = text_content(line);
		if (str_has_prefix(line, STR("# osprof ")))
			return PROBE_NO; /* one of our own formats */
		if (line.n > 0 && line.p[0] != '#')
			return find_layout(line, &l) ? PROBE_SHAPE : PROBE_NO;
	}
	return PROBE_NO;
}

struct reader {
	struct lines lines;
	struct table table;
	struct layout layout;
};

static bool call_table_read_time(struct reader *r, enum role role, struct call_time *ret)
{
	size_t at = (size_t)r->layout.at[role];
	struct decimal v;

	if (at >= r->table.n_fields)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->table.record,
				  "a record without its column %zu", at + 1);
	if (number_decimal(r->table.field[at], &v) != NUMBER_OK ||
	    !decimal_times(v, r->layout.ns[role], &v) || !call_time_from(v, ret))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, table_where(&r->table, at),
				  "expected a time");
	return true;
}

static struct str field_of(const struct reader *r, enum role role)
{
	int at = r->layout.at[role];

	return at != NO_COLUMN && (size_t)at < r->table.n_fields ? r->table.field[at] : STR("");
}

static uint64_t hash_of(struct str s)
{
	uint64_t hash = UINT64_C(14695981039346656037), number;

	if (number_u64(s, &number) == NUMBER_OK)
		return number;
	for (size_t i = 0; i < s.n; i++)
		hash = (hash ^ (unsigned char)s.p[i]) * UINT64_C(1099511628211);
	return hash;
}

static bool push_span(struct reader *r, struct call_time start, struct call_time end)
{
	struct call_span s = { .trace = { 1, 0 },
			       .name = field_of(r, ROLE_NAME),
			       .start = start,
			       .end = end,
			       .where = r->table.record };
	struct str id = field_of(r, ROLE_ID), parent = field_of(r, ROLE_PARENT);

	s.id = id.n > 0 ? hash_of(id) : 0;
	s.parent = parent.n > 0 ? hash_of(parent) : 0;
	return r->lines.calls->to->class->span(r->lines.calls->to, &s);
}

static bool read_record(struct reader *r)
{
	struct call_event e = { .what = CALL_WHOLE, .timed = true, .unordered = true };
	struct call_time end;
	bool ends = r->layout.at[ROLE_END] != NO_COLUMN;

	if (!call_table_read_time(r, ROLE_START, &e.at) ||
	    !call_table_read_time(r, ends ? ROLE_END : ROLE_DURATION, &end))
		return false;
	e.latency = ends ? call_time_between(e.at, end) : end;
	if (e.latency.ns < 0)
		return lines_fail(&r->lines, DIAG_NUMBER_RANGE, r->table.record,
				  "a call cannot end before it starts");
	e.name = field_of(r, ROLE_NAME);
	e.where = r->table.record;
	if (e.name.n == 0)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->table.record,
				  "a call without a name");
	if (r->layout.at[ROLE_ID] != NO_COLUMN && r->layout.at[ROLE_PARENT] != NO_COLUMN)
		return push_span(r, e.at, (struct call_time){ e.at.ns + e.latency.ns, e.at.part });
	e.thread.who = hash_of(field_of(r, ROLE_THREAD));
	return call_output_push(r->lines.calls, &e);
}

static bool read_records(struct reader *r)
{
	enum table_next what;

	while ((what = table_next(&r->table)) == TABLE_RECORD) {
		if (!read_record(r))
			return false;
	}
	return what == TABLE_END;
}

static bool call_table_text(void *reader)
{
	struct reader *r = reader;
	struct str rest = r->lines.in->bytes, line = STR("");
	bool ok;

	while (text_next(&rest, &line) && (text_content(line).n == 0 || line.p[0] == '#'))
		;
	if (!find_layout(text_content(line), &r->layout))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, line,
				  "expected a header with start, end or duration, thread, name");
	table_start(&r->table, r->lines.in, r->layout.separator, r->lines.diag);
	r->table.comments = true;
	ok = table_next(&r->table) == TABLE_RECORD && read_records(r);
	table_release(&r->table);
	return ok;
}

const struct format format_call_table = {
	.name = "call-table",
	.title = "calls, one a line: start, end, thread, name",
	.versions = "any",
	.unit = "by the header",
	.totals = "exact",
	.calls = CALLS_UNORDERED,
	.probe = probe_call_table,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = call_table_text,
					     .sampling = &samples_ns,
					     .calls = true },
};
