/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading JSON as it comes: no tree, no copy but of strings with escapes, and a
 * place in the file for every value.
 *
 * A tree library spends more time on captures of ten thousand histograms than
 * all analyses together (tests/bench measures it), and knows positions only of
 * syntax errors; wrong counts need them too.
 *
 *	for (json_object(j); json_key(j, &key);) {
 *		... read or json_skip() exactly one value ...
 *	}
 *	return !j->failed;
 *
 * The first error is reported and sets `failed`; every call after it returns false.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdint.h>

#include "base/attr.h"
#include "base/scan.h"

struct arena;
struct diag;

enum { JSON_DEPTH = 64 };

/* The state of reading one JSON text; it borrows the input, the arena and the diag. */
struct json {
	struct cursor c;
	struct arena *strings; /* where strings with escapes are decoded to */
	struct diag *diag;
	unsigned depth;
	bool fresh; /* nothing read yet in the innermost object or array */
	bool failed;
	bool python; /* as Python's repr() writes it: 'text', b'text', None, True, False */
	bool loose;  /* json_members() takes bucket_counts for bucketCounts */
};

/* Begins to read at the cursor; decoded strings lie in the arena. */
void json_start(struct json *j, struct cursor c, struct arena *strings, struct diag *diag);

/* Without the space that may stand before a value: for probes. */
struct str json_without_space(struct str s);

/* Where the next value begins; and the bytes from there up to the cursor, to blame them. */
size_t json_begin(struct json *j);
static inline struct str json_since(const struct json *j, size_t from)
{
	return (struct str){ j->c.in->bytes.p + from, j->c.at - from };
}

/* The next value's first byte: { [ " t f n - or a digit; 0 at the end of the text. */
char json_peek_after_space(struct json *j);
static inline char json_peek(struct json *j)
{
	const char *p = j->c.in->bytes.p;
	size_t end = j->c.end, at = j->c.at;

	at += at < end && p[at] == ' ';
	if (at == end || p[at] <= ' ' || j->python || j->failed)
		return json_peek_after_space(j);
	j->c.at = at;
	return p[at];
}

MUST_CHECK bool json_open(struct json *j, char bracket); /* '{' or '[' */
/* Begins a loop over the members of an object or the items of an array: where there is none,
 * that is reported, and the loop has nothing. */
void json_object(struct json *j);
void json_array(struct json *j);
bool json_key(struct json *j, struct str *ret); /* false after the last one, past the '}' */
/* Passes over the comma after an element, where that is the next byte. */
static inline bool json_comma(struct json *j)
{
	size_t at = j->c.at;

	if (at == j->c.end || j->c.in->bytes.p[at] != ',' || j->fresh || j->failed)
		return false;
	j->c.at = at + 1;
	return true;
}

/* The halves of json_key(): whether there is another one, past its comma; its name, past the colon.
 */
bool json_key_any(struct json *j);
static inline bool json_key_follows(struct json *j)
{
	return json_comma(j) || json_key_any(j);
}
MUST_CHECK bool json_key_name(struct json *j, struct str *ret);

/* False after the last one, past the ']'. */
bool json_item_any(struct json *j);
static inline bool json_item(struct json *j)
{
	return json_comma(j) || json_item_any(j);
}

/* Reads a string, decoded; false when an error was reported. */
MUST_CHECK bool json_string(struct json *j, struct str *ret);
/* Integers; also those that a writer put into a string because a double cannot hold them. */
MUST_CHECK bool json_u64_any(struct json *j, uint64_t *ret);
/* Nearly every one: few digits, and neither a fraction nor an exponent after them. */
MUST_CHECK static inline bool json_u64(struct json *j, uint64_t *ret)
{
	const char *p = j->c.in->bytes.p;
	size_t from, at, end = j->c.end;
	uint64_t v = 0;

	if (!is_digit(json_peek(j)))
		return json_u64_any(j, ret);
	from = j->c.at;
	at = digits_end(p, from, end, &v);
	if (at == end || at - from > SHORT_DIGITS || p[at] == '.' || (p[at] | 0x20) == 'e' ||
	    (p[from] == '0' && at - from > 1))
		return json_u64_any(j, ret);
	j->c.at = at;
	*ret = v;
	return true;
}
/* Reads a whole number; false when an error was reported. */
MUST_CHECK bool json_i64(struct json *j, int64_t *ret);
MUST_CHECK bool json_number(struct json *j, struct str *ret); /* its characters */
/* What is written as a string or as a number: its characters. */
MUST_CHECK bool json_text(struct json *j, struct str *ret);
/* The same; any other value is passed over and leaves *ret alone. */
MUST_CHECK bool json_text_or_skip(struct json *j, struct str *ret);
/* What is written as either, as it stands in the file, without the quotes but with escapes: to
 * be blamed by it. */
