/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/hearing.h"

#include "base/out.h"

void hearing_take(void *hearing, const struct diag_msg *msg)
{
	struct hearing *h = hearing;

	h->wrapped |= msg->code == DIAG_PREFIX_STRIPPED;
	if (msg->severity != SEV_ERROR || h->text->n > 0)
		return;
	h->code = msg->code;
	h->line = diag_line(msg);
	out_printf(h->text, "%s: %s", diag_text(msg->code), msg->detail != NULL ? msg->detail : "");
}

bool hearing_is_empty(const struct hearing *h)
{
	return h->code == DIAG_NO_OPERATIONS || h->code == DIAG_INPUT_EMPTY;
}

bool hearing_is_undecided(const struct hearing *h)
{
	return h->code == DIAG_FORMAT_UNKNOWN || h->code == DIAG_FORMAT_AMBIGUOUS ||
	       h->code == DIAG_INPUT_TRUNCATED;
}

bool hearing_is_truncated(const struct hearing *h)
{
	return h->code == DIAG_INPUT_TRUNCATED;
}

bool hearing_is_of_line(const struct hearing *h)
{
	return h->line > 1 && !hearing_is_undecided(h) && h->code != DIAG_OTHER_FILE &&
	       h->code != DIAG_ENCODING_BAD && h->code != DIAG_COMPRESSED_BAD;
}
