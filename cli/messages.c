/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/messages.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/out.h"
#include "base/wrap.h"
#include "cli/progress.h"
#include "cli/settings.h"

unsigned terminal_width(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* The line that is blamed, which may follow, stays above its caret. */
static void print_message(const struct diag_msg *msg)
{
	struct out *o = out_to_file(stderr), *whole = out_to_memory();
	unsigned width = terminal_width(STDERR_FILENO);
	struct str message, blamed;

	diag_render(whole, msg);
	message = blamed = out_memory(whole);
	if (width > 0 && str_cut(blamed, '\n', &message, &blamed)) {
		wrap_lines(o, message, width);
		out_char(o, '\n');
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

static bool is_terminal(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && term != NULL && strcmp(term, "dumb") != 0;
}

bool wants_progress(const struct settings *s)
{
	return !s->quiet && is_terminal(STDERR_FILENO);
}

bool wants_color(const struct settings *s)
{
	const char *no_color = getenv("NO_COLOR");

	if (s->color != COLOR_AUTO)
		return s->color == COLOR_ALWAYS;
	if (no_color != NULL && no_color[0] != '\0')
		return false;
	return is_terminal(STDOUT_FILENO);
}

bool wants_unicode(const struct settings *s)
{
	return !s->ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

unsigned wants_width(const struct settings *s)
{
	return s->dress == DRESS_TEXT && s->output == NULL ? terminal_width(STDOUT_FILENO) : 0;
}
