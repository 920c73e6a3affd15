/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/input/input.h"
#include "base/input/input_file.h"
#include "base/xalloc.h"
#include "load/gather.h"
#include "load/load_options.h"

static void fail_input(struct inputs *i, const char *path, struct diag *diag)
{
	diag_plain(diag, DIAG_INPUT_UNREADABLE, "%s: %s", path, strerror(errno));
	i->failed = true;
}

bool inputs_open(struct inputs *i, const struct load_options *q, struct diag *diag)
{
	*i = (struct inputs){ .load = q, .can_come_back = true };
	if (q->files_from == NULL)
		return true;
	if (strcmp(q->files_from, "-") == 0) {
		i->list = stdin;
		i->can_come_back = false;
		return true;
	}
	i->list = fopen(q->files_from, "re");
	if (i->list == NULL)
		fail_input(i, q->files_from, diag);
	return i->list != NULL;
}

/* Returns the next line that is not empty, without its end; NULL when there is none. */
static char *next_line(struct inputs *i, struct diag *diag)
{
	int end = i->load->nul ? '\0' : '\n';
	ssize_t n;

	while (i->list != NULL && (n = getdelim(&i->line, &i->cap_line, end, i->list)) >= 0) {
		if (n > 0 && i->line[n - 1] == end)
			i->line[--n] = '\0';
		if (n > 0 && memchr(i->line, '\0', (size_t)n) != NULL) {
			diag_plain(diag, DIAG_INPUT_BINARY,
				   "%s: a NUL byte in a name; --null is for names that end with it",
				   i->load->files_from);
			i->failed = true;
			return NULL;
		}
		if (n > 0)
			return i->line;
	}
	if (i->list != NULL && ferror(i->list))
		fail_input(i, i->load->files_from, diag);
	return NULL;
}

static char *next_name(struct inputs *i, struct diag *diag)
{
	const struct load_options *q = i->load;

	return i->n_operands_taken < q->n_operands ? q->operand[i->n_operands_taken++]
						   : next_line(i, diag);
}

static char *take_folder_file(struct inputs *i)
{
	char *path = i->folder.v[i->n_folder_taken].path;

	i->folder.v[i->n_folder_taken++].path = NULL;
	i->number++;
	return path;
}

/* Opens a folder: its files in osprof(5) come one by one, then the rest together. */
static bool open_folder(struct inputs *i, char *name, struct diag *diag)
{
	size_t kept = 0;

	file_list_release(&i->folder);
	i->n_folder_taken = 0;
	if (!file_list_of(&i->folder, &name, 1, diag))
		return false;
	for (size_t k = 0; k < i->folder.n; k++) {
		bool own = is_own_file(i->folder.v[k].path);

		if (own && !i->load->only_rest) {
			i->folder.v[kept++] = i->folder.v[k];
			continue;
		}
		free(i->folder.v[k].path);
		if (!own && i->rest == NULL)
			i->rest = path_join(NULL, name);
	}
	i->folder.n = kept;
	return true;
}

static char *take_rest(struct inputs *i)
{
	char *folder = i->rest;

	i->rest = NULL;
	i->is_rest = true;
	i->number++;
	return folder;
}

static void note_once(struct inputs *i, const char *name, int error)
{
	i->can_come_back = false;
	if (i->once != NULL)
		return;
	i->once = path_join(NULL, name);
	i->once_errno = error;
}

char *inputs_next(struct inputs *i, struct diag *diag)
{
	struct stat st;
	char *name;
	bool known;
	int error;

	i->is_rest = false;
	if (i->n_folder_taken < i->folder.n)
		return take_folder_file(i);
	if (i->rest != NULL)
		return take_rest(i);
	if (i->failed || (name = next_name(i, diag)) == NULL)
		return NULL;
	known = stat(name, &st) == 0;
	error = errno;
	if (is_folder(name)) {
		i->failed = !open_folder(i, name, diag);
		return i->failed ? NULL : inputs_next(i, diag);
	}
	if (!known || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) || strcmp(name, "-") == 0)
		note_once(i, name, known ? 0 : error);
	i->number++;
	return path_join(NULL, name);
}

void inputs_close(struct inputs *i)
{
	if (i->list != NULL && i->list != stdin)
		(void)fclose(i->list);
	file_list_release(&i->folder);
	free(i->line);
	free(i->rest);
	free(i->once);
}

struct str inputs_host_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	size_t n = strcspn(name + 1, ".");

	return (struct str){ name, name[0] == '\0' ? 0 : n + 1 };
}

enum { HEAD_BYTES = 8192 };

static struct str stated_host(const struct input *in)
{
	struct str head = in->bytes, line;

	while (str_has_prefix(in->bytes, STR("osprof 1\n")) && str_cut(head, '\n', &line, &head) &&
	       !str_has_prefix(line, STR("op "))) {
		if (str_has_prefix(line, STR("host ")))
			return str_trim(str_skip(line, sizeof("host ") - 1));
	}
	return STR("");
}

static char *on_heap(struct str s)
{
	char *copy = xcalloc(s.n + 1, 1);

	if (s.n > 0)
		memcpy(copy, s.p, s.n);
	return copy;
}

char *inputs_host_in(const char *path)
{
	struct str host = STR("");
	struct diag ignored = { 0 };
	struct input in;
	struct stat st;
	char *copy;

	if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    !input_begin(&in, path, HEAD_BYTES, HEAD_BYTES, NULL, &ignored))
		return on_heap(inputs_host_of(path));
	host = stated_host(&in);
	copy = on_heap(host.n > 0 ? host : inputs_host_of(path));
	input_release(&in);
	return copy;
}
