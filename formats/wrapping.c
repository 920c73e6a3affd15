/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/wrapping.h"

#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "base/xalloc.h"
#include "formats/text.h"

enum { START = 512 }; /* bytes of a line, by which it is judged */

/* --- what logs put before a line ---------------------------------------------------------- */

static bool digits(struct cursor *c, size_t least, size_t most)
{
	size_t from = c->at;
	uint64_t v;

	return scan_u64(c, &v) && c->at - from >= least && c->at - from <= most;
}

static bool one_of(struct cursor *c, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (scan_literal(c, str_from(words[i])))
			return true;
	}
	return false;
}

static bool month(struct cursor *c)
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

	return one_of(c, months, COUNT_OF(months));
}

/* Blanks, at least one. */
static bool gap(struct cursor *c)
{
	size_t from = c->at;

	scan_blanks(c);
	return c->at > from;
}

static bool word(struct cursor *c)
{
	struct str ignored;

	return !cursor_at_word_end(c) && scan_word(c, &ignored);
}

/* What is before the line ends with a blank, which is cut off where nothing follows. */
static bool end(struct cursor *c)
{
	return cursor_done(c) || scan_char(c, ' ');
}

/* 11:40:16, perhaps with a fraction. */
static bool time_of_day(struct cursor *c)
{
	if (!digits(c, 2, 2) || !scan_char(c, ':') || !digits(c, 2, 2) || !scan_char(c, ':') ||
	    !digits(c, 2, 2))
		return false;
	return (!scan_char(c, '.') && !scan_char(c, ',')) || digits(c, 1, 9);
}

/* "Nov 22 11:40:16" */
static bool short_date(struct cursor *c)
{
	return month(c) && gap(c) && digits(c, 1, 2) && gap(c) && time_of_day(c);
}

/* "2026-11-22T11:40:16.123456789Z", "2026-11-22 11:40:16,123+01:00" */
static bool iso_date(struct cursor *c)
{
	if (!digits(c, 4, 4) || !scan_char(c, '-') || !digits(c, 2, 2) || !scan_char(c, '-') ||
	    !digits(c, 2, 2) || (!scan_char(c, 'T') && !scan_char(c, ' ')) || !time_of_day(c))
		return false;
	if (scan_char(c, 'Z') || (!scan_char(c, '+') && !scan_char(c, '-')))
		return true;
	return digits(c, 2, 4) && (!scan_char(c, ':') || digits(c, 2, 2));
}

static bool date(struct cursor *c)
{
	struct cursor w = *c;

	if (iso_date(&w)) {
		*c = w;
		return true;
	}
	return short_date(c);
}

/* "[Sun Nov 22 11:40:16 2026]" behind the bracket */
static bool long_date(struct cursor *c)
{
	static const char *const days[] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };

	return one_of(c, days, COUNT_OF(days)) && gap(c) && short_date(c) && gap(c) &&
	       digits(c, 4, 4);
}

static bool seconds(struct cursor *c)
{
	scan_blanks(c);
	return digits(c, 1, 10) && scan_char(c, '.') && digits(c, 6, 6);
}

/* "[T123]", "[    C1]": the task or processor that printed it */
static bool caller(struct cursor *c)
{
	if (!scan_char(c, '['))
		return false;
	scan_blanks(c);
	return (scan_char(c, 'T') || scan_char(c, 'C')) && digits(c, 1, 7) && scan_char(c, ']');
}

/* "[   12.345678] ", "<6>[   12.345678][  T123] ", "[Sun Nov 22 11:40:16 2026] " */
static bool kernel_stamp(struct cursor *c)
{
	struct cursor w;

	if (scan_char(c, '<') && (!digits(c, 1, 3) || !scan_char(c, '>')))
		return false;
	if (!scan_char(c, '['))
		return false;
	w = *c;
	if (!long_date(&w)) {
		w = *c;
		if (!seconds(&w))
			return false;
	}
	*c = w;
	if (!scan_char(c, ']'))
		return false;
	w = *c;
	if (caller(&w))
		*c = w;
	return end(c);
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '-';
}

