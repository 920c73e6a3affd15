/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/file_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "formats/programs/uftrace_folder.h"

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
	l->v[l->n++] = (struct listed){ path, found };
}

static int is_visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

bool folder_entries(const char *folder, char ***ret_path, size_t *ret_n, struct diag *diag)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, is_visible, versionsort);

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

bool file_list_of(struct file_list *l, char *const *operand, size_t n, struct diag *diag)
{
	*l = (struct file_list){ .n = 0 };
	for (size_t i = 0; i < n; i++) {
		size_t before = l->n;

		if (!is_folder(operand[i])) {
			add_file(l, path_join(NULL, operand[i]), false);
			continue;
		}
		if (!add_folder(l, operand[i], false, diag))
			return false;
		if (l->n == before) {
			diag_plain(diag, DIAG_INPUT_EMPTY, "%s: no file in this folder",
				   operand[i]);
			return false;
		}
	}
	return true;
}

void file_list_release(struct file_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].path);
	free(l->v);
}
