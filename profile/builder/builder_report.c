/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors and warnings about what a reader pushes. */
#include <stdarg.h>
#include <stdio.h>

#include "profile/builder/builder_parts.h"

static void report_at(struct builder *b, enum diag_code code, struct str where, const char *fmt,
		      va_list ap)
{
	const char *start = b->in->bytes.p, *end = start + b->in->bytes.n;
	char text[300] = "";

	if (diag_is_reported(b->diag, code))
		(void)vsnprintf(text, sizeof(text), fmt, ap);
	if (where.p != NULL && where.p >= start && where.p <= end)
		diag_at(b->diag, code, b->in, (size_t)(where.p - start), where.n, "%s", text);
	else
		diag_file(b->diag, code, b->in, "%s", text);
}

bool build_fail(struct builder *b, enum diag_code code, struct str where, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report_at(b, code, where, fmt, ap);
	va_end(ap);
	b->failed = true;
	return false;
}

void build_warn(struct builder *b, enum diag_code code, struct str where, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report_at(b, code, where, fmt, ap);
	va_end(ap);
}

RARELY bool sum_overflows(struct builder *b, struct str where)
{
	return build_fail(b, DIAG_COUNT_OVERFLOW, where, "the sum passes 2^64-1 here");
}