MUST_CHECK bool json_text_in_place(struct json *j, struct str *ret);
MUST_CHECK bool json_f64(struct json *j, double *ret);
MUST_CHECK bool json_f64_or_null(struct json *j, double *ret); /* null leaves *ret alone */
MUST_CHECK bool json_skip(struct json *j);
/* Reads an array by what reads one item of it; false when an error was reported. */
MUST_CHECK bool json_each(struct json *j, bool (*item)(void *ctx), void *ctx);

/* What is done with a member of an object that is named in a table. */
enum json_kind {
	JSON_IS_STRING,
	JSON_IS_TEXT,
	JSON_IS_TEXT_OR_SKIP,
	JSON_IS_TEXT_IN_PLACE,
	JSON_IS_NUMBER,
	JSON_IS_U64,
	JSON_IS_I64,
	JSON_IS_F64,
	JSON_IS_F64_OR_NULL,
	JSON_IS_DECIMAL,
	JSON_IS_FLAG,
	JSON_IS_MARK,
	JSON_IS_READ,
	JSON_IS_EACH,
	JSON_IS_OBJECT,
};

/* A member of an object, and where its value goes: a line of a table, made by the macros below. */
struct json_member {
	struct str key;
	void *to;  /* what the kind wants, or what `read` is handed */
	bool *has; /* becomes true where the member is there; NULL: nobody asks */
	bool (*read)(void *ctx);
	const struct json_member *members; /* of an object in it */
	struct str *where;		   /* the bytes of the value, also of others; NULL */
	unsigned n;			   /* members */
	unsigned char kind;		   /* enum json_kind */
	char only; /* the first byte of values that are read; others are passed over; 0: any */
};

/* JSON_U64("count", &count) reads the member of this name as json_u64() does; a third argument is
 * `has`, and .only = '{' or .where = &where may follow. */
#define JSON_MEMBER(name, what, ...)                                                               \
	{                                                                                          \
		.key = STR_INIT(name), .kind = what, .to = __VA_ARGS__                             \
	}
#define JSON_STRING(name, ...)	      JSON_MEMBER(name, JSON_IS_STRING, __VA_ARGS__)
#define JSON_TEXT(name, ...)	      JSON_MEMBER(name, JSON_IS_TEXT, __VA_ARGS__)
#define JSON_TEXT_OR_SKIP(name, ...)  JSON_MEMBER(name, JSON_IS_TEXT_OR_SKIP, __VA_ARGS__)
#define JSON_TEXT_IN_PLACE(name, ...) JSON_MEMBER(name, JSON_IS_TEXT_IN_PLACE, __VA_ARGS__)
#define JSON_NUMBER(name, ...)	      JSON_MEMBER(name, JSON_IS_NUMBER, __VA_ARGS__)
#define JSON_U64(name, ...)	      JSON_MEMBER(name, JSON_IS_U64, __VA_ARGS__)
#define JSON_I64(name, ...)	      JSON_MEMBER(name, JSON_IS_I64, __VA_ARGS__)
#define JSON_F64(name, ...)	      JSON_MEMBER(name, JSON_IS_F64, __VA_ARGS__)
#define JSON_F64_OR_NULL(name, ...)   JSON_MEMBER(name, JSON_IS_F64_OR_NULL, __VA_ARGS__)
/* A struct decimal; what is too large for one is an error. */
#define JSON_DECIMAL(name, ...) JSON_MEMBER(name, JSON_IS_DECIMAL, __VA_ARGS__)
/* A bool that becomes true by true, and by a string; anything else leaves it alone. */
#define JSON_FLAG(name, ...) JSON_MEMBER(name, JSON_IS_FLAG, __VA_ARGS__)
/* A struct json that begins where the value does, which is passed over. */
#define JSON_MARK(name, ...) JSON_MEMBER(name, JSON_IS_MARK, __VA_ARGS__)
/* The value, or each item of it, an array, is read by a function. */
#define JSON_READ(name, function, ...)                                                             \
	{                                                                                          \
		.key = STR_INIT(name), .kind = JSON_IS_READ, .read = function, .to = __VA_ARGS__   \
	}
#define JSON_EACH(name, function, ...)                                                             \
	{                                                                                          \
		.key = STR_INIT(name), .kind = JSON_IS_EACH, .read = function, .to = __VA_ARGS__   \
	}
/* An object of which a table of its own tells the members. */
#define JSON_OBJECT(name, table)                                                                   \
	{                                                                                          \
		.key = STR_INIT(name), .kind = JSON_IS_OBJECT, .members = table,                   \
		.n = COUNT_OF(table)                                                               \
	}

#define JSON_OBJECT_OR_SKIP(name, table)                                                           \
	{                                                                                          \
		.key = STR_INIT(name), .kind = JSON_IS_OBJECT, .members = table,                   \
		.n = COUNT_OF(table), .only = '{'                                                  \
	}

/* Reads an object by a table; members that it does not name are passed over.  False when an error
 * was reported. */
MUST_CHECK bool json_members(struct json *j, const struct json_member *m, size_t n);

MUST_CHECK bool json_end(struct json *j); /* nothing follows; reports what does */
/* Reports that what begins at the cursor is not what was expected. */
bool json_unexpected(struct json *j, const char *expected);

#endif
