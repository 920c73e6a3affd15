/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/glob.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { USUAL_NAME = 128 }; /* longer ones go to the heap */

bool glob_matches(const char *pattern, struct str name)
{
	char room[USUAL_NAME], *text;
	bool matches;

	/* A fast path, since fnmatch() converts each name to wide characters. */
	if (strpbrk(pattern, "*?[\\") == NULL)
		return str_eq(name, str_from(pattern));
	text = name.n < sizeof(room) ? room : xcalloc(name.n + 1, 1);
	if (name.n > 0)
		memcpy(text, name.p, name.n);
	text[name.n] = '\0';
	matches = fnmatch(pattern, text, 0) == 0;
	if (text != room)
		free(text);
	return matches;
}
