/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within formats/osprof*.c only: reading one line of osprof's own format. */
#ifndef FORMATS_GENERAL_OSPROF_READER_H
#define FORMATS_GENERAL_OSPROF_READER_H

#include "base/scan.h"
#include "formats/format.h"
#include "profile/nest.h"

struct arena;

/* The state of reading a file of osprof(5): the current line, and what was stated so far. */
struct osprof_reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct arena *arena; /* names with escapes, edges */
	struct cursor line;  /* what is left of it */
	struct str keyword;
	struct str layer;
	enum unit file_unit;
	struct bucket_scheme file_scheme, scheme;
	struct str buckets; /* the operation's, before a histogram begins; else no bytes */
	size_t n_runs;	    /* of a baseline; 0: the file is none */
	uint64_t stated;    /* of this operation or interval: a bit for each statement */
	struct nest nest;   /* the last statement of nesting; `nested` may follow it */
	bool has_nest;
	size_t n_ops, n_hosts, n_missing;
	bool by_host;	     /* operations have spreads over the hosts */
	unsigned spreads;    /* of the current operation: a bit for each feature */
	bool end_announced;  /* the head says that the file has an `end` */
	bool ended;	     /* it was there */
	bool in_op, in_hist; /* a statement of an operation, a bucket may follow */
};

/* What is left of the line, without blanks around it. */
static inline struct str osprof_rest(const struct osprof_reader *r)
{
	return str_trim(cursor_rest(&r->line));
}

/* Forgets what was stated of the last operation. */
static inline void osprof_state_anew(struct osprof_reader *r)
{
	r->stated = 0;
}

/* Takes the rest of the line. */
static inline void osprof_skip_rest(struct osprof_reader *r)
{
	r->line.at = r->line.end;
}

/* Reports at what is left, or at the keyword; false. */
bool osprof_fail(struct osprof_reader *r, enum diag_code code, const char *what);

/* The rest of the line as a decimal number; false when an error was reported. */
MUST_CHECK bool osprof_take_decimal(struct osprof_reader *r, struct decimal *ret);
/* osprof_nest.c: `nest` and `nested`; a nest is whole when something else follows it. */
MUST_CHECK bool osprof_read_nest(struct osprof_reader *r);
MUST_CHECK bool osprof_read_nested(struct osprof_reader *r);
void osprof_push_nest(struct osprof_reader *r);

/* Nearly all numbers are short; of the others, and of what is none, the _any_ ones know. */
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
/* The rest of the line is a name: as it stands, or quoted. */
MUST_CHECK bool osprof_take_name(struct osprof_reader *r, struct str *ret);

/* Whether the statement ends here; false when that was reported. */
MUST_CHECK static inline bool osprof_at_end(struct osprof_reader *r)
{
	return cursor_done(&r->line) || osprof_rest(r).n == 0 ||
	       osprof_fail(r, DIAG_LINE_UNEXPECTED, "expected the end of the line");
}

/* Whether a bucket's number may begin here. */
static inline bool osprof_may_be_row(const struct cursor *c)
{
	return !cursor_done(c) && (is_digit(c->in->bytes.p[c->at]) || c->in->bytes.p[c->at] == '-');
}

/* All rows that come next, up to a line that is none or is not as plain as nearly all are. */
MUST_CHECK bool osprof_read_rows(struct osprof_reader *r, struct cursor *lines);
/* Any row, after the number of its bucket, with which `where` begins ... */
MUST_CHECK bool osprof_read_row(struct osprof_reader *r, int index, struct str where);
/* ... or after its name. */
MUST_CHECK bool osprof_read_under(struct osprof_reader *r);
MUST_CHECK bool osprof_read_zero(struct osprof_reader *r);
MUST_CHECK bool osprof_read_over(struct osprof_reader *r);

/* What stands after `buckets`, in two steps: the scheme, and how far it reaches. */
MUST_CHECK bool osprof_take_scheme(struct osprof_reader *r, struct bucket_scheme *ret);
MUST_CHECK bool osprof_take_range(struct osprof_reader *r, struct bucket_scheme *s);

/* Statements of a baseline, after their keyword. */
MUST_CHECK bool osprof_read_baseline(struct osprof_reader *r);
MUST_CHECK bool osprof_read_alarms(struct osprof_reader *r);
MUST_CHECK bool osprof_read_floor(struct osprof_reader *r);
MUST_CHECK bool osprof_read_run(struct osprof_reader *r);
MUST_CHECK bool osprof_read_end(struct osprof_reader *r);
/* How many operations the last line says, as far as so many bytes can hold them; 0: not said. */
size_t osprof_expected_operations(struct str bytes);
/* How hosts differ, after `spread`. */
MUST_CHECK bool osprof_read_spread(struct osprof_reader *r);
/* At the end of the file: reports one of which the end is missing. */
MUST_CHECK bool osprof_is_whole(struct osprof_reader *r);

#endif
