/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a fuzz target over kept inputs, as an ordinary test: every regular file below
 * the folders given, and every prefix of the small ones. Folders after --whole have
 * only whole files: there are too many of them to be cut in every place.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/input.h"
#include "tests/fuzz/fuzz.h"

enum { LIMIT = 1 << 20, SMALL = 400, PATH_ROOM = 1024 };

static size_t n_files;
static bool with_prefixes = true;

/* From the heap at its exact size, so that a sanitizer sees reads past the end. */
static void replay(const char *bytes, size_t n)
{
	uint8_t *copy = malloc(n > 0 ? n : 1);

	if (copy == NULL)
		exit(2);
	memcpy(copy, bytes, n);
	(void)LLVMFuzzerTestOneInput(copy, n);
	free(copy);
}

static void replay_file(const char *path)
{
	struct diag diag = { .emit = NULL };
	struct input in;

	if (!input_open(&in, path, LIMIT, &diag))
		return;
	if (with_prefixes && in.bytes.n <= SMALL) {
		for (size_t n = 0; n < in.bytes.n; n++)
			replay(in.bytes.p, n);
	}
	replay(in.bytes.p, in.bytes.n);
	input_release(&in);
	n_files++;
}

/* What a test expects of an input is none. */
static bool is_input(const char *path)
{
	const char *suffix = strrchr(path, '.');

	return suffix == NULL || strcmp(suffix, ".expect") != 0;
}

static void walk(const char *path)
{
	struct dirent **entry;
	struct stat st;
	int n;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
		if (is_input(path))
			replay_file(path);
		return;
	}
	n = scandir(path, &entry, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		char below[PATH_ROOM];

		(void)snprintf(below, sizeof(below), "%s/%s", path, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.')
			walk(below);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--whole") == 0)
			with_prefixes = false;
		else
			walk(argv[i]);
	}
	(void)printf("%zu files\n", n_files);
	return n_files > 0 ? 0 : 1;
}
