/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/table/table.h"

#include <csv.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "formats/format.h"

static int is_blank(unsigned char c)
{
	return is_margin((char)c);
}

static int is_newline(unsigned char c)
{
	return c == '\n';
}

static void *resize_bytes(void *p, size_t n)
{
	return xreallocarray(p, n, 1);
}

void table_start(struct table *t, struct input *in, char separator, struct diag *diag)
{
	*t = (struct table){ .in = in, .separator = separator, .diag = diag };
	t->ends_field[(unsigned char)separator] = true;
	t->ends_field['\n'] = t->ends_field['"'] = true;
	t->parser = xcalloc(1, sizeof(*t->parser));
	(void)csv_init(t->parser, CSV_STRICT | CSV_STRICT_FINI);
	csv_set_delim(t->parser, (unsigned char)separator);
	csv_set_space_func(t->parser, is_blank);
	csv_set_term_func(t->parser, is_newline);
	csv_set_realloc_func(t->parser, resize_bytes);
	csv_set_free_func(t->parser, free);
}

void table_continue(struct table *t, struct input *in, struct diag *diag)
{
	t->in = in;
	t->diag = diag;
	t->at = 0;
}

void table_release(struct table *t)
{
	if (t->parser != NULL)
		csv_free(t->parser);
	free(t->parser);
	free(t->field);
	free(t->text);
	*t = (struct table){ .in = NULL };
}

static void add_field(struct table *t, struct str field)
{
	t->field = xgrow(t->field, &t->cap_fields, t->n_fields + 1, sizeof(*t->field));
	t->field[t->n_fields++] = field;
}

/* Removes blanks around a field, except a blank that is the separator. */
static struct str trim_field(const char *from, const char *to)
{
	while (from < to && is_margin(*from))
		from++;
	while (to > from && is_margin(to[-1]))
		to--;
	return (struct str){ from, (size_t)(to - from) };
}

/* Returns the byte that ends the field at p; `end` when none does. */
static const char *end_of_field(const struct table *t, const char *p, const char *end)
{
	while (p < end && !t->ends_field[(unsigned char)*p])
		p++;
	return p;
}

/* Splits the line at t->at; false when it has a quote. */
static bool split_line(struct table *t)
{
	const char *bytes = t->in->bytes.p, *end = bytes + t->in->bytes.n;
	const char *start = bytes + t->at, *from = start, *p;

	t->n_fields = 0;
	for (;; from = p + 1) {
		p = end_of_field(t, from, end);
		if (p < end && *p == '"')
			return false;
		add_field(t, trim_field(from, p));
		if (p == end || *p == '\n')
			break;
	}
	t->record = (struct str){ start, (size_t)(p - start) };
	t->cut_short = p == end;
	t->at = (size_t)(p - bytes) + (p < end);
	t->decoded = false;
	return true;
}

struct str table_peek(const struct table *t, size_t i)
{
	const char *end = t->in->bytes.p + t->in->bytes.n;
	const char *from = t->in->bytes.p + t->at, *p = end_of_field(t, from, end);

	for (; i > 0 && p < end; i--) {
		from = p + 1;
		p = end_of_field(t, from, end);
	}
	return trim_field(from, p);
}

/* --- records with quotes ------------------------------------------------------- */

/* Returns the lines from t->at on up to the one where every quote is closed. */
static struct str quoted_record(const struct table *t, bool *ret_cut_short)
{
	struct str rest = str_skip(t->in->bytes, t->at);
	bool open = false;

	for (size_t i = 0; i < rest.n; i++) {
		if (rest.p[i] == '"')
			open = !open;
		if (rest.p[i] == '\n' && !open) {
			*ret_cut_short = false;
			return (struct str){ rest.p, i };
		}
	}
	*ret_cut_short = true;
	return rest;
}

static void take_field(void *bytes, size_t n, void *ctx)
{
	struct table *t = ctx;
	char *copy = t->text + t->n_text;

	if (n > 0)
		memcpy(copy, bytes, n);
	t->n_text += n;
	add_field(t, (struct str){ copy, n });
}