static bool name(struct cursor *c)
{
	size_t from = c->at;

	while (!cursor_done(c) && is_name(*cursor_rest(c).p))
		c->at++;
	return c->at > from;
}

/* "bpftrace:", "bpftrace[1234]:" */
static bool tag(struct cursor *c)
{
	if (!name(c))
		return false;
	if (scan_char(c, '[') && (!digits(c, 1, 10) || !scan_char(c, ']')))
		return false;
	return scan_char(c, ':');
}

/* What the kernel says has its own stamp behind them, perhaps. */
static bool host_and_tag(struct cursor *c)
{
	struct cursor w;
	bool kernel;

	if (!gap(c) || !name(c) || !gap(c))
		return false;
	kernel = str_has_prefix(cursor_rest(c), STR("kernel:"));
	if (!tag(c) || !end(c))
		return false;
	w = *c;
	if (kernel && kernel_stamp(&w))
		*c = w;
	return true;
}

static bool syslog_line(struct cursor *c)
{
	return date(c) && host_and_tag(c);
}

/* "DATE stdout F ", as the nodes of Kubernetes keep what containers print */
static bool container_line(struct cursor *c)
{
	return iso_date(c) &&
	       (scan_literal(c, STR(" stdout ")) || scan_literal(c, STR(" stderr "))) &&
	       (scan_char(c, 'F') || scan_char(c, 'P')) && end(c);
}

static bool dated_line(struct cursor *c)
{
	return date(c) && end(c);
}

/* "[pod/NAME/CONTAINER] " */
static bool pod_line(struct cursor *c)
{
	struct str name;

	return scan_literal(c, STR("[pod/")) && scan_word(c, &name) &&
	       str_has_suffix(name, STR("]")) && end(c);
}

/* "NAME-1  | " */
static bool compose_line(struct cursor *c)
{
	return word(c) && gap(c) && scan_char(c, '|') && end(c);
}

static bool quoted_line(struct cursor *c)
{
	return scan_char(c, '>') && end(c);
}

static bool indented_line(struct cursor *c)
{
	return scan_literal(c, STR("    ")) || scan_char(c, '\t');
}

struct prefix {
	const char *name;
	bool (*take)(struct cursor *line); /* leaves the cursor behind it */
	enum prefix_strength strength;
	bool same; /* in all lines */
};

/* Looked for in this order. */
static const struct prefix prefixes[] = {
	{ "the kernel's log", kernel_stamp, PREFIX_STRONG, false },
	{ "syslog or journalctl", syslog_line, PREFIX_STRONG, false },
	{ "a container's log", container_line, PREFIX_STRONG, false },
	{ "a log with dates", dated_line, PREFIX_DATED, false },
	{ "kubectl logs --prefix", pod_line, PREFIX_STRONG, true },
	{ "docker compose logs", compose_line, PREFIX_STRONG, true },
	{ "a quoted letter", quoted_line, PREFIX_STRONG, false },
	{ "an indented block", indented_line, PREFIX_WEAK, false },
};

const char *wrapping_name(const struct wrapping *w, size_t k)
{
	return w->prefix[k]->name;
}

bool wrapping_is_strong(const struct wrapping *w)
{
	return w->n_prefixes > 0 && w->prefix[w->n_prefixes - 1]->strength == PREFIX_STRONG;
}

/* "-- Journal begins at ..." */
static bool is_of_journal(struct str line)
{
	return str_has_prefix(line, STR("-- "));
}

/* --- lines of a shell --------------------------------------------------------------------- */

