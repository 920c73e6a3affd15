/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/examples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/str.h"
#include "base/xalloc.h"
#include "program/settings.h"
#include "record/install_paths.h"

static const struct str example_prefix = STR_INIT("example:");

/* Returns the path of an example, whose name may be that of one of runs/; NULL: there is none. */
static char *example_path(const char *folder, struct str name)
{
	char *below = xcalloc(strlen(folder) + name.n + 1, 1), *path;

	(void)snprintf(below, strlen(folder) + name.n + 1, "%s%.*s", folder, STR_ARG(name));
	path = path_of_example(below);
	free(below);
	return path;
}

/* Returns what an operand stands for, on the heap: the path, and the part of the file that is
 * meant ("@:60s").  NULL: there is no such example. */
static char *example_operand(struct str name)
{
	const char *at = memchr(name.p, '@', name.n);
	struct str file = { name.p, at != NULL ? (size_t)(at - name.p) : name.n };
	char *found = example_path("runs/", file), *path, *operand;
	size_t room;

	if (found == NULL)
		found = example_path("", file);
	path = found != NULL ? realpath(found, NULL) : NULL; /* without bin/../ */
	free(found);
	if (path == NULL || at == NULL)
		return path;
	room = strlen(path) + strlen(at) + 1;
	operand = xcalloc(room, 1);
	(void)snprintf(operand, room, "%s%s", path, at);
	free(path);
	return operand;
}

bool examples_resolve(struct settings *s, struct diag *diag)
{
	for (size_t i = 0; i < s->options.load.n_operands; i++) {
		struct str operand = str_from(s->options.load.operand[i]);
		char *path;

		if (!str_has_prefix(operand, example_prefix))
			continue;
		path = example_operand(str_skip(operand, example_prefix.n));
		if (path == NULL) {
			diag_plain(diag, DIAG_INPUT_UNREADABLE,
				   "%s: no such example; osprof(1) says where they are",
				   s->options.load.operand[i]);
			return false;
		}
		s->example =
			xgrow(s->example, &s->examples_cap, s->n_examples + 1, sizeof(*s->example));
		s->example[s->n_examples++] = s->options.load.operand[i] = path;
	}
	return true;
}

void examples_release(struct settings *s)
{
	for (size_t i = 0; i < s->n_examples; i++)
		free(s->example[i]);
	free(s->example);
}
