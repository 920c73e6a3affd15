/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For formats/general/osprof*.c only: reads one line of osprof's own format. */
#ifndef FORMATS_GENERAL_OSPROF_READER_H
#define FORMATS_GENERAL_OSPROF_READER_H

#include "base/scan.h"
#include "formats/format.h"
#include "profile/nest.h"

struct arena;

/* State while a file of osprof(5) is read: the current line, and what has been stated. */
struct osprof_reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct arena *arena; /* names with escapes, edges */
	struct cursor line;  /* the rest of it */
	struct str keyword;
	struct str layer;
	enum unit file_unit;
	struct bucket_scheme file_scheme, scheme;
	struct str buckets; /* the operation's `buckets` statement until a histogram begins; else
			       empty */
	size_t n_runs;	    /* of a baseline; 0: the file is not a baseline */
	uint64_t stated;    /* of this operation or interval: a bit for each statement */
	struct nest nest;   /* the last `nest`; `nested` may follow it */
	bool has_nest;
	size_t n_ops, n_hosts, n_missing;
	bool by_host;	     /* operations have spreads over hosts */
	unsigned spreads;    /* of the current operation: a bit for each feature */
	bool is_newer;	     /* the head has a version that this reader does not know */
	bool end_announced;  /* the head says that the file has an `end` */
	bool ended;	     /* `end` was read */
	bool in_op, in_hist; /* statements of an operation, or buckets, may follow */
};

/* Returns the rest of the line, trimmed. */
static inline struct str osprof_rest(const struct osprof_reader *r)
{
	return str_trim(cursor_rest(&r->line));
}

/* Forgets the statements of the previous operation or interval. */
static inline void osprof_forget_stated(struct osprof_reader *r)
{
	r->stated = 0;
}

/* Skips the rest of the line. */
static inline void osprof_skip_rest(struct osprof_reader *r)
{
	r->line.at = r->line.end;
}

/* Reports an error at the rest of the line, or at the keyword if nothing is left; returns false. */
bool osprof_fail(struct osprof_reader *r, enum diag_code code, const char *what);

/* Parses the rest of the line as a decimal number; false when an error was reported. */
MUST_CHECK bool osprof_take_decimal(struct osprof_reader *r, struct decimal *ret);
/* In osprof_nest.c: `nest` and `nested`; a nest is complete when another statement follows it. */
MUST_CHECK bool osprof_read_nest(struct osprof_reader *r);
MUST_CHECK bool osprof_read_nested(struct osprof_reader *r);
void osprof_push_nest(struct osprof_reader *r);

/* Takes a whole number; false when an error was reported.  Nearly all are short; the _any_
 * functions handle the others and report errors. */
MUST_CHECK bool osprof_take_any_u64(struct osprof_reader *r, uint64_t *ret);
MUST_CHECK static inline bool osprof_take_u64(struct osprof_reader *r, uint64_t *ret)
{
	return scan_short_u64(&r->line, ret) || osprof_take_any_u64(r, ret);
}

/* Takes a number of either sign; false when an error was reported. */
MUST_CHECK bool osprof_take_any_f64(struct osprof_reader *r, double *ret);
MUST_CHECK static inline bool osprof_take_f64(struct osprof_reader *r, double *ret)
{
	return scan_short_f64(&r->line, ret) || osprof_take_any_f64(r, ret);
}

/* Takes a number above 0; false when an error was reported. */
MUST_CHECK bool osprof_take_positive(struct osprof_reader *r, double *ret);
/* Takes the rest of the line as a name, plain or quoted; false when an error was reported. */
MUST_CHECK bool osprof_take_name(struct osprof_reader *r, struct str *ret);

/* Returns whether the statement ends here; reports an error if not. */
MUST_CHECK static inline bool osprof_at_end(struct osprof_reader *r)
{
	return cursor_done(&r->line) || osprof_rest(r).n == 0 ||
	       osprof_fail(r, DIAG_LINE_UNEXPECTED, "expected the end of the line");
}

/* Returns whether a bucket's number may begin here. */
static inline bool osprof_may_be_row(const struct cursor *c)
{
	return !cursor_done(c) && (is_digit(c->in->bytes.p[c->at]) || c->in->bytes.p[c->at] == '-');
}

/* Reads rows up to a line that is not a row, or that osprof_read_row() has to read. */
MUST_CHECK bool osprof_read_rows(struct osprof_reader *r, struct cursor *lines);
/* Reads any row, after its bucket's number, at the beginning of `where`, ... */
MUST_CHECK bool osprof_read_row(struct osprof_reader *r, int index, struct str where);
/* ... or after its bucket's name. */
MUST_CHECK bool osprof_read_under(struct osprof_reader *r);
MUST_CHECK bool osprof_read_zero(struct osprof_reader *r);
MUST_CHECK bool osprof_read_over(struct osprof_reader *r);

/* Parses the argument of `buckets`: first the scheme, then its range. */
MUST_CHECK bool osprof_take_scheme(struct osprof_reader *r, struct bucket_scheme *ret);
MUST_CHECK bool osprof_take_range(struct osprof_reader *r, struct bucket_scheme *s);

/* Read statements of a baseline, after their keyword. */
MUST_CHECK bool osprof_read_baseline(struct osprof_reader *r);
MUST_CHECK bool osprof_read_alarms(struct osprof_reader *r);
MUST_CHECK bool osprof_read_floor(struct osprof_reader *r);
MUST_CHECK bool osprof_read_run(struct osprof_reader *r);
MUST_CHECK bool osprof_read_end(struct osprof_reader *r);
/* Returns the number of operations that the last line states, limited by the file's size; 0: not
 * stated. */
size_t osprof_expected_operations(struct str bytes);
/* Reads how hosts differ, after `spread`. */
MUST_CHECK bool osprof_read_spread(struct osprof_reader *r);
/* At the end of the file: false, after reporting it, when its end is missing. */
MUST_CHECK bool osprof_is_whole(struct osprof_reader *r);

#endif
