/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/wrapping.h"

#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "base/xalloc.h"
#include "formats/text.h"

enum { START = 512 }; /* a line is judged by so many of its bytes */

const char *wrapping_name(const struct wrapping *w, size_t k)
{
	return w->prefix[k]->name;
}

bool wrapping_is_strong(const struct wrapping *w)
{
	return w->n_prefixes > 0 && w->prefix[w->n_prefixes - 1]->strength == PREFIX_STRONG;
}

/* --- lines of a shell --------------------------------------------------------------------- */

static bool ends_prompt(struct str word, struct str root, struct str user)
{
	return str_has_suffix(word, root) || str_has_suffix(word, user);
}

/* "user@host:~$ ", "[user@host folder]# " */
static bool skip_prompt(struct cursor *c)
{
	bool bracket = scan_char(c, '[');
	struct str word;

	if (!log_name(c) || !scan_char(c, '@') || !log_name(c) ||
	    !scan_char(c, bracket ? ' ' : ':') || !scan_word(c, &word))
		return false;
	return bracket ? ends_prompt(word, STR("]#"), STR("]$"))
		       : ends_prompt(word, STR("#"), STR("$"));
}

/* A quick test that rejects most lines. */
static bool may_be_certain(struct str line)
{
	char c = line.n > 0 ? line.p[0] : '\0';

	return c == 'S' || c == '`' || c == '[' || c == '$' ||
	       (line.n > 0 && memchr(line.p, '@', line.n) != NULL);
}

static bool is_certain(struct str line, bool first)
{
	static const char *const begins[] = { "Script started on ", "Script done on ", "```",
					      "[sudo] password for " };
	struct cursor c = CURSOR_OVER(line);

	if (!may_be_certain(line))
		return false;
	return log_one_of(&c, begins, COUNT_OF(begins)) || (first && scan_literal(&c, STR("$ "))) ||
	       skip_prompt(&c);
}

