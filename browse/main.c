/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof-tui: the browser. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_errno.h>

#include "base/out.h"
#include "base/outfile.h"
#include "browse/browse.h"
#include "program/browse_command.h"
#include "program/environment.h"
#include "program/messages.h"

/* Without operands, reads standard input if it is a pipe. */
static bool name_the_pipe(struct settings *s, struct diag *diag)
{
	static char standard_input[] = "-";

	if (isatty(STDIN_FILENO)) {
		diag_plain(diag, DIAG_USAGE, "osprof-tui [options] %s", command_browse.operands);
		return false;
	}
	s->options.load.operand[s->options.load.n_operands++] = standard_input;
	s->options.load.n_before = 1;
	return true;
}

static enum exit_status run_browser(struct context *cx, struct settings *s)
{
	cx->style = (struct style){ .color = wants_color(s), .unicode = wants_unicode(s) };
	if (s->help) {
		command_help(cx->out, &command_browse);
		return EXIT_OK;
	}
	if (s->options.load.n_operands == 0 && s->watch.n_watched == 0 &&
	    !name_the_pipe(s, cx->diag))
		return EXIT_ERROR;
	if (browse_has_terminal())
		return browse(cx, s);
	if (s->watch.n_watched > 0) {
		diag_plain(cx->diag, DIAG_USAGE, "--watch needs a terminal; use osprof watch");
		return EXIT_ERROR;
	}
	cx->style.width = wants_width();
	out_set_line_width(cx->out, wraps_lines() ? cx->style.width : 0);
	diag_plain(cx->diag, DIAG_NO_TERMINAL, "what the browser would list is printed instead");
	return browse_as_table(cx, s);
}

int main(int argc, char **argv)
{
	struct messages_out messages = { .quiet = false };
	struct diag diag = { .emit = messages_print, .ctx = &messages };
	struct context cx = { .out = out_to_file(stdout), .diag = &diag };
	enum exit_status status = EXIT_ERROR;
	struct settings s;

	(void)setlocale(LC_CTYPE, "");
	(void)gsl_set_error_handler_off();
	(void)signal(SIGPIPE, SIG_DFL);
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		out_text(cx.out, "osprof-tui " OSPROF_VERSION "\n");
		status = EXIT_OK;
	} else if (settings_parse(&s, &command_browse, argc, argv, &diag)) {
		messages.quiet = s.quiet;
		status = run_browser(&cx, &s);
		settings_release(&s);
	}
	messages_report_more(&messages);
	return outfile_close_standard(cx.out, &diag) ? (int)status : EXIT_ERROR;
}
