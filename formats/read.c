/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a file with its format; functions that readers share. */
#include "base/input/input_file.h"
#include "formats/format.h"

#include <string.h>

#include "base/out.h"
#include "formats/architecture.h"
#include "formats/carried.h"
#include "formats/foreign.h"
#include "formats/text.h"
#include "profile/profile.h"

static bool is_blank(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '\n' && str_trim((struct str){ s.p + i, 1 }).n > 0)
			return false;
	}
	return true;
}

/* The bytes read so far may end within a line. */
static struct str head_so_far(const struct input *in)
{
	return in->rest != NULL ? text_whole_lines(in->bytes) : in->bytes;
}

bool format_complete(struct input *in, struct diag *diag)
{
	return input_complete(in, diag) && format_is_text(in, diag);
}

bool format_look_for(struct input *in, bool (*has)(const void *wanted, struct str text),
		     const void *wanted, struct str *ret, struct diag *diag)
{
	struct str head = head_so_far(in);

	if (in->rest != NULL && !has(wanted, head)) {
		if (!input_complete(in, diag))
			return false;
		head = in->bytes;
	}
	*ret = head;
	return true;
}

struct line_wanted {
	bool (*is_one)(struct str line);
};

static bool has_line(const void *wanted, struct str text)
{
	return text_has(text, ((const struct line_wanted *)wanted)->is_one);
}

bool format_look(struct input *in, bool (*is_one)(struct str line), struct str *ret,
		 struct diag *diag)
{
	return format_look_for(in, has_line, &(struct line_wanted){ is_one }, ret, diag);
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

/* Checks that the input is not empty and its first line has no NUL byte.  NUL bytes after that
 * are reported where they are read, so that the error does not depend on how much has been read
 * so far. */
static bool has_text(struct input *in, struct diag *diag)
{
	struct str head, line = STR("");

	if (is_blank(in->bytes) && !input_complete(in, diag))
		return false;
	if (is_blank(in->bytes)) {
		diag_at(diag, DIAG_INPUT_EMPTY, in, 0, 1, "expected a profile");
		return false;
	}
	/* An unfinished line is checked when all of it has been read. */
	head = head_so_far(in);
	while (is_blank(line) && text_line(&head, &line))
		;
	return line.n == 0 || input_is_text(in, line, diag);
}

static bool is_part(const struct format *f, const struct read_options *options,
		    const struct builder *b, struct input *in, struct diag *diag)
{
	if (options->n_parts == 0 || builder_is_part(b))
		return true;
	diag_file(diag, DIAG_NOT_DIVISIBLE, in,
		  "%s: expected records that stand alone, and intervals in UTC (--utc)", f->name);
	return false;
}

static bool read_by(const struct format *f, struct input *in, const struct read_options *options,
		    struct builder *to, struct diag *diag)
{
	struct read_task task = { in, options, to, diag, f->spec, diag->seen[SEV_ERROR] };
	bool lenient = diag->lenient, ok;

	diag->lenient = options->partial;
	diag->truncated = false;
	ok = f->read(&task) || format_ends_early(&task);
	diag->lenient = lenient;
	return ok;
}

struct profile *format_read_bare(const struct format *f, struct input *in,
				 const struct read_options *options, struct diag *diag)
{
	struct read_options with = *options;
	struct str *architecture = &with.build.architecture;
	struct builder *b;

	if (!has_text(in, diag) || (!f->streams && !format_complete(in, diag)))
		return NULL;
	if (architecture->n > 0)
		carried_leave_bytes(with.carried, CARRIED_ARCHITECTURE, architecture->p,
				    architecture->n);
	else
		architecture->p =
			carried_bytes(with.carried, CARRIED_ARCHITECTURE, &architecture->n);
	b = builder_new(in, f->name, &with.build, diag);
	if (!read_by(f, in, &with, b, diag) || !is_part(f, &with, b, in, diag)) {
		builder_free(b);
		return NULL;
	}
	return builder_finish(b);
}

enum { ARCHITECTURE = 16 };

/* A longer name is not one of a known architecture. */
static struct str copy_str(char *to, struct str s)
{
	if (s.n > ARCHITECTURE)
		return STR("");
	memcpy(to, s.p, s.n);
	return (struct str){ to, s.n };
}

void format_report_treeless(const struct format *f, struct input *in, struct diag *diag)
{
	struct out *list = out_to_memory();
	const struct format *other;

	for (size_t i = 0; (other = format_at(i)) != NULL; i++) {
		if (other->calls != CALLS_NONE)
			out_printf(list, "%s%s", out_memory(list).n > 0 ? ", " : "", other->name);
	}
	diag_file(diag, DIAG_NO_CALLS, in, "%s has no tree of calls; these have: %.*s", f->name,
		  STR_ARG(out_memory(list)));
	out_free(list);
}

bool format_read_calls_bare(const struct format *f, struct input *in,
			    const struct read_options *options, struct diag *diag)
{
	struct builder *b;
	bool ok;

	if (!has_text(in, diag) || (!f->streams && !format_complete(in, diag)))
		return false;
	b = builder_new(in, f->name, &options->build, diag);
	ok = read_by(f, in, options, b, diag);
	builder_free(b);
	return ok;
}

bool format_read_calls(const struct format *f, struct input *in, const struct read_options *options,
		       const struct format **ret_format, struct diag *diag)
{
	*ret_format = NULL;
	if (!has_text(in, diag))
		return false;
	f = format_detect(f, in, diag);
	if (f == NULL)
		return false;
	if (f->calls == CALLS_NONE) {
		format_report_treeless(f, in, diag);
		return false;
	}
	*ret_format = f;
	return format_read_calls_bare(f, in, options, diag);
}

struct profile *format_read(const struct format *f, struct input *in,
			    const struct read_options *options, struct diag *diag)
{
	const struct foreign *foreign = foreign_find(in);
	bool ours = format_by_first_line(in) != NULL; /* it states the architecture itself */
	struct read_options with = *options;
	char architecture[ARCHITECTURE];
	struct str before;

	if (foreign != NULL)
		foreign_report(foreign, false, in, diag);
	if (foreign != NULL || !has_text(in, diag))
		return NULL;
	/* The architecture may be stated in what is stripped, or after a log prefix. */
	if (!ours)
		with.build.architecture = copy_str(architecture, architecture_stated(in->bytes));
	before = in->bytes;
	f = format_detect(f, in, diag);
	if (with.build.architecture.n == 0 && in->bytes.n != before.n)
		with.build.architecture = copy_str(architecture, architecture_stated(in->bytes));
	return f != NULL ? format_read_bare(f, in, &with, diag) : NULL;
}
