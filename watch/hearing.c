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