/* Returns the closing quote of one that opens before p, or the end. */
static const char *close_quote(const char *p, const char *end)
{
	for (; p < end; p++) {
		if (*p != '"')
			continue;
		if (p + 1 == end || p[1] != '"')
			return p;
		p++;
	}
	return end;
}

/* Returns field i of a record with quotes; the fields before it must be valid. */
static struct str quoted_field_text(struct str record, char separator, size_t i)
{
	const char *p = record.p, *end = p + record.n, *from = p;

	for (size_t n = 0; p < end; p++) {
		if (*p == '"') {
			p = close_quote(p + 1, end);
			if (p == end)
				break;
		} else if (*p == separator) {
			if (n++ == i)
				break;
			from = p + 1;
		}
	}
	return trim_field(from, p);
}

static bool report_unclosed(struct table *t)
{
	struct str quoted = quoted_field_text(t->record, t->separator, t->n_fields);

	return format_fail(t->in, t->diag, DIAG_INPUT_TRUNCATED,
			   (struct str){ quoted.p, quoted.n > 0 }, "the quote is never closed");
}

static bool parse_record(struct table *t)
{
	struct str record = quoted_record(t, &t->cut_short);
	size_t done;

	t->record = record;
	t->at += record.n + !t->cut_short;
	t->decoded = true;
	t->n_fields = t->n_text = 0;
	/* The fields take no more room than the record, so `text` never moves while they are
	 * taken. */
	t->text = xgrow(t->text, &t->cap_text, record.n + 1, 1);
	csv_set_blk_size(t->parser, record.n + 1);
	done = csv_parse(t->parser, record.p, record.n, take_field, NULL, t);
	if (done < record.n || csv_error(t->parser) != CSV_SUCCESS)
		return format_fail(t->in, t->diag, DIAG_CSV_BAD,
				   (struct str){ record.p + done, done < record.n },
				   "a quote inside a field is written twice, the field in quotes");
	return csv_fini(t->parser, take_field, NULL, t) == 0 || report_unclosed(t);
}

/* --- records --------------------------------------------------------------------- */

/* Returns whether the record is an empty line, or an empty row of a spreadsheet. */
static bool is_blank_record(const struct table *t)
{
	for (size_t i = 0; i < t->record.n; i++) {
		if (t->record.p[i] != t->separator && !is_margin(t->record.p[i]))
			return false;
	}
	return true;
}

static bool skip_comment(struct table *t)
{
	struct str rest = str_skip(t->in->bytes, t->at), line = rest,
		   after = str_skip(rest, rest.n);

	(void)str_cut(rest, '\n', &line, &after);
	line = str_trim(line);
	if (line.n == 0 || line.p[0] != '#')
		return false;
	t->at = (size_t)(after.p - t->in->bytes.p);
	return true;
}

enum table_next table_next(struct table *t)
{
	while (t->at < t->in->bytes.n) {
		if (t->comments && skip_comment(t))
			continue;
		if ((t->all_quoted || !split_line(t)) && !parse_record(t))
			return TABLE_BAD;
		if (t->n_fields == 0 || (t->field[0].n == 0 && is_blank_record(t)))
			continue;
		return TABLE_RECORD;
	}
	t->n_fields = 0;
	return TABLE_END;
}

void table_again(struct table *t)
{
	t->at = (size_t)(t->record.p - t->in->bytes.p);
}

struct str table_where(const struct table *t, size_t i)
{
	return t->decoded ? quoted_field_text(t->record, t->separator, i) : t->field[i];
}

/* --- numbers --------------------------------------------------------------------- */

bool table_bad_number(struct table *t, size_t i, const char *expected)
{
	bool comma = t->field[i].n > 0 && memchr(t->field[i].p, ',', t->field[i].n) != NULL;

	return format_fail(t->in, t->diag, DIAG_NUMBER_BAD, table_where(t, i), "expected %s%s",
			   expected,
			   comma ? ": with a decimal point, not a comma, and without thousands "
				   "separators"
				 : "");
}

bool table_bad_u64(struct table *t, size_t i, enum number what)
{
	if (what == NUMBER_TOO_LARGE)
		return format_fail(t->in, t->diag, DIAG_COUNT_OVERFLOW, table_where(t, i),
				   "more than 2^64-1");
	return table_bad_number(t, i, "a whole number");
}
