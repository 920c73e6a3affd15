/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plain: what collectors like OSprof print themselves (a file in /proc, a program's
 * standard output, a Windows DLL).  The dumps of OSprof and FSprof were never
 * published; this specifies what is read here.
 *
 *	# OSprof profile of ext2
 *	CPU MHz: 1700
 *	read 7:20210 12:7198 total 31000000 checksum 27408
 *	llseek:
 *	8  1200
 *	IRP_MJ_READ 0 0 0 0 0 0 0 1817 9 25
 *
 * A line is one of
 *	# ; //		a comment
 *	KEY: VALUE	before the first operation: unit (ns, cycles ...), hz,
 *			CPU MHz, resolution, numbering (osprof, fsprof); also in a
 *			comment, and with "=" for the colon
 *	OSprof ...	before the first operation, also in a comment: names the collector
 *	NAME BUCKET:COUNT ...	or BUCKET=COUNT
 *	NAME COUNT COUNT ...	at least eight, for buckets from 0 on
 *	NAME BUCKET COUNT	a line a bucket, lines of one name together
 *	NAME		then lines "BUCKET COUNT" (a blank, comma, colon or "="
 *			between) up to a blank line or the next name; before
 *			the first name the operation is "latency"
 *			(--from plain only)
 *	total N, count N, ops N, checksum N	of the operation above; also after
 *			its name, and with "=" or ":" between.  The last three all
 *			state the number of calls.
 * A name may end in a colon, holds no blank unless quoted ("..."), no comma
 * outside brackets, and does not begin with a digit.  Commas separate as blanks do.
 *
 * OSprof's bucket b holds [2^(b/r), 2^((b+1)/r)), r the resolution; FSprof's k
 * holds [2^((k-1)/r), 2^(k/r)), its bucket 0 what is below 1.  The file or
 * --numbering must say which; it is never guessed.
 *
 * Not supported: several snapshots of one operation, negative bucket numbers.
 */
#include <math.h>

#include "formats/general/plain_line.h"
#include "formats/lines.h"
#include "formats/text.h"

enum {
	MIN_COUNTS = 8,	 /* fewer do not make a row of counts */
	VALUE_BITS = 64, /* in a latency: no bucket lies above */
};

/* --- detection --------------------------------------------------------------- */

struct sight {
	size_t operations, good, bad;
	unsigned resolution;
	enum numbering numbering;
	bool in_op;
};

static bool is_number(struct str s)
{
	uint64_t v;

	return number_u64(s, &v) != NUMBER_NONE;
}

static bool is_bucket_number(uint64_t bucket, const struct sight *seen)
{
	return bucket <= (uint64_t)VALUE_BITS * seen->resolution;
}

/* Whether the pair is a bucket and a count, which may be too large. */
static bool is_bucket(const struct plain_item *pair, const struct sight *seen)
{
	uint64_t b;

	if (pair->is_read)
		return is_bucket_number(pair->bucket, seen);
	return number_u64(pair->left, &b) == NUMBER_OK && is_bucket_number(b, seen) &&
	       is_number(pair->right);
}

static bool is_count(const struct plain_item *item)
{
	return !item->is_pair && (item->is_read || is_number(item->text));
}

/* Whether a name is followed by pairs and fields, or by counts. */
static bool is_row(struct cursor c, const struct sight *seen)
{
	struct plain_item item;
	size_t counts = 0, pairs = 0;

	while (plain_next(&c, &item)) {
		if (plain_field_of(&item) != FIELD_NONE) {
			if (item.is_pair ? !is_number(item.right)
					 : !plain_next(&c, &item) || !is_number(item.text))
				return false;
		} else if (item.is_pair) {
			if (!is_bucket(&item, seen))
				return false;
			pairs++;
		} else if (is_count(&item)) {
			counts++;
		} else {
			return false;
		}
	}
	return pairs > 0 ? counts == 0 : counts >= MIN_COUNTS;
}

/* Whether a name is followed by one bucket and its count; returns these as a pair. */
static bool is_bucket_row(struct cursor c, struct plain_item *ret)
{
	struct plain_item bucket, count;

	if (!plain_next(&c, &bucket) || !is_count(&bucket) || !plain_next(&c, &count) ||
	    !is_count(&count) || !cursor_done(&c))
		return false;
	*ret = (struct plain_item){ .is_pair = true,
				    .left = bucket.text,
				    .right = count.text,
				    .is_read = bucket.is_read && count.is_read,
				    .bucket = bucket.count,
				    .count = count.count };
	return true;
}

