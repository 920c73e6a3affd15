/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/file_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/platform.h"
#include "base/xalloc.h"
#include "formats/programs/uftrace_folder.h"
#include "load/load_options.h"

char *path_join(const char *folder, const char *name)
{
	size_t room = (folder != NULL ? strlen(folder) + 1 : 0) + strlen(name) + 1;
	char *path = xcalloc(room, 1);

	if (folder != NULL) {
		strcpy(path, folder);
		if (path[0] != '\0' && path[strlen(path) - 1] != '/')
			strcat(path, "/");
	}
	strcat(path, name);
	return path;
}

static void add_file(struct file_list *l, char *path, bool found)
{
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof(*l->v));
	l->v[l->n++] = (struct listed){ .path = path, .found = found };
}

static int is_visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

bool folder_entries(const char *folder, char ***ret_path, size_t *ret_n, struct diag *diag)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, is_visible, platform_natural_entries);

	if (n < 0) {
		diag_plain(diag, DIAG_INPUT_UNREADABLE, "%s: %s", folder, strerror(errno));
		return false;
	}
	*ret_path = xcalloc((size_t)n + 1, sizeof(**ret_path));
	*ret_n = (size_t)n;
	for (int i = 0; i < n; i++) {
		(*ret_path)[i] = path_join(folder, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return true;
}

bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && !uftrace_is_folder(path);
}

bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) != 0 || S_ISREG(st.st_mode) || uftrace_is_folder(path);
}

/* Adds the files of a folder; if there are none, those of its folders, one level deep. */
static bool add_folder(struct file_list *l, const char *folder, bool nested, struct diag *diag)
{
	size_t n, before = l->n;
	bool ok = true;
	char **path;

	if (!folder_entries(folder, &path, &n, diag))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (is_file(path[i]))
			add_file(l, path_join(NULL, path[i]), true);
	}
	if (l->n == before && !nested) {
		for (size_t i = 0; ok && i < n; i++)
			ok = !is_folder(path[i]) || add_folder(l, path[i], true, diag);
	}
	for (size_t i = 0; i < n; i++)
		free(path[i]);
	free(path);
	return ok;
}

static bool add_operand(struct file_list *l, const char *operand, struct diag *diag)
{
	size_t before = l->n;

	if (!is_folder(operand)) {
		add_file(l, path_join(NULL, operand), false);
		return true;
	}
	if (!add_folder(l, operand, false, diag))
		return false;
	if (l->n == before)
		diag_plain(diag, DIAG_INPUT_EMPTY, "%s: no file in this folder", operand);
	return l->n > before;
}

bool file_list_of(struct file_list *l, char *const *operand, size_t n, struct diag *diag)
{
	bool ok = true;

	*l = (struct file_list){ .n = 0 };
	for (size_t i = 0; ok && i < n; i++)
		ok = add_operand(l, operand[i], diag);
	return ok;
}

bool file_list_with_memory(struct file_list *l, char *const *operand, size_t n,
			   const struct load_options *q, struct diag *diag)
{
	bool ok = true;

	*l = (struct file_list){ .n = 0 };
	for (size_t i = 0; ok && i < n; i++) {
		const struct memory_input *memory = memory_operand(q, operand[i]);

		if (memory != NULL) {
			add_file(l, path_join(NULL, operand[i]), false);
			l->v[l->n - 1].memory = memory;
		} else {
			ok = add_operand(l, operand[i], diag);
		}
	}
	return ok;
}

void file_list_release(struct file_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].path);
	free(l->v);
}
