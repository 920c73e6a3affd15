/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a text line by line, as nearly every reader does: the current line, and errors in it.
 *
 * 	struct lines l;
 *
 * 	lines_start(&l, in, diag);
 * 	while (lines_next(&l)) {
 * 		struct cursor c = cursor_at(in, l.text);
 *
 * 		if (!is_row(l.text))
 * 			continue;
 * 		if (!scan_word(&c, &name) || !scan_word(&c, &digits))
 * 			return lines_fail(&l, DIAG_LINE_UNEXPECTED, l.text, "expected NAME COUNT");
 * 		if (!lines_count(&l, digits, &count, "expected a count"))
 * 			return false;
 * 	}
 *
 * A reader that keeps more state has a `struct reader` whose first member is its lines; the format
 * says what to do with each line, and lines_read() does the rest:
 *
 * 	.read = lines_read,
 * 	.spec = &(const struct line_format){ .size = sizeof(struct reader), .line = x_line },
 *
 * The function that meets a table's header reads its rows, and puts back the line that ends the
 * table with lines_again().  A probe has no input: it takes lines with text_line().
 */
#ifndef FORMATS_LINES_H
#define FORMATS_LINES_H

#include "base/scan.h"
#include "formats/format.h"
#include "formats/reported.h"
#include "formats/samples.h"

struct call_output;

/* A text while it is read line by line; borrows everything from the input. */
struct lines {
	struct input *in;
	struct diag *diag;
	struct cursor rest; /* the lines to come */
	struct str text;    /* the current line, after text_content() */
	size_t at;	    /* where it begins in the input, blanks included */
	bool cut;	    /* the line ends the file without a newline: it may be cut off */

	/* Set by lines_read(), for its reader. */
	const struct read_task *task;
	struct builder *to;
	const struct read_options *options;
	struct arena *arena;
	struct samples samples;	   /* where the format has `sampling` */
	struct call_output *calls; /* where the format has `calls`; counts them as samples */
	struct reported reported;  /* names in the current snapshot */
	size_t left_out;	   /* number of items that cannot be read, for a note */
	double elapsed;		   /* seconds, the sum of lines_took() */
};

/* A format of lines, or of another text.  Functions may be NULL. */
struct line_format {
	size_t size; /* of its reader, which begins with a struct lines; the rest is zeroed */
	void (*start)(void *reader);
	/* These return false when an error was reported. */
	bool (*line)(void *reader); /* handles the current line */
	bool (*end)(void *reader);  /* after all lines; without `line` it reads them itself */
	void (*release)(void *reader);
	const struct accumulator_options *sampling; /* of individual samples; NULL: none */
	bool calls;				    /* the format has calls */
	const char *no_intervals; /* why --interval is refused; NULL: it is accepted */
	enum snapshots snapshots; /* passed to build_snapshots() */
	bool drop_single_layer;
	bool fixed_duration;  /* of every run */
	const char *left_out; /* what lines.left_out counts, for a note: the number comes first, or
				 last where the text contains a colon; NULL: nothing is left out */
};
/* Reads a file line by line as its line_format says; false when an error was reported. */
MUST_CHECK bool lines_read(const struct read_task *task);
/* Starts `j` at the first byte of the lines to come, to read them as JSON. */
void lines_json(const struct lines *l, struct json *j);

/* For lines_read() and functions like it: lines_begin() after lines_start(), before the first line;
 * lines_finish() after the last line, with `ok` false after an error, releases everything.  Both
 * return false when an error was reported. */
MUST_CHECK bool lines_begin(struct lines *l, const struct read_task *task);
MUST_CHECK bool lines_finish(struct lines *l, bool ok);

/* Starts before the first line of the input. */
void lines_start(struct lines *l, struct input *in, struct diag *diag);
MUST_CHECK bool lines_next(struct lines *l); /* false at the end */
/* Makes the next lines_next() return the current line again. */
void lines_again(struct lines *l);
/* Takes the next line if it is only a number of few digits; else takes nothing and returns
 * false. */
MUST_CHECK bool lines_next_short_u64(struct lines *l, uint64_t *ret);

/* Reports an error at `where`, a part of the input's bytes, and returns false.  On a line that is
 * cut off the error is DIAG_INPUT_TRUNCATED, whatever `code` says. */
bool lines_fail(const struct lines *l, enum diag_code code, struct str where, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* Parses `digits`, from the current line, as a count.  Reports a number that does not fit 64 bits,
 * and with the text `expected` anything that is not a count. */
MUST_CHECK bool lines_count(const struct lines *l, struct str digits, uint64_t *ret,
			    const char *expected);

/* Pushes the total of the current operation as calls times its stated mean, which was rounded.  On
 * overflow the error says of what: `what`, "mean times calls". */
MUST_CHECK bool lines_push_mean(const struct lines *l, struct decimal mean, uint64_t calls,
				struct str where, const char *what);

/* Adds a stated duration such as "1m30s" to the elapsed time of the runs in the file; ignores
 * anything else. */
void lines_took(struct lines *l, struct str time);

/* Whether a count was read; BAD: an error was reported. */
enum line_count { COUNT_READ, COUNT_MISSING, COUNT_BAD };

/* Returns whether a count was read; if it is missing, reports that at `where` with the text
 * `missing`. */
MUST_CHECK bool lines_counted(const struct lines *l, enum line_count what, struct str where,
			      const char *missing);

/* Reads a word as a count of calls. */
MUST_CHECK enum line_count lines_word_count(const struct lines *l, struct cursor *c, uint64_t *ret);

/* Reads the next word as a count.  Reports a word that is not one; COUNT_MISSING, which the caller
 * reports, when there is no word. */
MUST_CHECK static inline enum line_count lines_next_count(const struct lines *l, struct cursor *c,
							  uint64_t *ret)
{
	return scan_short_u64(c, ret) ? COUNT_READ : lines_word_count(l, c, ret);
}

#endif
