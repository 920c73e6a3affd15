/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text on its way out: to a FILE in the program, to memory in the tests. */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/attr.h"
#include "base/str.h"

struct out;

struct out *out_to_file(FILE *f); /* borrows f; out_close() flushes but does not close it */
struct out *out_to_memory(void);

void out_char(struct out *o, char c);
void out_repeat(struct out *o, char c, size_t n);
void out_bytes(struct out *o, struct str s);
void out_text(struct out *o, const char *z);
void out_printf(struct out *o, const char *fmt, ...) PRINTF_LIKE(2, 3);
void out_u64(struct out *o, uint64_t v);
/* The shortest digits that read back as the same double, in every locale;
 * "inf", "-inf" and "nan" where it is not finite. */
void out_f64(struct out *o, double v);
/* The same rounded to so many significant digits (1 to 15), several times faster. */
void out_digits(struct out *o, double v, int digits);
/* So many digits behind the point, as printf's %.*f has them, in every locale. */
void out_decimals(struct out *o, double v, int decimals);

struct str out_memory(const struct out *o); /* valid until the next write */
void out_reset(struct out *o);		    /* forgets what a memory out holds */
void out_flush(struct out *o);		    /* what was written so far goes out */
MUST_CHECK bool out_close(struct out *o);   /* frees; false when any write failed */
void out_free(struct out *o);		    /* for memory; NULL is fine */

#endif
