/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/out.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { FLUSH_AT = 64 * 1024 };

struct out {
	FILE *file; /* NULL: keep it all in memory */
	char *buf;
	size_t n, cap;
	bool failed;
};

struct out *out_to_file(FILE *f)
{
	struct out *o = xcalloc(1, sizeof(*o));

	o->file = f;
	return o;
}

struct out *out_to_memory(void)
{
	return xcalloc(1, sizeof(struct out));
}

static void flush(struct out *o)
{
	if (o->file == NULL || o->n == 0)
		return;
	if (fwrite(o->buf, 1, o->n, o->file) != o->n)
		o->failed = true;
	o->n = 0;
}

static char *reserve(struct out *o, size_t n)
{
	if (o->file != NULL && o->n + n > FLUSH_AT)
		flush(o);
	o->buf = xgrow(o->buf, &o->cap, o->n + n, 1);
	return o->buf + o->n;
}

void out_char(struct out *o, char c)
{
	*reserve(o, 1) = c;
	o->n++;
}

void out_repeat(struct out *o, char c, size_t n)
{
	if (n == 0)
		return;
	memset(reserve(o, n), c, n);
	o->n += n;
}

void out_bytes(struct out *o, struct str s)
{
	if (s.n == 0)
		return;
	memcpy(reserve(o, s.n), s.p, s.n);
	o->n += s.n;
}

void out_text(struct out *o, const char *z)
{
	out_bytes(o, str_from(z));
}

void out_printf(struct out *o, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0) {
		o->failed = true;
		return;
	}
	va_start(ap, fmt);
	(void)vsnprintf(reserve(o, (size_t)n + 1), (size_t)n + 1, fmt, ap);
	va_end(ap);
	o->n += (size_t)n;
}

void out_u64(struct out *o, uint64_t v)
{
	char digits[20];
	size_t n = sizeof(digits);

	do {
		digits[--n] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	out_bytes(o, (struct str){ digits + n, sizeof(digits) - n });
}

void out_f64(struct out *o, double v)
{
	const double exact_integers = 9007199254740992.0; /* 2^53 */
	char text[40];

	if (isnan(v)) {
		out_text(o, "nan");
	} else if (isinf(v)) {
		out_text(o, v > 0 ? "inf" : "-inf");
	} else if (v == floor(v) && fabs(v) < exact_integers) {
		if (signbit(v) && v != 0)
			out_char(o, '-');
		out_u64(o, (uint64_t)fabs(v));
	} else {
		int digits = 15;

		do {
			(void)snprintf(text, sizeof(text), "%.*g", digits, v);
		} while (digits++ < 17 && strtod(text, NULL) != v);
		out_text(o, text);
	}
}

struct str out_memory(const struct out *o)
{
	return (struct str){ o->buf != NULL ? o->buf : "", o->n };
}

void out_reset(struct out *o)
{
	o->n = 0;
}

bool out_close(struct out *o)
{
	bool fine;

	flush(o);
	if (o->file != NULL && fflush(o->file) != 0)
		o->failed = true;
	fine = !o->failed;
	out_free(o);
	return fine;
}

void out_free(struct out *o)
{
	if (o == NULL)
		return;
	free(o->buf);
	free(o);
}
