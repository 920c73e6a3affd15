/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/log_prefix.h"

#include "base/scan.h"

static bool skip_digits(struct cursor *c, size_t min, size_t max)
{
	size_t from = c->at;
	uint64_t v;

	return scan_u64(c, &v) && c->at - from >= min && c->at - from <= max;
}

bool log_one_of(struct cursor *c, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (scan_literal(c, str_from(words[i])))
			return true;
	}
	return false;
}

static bool skip_month(struct cursor *c)
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

	return log_one_of(c, months, COUNT_OF(months));
}

/* Blanks, at least one. */
static bool skip_gap(struct cursor *c)
{
	size_t from = c->at;

	scan_blanks(c);
	return c->at > from;
}

static bool skip_word(struct cursor *c)
{
	struct str ignored;

	return !cursor_at_word_end(c) && scan_word(c, &ignored);
}

/* A prefix ends with a blank, which may be missing when nothing follows. */
static bool skip_end(struct cursor *c)
{
	return cursor_done(c) || scan_char(c, ' ');
}

/* 11:40:16, perhaps with a fraction. */
static bool time_of_day(struct cursor *c)
{
	if (!skip_digits(c, 2, 2) || !scan_char(c, ':') || !skip_digits(c, 2, 2) ||
	    !scan_char(c, ':') || !skip_digits(c, 2, 2))
		return false;
	return (!scan_char(c, '.') && !scan_char(c, ',')) || skip_digits(c, 1, 9);
}

/* "Nov 22 11:40:16" */
static bool short_date(struct cursor *c)
{
	return skip_month(c) && skip_gap(c) && skip_digits(c, 1, 2) && skip_gap(c) &&
	       time_of_day(c);
}

/* "2026-11-22T11:40:16.123456789Z", "2026-11-22 11:40:16,123+01:00" */
static bool iso_date(struct cursor *c)
{
	if (!skip_digits(c, 4, 4) || !scan_char(c, '-') || !skip_digits(c, 2, 2) ||
	    !scan_char(c, '-') || !skip_digits(c, 2, 2) ||
	    (!scan_char(c, 'T') && !scan_char(c, ' ')) || !time_of_day(c))
		return false;
	if (scan_char(c, 'Z') || (!scan_char(c, '+') && !scan_char(c, '-')))
		return true;
	return skip_digits(c, 2, 4) && (!scan_char(c, ':') || skip_digits(c, 2, 2));
}

static bool skip_date(struct cursor *c)
{
	struct cursor w = *c;

	if (iso_date(&w)) {
		*c = w;
		return true;
	}
	return short_date(c);
}

/* "[Sun Nov 22 11:40:16 2026]" after the bracket */
static bool long_date(struct cursor *c)
{
	static const char *const days[] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };

	return log_one_of(c, days, COUNT_OF(days)) && skip_gap(c) && short_date(c) && skip_gap(c) &&
	       skip_digits(c, 4, 4);
}

static bool skip_seconds(struct cursor *c)
{
	scan_blanks(c);
	return skip_digits(c, 1, 10) && scan_char(c, '.') && skip_digits(c, 6, 6);
}

/* "[T123]", "[    C1]": the task or processor that printed it */
static bool skip_caller(struct cursor *c)
{
	if (!scan_char(c, '['))
		return false;
	scan_blanks(c);
	return (scan_char(c, 'T') || scan_char(c, 'C')) && skip_digits(c, 1, 7) &&
	       scan_char(c, ']');
}

/* "[   12.345678] ", "<6>[   12.345678][  T123] ", "[Sun Nov 22 11:40:16 2026] " */
static bool kernel_stamp(struct cursor *c)
{
	struct cursor w;

	if (scan_char(c, '<') && (!skip_digits(c, 1, 3) || !scan_char(c, '>')))
		return false;
	if (!scan_char(c, '['))
		return false;
	w = *c;
	if (!long_date(&w)) {
		w = *c;
		if (!skip_seconds(&w))
			return false;
	}
	*c = w;
	if (!scan_char(c, ']'))
		return false;
	w = *c;
	if (skip_caller(&w))
		*c = w;
	return skip_end(c);
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '-';
}

bool log_name(struct cursor *c)
{
	size_t from = c->at;

	while (!cursor_done(c) && is_name(*cursor_rest(c).p))
		c->at++;
	return c->at > from;
}

/* "bpftrace:", "bpftrace[1234]:" */
static bool skip_tag(struct cursor *c)
{
	if (!log_name(c))
		return false;
	if (scan_char(c, '[') && (!skip_digits(c, 1, 10) || !scan_char(c, ']')))
		return false;
	return scan_char(c, ':');
}