static bool is_likely(struct str line, bool first)
{
	static const char *const prompts[] = { "# ", "% ", "+ " };
	struct cursor c = CURSOR_OVER(line);

	return scan_literal(&c, STR("$ ")) || (first && log_one_of(&c, prompts, COUNT_OF(prompts)));
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

/* --- stripping ---------------------------------------------------------------------------- */

enum scope {
	AT_START, /* at the start of a line, which is being gathered */
	GIVING,	  /* passing on the part of the start that stays */
	IN_LINE,  /* passing on the rest of the line */
	IN_SHELL, /* dropping the rest of the line */
};

struct unwrapper {
	struct filter filter; /* first, so that a pointer to it points to the unwrapper */
	struct wrapping what;
	enum scope scope;
	bool later;	   /* not the first line */
	bool of_shell;	   /* the current line */
	char start[START]; /* the beginning of the current line */
	size_t from, to;   /* the part of `start` that stays */
};

static struct str without_prefixes(const struct wrapping *w, struct str line)
{
	struct cursor c = CURSOR_OVER(line), after;

	for (size_t i = 0; i < w->n_prefixes; i++) {
		after = c;
		if (w->prefix[i]->take(&after))
			c = after;
	}
	return cursor_rest(&c);
}

/* Returns how many bytes to strip from a line, or from its beginning. */
static size_t bytes_taken(struct unwrapper *u, struct str start)
{
	struct cursor rest = CURSOR_OVER(start), line;
	struct str left;

	if (!scan_line(&rest, &line))
		return 0;
	left = without_prefixes(&u->what, cursor_rest(&line));
	u->of_shell = is_of_shell(left, u->what.shell, !u->later) ||
		      (u->what.n_prefixes > 0 && log_is_about_itself(cursor_rest(&line)));
	return u->of_shell ? line.end : (size_t)(left.p - start.p);
}

/* Takes a line with its newline, at most `most` bytes. */
static struct str take_line(struct str *from, size_t max)
{
	size_t n = from->n < max ? from->n : max;
	const char *newline = n > 0 ? (const char *)memchr(from->p, '\n', n) : NULL;
	struct str line = { from->p, newline != NULL ? (size_t)(newline - from->p) + 1 : n };

	*from = str_skip(*from, line.n);
	return line;
}

static bool has_newline(struct str line)
{
	return line.n > 0 && line.p[line.n - 1] == '\n';
}

static void append_text(char *to, size_t *n, struct str s)
{
	if (s.n > 0)
		memcpy(to + *n, s.p, s.n);
	*n += s.n;
}

static bool gather_start(struct unwrapper *u, struct str *from, bool ended)
{
	append_text(u->start, &u->to, take_line(from, START - u->to));
	if (u->to == 0 || (u->to < START && u->start[u->to - 1] != '\n' && !ended))
		return false;
	u->from = bytes_taken(u, (struct str){ u->start, u->to });
	u->later = true;
	u->scope = GIVING;
	return true;
}

static bool give_start(struct unwrapper *u, char *to, size_t room, size_t *n)
{
	struct str s = { u->start + u->from, u->to - u->from };
	bool whole = u->start[u->to - 1] == '\n';

	s.n = s.n < room - *n ? s.n : room - *n;
	append_text(to, n, s);
	u->from += s.n;
	if (u->from < u->to)
		return false;
	u->from = u->to = 0;
	u->scope = whole ? AT_START : u->of_shell ? IN_SHELL : IN_LINE;
	return true;
}

static bool pass_line(struct unwrapper *u, struct str *from, char *to, size_t room, size_t *n)
{
	struct str line = take_line(from, room - *n);

	append_text(to, n, line);
	u->scope = has_newline(line) ? AT_START : IN_LINE;
	return has_newline(line);
}

/* Drops the rest of the line, except the newline. */
static bool drop_line(struct unwrapper *u, struct str *from)
{
	struct str line = take_line(from, from->n);

	if (!has_newline(line))
		return false;
	*from = (struct str){ from->p - 1, from->n + 1 };
	u->scope = IN_LINE;
	return true;
}

/* False when more input or more room is needed. */
static bool step_scope(struct unwrapper *u, struct str *from, bool ended, char *to, size_t room,
		       size_t *n)
{
	switch (u->scope) {
	case AT_START:
		return gather_start(u, from, ended);
	case GIVING:
		return give_start(u, to, room, n);
	case IN_LINE:
		return pass_line(u, from, to, room, n);
	case IN_SHELL:
		break;
	}
	return drop_line(u, from);
}

static enum filtered run(struct filter *f, struct str *from, bool ended, char *to, size_t room,
			 size_t *ret_n)
{
	struct unwrapper *u = (struct unwrapper *)f;

	*ret_n = 0;
	while (step_scope(u, from, ended, to, room, ret_n))
		;
	return ended && from->n == 0 && u->to == 0 ? FILTERED_END : FILTERED_PART;
}

struct filter *wrapping_filter(const struct wrapping *w)
{
	struct unwrapper *u = xcalloc(1, sizeof(*u));

	u->filter = (struct filter){ .of = "text", .run = run, .free = filter_free };
	u->what = *w;
	return &u->filter;
}

struct str wrapping_without(const struct wrapping *w, struct str text)
{
	struct filter *f = wrapping_filter(w);
	char *p = xcalloc(text.n + 1, 1);
	size_t n;

	(void)f->run(f, &text, true, p, text.n, &n); /* `p` has room for all of it */
	f->free(f);
	return (struct str){ p, n };
}

bool wrapping_add(struct wrapping *w, struct str head, enum prefix_strength min)
{
	const struct log_prefix *prefix;
	struct str text;
	bool found = false;

	if (w->n_prefixes == WRAPPING_DEPTH)
		return false;
	text = wrapping_without(w, head);
	for (size_t i = 0; !found && (prefix = log_prefix_at(i)) != NULL; i++) {
		found = prefix->strength >= min && log_prefix_all(prefix, text);
		if (found)
			w->prefix[w->n_prefixes++] = prefix;
	}
	free((char *)(uintptr_t)text.p);
	return found;
}
