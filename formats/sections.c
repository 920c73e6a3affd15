/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/sections.h"

#include <stdlib.h>
#include <string.h>

#include "base/input/input_file.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/report/report.h"
#include "formats/text.h"

enum {
	MAX_TEXT = 64 * 1024, /* bytes; an issue on GitHub has at most so many characters */
	MAX_BLOCKS = 512,     /* bounds the time, as each is probed with all formats */
	MAX_TIED = 4 * 1024,  /* the same, where it is probed from each line on */
};

/* A part of the text that one format reads. */
struct section {
	const struct format *format;
	struct str text;
};

struct sections {
	struct section of[MAX_BLOCKS];
	size_t n;
	struct str unmarked;	    /* blocks of no format so far, after the last section */
	struct str path;	    /* of the file */
	const struct format *whole; /* that of the text, unless several have a claim on it */
};

/* Whether files of the format have parts that look as if they were of the other one. */
static bool has_parts_of(const struct format *f, const struct format *part)
{
	for (const char *const *name = f->parts; name != NULL && *name != NULL; name++) {
		if (strcmp(*name, part->name) == 0)
			return true;
	}
	return false;
}

static void extend_section(struct section *section, struct str text)
{
	section->text.n = (size_t)(text.p + text.n - section->text.p);
}

/* Adds the text to the last section, or as one of its own if another format reads it. */
static void add_section(struct sections *s, const struct format *f, struct str text)
{
	struct section *last = s->n > 0 ? &s->of[s->n - 1] : NULL;

	if (last == NULL || (f != last->format && !has_parts_of(last->format, f) &&
			     !has_parts_of(f, last->format))) {
		s->of[s->n++] = (struct section){ f, text };
		return;
	}
	if (has_parts_of(f, last->format))
		last->format = f;
	extend_section(last, text);
}

/* Returns the only format with marks in the text; NULL: there is none, or there are several.
 * Numbers in columns are no mark, unless a report for people has them. */
static const struct format *format_of(const struct candidate *c)
{
	if (c->best == NULL || c->rival != NULL)
		return NULL;
	return c->score >= PROBE_MARKS || c->best->read == report_read ? c->best : NULL;
}

static const struct format *marked_format(const struct sections *s, struct str text)
{
	struct candidate c = candidate_of_text(text, s->path);

	return format_of(&c);
}

/* Several blocks may have the marks that one has not.  Others are of the section above or of that
 * below: both are read with them. */
static void add_unmarked(struct sections *s)
{
	const struct format *f = s->unmarked.n > 0 ? marked_format(s, s->unmarked) : NULL;

	if (f != NULL)
		add_section(s, f, s->unmarked);
	s->unmarked.n = 0;
}

static void add_text(struct sections *s, const struct format *f, struct str text)
{
	if (f != NULL) {
		add_unmarked(s);
		add_section(s, f, text);
		return;
	}
	if (s->unmarked.n == 0)
		s->unmarked.p = text.p;
	s->unmarked.n += text.n;
}

/* Returns where the second of two formats begins in a block, as late as its marks allow; 0: it is
 * not known. */
static size_t second_begins(const struct sections *s, struct str block)
{
	struct str rest = block, line;
	size_t at = 0;

	while (text_next(&rest, &line)) {
		size_t here = (size_t)(line.p - block.p);

		if (marked_format(s, str_skip(block, here)) != NULL)
			at = here;
		else if (at > 0)
			break;
	}
	return at;
}

/* Adds a block, in two parts where no blank line is between two formats. */
static void add_block(struct sections *s, struct str block)
{
	struct candidate c;
	struct str above, below;
	struct clue clue;
	size_t at;

	/* Of most texts this one format has all blocks, and the others need not be asked. */
	if (s->whole != NULL && candidate_probe(s->whole, block, &clue) != PROBE_NO) {
		add_text(s, s->whole, block);
		return;
	}
	c = candidate_of_text(block, s->path);
	at = c.rival != NULL && block.n <= MAX_TIED ? second_begins(s, block) : 0;
	above = (struct str){ block.p, at };
	below = str_skip(block, at);
	if (at > 0)
		add_text(s, marked_format(s, above), above);
	add_text(s, at > 0 ? marked_format(s, below) : format_of(&c), below);
}

