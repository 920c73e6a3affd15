/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text on its way out: to a FILE in the program, to memory in the tests. */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/attr.h"
#include "base/str.h"

/* What is in it is for the functions below. */
struct out {
	FILE *file; /* NULL: all is kept in memory */
	char *buf;
	size_t n, cap;
	int error; /* of the first write that failed; 0: none did */
	unsigned line_width;
};

struct out *out_to_file(FILE *f); /* borrows f; out_close() flushes but does not close it */
struct out *out_to_memory(void);
/* Of a file: lines that take more columns of a terminal are broken at blanks; 0: none are. */
void out_set_line_width(struct out *o, unsigned line_width);

void out_code_point(struct out *o, uint32_t code); /* as UTF-8 */
void out_printf(struct out *o, const char *fmt, ...) PRINTF_LIKE(2, 3);
void out_u64(struct out *o, uint64_t v);
/* The shortest digits that read back as the same double, in every locale;
 * "inf", "-inf" and "nan" where it is not finite. */
void out_f64(struct out *o, double v);
/* The same rounded to so many significant digits (1 to 15), several times faster. */
void out_digits(struct out *o, double v, int digits);
/* So many digits after the point, as printf's %.*f has them, in every locale. */
void out_decimals(struct out *o, double v, int decimals);

void out_reset(struct out *o);		  /* forgets what a memory out holds */
void out_flush(struct out *o);		  /* what was written so far goes out */
MUST_CHECK bool out_close(struct out *o); /* frees; false, with errno, when a write failed */
void out_free(struct out *o);		  /* for memory; NULL is fine */

/* --- written cell by cell: inline ------------------------------------------------- */

/* Valid until the next write. */
static inline struct str out_memory(const struct out *o)
{
	return (struct str){ o->buf != NULL ? o->buf : "", o->n };
}

/* Room for n more bytes at the end of a buffer in memory. */
char *out_make_room(struct out *o, size_t n);

/* Where the next n bytes will lie. */
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

/* A name in a list that has to fit into a message: ", " before all but the first, and at most 40
 * bytes of it.  False, and nothing is added, once the list is long enough. */
bool out_listed(struct out *o, struct str name);

#endif