/* "user@host:~$ ", "[user@host folder]# " */
static bool prompt(struct cursor *c)
{
	bool bracket = scan_char(c, '[');
	struct str path;

	if (!name(c) || !scan_char(c, '@') || !name(c))
		return false;
	if (bracket)
		return gap(c) && scan_word(c, &path) &&
		       (str_has_suffix(path, STR("]#")) || str_has_suffix(path, STR("]$"))) &&
		       end(c);
	return scan_char(c, ':') && scan_word(c, &path) &&
	       (str_has_suffix(path, STR("#")) || str_has_suffix(path, STR("$"))) && end(c);
}

static bool is_certain(struct str line, bool first)
{
	static const char *const begins[] = { "Script started on ", "Script done on ", "```",
					      "[sudo] password for " };
	struct input in = { .bytes = line };
	struct cursor c = cursor_on(&in);

	return one_of(&c, begins, COUNT_OF(begins)) || (first && scan_literal(&c, STR("$ "))) ||
	       prompt(&c);
}

static bool is_likely(struct str line, bool first)
{
	static const char *const prompts[] = { "# ", "% ", "+ " };
	struct input in = { .bytes = line };
	struct cursor c = cursor_on(&in);

	return scan_literal(&c, STR("$ ")) || (first && one_of(&c, prompts, COUNT_OF(prompts)));
}

static bool is_of_shell(struct str line, enum shell_lines which, bool first)
{
	return (which >= SHELL_CERTAIN && is_certain(line, first)) ||
	       (which == SHELL_LIKELY && is_likely(line, first));
}

bool wrapping_has_shell(struct str text, enum shell_lines which)
{
	struct str line;

	for (bool first = true; text_next(&text, &line); first = false) {
		if (line.n > 0 && is_of_shell(line, which, first))
			return true;
	}
	return false;
}

/* --- taking it away ----------------------------------------------------------------------- */

enum place {
	AT_START, /* of a line, which is gathered */
	GIVING,	  /* what was gathered and stays */
	IN_LINE,  /* its rest follows, and stays */
	IN_SHELL, /* its rest follows, and goes */
};

struct unwrapper {
	struct filter filter; /* the first, so that a pointer to it is one to all */
	struct wrapping what;
	enum place place;
	bool later;	   /* not the first line */
	bool of_shell;	   /* the line at hand */
	char start[START]; /* of it */
	size_t from, to;   /* the part of the start that stays */
};

static struct str without_prefixes(const struct wrapping *w, struct str line)
{
	struct input in = { .bytes = line };
	struct cursor c = cursor_on(&in), behind;

	for (size_t i = 0; i < w->n_prefixes; i++) {
		behind = c;
		if (w->prefix[i]->take(&behind))
			c = behind;
	}
	return cursor_rest(&c);
}

/* How many bytes of a line, or of its beginning, go. */
static size_t taken(struct unwrapper *u, struct str start)
{
	struct input in = { .bytes = start };
	struct cursor rest = cursor_on(&in), line;
	struct str left;

	if (!scan_line(&rest, &line))
		return 0;
	left = without_prefixes(&u->what, cursor_rest(&line));
	u->of_shell = is_of_shell(left, u->what.shell, !u->later) ||
		      (u->what.n_prefixes > 0 && is_of_journal(cursor_rest(&line)));
	return u->of_shell ? line.end : (size_t)(left.p - start.p);
}

/* Up to and with a newline. */
static struct str take_line(struct str *from, size_t most)
{
	size_t n = from->n < most ? from->n : most;
	const char *newline = n > 0 ? (const char *)memchr(from->p, '\n', n) : NULL;
	struct str line = { from->p, newline != NULL ? (size_t)(newline - from->p) + 1 : n };

	*from = str_skip(*from, line.n);
	return line;
}

static bool has_newline(struct str line)
{
	return line.n > 0 && line.p[line.n - 1] == '\n';
}

static void append(char *to, size_t *n, struct str s)
{
	if (s.n > 0)
		memcpy(to + *n, s.p, s.n);
	*n += s.n;
}

