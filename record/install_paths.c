/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/install_paths.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

/* Finds the folder that this program is in. */
static bool find_own_folder(char *folder, size_t room)
{
	ssize_t n = readlink("/proc/self/exe", folder, room - 1);
	char *slash;

	if (n <= 0)
		return false;
	folder[n] = '\0';
	slash = strrchr(folder, '/');
	if (slash == NULL)
		return false;
	*slash = '\0';
	return true;
}

static char *join_paths(const char *folder, const char *below, const char *name)
{
	size_t room = strlen(folder) + strlen(below) + strlen(name) + 3;
	char *path = xcalloc(room, 1);

	(void)snprintf(path, room, "%s/%s/%s", folder, below, name);
	return path;
}

static char *find_installed(const char *built, const char *installed, const char *name)
{
	char folder[PATH_MAX];
	char *path;

	if (!find_own_folder(folder, sizeof(folder)))
		return NULL;
	path = join_paths(folder, built, name);
	if (access(path, R_OK) == 0)
		return path;
	free(path);
	path = join_paths(folder, installed, name);
	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

char *path_of_library(const char *name)
{
	return find_installed("collect", OSPROF_FROM_BIN_TO_LIB, name);
}

char *path_of_helper(const char *name)
{
	return find_installed("collect", OSPROF_FROM_BIN_TO_HELPERS, name);
}

char *path_of_script(const char *name)
{
	return find_installed("collect", OSPROF_FROM_BIN_TO_DATA, name);
}

char *path_of_example(const char *name)
{
	return find_installed("packaging/testdata", OSPROF_FROM_BIN_TO_DATA "/examples/testdata",
			      name);
}

char *path_of_plugin_host(void)
{
	return find_installed(".", OSPROF_FROM_BIN_TO_HELPERS, "osprof-plugin-host");
}
