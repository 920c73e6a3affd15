/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bcc_line.h"

#include <math.h>

#include "base/scan.h"
#include "formats/text.h"

enum { LONGEST_KEY = 32 }; /* "Process Name" and the like */

static struct str drop_suffix(struct str s, struct str suffix)
{
	s.n -= suffix.n;
	return str_trim(s);
}

bool bcc_header(struct str s, struct str *ret_text, size_t *ret_blanks)
{
	struct str head;

	if (!str_has_suffix(s, STR("distribution")))
		return false;
	head = drop_suffix(s, STR("distribution"));
	if (!str_has_suffix(head, STR("count")))
		return false;
	*ret_blanks = s.n - head.n - (sizeof("distribution") - 1);
	head = drop_suffix(head, STR("count"));
	if (*ret_blanks == 0 || !str_has_suffix(head, STR(":")))
		return false;
	*ret_text = drop_suffix(head, STR(":"));
	return true;
}

bool bcc_row(struct str s, bool in_table)
{
	bool number = is_digit(s.p[0]) || (s.n > 1 && s.p[0] == '-' && is_digit(s.p[1]));

	return (in_table && number) || (str_contains(s, STR("->")) && str_contains(s, STR(":")) &&
					str_has_suffix(s, STR("|")));
}

bool bcc_stamp(struct str s, double *ret_seconds, bool *ret_bracket)
{
	const size_t n = sizeof("HH:MM:SS") - 1;

	*ret_bracket = s.n == n + 2 && s.p[0] == '[' && s.p[s.n - 1] == ']';
	if (*ret_bracket)
		s = (struct str){ s.p + 1, s.n - 2 };
	else if (s.n == n + 1 && s.p[s.n - 1] == ':')
		s.n--;
	return s.n == n && text_clock(s, ret_seconds) == n;
}

bool bcc_banner(struct str s)
{
	return str_has_prefix(s, STR("Tracing ")) || str_has_prefix(s, STR("Sampling "));
}

static bool is_key(struct str s)
{
	if (s.n == 0 || s.n > LONGEST_KEY)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!is_letter(c) && c != '_' && (i == 0 || (c != ' ' && !is_digit(c))))
			return false;
	}
	return true;
}

bool bcc_section(struct str s, struct str *ret_key, struct str *ret_value)
{
	size_t at = str_find(s, STR(" = "));

	if (at == s.n && str_has_suffix(s, STR(" =")))
		at = s.n - 2;
	*ret_key = (struct str){ s.p, at };
	*ret_value = str_trim(str_skip(s, at + 2 <= s.n ? at + 2 : s.n));
	return at < s.n && is_key(*ret_key);
}

bool bcc_farewell(struct str s)
{
	return str_has_prefix(s, STR("Detaching")) || str_has_prefix(s, STR("Exiting trace of")) ||
	       str_eq(s, STR("[...]")) || str_eq(s, STR("....")) || str_has_prefix(s, STR("# ")) ||
	       str_has_prefix(s, STR("$ "));
}

/* --- units ---------------------------------------------------------------------- */

static bool is_word_of(struct str text, const char *const *word, size_t n)
{
	size_t from = 0;

	for (size_t i = 0; i <= text.n; i++) {
		struct str part = { text.p + from, i - from };

		if (i < text.n && is_letter(text.p[i]))
			continue;
		for (size_t k = 0; k < n; k++) {
			if (str_eq_nocase(part, str_from(word[k])))
				return true;
		}
		from = i + 1;
	}
	return false;
}

/* "usecs" and "query latency (ms)" state a unit, "read_us" only suggests one. */
enum unit bcc_unit(struct str text, enum unit_source *ret_source)
{
	static const char *const values[] = { "byte",	"bytes",   "kbytes", "sectors", "len",
					      "length", "size",	   "count",  "retval",	"pages",
					      "fd",	"runqlen", "backlog" };
	enum unit unit;

	*ret_source = UNIT_STATED;
	if (unit_parse(text, &unit) && unit_is_time(unit))
		return unit;
	unit = unit_in_name(text);
	if (unit_is_time(unit)) {
		if (!str_has_suffix(text, STR(")")))
			*ret_source = UNIT_GUESSED;
		return unit;
	}
	return is_word_of(text, values, COUNT_OF(values)) ? UNIT_PLAIN : UNIT_UNKNOWN;
}

/* --- slots ---------------------------------------------------------------------- */

/* Number of slots of each tool (MAX_SLOTS in libbpf-tools/x.h), found by text that only this tool
 * prints.  Keys stand before banners, because two tools share a banner. */
static const struct tool {
	const char *mark;
	int slots;
} tools[] = {
	{ "hardirq = ", 20 },
	{ "softirq = ", 20 },
	{ "Tracing hard irq event time", 20 },
	{ "Tracing soft irq event time", 20 },
	{ "Process Name = ", 20 },
	{ "operation = ", 32 },
	{ "backlog_max = ", 32 },
	{ "Tracing block device I/O", 27 },
	{ "Tracing run queue latency", 26 },
	{ "Tracing on-CPU time", 36 },
	{ "Tracing off-CPU time", 36 },
	{ "Tracing TCP RTT", 27 },
	{ "Tracing fs read-ahead", 20 },
	{ "Tracing block I/O with init stacks", 20 },
};

enum { FUNCLATENCY_SLOTS = 25 };

static size_t tool_of(struct str s)
{
	size_t i = 0;

	while (i < COUNT_OF(tools) && !str_has_prefix(s, str_from(tools[i].mark)))
		i++;
	return i;
}

/* "64 -> 127 ..." */
static bool scan_low(struct input *in, struct str s, uint64_t *ret)
{
	struct cursor row = cursor_at(in, s);

	if (!scan_u64(&row, ret))
		return false;
	scan_blanks(&row);
	return scan_literal(&row, STR("->"));
}

double bcc_top_slot(struct cursor c)
{
	bool funclatency = false;
	size_t tool = COUNT_OF(tools);
	double highest = 0, top = 0;
	struct cursor line;

	while (scan_line(&c, &line)) {
		struct str s = text_content(cursor_rest(&line));
		uint64_t low;

		if (scan_low(c.in, s, &low)) {
			highest = fmax(highest, (double)low);
		} else if (!str_begins_with_digit(s)) {
			size_t here = tool_of(s);

			tool = here < tool ? here : tool;
			funclatency = funclatency || str_contains(s, STR(".  Hit Ctrl-C to exit"));
		}
	}
	if (tool < COUNT_OF(tools))
		top = ldexp(1, tools[tool].slots - 1);
	else if (funclatency)
		top = ldexp(1, FUNCLATENCY_SLOTS - 1);
	return highest > top ? 0 : top;
}
