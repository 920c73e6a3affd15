/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/sidecar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input/input.h"
#include "base/input/input_file.h"
#include "base/outfile.h"
#include "base/xalloc.h"
#include "load/load_options.h"

static const char suffix[] = "osprof-annotations";

static char *in_folder(const char *folder, const char *format_prefix, const char *name)
{
	size_t room = strlen(folder) + strlen(name) + sizeof(suffix) + 8;
	char *path = xcalloc(room, 1);

	(void)snprintf(path, room, "%s%s%s%s%s", folder, format_prefix, name,
		       name[0] != '\0' ? "." : "", suffix);
	return path;
}

static char *beside_file(const char *file)
{
	const char *slash = strrchr(file, '/');
	char *folder = xcalloc(strlen(file) + 1, 1), *path;

	if (slash != NULL)
		memcpy(folder, file, (size_t)(slash - file) + 1);
	path = in_folder(folder, ".", slash != NULL ? slash + 1 : file);
	free(folder);
	return path;
}

char *sidecar_path(const struct load_options *q)
{
	const char *run = q->operand[q->separated ? q->n_before : q->n_operands - 1];
	size_t n = strlen(run);
	struct stat st;

	if (strcmp(run, "-") == 0 || memory_operand(q, run) != NULL)
		return NULL;
	if (stat(run, &st) == 0 && S_ISDIR(st.st_mode))
		return in_folder(run, n > 0 && run[n - 1] == '/' ? "." : "/.", "");
	return beside_file(run);
}

struct annotations *sidecar_load(const char *path, const struct load_options *q, struct diag *diag)
{
	struct annotations *r;
	struct input in;

	if (path == NULL || access(path, F_OK) != 0)
		return annotations_new();
	if (!input_open(&in, path, q->max_input, diag))
		return NULL;
	r = annotations_read(&in, diag);
	input_release(&in);
	return r;
}

bool sidecar_save(const char *path, const struct annotations *r, struct diag *diag)
{
	struct outfile f;

	if (!outfile_open(&f, path, true, NULL, diag))
		return false;
	annotations_write(r, f.out);
	return outfile_commit(&f, diag);
}
