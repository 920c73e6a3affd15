/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A streaming JSON reader: it builds no tree, copies only strings with escapes,
 * and knows the position of every value.
 *
 * On captures of ten thousand histograms a tree library takes more time than all
 * analyses together (tests/bench measures it).  It also knows positions only for
 * syntax errors; messages about wrong counts need them, too.
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
	struct arena *strings; /* holds the decoded strings */
	struct diag *diag;
	unsigned depth;
	bool fresh; /* the innermost object or array was just opened */
	bool failed;
	bool python; /* accept Python's repr(): 'text', b'text', None, True, False */
	bool loose;  /* json_members() also accepts bucket_counts for bucketCounts */
};

/* Starts reading at the cursor; decoded strings go to the arena. */
void json_start(struct json *j, struct cursor c, struct arena *strings, struct diag *diag);

/* Removes leading white space, for probes. */
struct str json_without_space(struct str s);

/* Returns the offset of the next value; json_since() returns the bytes from an offset to the
 * cursor, for error messages. */
size_t json_begin(struct json *j);
static inline struct str json_since(const struct json *j, size_t from)
{
	return (struct str){ j->c.in->bytes.p + from, j->c.at - from };
}

/* Returns the first byte of the next value: { [ " t f n - or a digit; 0 at the end. */
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
/* Begin a loop over the members of an object or the items of an array.  If the next value is
 * neither, that is reported, and the loop ends at once. */
void json_object(struct json *j);
void json_array(struct json *j);
bool json_key(struct json *j, struct str *ret); /* false after the last one, past the '}' */
/* Consumes the comma after an element if it is the next byte. */
static inline bool json_comma(struct json *j)
{
	size_t at = j->c.at;

	if (at == j->c.end || j->c.in->bytes.p[at] != ',' || j->fresh || j->failed)
		return false;
	j->c.at = at + 1;
	return true;
}

/* The two halves of json_key(): whether another member follows, consuming the comma; and its name,
 * consuming the colon. */
bool json_key_any(struct json *j);
static inline bool json_key_follows(struct json *j)
{
	return json_comma(j) || json_key_any(j);
}
MUST_CHECK bool json_key_name(struct json *j, struct str *ret);

/* Whether another item follows; false after the last one, whose ']' is consumed. */
bool json_item_any(struct json *j);
static inline bool json_item(struct json *j)
{
	return json_comma(j) || json_item_any(j);
}

/* Reads and decodes a string; false when an error was reported. */
MUST_CHECK bool json_string(struct json *j, struct str *ret);
/* Reads an integer, also one in quotes: writers quote those that a double cannot hold. */
MUST_CHECK bool json_u64_any(struct json *j, uint64_t *ret);
/* The same, with a fast path for nearly all: few digits, no fraction and no exponent. */
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
MUST_CHECK bool json_number(struct json *j, struct str *ret); /* returns its characters */
/* Reads a string or the characters of a number. */
MUST_CHECK bool json_text(struct json *j, struct str *ret);
/* The same; skips any other value and leaves *ret alone. */
MUST_CHECK bool json_text_or_skip(struct json *j, struct str *ret);
/* Reads a string or number as it is in the file, without quotes but with escapes, so that messages
 * can point to it. */
MUST_CHECK bool json_text_in_place(struct json *j, struct str *ret);
MUST_CHECK bool json_f64(struct json *j, double *ret);
MUST_CHECK bool json_f64_or_null(struct json *j, double *ret); /* null leaves *ret alone */
MUST_CHECK bool json_skip(struct json *j);
/* Reads an array, calling item() for each item; false when an error was reported. */
MUST_CHECK bool json_each(struct json *j, bool (*item)(void *ctx), void *ctx);

/* How a member of an object is read that is named in a table. */
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

/* A member of an object, and where its value goes: a row of a table, made by the macros below. */
struct json_member {
	struct str key;
	void *to;  /* the destination, of the type that `kind` needs, or the argument of read() */
	bool *has; /* set to true if the member is present; or NULL */
	bool (*read)(void *ctx);
	const struct json_member *members; /* of a nested object */
	struct str *where;  /* set to the bytes of the value, even if skipped; or NULL */
	unsigned n;	    /* number of members */
	unsigned char kind; /* enum json_kind */
	char only; /* read only values that begin with this byte, skip others; 0: read all */
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
/* To a struct decimal; a number that is too large for one is an error. */
#define JSON_DECIMAL(name, ...) JSON_MEMBER(name, JSON_IS_DECIMAL, __VA_ARGS__)
/* To a bool: true and strings set it; anything else leaves it alone. */
#define JSON_FLAG(name, ...) JSON_MEMBER(name, JSON_IS_FLAG, __VA_ARGS__)
/* To a struct json that begins at the value, which is skipped. */
#define JSON_MARK(name, ...) JSON_MEMBER(name, JSON_IS_MARK, __VA_ARGS__)
/* A function reads the value (JSON_READ), or each item of an array (JSON_EACH). */
#define JSON_READ(name, function, ...)                                                             \
	{                                                                                          \
		.key = STR_INIT(name), .kind = JSON_IS_READ, .read = function, .to = __VA_ARGS__   \
	}
#define JSON_EACH(name, function, ...)                                                             \
	{                                                                                          \
		.key = STR_INIT(name), .kind = JSON_IS_EACH, .read = function, .to = __VA_ARGS__   \
	}
/* A nested object, read by a table of its own. */
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

/* Reads an object by a table; members that are not in it are skipped.  False when an error was
 * reported. */
MUST_CHECK bool json_members(struct json *j, const struct json_member *m, size_t n);

MUST_CHECK bool json_end(struct json *j); /* reports an error if anything follows */
/* Reports that the input at the cursor is not what was expected.  Returns false. */
bool json_unexpected(struct json *j, const char *expected);

#endif
