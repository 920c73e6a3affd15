/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profile formats: recognising, reading and writing them.
 *
 * One format, one file formats/<family>/<name>.c, one exported `format_<name>`, one
 * line in formats/list.def.  What formats of several families share is in formats/ itself.
 */
#ifndef FORMATS_FORMAT_H
#define FORMATS_FORMAT_H

#include <stdarg.h>

#include "base/attr.h"
#include "base/diag.h"
#include "base/input.h"
#include "profile/builder.h"

struct call_sink;
struct carried;
struct cursor;
struct out;
struct profile;
struct sample_tap;
struct variables;

/* How sure a probe is.  The gaps are on purpose; there is nothing between. */
enum probe {
	PROBE_NO = 0,
	PROBE_SHAPE = 30, /* columns and numbers look right */
	PROBE_MARKS = 60, /* two independent marks of this collector */
	PROBE_MAGIC = 90, /* its signature */
};

/* How far a probe got before it gave up: for the message that no format fits. */
struct clue {
	size_t at;	 /* byte of the input */
	const char *why; /* "row without a bar"; NULL: nothing like it at all */
};

/* Which number the bucket [2^b, 2^(b+1)) has. */
enum numbering {
	NUMBERING_UNKNOWN,
	NUMBERING_OSPROF, /* b */
	NUMBERING_FSPROF, /* b + 1 */
};

/* Columns of a table, each by its header or its number from 1; empty: by the usual names. */
struct table_columns {
	struct str operation, latency, start, low, high, count, layer, total;
};

/* How a file is read, as the user or a command wants it; borrowed while it is read. */
struct read_options {
	struct build_options build;
	enum numbering numbering;
	struct table_columns columns;
	char separator;		 /* of tables; 0: found out */
	unsigned resolution;	 /* of profiles made from individual samples; 0: 1 */
	struct call_sink *calls; /* where calls go instead of into a profile; NULL: they do not */
	struct variables *variables; /* where what is recorded of each call goes; NULL: nowhere */
	struct sample_tap *tap;	     /* who sees each sample of a format of samples; NULL: nobody */
	struct carried *carried;     /* the input is a piece of a stream; NULL: it is whole */
	size_t part, n_parts; /* only one of so many parts of the file, from 0; 0 parts: all */
	bool outermost;	      /* calls within a call of the same function are left out */
	bool utc;	      /* start times are since 1970: intervals are those of everybody */
};

/* Whether the head begins with the first mark, after blanks, and has the others. */
#define MARKS(...)    ((const char *const[]){ __VA_ARGS__, NULL })
#define SUFFIXES(...) MARKS(__VA_ARGS__)
bool format_has_marks(struct str head, const char *const *marks);

/* What it tells of a file that a line of it, without what is around it, is of this kind. */
struct line_mark {
	bool (*is)(struct str line); /* NULL: what `has` fits, as format_has_marks() does */
	const char *const *has;	     /* MARKS() */
	enum {
		LINE_ANYWHERE,
		LINE_BELOW, /* only right below a line of the kind before in the table */
		LINE_AFTER, /* anywhere below one */
	} place;
	enum probe score;
	const char *why; /* a clue: why this is not enough; NULL: none */
	bool first;	 /* the clue is the first such line, not the last */
};

#define LINE_MARKS(...) ((const struct line_mark[]){ __VA_ARGS__, { .is = NULL } })

/* For probes that give up at a part of the head: PROBE_NO. */
static inline enum probe probe_near(struct clue *clue, struct str head, struct str where,
				    const char *why)
{
	*clue = (struct clue){ (size_t)(where.p - head.p), why };
	return PROBE_NO;
}

/* What a format is to read, and into what.  What is wrong is reported to `diag`. */
struct read_task {
	struct input *in;
	const struct read_options *options;
	struct builder *to;
	struct diag *diag;
	const void *spec; /* of the format */
};

/* One format: its names, how it is recognised, and its functions. A constant. */
struct format {
	const char *name;	   /* as typed after --from and --to */
	const char *title;	   /* as shown by `osprof formats` */
	const char *versions;	   /* of the collector, that were seen */
	const char *unit;	   /* who says the unit: "stated", "from the name of the map" */
	const char *totals;	   /* "exact, where ..." */
	const char *const *suffix; /* SUFFIXES(), with the dot; only break ties */

	/* NULL-terminated; without what follows, whoever begins with the first of them, after
	 * blanks, and has the others is of this format. */
	const char *const *marks;
	const char *first_line; /* whoever begins so is of this format; NULL: there is none */
	/* The same of what is more than marks: whether the head is of this format, or has such a
	 * line. */
	bool (*is_one)(struct str head);
	bool (*has_line)(struct str line);
	/* LINE_MARKS(): a line is of the first kind that fits, the file has the highest score. */
	const struct line_mark *line_marks;