static bool gather(struct unwrapper *u, struct str *from, bool ended)
{
	append(u->start, &u->to, take_line(from, START - u->to));
	if (u->to == 0 || (u->to < START && u->start[u->to - 1] != '\n' && !ended))
		return false;
	u->from = taken(u, (struct str){ u->start, u->to });
	u->later = true;
	u->place = GIVING;
	return true;
}

static bool give(struct unwrapper *u, char *to, size_t room, size_t *n)
{
	struct str s = { u->start + u->from, u->to - u->from };
	bool whole = u->start[u->to - 1] == '\n';

	s.n = s.n < room - *n ? s.n : room - *n;
	append(to, n, s);
	u->from += s.n;
	if (u->from < u->to)
		return false;
	u->from = u->to = 0;
	u->place = whole ? AT_START : u->of_shell ? IN_SHELL : IN_LINE;
	return true;
}

static bool pass(struct unwrapper *u, struct str *from, char *to, size_t room, size_t *n)
{
	struct str line = take_line(from, room - *n);

	append(to, n, line);
	u->place = has_newline(line) ? AT_START : IN_LINE;
	return has_newline(line);
}

/* The newline stays. */
static bool drop(struct unwrapper *u, struct str *from)
{
	struct str line = take_line(from, from->n);

	if (!has_newline(line))
		return false;
	*from = (struct str){ from->p - 1, from->n + 1 };
	u->place = IN_LINE;
	return true;
}

/* False where nothing can be done without more input, or more room. */
static bool step(struct unwrapper *u, struct str *from, bool ended, char *to, size_t room,
		 size_t *n)
{
	switch (u->place) {
	case AT_START:
		return gather(u, from, ended);
	case GIVING:
		return give(u, to, room, n);
	case IN_LINE:
		return pass(u, from, to, room, n);
	case IN_SHELL:
		break;
	}
	return drop(u, from);
}

static enum filtered run(struct filter *f, struct str *from, bool ended, char *to, size_t room,
			 size_t *ret_n)
{
	struct unwrapper *u = (struct unwrapper *)f;

	*ret_n = 0;
	while (step(u, from, ended, to, room, ret_n))
		;
	return ended && from->n == 0 && u->to == 0 ? FILTERED_END : FILTERED_PART;
}

static void free_unwrapper(struct filter *f)
{
	free(f);
}

struct filter *wrapping_filter(const struct wrapping *w)
{
	struct unwrapper *u = xcalloc(1, sizeof(*u));

	u->filter = (struct filter){ .of = "text", .run = run, .free = free_unwrapper };
	u->what = *w;
	return &u->filter;
}

struct str wrapping_without(const struct wrapping *w, struct str text)
{
	struct filter *f = wrapping_filter(w);
	char *p = xcalloc(text.n + 1, 1);
	size_t n;

	(void)f->run(f, &text, true, p, text.n, &n); /* there is room for all of it */
	f->free(f);
	return (struct str){ p, n };
}

/* --- of whole texts ----------------------------------------------------------------------- */

static bool all_bear(const struct prefix *prefix, struct str text)
{
	struct input in = { .bytes = text };
	struct cursor rest = cursor_on(&in), line;
	struct str first = { NULL, 0 };

	while (scan_line(&rest, &line)) {
		struct str borne = cursor_rest(&line);

		if (borne.n == 0 || is_of_journal(borne))
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

bool wrapping_add(struct wrapping *w, struct str head, enum prefix_strength least)
{
	struct str text;
	bool found = false;

	if (w->n_prefixes == WRAPPING_DEPTH)
		return false;
	text = wrapping_without(w, head);
	for (size_t i = 0; i < COUNT_OF(prefixes) && !found; i++) {
		found = prefixes[i].strength >= least && all_bear(&prefixes[i], text);
		if (found)
			w->prefix[w->n_prefixes++] = &prefixes[i];
	}
	free((char *)(uintptr_t)text.p);
	return found;
}
