/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffered text output, to a FILE or to memory. */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/attr.h"
#include "base/str.h"

/* An output; only the functions below use its members. */
struct out {
	FILE *file; /* NULL: memory */
	char *buf;
	size_t n, cap;
	int error; /* errno of the first write that failed; 0: none */
	unsigned line_width;
};

struct out *out_to_file(FILE *f); /* borrows f; out_close() flushes but does not close it */
struct out *out_to_memory(void);
/* For a file: breaks lines that are wider than so many terminal columns at blanks; 0: none. */
void out_set_line_width(struct out *o, unsigned line_width);

void out_code_point(struct out *o, uint32_t code); /* as UTF-8 */
void out_printf(struct out *o, const char *fmt, ...) PRINTF_LIKE(2, 3);
void out_u64(struct out *o, uint64_t v);
/* Writes the shortest digits that read back as the same double, in every locale;
 * "inf", "-inf" or "nan" if it is not finite. */
void out_f64(struct out *o, double v);
/* The same, rounded to so many significant digits (1 to 15); several times faster. */
void out_digits(struct out *o, double v, int digits);
/* Writes so many digits after the point, as printf's %.*f in the C locale. */
void out_decimals(struct out *o, double v, int decimals);

void out_reset(struct out *o);		  /* empties an output to memory */
void out_flush(struct out *o);		  /* writes what is buffered */
MUST_CHECK bool out_close(struct out *o); /* frees; false, with errno, when a write failed */
void out_free(struct out *o);		  /* frees without flushing; NULL is fine */

/* --- inline, since called for every cell ------------------------------------------ */

/* Returns the text in memory, valid until the next write. */
static inline struct str out_memory(const struct out *o)
{
	return (struct str){ o->buf != NULL ? o->buf : "", o->n };
}

/* The slow path of out_reserve(): flushes, or grows the buffer. */
char *out_make_room(struct out *o, size_t n);

/* Returns room for the next n bytes. */
static inline char *out_reserve(struct out *o, size_t n)
{
	return n <= o->cap - o->n ? o->buf + o->n : out_make_room(o, n);
}

/* Writes one byte. */
static inline void out_char(struct out *o, char c)
{
	*out_reserve(o, 1) = c;
	o->n++;
}

/* Writes a byte n times. */
static inline void out_repeat(struct out *o, char c, size_t n)
{
	if (n == 0)
		return;
	memset(out_reserve(o, n), c, n);
	o->n += n;
}

/* Writes bytes as they are, not escaped. */
static inline void out_bytes(struct out *o, struct str s)
{
	if (s.n == 0)
		return;
	memcpy(out_reserve(o, s.n), s.p, s.n);
	o->n += s.n;
}

/* Writes a string as it is, not escaped. */
static inline void out_text(struct out *o, const char *z)
{
	out_bytes(o, str_from(z));
}

/* Appends a name to a list in a message: ", " before all but the first, and at most 40 bytes of
 * the name.  Once the list is long enough, returns false and adds nothing. */
bool out_listed(struct out *o, struct str name);

#endif