	/* `head`: the first bytes of the input, whole lines unless it is one long line. */
	enum probe (*probe)(struct str head, struct clue *clue);
	/* Which calls it has: none, or those that call_sink takes. */
	enum {
		CALLS_NONE,
		CALLS_NESTED,
		CALLS_UNORDERED,
		CALLS_WAITS_AFTER,
		CALLS_SPANS,
		CALLS_TREE
	} calls;
	bool streams; /* what `read` gets may have a rest, which it takes or completes */
	bool logged;  /* what a log puts before its lines is read, not taken away */
	/* False when an error was reported. */
	bool (*read)(const struct read_task *task);
	const void *spec; /* for `read`, where several formats share it; else NULL */
	bool (*write)(const struct profile *p, struct out *o, struct diag *diag); /* may be NULL */
};

const struct format *format_by_name(struct str name); /* NULL when there is none */
const struct format *format_at(size_t i);	      /* NULL past the last */
/* The name of a format that is near to one mistyped; NULL when none is. */
const char *nearest_format(const char *typed);
const char *format_family_at(size_t i);			 /* its folder; families are together */
const struct format *format_for_output(struct str path); /* that writes, by suffix; NULL */
bool format_has_suffix(const struct format *f, struct str path);

/* The one that begins with these very bytes, such as ours; NULL: none does. */
const struct format *format_by_first_line(const struct input *in);
/* The one that is named, or (NULL) the best one; reports and returns NULL on none or on a tie.
 * Where what stands around the text (formats/wrapping.h) keeps it from being claimed, it is
 * taken off the input, which a note tells. */
const struct format *format_detect(const struct format *named, struct input *in, struct diag *diag);

/* How sure one format is of this input: what detection compares. */
enum probe format_probe(const struct format *f, const struct input *in, struct clue *clue);

/* The format that got furthest among those that gave a clue why they gave up; NULL: none did,
 * the input is like nothing that is read. */
const struct format *format_nearest(const struct input *in, struct clue *ret);

/* For probes of formats that are rows of one kind and nothing else: is_row() leaves the cursor
 * where a line stops to be one, and `other` is what it is then.  The last may be cut off. */
enum probe format_probe_rows(struct str head, bool (*is_row)(struct cursor *line),
			     const char *other, struct clue *clue);

/* Detects when `f` is NULL.  The caller owns the result; NULL when an error was reported. */
MUST_CHECK struct profile *format_read(const struct format *f, struct input *in,
				       const struct read_options *options, struct diag *diag);

/* Reports that a format has no trees of calls, and which have. */
void format_report_treeless(const struct format *f, struct input *in, struct diag *diag);
/* Pushes the calls of a file into options->calls instead; an error where the format has none.
 * *ret_format is the one that was read, NULL where there is none. */
MUST_CHECK bool format_read_calls(const struct format *f, struct input *in,
				  const struct read_options *options,
				  const struct format **ret_format, struct diag *diag);

/* The same of an input without anything around it. */
MUST_CHECK struct profile *format_read_bare(const struct format *f, struct input *in,
					    const struct read_options *options, struct diag *diag);

/* For readers that take a rest: the whole lines of what was read so far, when one of them,
 * without what is around it, is one; else everything, after reading it. */
MUST_CHECK bool format_look(struct input *in, bool (*is_one)(struct str line), struct str *ret,
			    struct diag *diag);
/* The same, when they have what is wanted. */
MUST_CHECK bool format_look_for(struct input *in, bool (*has)(const void *wanted, struct str text),
				const void *wanted, struct str *ret, struct diag *diag);
/* The same: the first line that is not blank, where it has come to an end; of no bytes: there
 * is none. */
MUST_CHECK bool format_first_line(struct input *in, struct str *ret, struct diag *diag);
/* For readers that take the rest of some files only: reads all of this one. */
MUST_CHECK bool format_complete(struct input *in, struct diag *diag);
/* For readers that take a rest: reports a NUL byte among the bytes; true without one. */
MUST_CHECK bool format_is_text(struct input *in, struct diag *diag);
/* For readers: reports at a part of the input's bytes and returns false. */
bool format_fail(struct input *in, struct diag *diag, enum diag_code code, struct str where,
		 const char *fmt, ...) PRINTF_LIKE(5, 6);
bool format_vfail(struct input *in, struct diag *diag, enum diag_code code, struct str where,
		  const char *fmt, va_list ap);

#endif
