/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text line by line, as nearly every reader takes it: the current line, and what is
 * wrong with it.
 *
 *	struct lines l;
 *
 *	lines_start(&l, in, diag);
 *	while (lines_next(&l)) {
 *		struct cursor c = cursor_at(in, l.text);
 *
 *		if (!is_row(l.text))
 *			continue;
 *		if (!scan_word(&c, &name) || !scan_word(&c, &digits))
 *			return lines_fail(&l, DIAG_LINE_UNEXPECTED, l.text, "expected NAME COUNT");
 *		if (!lines_count(&l, digits, &count, "expected a count"))
 *			return false;
 *	}
 *
 * A reader that has more to remember has a `struct reader`; where its lines are the
 * first member, the format says what becomes of each line, and the rest is done for it:
 *
 *	.read = lines_read,
 *	.spec = &(const struct line_format){ .size = sizeof(struct reader), .line = x_line },
 *
 * Rows of a table are read by whoever met its head; the line that ends the table is put
 * back with lines_again().  A probe has no input: it takes lines by text_line().
 */
#ifndef FORMATS_LINES_H
#define FORMATS_LINES_H

#include "base/scan.h"
#include "formats/format.h"
#include "formats/reported.h"
#include "formats/samples.h"

struct call_output;

/* A text while it is read line by line; all is borrowed from the input. */
struct lines {
	struct input *in;
	struct diag *diag;
	struct cursor rest; /* the lines to come */
	struct str text;    /* the current line, without what text_content() takes off */
	size_t at;	    /* where it begins in the input, blanks included */
	bool cut; /* it ends the file, without a newline: perhaps not all of it is there */

	/* Of lines_read(), for its reader. */
	const struct read_task *task;
	struct builder *to;
	const struct read_options *options;
	struct arena *arena;
	struct samples samples;	   /* of a format that has `sampling` */
	struct call_output *calls; /* of one that has calls: they become samples */
	struct reported reported;  /* what this print mentioned */
	size_t left_out;	   /* what cannot be read, for a note */
	double elapsed;		   /* seconds, by lines_took() */
};

/* A format of lines, or of another text.  Where a function is missing, there is nothing to be
 * done. */
struct line_format {
	size_t size; /* of its reader, which begins with its struct lines; the rest is zero at first
		      */
	void (*start)(void *reader);
	/* False when an error was reported. */
	bool (*line)(void *reader); /* the current line */
	bool (*end)(void *reader);  /* after all lines; without `line` it takes them itself */
	void (*release)(void *reader);
	const struct accumulator_options *sampling; /* of its samples; NULL: it has none */
	bool calls;				    /* these are calls */
	const char *no_intervals;		    /* why --interval is refused; NULL: it is not */
	enum snapshots snapshots;		    /* as of build_snapshots() */
	bool drop_single_layer;
	bool fixed_duration;  /* always, of all runs */
	const char *left_out; /* what lines.left_out counts: a note says so, the number at the end
				 where there is a colon; NULL: nothing */
};
/* Reads a file line by line as the line_format of its format says; false when an error was
 * reported. */
MUST_CHECK bool lines_read(const struct read_task *task);
/* The same of the text from the first line on as JSON, of which `j` is at the first byte. */
void lines_json(const struct lines *l, struct json *j);

/* For lines_read() and its like: before the first line, of lines that were started, and after the
 * last one, when no error was reported.  False when one was. */
MUST_CHECK bool lines_begin(struct lines *l, const struct read_task *task);
MUST_CHECK bool lines_finish(struct lines *l, bool ok);

/* Begins at the first line of the input. */
void lines_start(struct lines *l, struct input *in, struct diag *diag);
MUST_CHECK bool lines_next(struct lines *l); /* false at the end */
/* The current line comes again with the next lines_next(). */
void lines_again(struct lines *l);
/* The next line where it is a number of few digits and nothing else; false, with nothing
 * taken, of any other. */
MUST_CHECK bool lines_next_short_u64(struct lines *l, uint64_t *ret);

/* Reports at a part of the input's bytes and returns false; a line that was cut short is
 * blamed for that, whatever is missing in it. */
bool lines_fail(const struct lines *l, enum diag_code code, struct str where, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* `digits`, of the current line, as a count.  Reports what does not fit 64 bits, and with
 * the words of `expected` what is no count. */
MUST_CHECK bool lines_count(const struct lines *l, struct str digits, uint64_t *ret,
			    const char *expected);

/* The total of the current operation where its mean is stated: calls times the mean, which was
 * rounded.  Where that is too large `what` says of what: "mean times calls". */
MUST_CHECK bool lines_push_mean(const struct lines *l, struct decimal mean, uint64_t calls,
				struct str where, const char *what);

/* How long a run took, such as "1m30s", of several in the file all together; anything else is
 * passed over. */
void lines_took(struct lines *l, struct str time);

/* Whether digits on a line were read as a count; BAD: an error was reported. */
enum line_count { COUNT_READ, COUNT_MISSING, COUNT_BAD };

/* Whether one was read; reports with the words of `missing`, at `where`, that there is none. */
MUST_CHECK bool lines_counted(const struct lines *l, enum line_count what, struct str where,
			      const char *missing);

/* Reads a word as a count of calls. */
MUST_CHECK enum line_count lines_word_count(const struct lines *l, struct cursor *c, uint64_t *ret);

/* The next word as a count.  What is none was reported; that there is no word is left to the
 * caller, whose cursor stands at the end. */
MUST_CHECK static inline enum line_count lines_next_count(const struct lines *l, struct cursor *c,
							  uint64_t *ret)
{
	return scan_short_u64(c, ret) ? COUNT_READ : lines_word_count(l, c, ret);
}

#endif