/* Takes lines up to the first that is not blank after blank ones. */
static struct str next_block(struct str *rest)
{
	struct str block = { rest->p, 0 }, line, after = *rest;
	bool blank = false;

	while (text_next(&after, &line)) {
		bool empty = str_trim(line).n == 0;

		if (blank && !empty)
			break;
		blank |= empty && block.n > 0;
		*rest = after;
		block.n = (size_t)(rest->p - block.p);
	}
	return block;
}

static void find_sections(struct sections *s, struct str text)
{
	while (text.n > 0 && s->n + 2 < MAX_BLOCKS)
		add_block(s, next_block(&text));
	add_text(s, NULL, text);
	text = s->unmarked;
	add_unmarked(s);
	if (s->n > 0) /* nothing is below */
		extend_section(&s->of[s->n - 1], text);
}

static bool has_format(const struct sections *s, const struct format *f)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->of[i].format == f)
			return true;
	}
	return false;
}

/* Whether all sections are of one format, or that of the text claims others as well. */
static bool is_one_report(const struct sections *s)
{
	const struct format *whole = s->whole;
	struct clue clue;
	bool one = true;

	for (size_t i = 1; i < s->n; i++)
		one &= s->of[i].format == s->of[0].format;
	if (one || (whole != NULL && !has_format(s, whole)))
		return true;
	for (size_t i = 0; i < s->n && whole != NULL; i++) {
		if (s->of[i].format != whole &&
		    candidate_probe(whole, s->of[i].text, &clue) != PROBE_NO)
			return true;
	}
	return false;
}

static void report_others(const struct sections *s, const struct format *f, struct input *in,
			  struct diag *diag)
{
	const struct section *first = NULL;
	struct out *list = out_to_memory();

	for (size_t i = 0; i < s->n; i++) {
		const struct section *o = &s->of[i];
		size_t at = (size_t)(o->text.p - in->bytes.p);

		if (o->format == f)
			continue;
		out_printf(list, "%s%s from line %zu on", first == NULL ? "" : ", ",
			   o->format->name, input_position(in, at).line);
		first = first == NULL ? o : first;
	}
	diag_part(diag, DIAG_OTHER_FORMATS, in, (struct str){ first->text.p, 1 },
		  "it is read as %s, but has %.*s; --from %s reads that", f->name,
		  STR_ARG(out_memory(list)), first->format->name);
	out_free(list);
}

/* Leaves only the sections of the format, with blank lines for the others. */
static bool keep_sections(const struct sections *s, const struct format *f, struct input *in,
			  struct diag *diag)
{
	size_t n = in->bytes.n, at = 0, lines = in->lines_before;
	char *kept = xreallocarray(NULL, n + 1, 1);

	memcpy(kept, in->bytes.p, n);
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->of[i].text.n && s->of[i].format != f; k++) {
			char *c = &kept[s->of[i].text.p - in->bytes.p + (ptrdiff_t)k];

			*c = *c == '\n' ? '\n' : ' ';
		}
	}
	while (at < n && (kept[at] == ' ' || kept[at] == '\n'))
		lines += kept[at++] == '\n';
	while (at > 0 && kept[at - 1] == ' ')
		at--;
	memmove(kept, kept + at, n - at);
	return input_complete_from(in, kept, n - at, lines, diag);
}

bool sections_choose(const struct format *named, struct input *in, struct candidate *c,
		     struct diag *diag)
{
	struct sections s = { .path = text_expanded_name(in->name),
			      .whole = c->rival == NULL ? c->best : NULL };
	struct str rest = in->bytes;
	const struct format *f;

	if (c->best == NULL || in->rest != NULL || in->bytes.n > MAX_TEXT)
		return true;
	if (c->rival == NULL && next_block(&rest).n == in->bytes.n)
		return true; /* it has been probed as a whole */
	find_sections(&s, in->bytes);
	if (is_one_report(&s))
		return true;
	f = named != NULL ? named : s.whole != NULL ? s.whole : s.of[0].format;
	if (!has_format(&s, f))
		return true;
	report_others(&s, f, in, diag);
	*c = (struct candidate){ .best = f, .score = PROBE_MARKS };
	return keep_sections(&s, f, in, diag);
}
