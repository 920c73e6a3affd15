/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/messages.h"

#include <stdio.h>
#include <unistd.h>

#include "base/out.h"
#include "base/platform.h"
#include "program/environment.h"
#include "program/progress.h"

/* Breaks only the message's first line; the input's line must stay above its caret. */
static void print_message(const struct diag_msg *msg)
{
	struct out *o = out_to_file(stderr), *whole = out_to_memory();
	unsigned width = platform_columns(STDERR_FILENO);
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

/* Whether only the first message of this kind is printed; others differ each time. */
static bool is_reported_once(const struct diag_msg *msg)
{
	switch (msg->code) {
	case DIAG_TOTAL_MISMATCH:
	case DIAG_COUNT_MISMATCH:
	case DIAG_EVENTS_LOST:
	case DIAG_APPROXIMATED:
	case DIAG_TRUNCATED:
	case DIAG_INTERVALS_AMBIGUOUS:
		return true;
	default:
		return msg->severity == SEV_NOTE;
	}
}

void messages_print(void *ctx, const struct diag_msg *msg)
{
	struct messages_out *m = ctx;

	if (m->quiet && msg->severity != SEV_ERROR)
		return;
	if (is_reported_once(msg) && m->repeated[msg->code]++ > 0)
		return;
	progress_pause(m->progress);
	print_message(msg);
	progress_go_on(m->progress);
}

void messages_report_more(const struct messages_out *m)
{
	for (int code = 0; code < N_DIAG_CODES; code++) {
		bool note = diag_severity((enum diag_code)code) == SEV_NOTE;

		if (m->repeated[code] > 1)
			(void)fprintf(stderr, "osprof: %s: %zu more like this [%s]\n",
				      note ? "note" : "warning", m->repeated[code] - 1,
				      diag_name((enum diag_code)code));
	}
}