/* A kernel message may have its own time stamp after the tag. */
static bool host_and_tag(struct cursor *c)
{
	struct cursor w;
	bool kernel;

	if (!skip_gap(c) || !log_name(c) || !skip_gap(c))
		return false;
	kernel = str_has_prefix(cursor_rest(c), STR("kernel:"));
	if (!skip_tag(c) || !skip_end(c))
		return false;
	w = *c;
	if (kernel && kernel_stamp(&w))
		*c = w;
	return true;
}

static bool syslog_line(struct cursor *c)
{
	return skip_date(c) && host_and_tag(c);
}

/* "DATE stdout F ", as Kubernetes nodes store container output */
static bool container_line(struct cursor *c)
{
	return iso_date(c) &&
	       (scan_literal(c, STR(" stdout ")) || scan_literal(c, STR(" stderr "))) &&
	       (scan_char(c, 'F') || scan_char(c, 'P')) && skip_end(c);
}

static bool dated_line(struct cursor *c)
{
	return skip_date(c) && skip_end(c);
}

/* "[pod/NAME/CONTAINER] " */
static bool pod_line(struct cursor *c)
{
	struct str name;

	return scan_literal(c, STR("[pod/")) && scan_word(c, &name) &&
	       str_has_suffix(name, STR("]")) && skip_end(c);
}

/* "NAME-1  | " */
static bool compose_line(struct cursor *c)
{
	return skip_word(c) && skip_gap(c) && scan_char(c, '|') && skip_end(c);
}

static bool quoted_line(struct cursor *c)
{
	bool quoted = false;

	while (scan_char(c, '>'))
		quoted = true;
	return quoted && skip_end(c);
}

static bool indented_line(struct cursor *c)
{
	return scan_literal(c, STR("    ")) || scan_char(c, '\t');
}

/* Tried in this order. */
/* "12:17:58 DEBUG| [stdout] ", "[INFO] ", "ERROR: " */
static bool level_line(struct cursor *c)
{
	static const char *const levels[] = { "TRACE", "DEBUG", "INFO", "NOTICE", "WARNING",
					      "WARN",  "ERROR", "INFO", "debug",  "info" };
	struct cursor w = *c;
	struct str name;

	if ((skip_date(&w) || (w = *c, time_of_day(&w))) && skip_gap(&w))
		*c = w;
	(void)!scan_char(c, '[');
	if (!log_one_of(c, levels, COUNT_OF(levels)))
		return false;
	(void)!(scan_char(c, ']') || scan_char(c, '|') || scan_char(c, ':'));
	w = *c;
	if (skip_gap(&w) && scan_char(&w, '[') && scan_word(&w, &name) &&
	    str_has_suffix(name, STR("]")))
		*c = w;
	return skip_end(c);
}

/* Marks of comments and of changed lines. */
static bool commented_line(struct cursor *c)
{
	static const char *const marks[] = { "+", "#", "//", "|", "*", ";" };

	return log_one_of(c, marks, COUNT_OF(marks)) && skip_end(c);
}

static const struct log_prefix prefixes[] = {
	{ "the kernel's log", kernel_stamp, PREFIX_STRONG, false },
	{ "syslog or journalctl", syslog_line, PREFIX_STRONG, false },
	{ "a container's log", container_line, PREFIX_STRONG, false },
	{ "a log with levels", level_line, PREFIX_STRONG, false },
	{ "a log with dates", dated_line, PREFIX_DATED, false },
	{ "kubectl logs --prefix", pod_line, PREFIX_STRONG, true },
	{ "docker compose logs", compose_line, PREFIX_STRONG, true },
	{ "a quoted e-mail", quoted_line, PREFIX_STRONG, false },
	{ "an indented block", indented_line, PREFIX_WEAK, false },
	{ "comments or changed lines", commented_line, PREFIX_WEAK, true },
};

const struct log_prefix *log_prefix_at(size_t i)
{
	return i < COUNT_OF(prefixes) ? &prefixes[i] : NULL;
}

bool log_prefix_all(const struct log_prefix *prefix, struct str text)
{
	struct cursor rest = CURSOR_OVER(text), line;
	struct str first = { NULL, 0 };

	while (scan_line(&rest, &line)) {
		struct str borne = cursor_rest(&line);

		if (borne.n == 0 || log_is_about_itself(borne))
			continue;
		if (!prefix->take(&line))
			return first.n > 0 && line.end == rest.end; /* cut off */
		borne.n -= cursor_rest(&line).n;
		if (prefix->same && first.n > 0 && !str_has_prefix(first, str_trim(borne)))
			return false;
		first = first.n > 0 ? first : borne;
	}
	return first.n > 0;
}

bool log_is_about_itself(struct str line)
{
	return str_has_prefix(line, STR("-- "));
}