static void look_at_line(struct sight *seen, struct str s, struct input *in)
{
	struct cursor c = cursor_at(in, s), field;
	struct plain_item item;
	struct str text, name, word, value;
	uint64_t resolution;
	enum plain_header_key key;
	enum numbering named;

	if (s.n == 0) {
		seen->in_op = false;
		return;
	}
	if (plain_comment(s, &text) || plain_header(s, &key, &value) || plain_heading(s)) {
		named = plain_collector_in(text, &word);
		if (plain_header(text, &key, &value) && key == HEADER_RESOLUTION &&
		    number_u64(value, &resolution) == NUMBER_OK && resolution > 0 &&
		    resolution <= BUCKET_MAX_RESOLUTION)
			seen->resolution = (unsigned)resolution;
		if (named != NUMBERING_UNKNOWN && seen->operations == 0)
			seen->numbering = named;
		return;
	}
	if (is_digit(s.p[0])) {
		bool ok = seen->in_op && plain_bucket(&c, &item) && is_bucket(&item, seen) &&
			  cursor_done(&c);

		seen->good += ok;
		seen->bad += !ok;
		return;
	}
	field = c;
	if (seen->in_op && scan_word(&field, &word) && plain_field(word) != FIELD_NONE &&
	    plain_next(&field, &item) && is_number(item.text) && cursor_done(&field))
		return;
	seen->operations++;
	seen->in_op = plain_name(&c, &name);
	if (seen->in_op && cursor_done(&c))
		return;
	if (seen->in_op && (is_row(c, seen) || (is_bucket_row(c, &item) && is_bucket(&item, seen))))
		seen->good++;
	else
		seen->bad++;
}

/* Our own format, in any version, is not this one. */
static bool is_osprof(struct str s)
{
	const struct str word = STR("osprof ");
	uint64_t n;

	return str_has_prefix(s, word) &&
	       number_u64(str_trim(str_skip(s, word.n)), &n) == NUMBER_OK;
}

static enum probe probe_plain(struct str head, struct clue *clue)
{
	struct sight seen = { .resolution = 1 };
	struct input in = { .bytes = head };
	struct str line, rest = head;

	while (text_line(&rest, &line)) {
		size_t bad = seen.bad;

		if (is_osprof(line))
			return PROBE_NO;
		look_at_line(&seen, line, &in);
		if (seen.bad > bad && seen.good > 0 && clue->why == NULL)
			probe_near(clue, head, line, "neither a row of buckets nor a name");
	}
	if (seen.operations == 0 || seen.good == 0)
		return PROBE_NO;
	if (seen.numbering != NUMBERING_UNKNOWN && seen.bad <= seen.good)
		return PROBE_MARKS;
	return seen.bad == 0 && seen.operations <= 2 * seen.good ? PROBE_SHAPE : PROBE_NO;
}

/* --- reading ----------------------------------------------------------------- */

struct reader {
	struct lines lines;
	enum numbering numbering, option;
	unsigned resolution;
	enum unit unit;
	enum unit_source source;
	bool begun, in_op; /* an operation was seen; buckets of one may follow */
	struct str name;   /* of the current operation, where each line has one bucket */
	bool has_count;
	uint64_t count;
	bool has_total;
};

static const char *numbering_name(enum numbering n)
{
	return n == NUMBERING_OSPROF ? "osprof" : "fsprof";
}

static bool set_numbering(struct reader *r, enum numbering n, struct str where)
{
	if (r->option != NUMBERING_UNKNOWN && n != r->option)
		return format_fail(r->lines.in, r->lines.diag, DIAG_NUMBERING_UNKNOWN, where,
				   "this says %s, but --numbering says %s", numbering_name(n),
				   numbering_name(r->option));
	if (r->numbering != NUMBERING_UNKNOWN && n != r->numbering)
		return format_fail(r->lines.in, r->lines.diag, DIAG_NUMBERING_UNKNOWN, where,
				   "this says %s, an earlier line %s", numbering_name(n),
				   numbering_name(r->numbering));
	r->numbering = n;
	return true;
}

static bool read_rate(struct reader *r, struct str value, double factor)
{
	double v;

	if (number_f64(value, &v) != NUMBER_OK || !(v > 0) || !isfinite(v * factor))
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, value, "expected a clock rate");
	build_hz(r->lines.to, v * factor);
	return true;
}

