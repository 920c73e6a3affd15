/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/messages.h"

#include <stdio.h>
#include <unistd.h>

#include "base/out.h"
#include "cli/environment.h"
#include "cli/progress.h"

/* The line that is blamed, which may follow, stays above its caret. */
static void print_message(const struct diag_msg *msg)
{
	struct out *o = out_to_file(stderr), *whole = out_to_memory();
	unsigned width = terminal_width(STDERR_FILENO);
	struct str message, blamed;

	diag_render(whole, msg);
	message = blamed = out_memory(whole);
	if (width > 0 && str_cut(blamed, '\n', &message, &blamed)) {
		out_set_line_width(o, width);
		out_bytes(o, message);
		out_char(o, '\n');
		out_set_line_width(o, 0);
	}
	out_bytes(o, blamed);
	out_free(whole);
	if (!out_close(o))
		clearerr(stderr);
}

void messages_print(void *ctx, const struct diag_msg *msg)
{
	struct messages_out *m = ctx;

	if (m->quiet && msg->severity != SEV_ERROR)
		return;
	if (msg->severity == SEV_NOTE && m->notes[msg->code]++ > 0)
		return;
	progress_pause(m->progress);
	print_message(msg);
	progress_go_on(m->progress);
}

void messages_tell_more_notes(const struct messages_out *m)
{
	for (int code = 0; code < N_DIAG_CODES; code++) {
		if (m->notes[code] > 1)
			(void)fprintf(stderr, "osprof: note: %zu more like this [%s]\n",
				      m->notes[code] - 1, diag_name((enum diag_code)code));
	}
}
