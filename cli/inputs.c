/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "cli/settings.h"

static void fail(struct inputs *i, const char *path, struct diag *diag)
{
	diag_plain(diag, DIAG_INPUT_UNREADABLE, "%s: %s", path, strerror(errno));
	i->failed = true;
}

bool inputs_open(struct inputs *i, const struct settings *s, struct diag *diag)
{
	*i = (struct inputs){ .settings = s, .can_come_back = true };
	if (s->files_from == NULL)
		return true;
	if (strcmp(s->files_from, "-") == 0) {
		i->list = stdin;
		i->can_come_back = false;
		return true;
	}
	i->list = fopen(s->files_from, "re");
	if (i->list == NULL)
		fail(i, s->files_from, diag);
	return i->list != NULL;
}

/* The next line that is not empty, without its end; NULL when there is none. */
static char *next_line(struct inputs *i, struct diag *diag)
{
	int end = i->settings->nul ? '\0' : '\n';
	ssize_t n;

	while (i->list != NULL && (n = getdelim(&i->line, &i->cap_line, end, i->list)) >= 0) {
		if (n > 0 && i->line[n - 1] == end)
			i->line[--n] = '\0';
		if (n > 0 && memchr(i->line, '\0', (size_t)n) != NULL) {
			diag_plain(diag, DIAG_INPUT_BINARY,
				   "%s: a NUL byte in a name; --null is for names that end with it",
				   i->settings->files_from);
			i->failed = true;
			return NULL;
		}
		if (n > 0)
			return i->line;
	}
	if (i->list != NULL && ferror(i->list))
		fail(i, i->settings->files_from, diag);
	return NULL;
}

static char *next_name(struct inputs *i, struct diag *diag)
{
	const struct settings *s = i->settings;

	return i->n_operands_taken < s->n_operands ? s->operand[i->n_operands_taken++]
						   : next_line(i, diag);
}

static char *take_folder_file(struct inputs *i)
{
	char *path = i->folder.v[i->n_folder_taken].path;

	i->folder.v[i->n_folder_taken++].path = NULL;
	i->number++;
	return path;
}

char *inputs_next(struct inputs *i, struct diag *diag)
{
	struct stat st;
	char *name;
	bool known;

	if (i->n_folder_taken < i->folder.n)
		return take_folder_file(i);
	if (i->failed || (name = next_name(i, diag)) == NULL)
		return NULL;
	known = stat(name, &st) == 0;
	if (known && S_ISDIR(st.st_mode)) {
		file_list_release(&i->folder);
		i->n_folder_taken = 0;
		i->failed = !file_list_of(&i->folder, &name, 1, diag);
		return i->failed ? NULL : take_folder_file(i);
	}
	i->can_come_back &= known && S_ISREG(st.st_mode) && strcmp(name, "-") != 0;
	i->number++;
	return path_join(NULL, name);
}

void inputs_close(struct inputs *i)
{
	if (i->list != NULL && i->list != stdin)
		(void)fclose(i->list);
	file_list_release(&i->folder);
	free(i->line);
}

struct str inputs_host_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	size_t n = strcspn(name + 1, ".");

	return (struct str){ name, name[0] == '\0' ? 0 : n + 1 };
}
