/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/format.h"

#include <stdio.h>
#include <string.h>

#include "base/out.h"
#include "base/scan.h"
#include "formats/text.h"
#include "profile/profile.h"

enum { HEAD_BYTES = 64 * 1024, SIGNATURE_BYTES = 4 * 1024 };

#define FORMAT(family, name) extern const struct format format_##name;
#include "formats/list.def"
#undef FORMAT

static const struct format *const formats[] = {
#define FORMAT(family, name) &format_##name,
#include "formats/list.def"
#undef FORMAT
};

static const char *const families[] = {
#define FORMAT(family, name) #family,
#include "formats/list.def"
#undef FORMAT
};

const char *format_family_at(size_t i)
{
	return families[i];
}

const struct format *format_at(size_t i)
{
	return i < COUNT_OF(formats) ? formats[i] : NULL;
}

const struct format *format_by_name(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		if (str_eq(str_from(formats[i]->name), name))
			return formats[i];
	}
	return NULL;
}

static bool has_suffix_of(const struct format *f, struct str path)
{
	for (size_t i = 0; f->suffix != NULL && f->suffix[i] != NULL; i++) {
		if (str_has_suffix(path, str_from(f->suffix[i])))
			return true;
	}
	return false;
}

const struct format *format_for_output(struct str path)
{
	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		if (formats[i]->write != NULL && has_suffix_of(formats[i], path))
			return formats[i];
	}
	return NULL;
}

/* All of it where there is no newline. */
static struct str whole_lines(struct str s)
{
	const char *newline = s.n > 0 ? memrchr(s.p, '\n', s.n) : NULL;

	if (newline != NULL)
		s.n = (size_t)(newline - s.p) + 1;
	return s;
}

/* A head ends with a line, so that no probe meets half of one. */
static struct str head_of(const struct input *in, size_t most)
{
	return in->bytes.n > most ? whole_lines((struct str){ in->bytes.p, most }) : in->bytes;
}

static enum probe probe_head(const struct format *f, struct str head, struct clue *clue)
{
	*clue = (struct clue){ 0, NULL };
	return f->probe(head, clue);
}

enum probe format_probe(const struct format *f, const struct input *in, struct clue *clue)
{
	return probe_head(f, head_of(in, HEAD_BYTES), clue);
}

enum probe format_probe_rows(struct str head, bool (*is_row)(struct cursor *line),
			     const char *other, struct clue *clue)
{
	struct input in = { .bytes = head };
	struct cursor c = cursor_on(&in), line;
	bool any = false;

	while (scan_line(&c, &line)) {
		if (cursor_done(&line))
			continue;
		if (!is_row(&line)) {
			if (any && cursor_done(&c) && line.end == c.end)
				return PROBE_SHAPE; /* cut off */
			if (any)
				*clue = (struct clue){ line.at, other };
			return PROBE_NO;
		}
		any = true;
	}
	return any ? PROBE_SHAPE : PROBE_NO;
}

/* A format that is near, and where it gave up. */
struct candidate {
	const struct format *format;
	struct clue clue;
};

/* The nearest first: those that gave up last; no more than `most`. */
static size_t find_candidates(const struct input *in, struct candidate *ret, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		struct candidate c = { .format = formats[i] };
		size_t at;

		(void)format_probe(c.format, in, &c.clue);
		if (c.clue.why == NULL)
			continue;
		for (at = n; at > 0 && ret[at - 1].clue.at < c.clue.at; at--) {
			if (at < most)
				ret[at] = ret[at - 1];
		}
		if (at < most)
			ret[at] = c;
		n = n < most ? n + 1 : n;
	}
	return n;
}

static void tell_tried(struct input *in, struct diag *diag)
{
	struct out *tried = out_to_memory();

	for (size_t i = 0; i < COUNT_OF(formats); i++)
		out_printf(tried, "%s%s", i > 0 ? ", " : "", formats[i]->name);
	out_char(tried, '\0');
	diag_file(diag, DIAG_FORMATS_TRIED, in, "%s", out_memory(tried).p);
	out_free(tried);
}

static const struct format *tell_unknown(struct input *in, struct diag *diag)
{
	enum { NEAREST = 4 };
	struct candidate near[NEAREST];
	size_t n = find_candidates(in, near, NEAREST);

	if (n == 0)
		diag_at(diag, DIAG_FORMAT_UNKNOWN, in, 0, 1,
			"none of those that `osprof formats` lists; --from settles it (--column "
			"for a table)");
	else
		diag_at(diag, DIAG_FORMAT_UNKNOWN, in, near->clue.at, 1,
			"nearest is %s, but: %s; `osprof formats` lists all, --from settles it",
			near->format->name, near->clue.why);
	for (size_t i = 1; i < n; i++)
		diag_at(diag, DIAG_FORMAT_NEAR, in, near[i].clue.at, 1, "%s, but: %s",
			near[i].format->name, near[i].clue.why);
	tell_tried(in, diag);
	return NULL;
}