static bool read_header(struct reader *r, enum plain_header_key key, struct str value)
{
	enum numbering numbering = plain_collector(value);
	uint64_t v;

	switch (key) {
	case HEADER_UNIT:
		r->source = UNIT_STATED;
		return unit_parse(value, &r->unit) ||
		       lines_fail(&r->lines, DIAG_NAME_BAD, value,
				  "expected cycles, ns, us, ms or s");
	case HEADER_HZ:
		return read_rate(r, value, 1);
	case HEADER_MHZ:
		return read_rate(r, value, 1e6);
	case HEADER_RESOLUTION:
		if (number_u64(value, &v) != NUMBER_OK || v < 1 || v > BUCKET_MAX_RESOLUTION)
			return lines_fail(&r->lines, DIAG_SCHEME_BAD, value,
					  "expected buckets per octave, from 1 to 4096");
		r->resolution = (unsigned)v;
		return true;
	case HEADER_NUMBERING:
		if (numbering == NUMBERING_UNKNOWN)
			return lines_fail(&r->lines, DIAG_NUMBERING_UNKNOWN, value,
					  "expected osprof or fsprof");
		break;
	}
	return set_numbering(r, numbering, value);
}

/* A comment or heading may name the collector; both collectors count CPU cycles. */
static bool read_annotation(struct reader *r, struct str text)
{
	struct str word, value;
	enum plain_header_key key;
	enum numbering named;

	if (r->begun)
		return true;
	if (plain_header(text, &key, &value))
		return read_header(r, key, value);
	named = plain_collector_in(text, &word);
	if (named == NUMBERING_UNKNOWN)
		return true;
	if (r->unit == UNIT_UNKNOWN) {
		r->unit = UNIT_CYCLES;
		r->source = UNIT_GUESSED;
	}
	return set_numbering(r, named, word);
}

static bool take_u64(struct reader *r, struct str token, struct str row, enum diag_code too_large,
		     uint64_t *ret)
{
	switch (number_u64(token, ret)) {
	case NUMBER_OK:
		return true;
	case NUMBER_TOO_LARGE:
		return format_fail(r->lines.in, r->lines.diag, too_large, token,
				   "more than 2^64-1");
	case NUMBER_NONE:
		break;
	}
	if (token.n == 0)
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, row, "a number is missing");
	return format_fail(r->lines.in, r->lines.diag, DIAG_NUMBER_BAD, token, "expected a number");
}

/* `where` is the bucket; in a row of counts, the count. */
static bool read_bucket(struct reader *r, uint64_t bucket, uint64_t count, struct str where)
{
	uint64_t limit = (uint64_t)VALUE_BITS * r->resolution;
	unsigned long long b = bucket;

	if (r->numbering == NUMBERING_UNKNOWN)
		return format_fail(
			r->lines.in, r->lines.diag, DIAG_NUMBERING_UNKNOWN, where,
			"bucket b is [2^b, 2^(b+1)) to OSprof, [2^(b-1), 2^b) to "
			"FSprof; use --numbering osprof or --numbering fsprof to set it");
	if (bucket >= limit + (r->numbering == NUMBERING_FSPROF))
		return format_fail(r->lines.in, r->lines.diag, DIAG_BUCKET_BOUNDS, where,
				   "bucket %llu lies above 2^64", b);
	return build_bucket(r->lines.to, (int)bucket - (r->numbering == NUMBERING_FSPROF), count,
			    where);
}

static bool read_pair(struct reader *r, const struct plain_item *pair, struct str row)
{
	uint64_t bucket = pair->bucket, count = pair->count;

	return (pair->is_read || (take_u64(r, pair->left, row, DIAG_NUMBER_RANGE, &bucket) &&
				  take_u64(r, pair->right, row, DIAG_COUNT_OVERFLOW, &count))) &&
	       read_bucket(r, bucket, count, pair->left);
}

/* ops, count and checksum mean the same, and all may be given. */
static bool read_count(struct reader *r, struct str value, struct str row)
{
	uint64_t count;

	if (!take_u64(r, value, row, DIAG_COUNT_OVERFLOW, &count))
		return false;
	if (r->has_count) {
		if (count != r->count)
			diag_part(r->lines.diag, DIAG_COUNT_MISMATCH, r->lines.in, value,
				  "stated as %llu before, which is used",
				  (unsigned long long)r->count);
		return true;
	}
	r->has_count = true;
	r->count = count;
	return build_count(r->lines.to, count, value);
}

static bool read_field(struct reader *r, enum plain_field field, struct str value, struct str row)
{
	struct decimal total;

	if (value.n == 0)
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, row, "a number is missing");
	if (field == FIELD_COUNT)
		return read_count(r, value, row);
	if (!decimal_parse(value, &total))
		return format_fail(r->lines.in, r->lines.diag, DIAG_NUMBER_BAD, value,
				   "expected a decimal number below 1e29");
	if (r->has_total)
		return format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED, value,
				   "a second total");
	r->has_total = true;
	return build_total(r->lines.to, total, value);
}

