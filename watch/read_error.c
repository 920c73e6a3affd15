/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/read_error.h"

#include "base/out.h"

void read_error_emit(void *read_error, const struct diag_msg *msg)
{
	struct read_error *e = read_error;

	e->wrapped |= msg->code == DIAG_PREFIX_STRIPPED;
	if (msg->severity != SEV_ERROR || e->text->n > 0)
		return;
	e->code = msg->code;
	e->line = diag_line(msg);
	out_printf(e->text, "%s: %s", diag_text(msg->code), msg->detail != NULL ? msg->detail : "");
}

bool read_error_is_empty(const struct read_error *e)
{
	return e->code == DIAG_NO_OPERATIONS || e->code == DIAG_INPUT_EMPTY;
}

bool read_error_is_undecided(const struct read_error *e)
{
	return e->code == DIAG_FORMAT_UNKNOWN || e->code == DIAG_FORMAT_AMBIGUOUS ||
	       e->code == DIAG_INPUT_TRUNCATED;
}

bool read_error_is_truncated(const struct read_error *e)
{
	return e->code == DIAG_INPUT_TRUNCATED;
}

bool read_error_is_of_line(const struct read_error *e)
{
	return e->line > 1 && !read_error_is_undecided(e) && e->code != DIAG_OTHER_FILE &&
	       e->code != DIAG_ENCODING_BAD && e->code != DIAG_COMPRESSED_BAD;
}
