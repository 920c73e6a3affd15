/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How readers report errors. */
#include <stdarg.h>
#include <stdio.h>

#include "base/input/input_file.h"
#include "formats/format.h"

bool format_is_text(struct input *in, struct diag *diag)
{
	return input_is_text(in, in->bytes, diag);
}

bool format_ends_early(const struct read_task *task)
{
	return task->options->partial && task->diag->truncated &&
	       task->diag->seen[SEV_ERROR] == task->errors && !builder_failed(task->to);
}

bool format_vfail(struct input *in, struct diag *diag, enum diag_code code, struct str where,
		  const char *fmt, va_list ap)
{
	char text[300];

	bool advise = code == DIAG_INPUT_TRUNCATED && !diag->lenient;

	(void)vsnprintf(text, sizeof(text), fmt, ap);
	diag_at(diag, code, in, (size_t)(where.p - in->bytes.p), where.n, "%s%s", text,
		advise ? "; --partial reads what is there" : "");
	return false;
}

bool format_fail(struct input *in, struct diag *diag, enum diag_code code, struct str where,
		 const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)format_vfail(in, diag, code, where, fmt, ap);
	va_end(ap);
	return false;
}