static bool open_operation(struct reader *r, struct str name, struct str where)
{
	struct bucket_scheme scheme = bucket_log2(r->resolution);

	r->begun = r->in_op = true;
	r->name = (struct str){ NULL, 0 };
	r->has_count = r->has_total = false;
	if (!build_new_operation(r->lines.to, STR(""), name, where) ||
	    !build_scheme(r->lines.to, &scheme, where))
		return false;
	build_unit(r->lines.to, r->unit, r->source);
	return true;
}

/* Reads what follows the name on its line. */
static bool plain_read_row(struct reader *r, struct cursor *c, struct str row)
{
	struct plain_item item;
	size_t counts = 0, pairs = 0;

	while (plain_next(c, &item)) {
		enum plain_field field = plain_field_of(&item);
		struct str token = item.text, value;

		if (field != FIELD_NONE) {
			if (item.is_pair)
				value = item.right;
			else if (plain_next(c, &item))
				value = item.text;
			else
				return lines_fail(&r->lines, DIAG_NUMBER_BAD, token,
						  "a number is missing");
			if (!read_field(r, field, value, row))
				return false;
		} else if (item.is_pair ? counts > 0 : pairs > 0) {
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, token,
					  item.is_pair
						  ? "a bucket and its count among counts"
						  : "a number among pairs of bucket and count");
		} else if (item.is_pair) {
			pairs++;
			if (!read_pair(r, &item, row))
				return false;
		} else {
			if (!item.is_read &&
			    !take_u64(r, token, row, DIAG_COUNT_OVERFLOW, &item.count))
				return false;
			if (!read_bucket(r, counts++, item.count, token))
				return false;
		}
	}
	if (counts > 0 && counts < MIN_COUNTS)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, row,
				  "expected BUCKET:COUNT, or at least eight counts");
	return true;
}

/* "read 7 1817": continues the previous line's operation if the name is the same. */
static bool read_bucket_row(struct reader *r, struct str name, const struct plain_item *bucket,
			    struct str row)
{
	if (!(r->in_op && r->name.p != NULL && str_eq(name, r->name)) &&
	    !open_operation(r, name, name.n > 0 ? name : row))
		return false;
	r->name = name;
	return read_pair(r, bucket, row);
}

static bool read_bucket_line(struct reader *r, struct str s)
{
	struct cursor c = cursor_at(r->lines.in, s);
	struct plain_item bucket;

	if (!r->begun && !open_operation(r, STR("latency"), s))
		return false;
	if (!r->in_op)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "a bucket without an operation");
	if (!plain_bucket(&c, &bucket))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
				  "expected a bucket and its count");
	if (!cursor_done(&c))
		return format_fail(r->lines.in, r->lines.diag, DIAG_LINE_UNEXPECTED,
				   cursor_rest(&c), "expected the end of the line");
	return read_pair(r, &bucket, s);
}

static bool plain_line(void *reader)
{
	struct reader *r = reader;
	struct str s = r->lines.text;
	struct cursor c = cursor_at(r->lines.in, s);
	struct str text, name, value;
	struct plain_item bucket;
	enum plain_header_key key;
	enum plain_field field;

	if (s.n == 0) {
		r->in_op = false;
		return true;
	}
	if (plain_comment(s, &text))
		return read_annotation(r, text);
	if (is_digit(s.p[0]))
		return read_bucket_line(r, s);
	if (plain_header(s, &key, &value))
		return !r->begun ? read_header(r, key, value)
				 : lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, s,
					      "belongs before the first operation");
	if (!r->begun && plain_heading(s))
		return read_annotation(r, s);
	if (r->in_op && plain_field_line(c, &field, &value))
		return read_field(r, field, value, s);
	if (!plain_name(&c, &name))
		return lines_fail(&r->lines, DIAG_NAME_BAD, s, "expected the name of an operation");
	if (cursor_done(&c) && r->lines.cut)
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, s, "the file ends in a name");
	if (is_bucket_row(c, &bucket))
		return read_bucket_row(r, name, &bucket, s);
	if (r->lines.cut && r->in_op && r->name.p != NULL && str_eq(name, r->name))
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, s,
				  "the file ends within a bucket");
	return open_operation(r, name, name.n > 0 ? name : s) && plain_read_row(r, &c, s);
}

static void plain_start(void *reader)
{
	struct reader *r = reader;

	r->numbering = r->option = r->lines.options->numbering;
	r->resolution = 1;
}

const struct format format_plain = {
	.name = "plain",
	.title = "names, buckets and counts, as OSprof and its relatives print them",
	.versions = "any",
	.unit = "stated in a header line; cycles where the collector is named",
	.totals = "exact, where a field `total` gives them",
	.probe = probe_plain,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .start = plain_start,
					     .line = plain_line },
};
