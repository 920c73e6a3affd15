/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profile formats: detection, reading and writing.
 *
 * Each format is one file, formats/<family>/<name>.c, which exports `format_<name>`, and one line
 * in formats/list.def.  Code that several families share is in formats/ itself.
 */
#ifndef FORMATS_FORMAT_H
#define FORMATS_FORMAT_H

#include <stdarg.h>

#include "base/attr.h"
#include "base/diag.h"
#include "base/input/input.h"
#include "profile/builder/builder.h"

struct call_sink;
struct carried;
struct cursor;
struct out;
struct profile;
struct sample_tap;
struct variables;

/* How sure a probe is.  The gaps are deliberate: no other values are used. */
enum probe {
	PROBE_NO = 0,
	PROBE_SHAPE = 30, /* the columns and numbers look right */
	PROBE_MARKS = 60, /* two independent marks of this collector */
	PROBE_MAGIC = 90, /* the collector's signature */
};

/* How far a probe got before it gave up, for the message that no format matches. */
struct clue {
	size_t at;	 /* offset in the input, in bytes */
	const char *why; /* "row without a bar"; NULL: the input is nothing like the format */
};

/* The number that a file gives to the bucket [2^b, 2^(b+1)). */
enum numbering {
	NUMBERING_UNKNOWN,
	NUMBERING_OSPROF, /* b */
	NUMBERING_FSPROF, /* b + 1 */
};

/* Columns of a table, each given by its header or its number from 1; empty: found by usual
 * names. */
struct table_columns {
	struct str operation, latency, start, low, high, count, layer, total;
};

/* How to read a file, as the user or a command asks; borrowed while the file is read. */
struct read_options {
	struct build_options build;
	enum numbering numbering;
	struct table_columns columns;
	char separator;		     /* of tables; 0: detected */
	unsigned resolution;	     /* of histograms made from individual samples; 0: 1 */
	struct call_sink *calls;     /* receives calls instead of the profile; NULL: none */
	struct variables *variables; /* receives the variables of each call; NULL: none */
	struct sample_tap *tap;	     /* sees each individual sample; NULL: none */
	struct carried *carried; /* state between pieces of a stream; NULL: the input is whole */
	size_t part, n_parts;	 /* read only this part, from 0, of so many; 0 parts: all */
	bool partial;		 /* of a truncated input, read what is there */
	bool outermost;		 /* leave out calls within a call of the same function */
	bool utc; /* start times are since 1970, and intervals are aligned to the epoch */
};

/* Returns whether the head begins with the first mark, after blanks, and contains the others. */
#define MARKS(...)    ((const char *const[]){ __VA_ARGS__, NULL })
#define SUFFIXES(...) MARKS(__VA_ARGS__)
bool format_has_marks(struct str head, const char *const *marks);

/* A kind of line that tells something about a file.  Lines are compared after text_content(). */
struct line_mark {
	bool (*is)(struct str line); /* NULL: use `line` or `has` */
	const char *line;	     /* a template (formats/report/template.h) of the whole line */
	const char *const *has;	     /* MARKS(), compared as format_has_marks() does */
	enum {
		LINE_ANYWHERE,
		LINE_BELOW, /* only directly below a line of the preceding kind */
		LINE_AFTER, /* anywhere below a line of the preceding kind */
	} place;
	enum probe score;
	const char *why; /* a clue: why this line is not enough; NULL: none */
	bool first;	 /* the clue points at the first such line, not the last */
};

#define LINE_MARKS(...) ((const struct line_mark[]){ __VA_ARGS__, { .is = NULL } })

/* For probes that give up at `where`, a part of the head: stores the clue, returns PROBE_NO. */
static inline enum probe probe_near(struct clue *clue, struct str head, struct str where,
				    const char *why)
{
	*clue = (struct clue){ (size_t)(where.p - head.p), why };
	return PROBE_NO;
}

/* What a format reads, and the builder it fills.  Errors are reported to `diag`. */
struct read_task {
	struct input *in;
	const struct read_options *options;
	struct builder *to;
	struct diag *diag;
	const void *spec; /* the format's `spec` */
	unsigned errors;  /* reported before it began */
};

/* One format: its names, how it is detected, and its functions.  A constant. */
struct format {
	const char *name;     /* as typed after --from and --to */
	const char *title;    /* as shown by `osprof formats` */
	const char *versions; /* versions of the collector that were seen */
	const char *unit;     /* where the unit comes from: "stated", "from the name of the map" */
	const char *totals;   /* how exact totals are: "exact, where ..." */
	const char *const *suffix; /* SUFFIXES(), with the dot; they only break ties */

	/* MARKS().  If there is no is_one, has_line, line_marks or probe, a file that begins with
	 * the first mark, after blanks, and contains the others is of this format. */
	const char *const *marks;
	const char *first_line; /* a file that begins so is of this format; NULL: none */
	/* For signatures that are more than marks: whether the head, or one of its lines, is of
	 * this format. */
	bool (*is_one)(struct str head);
	bool (*has_line)(struct str line);
	/* LINE_MARKS(): each line is of the first kind that matches; the highest score counts. */
	const struct line_mark *line_marks;

