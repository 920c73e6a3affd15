/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/environment.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/platform.h"
#include "base/scan.h"
#include "program/settings.h"

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

enum { USUAL_WIDTH = 80, MIN_WIDTH = 20, MAX_WIDTH = 10000 };

/* The columns that COLUMNS states, for output that no terminal shows directly. */
static unsigned stated_width(void)
{
	const char *columns = getenv("COLUMNS");
	uint64_t n;

	if (columns == NULL || number_u64(str_from(columns), &n) != NUMBER_OK || n < MIN_WIDTH ||
	    n > MAX_WIDTH)
		return USUAL_WIDTH;
	return (unsigned)n;
}

bool wraps_lines(void)
{
	return platform_columns(STDOUT_FILENO) > 0 || getenv("COLUMNS") != NULL;
}

unsigned wants_width(void)
{
	unsigned width = platform_columns(STDOUT_FILENO);

	return width > 0 ? width : stated_width();
}
