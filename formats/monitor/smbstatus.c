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
#include <math.h>

#include "formats/lines.h"
#include "formats/reported.h"
#include "formats/text.h"

/* Parses "**** System Calls ****...". */
static bool is_section(struct str line, struct str *ret_name)
{
	static const struct str stars = STR_INIT("**** ");
	size_t n = line.n;

	while (n > stars.n && line.p[n - 1] == '*')
		n--;
	if (!str_has_prefix(line, stars) || line.n - n < stars.n - 1)
		return false;
	*ret_name = str_trim(str_skip((struct str){ line.p, n }, stars.n));
	return ret_name->n > 0;
}

/* Splits "syscall_openat_count:     62"; the name ends before the last _. */
static bool split_counter(struct str line, struct str *ret_name, struct str *ret_what,
			  struct str *ret_digits)
{
	struct str key, rest;
	size_t at;

	if (!str_cut(line, ':', &key, &rest))
		return false;
	at = str_find_last(key, STR("_"));
	*ret_name = (struct str){ key.p, at };
	*ret_what = str_skip(key, at + 1);
	*ret_digits = str_trim(rest);
	return at > 0 && ret_what->n > 0 && str_find(key, STR(" ")) == key.n;
}

static enum probe probe_smbstatus(struct str head, struct clue *clue)
{
	struct str line, rest = head, name, what, digits;
	bool section = false;

	while (text_line(&rest, &line)) {
		if (section && split_counter(line, &name, &what, &digits) &&
		    str_eq(what, STR("count")))
			return PROBE_MAGIC;
		section = is_section(line, &name);
		if (section)
			probe_near(clue, head, line, "no counter after a section");
	}
	return PROBE_NO;
}

/* --- counters --------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct str layer;
	struct str name, count_at; /* name and place of the last count */
	uint64_t count;
};

static bool smbstatus_push(struct reader *r, uint64_t us, struct str where)
{
	if (r->count == 0)
		return true;
	if (!build_operation_in(r->lines.to, UNIT_US, r->layer, r->name, r->name))
		return false;
	return build_count(r->lines.to, r->count, r->count_at) &&
	       build_total(r->lines.to, decimal_from_u64(us), where);
}

static bool read_counter(struct reader *r)
{
	struct str name, what, digits;
	uint64_t value;

	if (!split_counter(r->lines.text, &name, &what, &digits))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "expected NAME_count: NUMBER or the like");
	if (!lines_count(&r->lines, digits, &value, "expected a number"))
		return false;
	if (r->lines.cut)
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, str_skip(digits, digits.n),
				  "expected a newline after the number");
	if (str_eq(what, STR("count"))) {
		r->name = name;
		r->count = value;
		r->count_at = digits;
	} else if (str_eq(what, STR("time")) && str_eq(name, r->name)) {
		return smbstatus_push(r, value, digits);
	}
	return true;
}

static bool smbstatus_line(void *reader)
{
	struct reader *r = reader;
	struct str section;

	if (is_section(r->lines.text, &section)) {
		if (reported_again(&r->lines.reported, section))
			build_next_interval(r->lines.to, NAN);
		r->layer = section;
		r->name = STR("");
		return true;
	}
	return r->layer.n == 0 || r->lines.text.n == 0 || read_counter(r);
}

static void smbstatus_start(void *reader)
{
	struct reader *r = reader;

	r->layer = r->name = STR("");
}

const struct format format_smbstatus = {
	.name = "smbstatus",
	.title = "smbstatus --profile of Samba: calls and totals only",
	.versions = "4.17",
	.unit = "microseconds, always",
	.totals = "exact, in steps of 1 us",
	.probe = probe_smbstatus,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .start = smbstatus_start,
					     .line = smbstatus_line,
					     .snapshots = SNAPSHOTS_CUMULATIVE },
};