	/* MARKS(): names of formats that parts of a file of this one may be taken for. */
	const char *const *parts;

	/* `head`: the first bytes of the input, whole lines unless it is one long line. */
	enum probe (*probe)(struct str head, struct clue *clue);
	/* Which calls the format has: none, or those that a call_sink takes. */
	enum {
		CALLS_NONE,
		CALLS_NESTED,
		CALLS_UNORDERED,
		CALLS_WAITS_AFTER,
		CALLS_SPANS,
		CALLS_TREE
	} calls;
	bool streams; /* `read` takes an input with a rest, in blocks or by completing it */
	bool logged;  /* `read` takes lines with their log prefix; it is not stripped */
	/* False when an error was reported. */
	bool (*read)(const struct read_task *task);
	const void *spec; /* of `read`, where several formats share it; else NULL */
	bool (*write)(const struct profile *p, struct out *o, struct diag *diag); /* may be NULL */
};

const struct format *format_by_name(struct str name); /* NULL when there is none */
const struct format *format_at(size_t i);	      /* NULL past the last */
/* Returns the name of a format that is close to a mistyped one; NULL when none is. */
const char *nearest_format(const char *typed);
const char *format_family_at(size_t i); /* its folder; the formats of a family are adjacent */
const struct format *format_for_output(struct str path); /* chosen by suffix; NULL: none */
bool format_has_suffix(const struct format *f, struct str path);

/* Returns the format whose `first_line` the input begins with, such as our own; NULL: none. */
const struct format *format_by_first_line(const struct input *in);
/* Returns `named`, or where it is NULL the format with the highest score.  Reports an error and
 * returns NULL when no format matches or two tie.  Where log prefixes or shell lines around the
 * text (formats/wrapping.h) hide the format, strips them from the input and reports that in a
 * note. */
const struct format *format_detect(const struct format *named, struct input *in, struct diag *diag);

/* Returns one format's score for this input, which detection compares. */
enum probe format_probe(const struct format *f, const struct input *in, struct clue *clue);

/* Returns the format that got furthest among those whose probe left a clue; NULL: no probe left
 * one, so the input resembles no known format. */
const struct format *format_nearest(const struct input *in, struct clue *ret);

/* For probes of formats that consist of rows of one kind.  is_row() leaves the cursor where a line
 * stops being a row; `other` says what such a line is.  The last line may be cut off. */
enum probe format_probe_rows(struct str head, bool (*is_row)(struct cursor *line),
			     const char *other, struct clue *clue);

/* Reads a profile; detects the format when `f` is NULL.  The caller owns the result; NULL when an
 * error was reported. */
MUST_CHECK struct profile *format_read(const struct format *f, struct input *in,
				       const struct read_options *options, struct diag *diag);

/* Reports that a format has no call trees, and which formats have. */
void format_report_treeless(const struct format *f, struct input *in, struct diag *diag);
/* Pushes the calls of a file into options->calls instead of a profile.  False when an error was
 * reported, as where the format has no calls.  *ret_format is the format that was read, NULL when
 * there is none. */
MUST_CHECK bool format_read_calls(const struct format *f, struct input *in,
				  const struct read_options *options,
				  const struct format **ret_format, struct diag *diag);
/* The same of a format that has calls, without detection and without stripping anything. */
MUST_CHECK bool format_read_calls_bare(const struct format *f, struct input *in,
				       const struct read_options *options, struct diag *diag);

/* Reads a profile as format_read() does, without detection and without stripping anything. */
MUST_CHECK struct profile *format_read_bare(const struct format *f, struct input *in,
					    const struct read_options *options, struct diag *diag);

/* For readers with `streams`: *ret is the whole lines read so far if one of them, after
 * text_content(), satisfies is_one(); else the whole input, which is read first.  False when an
 * error was reported. */
MUST_CHECK bool format_look(struct input *in, bool (*is_one)(struct str line), struct str *ret,
			    struct diag *diag);
/* Does the same, where has(wanted, text) tells whether the lines suffice. */
MUST_CHECK bool format_look_for(struct input *in, bool (*has)(const void *wanted, struct str text),
				const void *wanted, struct str *ret, struct diag *diag);
/* Does the same for the first line that is not blank and is complete; empty: there is none. */
MUST_CHECK bool format_first_line(struct input *in, struct str *ret, struct diag *diag);
/* For readers with `streams` that need all of this file in memory: reads the rest of it. */
MUST_CHECK bool format_complete(struct input *in, struct diag *diag);
/* For readers with `streams`: false, after reporting it, when the bytes contain a NUL byte. */
MUST_CHECK bool format_is_text(struct input *in, struct diag *diag);
/* Whether reading ended at a truncation that the user accepts (read_options.partial), so that what
 * was read so far is the result. */
bool format_ends_early(const struct read_task *task);
/* For readers: reports an error at `where`, a part of the input's bytes, and returns false. */
bool format_fail(struct input *in, struct diag *diag, enum diag_code code, struct str where,
		 const char *fmt, ...) PRINTF_LIKE(5, 6);
bool format_vfail(struct input *in, struct diag *diag, enum diag_code code, struct str where,
		  const char *fmt, va_list ap);

#endif