/* The one format whose signature stands in the first lines; NULL when none does, or two.
 * Looking at a long head by every format takes longer than reading a small file. */
static const struct format *signed_by(const struct input *in)
{
	struct str head = head_of(in, SIGNATURE_BYTES);
	const struct format *found = NULL;

	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		struct clue clue;

		if (probe_head(formats[i], head, &clue) < PROBE_MAGIC)
			continue;
		if (found != NULL)
			return NULL;
		found = formats[i];
	}
	return found;
}

const struct format *format_detect(struct input *in, struct diag *diag)
{
	const struct format *best = NULL, *rival = NULL;
	enum probe most = PROBE_NO;

	if (in->bytes.n > SIGNATURE_BYTES && (best = signed_by(in)) != NULL)
		return best;
	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		struct clue clue;
		enum probe sure = format_probe(formats[i], in, &clue);

		if (sure == PROBE_NO || sure < most)
			continue;
		if (sure == most) {
			bool mine = has_suffix_of(best, text_expanded_name(in->name));
			bool theirs = has_suffix_of(formats[i], text_expanded_name(in->name));

			rival = mine == theirs ? formats[i] : NULL;
			best = theirs && !mine ? formats[i] : best;
			continue;
		}
		most = sure;
		best = formats[i];
		rival = NULL;
	}
	if (best == NULL)
		return tell_unknown(in, diag);
	if (rival != NULL) {
		diag_at(diag, DIAG_FORMAT_AMBIGUOUS, in, 0, 1,
			"%s or %s; --from %s or --from %s settles it", best->name, rival->name,
			best->name, rival->name);
		return NULL;
	}
	return best;
}

static bool is_blank(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '\n' && str_trim((struct str){ s.p + i, 1 }).n > 0)
			return false;
	}
	return true;
}

/* `part`: the first of the input's bytes. */
static bool begins_as_text(struct input *in, struct str part, struct diag *diag)
{
	const char *nul = part.n > 0 ? memchr(part.p, '\0', part.n) : NULL;

	if (nul == NULL)
		return true;
	diag_at(diag, DIAG_INPUT_BINARY, in, (size_t)(nul - in->bytes.p), 1,
		"a NUL byte; expected the text that a collector prints");
	return false;
}

bool format_is_text(struct input *in, struct diag *diag)
{
	return begins_as_text(in, in->bytes, diag);
}

/* What was read so far may end within a line. */
static struct str head_so_far(const struct input *in)
{
	return in->rest != NULL ? whole_lines(in->bytes) : in->bytes;
}

bool format_complete(struct input *in, struct diag *diag)
{
	return in->rest == NULL || (input_complete(in, diag) && format_is_text(in, diag));
}

bool format_look(struct input *in, bool (*is_one)(struct str line), struct str *ret,
		 struct diag *diag)
{
	struct str head = head_so_far(in);

	if (in->rest != NULL && !text_has(head, is_one)) {
		if (!format_complete(in, diag))
			return false;
		head = in->bytes;
	}
	*ret = head;
	return true;
}

static bool is_text(struct str line)
{
	return line.n > 0;
}

bool format_first_line(struct input *in, struct str *ret, struct diag *diag)
{
	struct str head, line;

	if (!format_look(in, is_text, &head, diag))
		return false;
	*ret = (struct str){ head.p, 0 };
	while (ret->n == 0 && text_line(&head, &line))
		*ret = line;
	return true;
}

/* Of a large file that is only its beginning, unless that is blank. */
static bool has_text(struct input *in, struct diag *diag)
{
	if (is_blank(in->bytes) && !input_complete(in, diag))
		return false;
	if (is_blank(in->bytes)) {
		diag_at(diag, DIAG_INPUT_EMPTY, in, 0, 1, "expected a profile");
		return false;
	}
	/* A line that goes on is looked at when all of it is there. */
	return begins_as_text(in, head_so_far(in), diag);
}

struct profile *format_read(const struct format *f, struct input *in,
			    const struct read_options *options, struct diag *diag)
{
	struct builder *b;

	if (!has_text(in, diag))
		return NULL;
	if (f == NULL)
		f = format_detect(in, diag);
	if (f == NULL || (!f->streams && !format_complete(in, diag)))
		return NULL;
	b = builder_new(in, f->name, &options->build, diag);
	if (!f->read(in, options, b, diag)) {
		builder_free(b);
		return NULL;
	}
	return builder_finish(b);
}

bool format_vfail(struct input *in, struct diag *diag, enum diag_code code, struct str where,
		  const char *fmt, va_list ap)
{
	char text[300];

	(void)vsnprintf(text, sizeof(text), fmt, ap);
	diag_at(diag, code, in, (size_t)(where.p - in->bytes.p), where.n, "%s", text);
	return false;
}

bool format_fail(struct input *in, struct diag *diag, enum diag_code code, struct str where,
		 const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)format_vfail(in, diag, code, where, fmt, ap);
	va_end(ap);
	return false;
}
