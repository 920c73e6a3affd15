/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a fuzz target over kept inputs, as an ordinary test: every regular file below
 * the folders given and in archives (*.tar.xz), and every prefix of the small ones. After
 * --whole they are not cut: there are too many of them for every place.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/input/input.h"
#include "base/input/input_file.h"
#include "base/xalloc.h"
#include "tests/fuzz/archive.h"
#include "tests/fuzz/fuzz.h"

enum { LIMIT = 1 << 20, ARCHIVE_LIMIT = 1 << 26, SMALL = 400, PATH_ROOM = 1024 };

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

static void replay_input(struct str bytes)
{
	if (with_prefixes && bytes.n <= SMALL) {
		for (size_t n = 0; n < bytes.n; n++)
			replay(bytes.p, n);
	}
	replay(bytes.p, bytes.n);
	n_files++;
}

/* The bytes of the file as they are, and as they are read where that differs: decompressed,
 * without its byte order mark and blank lines before the first. */
static void replay_file(const char *path)
{
	struct diag diag = { .emit = NULL };
	char *raw = xcalloc(LIMIT, 1);
	FILE *f = fopen(path, "rb");
	struct input in;
	size_t n = 0;

	if (f != NULL) {
		n = fread(raw, 1, LIMIT, f);
		(void)fclose(f);
		if (n < LIMIT)
			replay_input((struct str){ raw, n });
	}
	if (input_open(&in, path, LIMIT, &diag)) {
		if (!str_eq(in.bytes, (struct str){ raw, n }))
			replay_input(in.bytes);
		input_release(&in);
	}
	free(raw);
}

static void replay_archive(const char *path)
{
	struct diag diag = { .emit = NULL };
	struct str rest, path_in, bytes;
	struct input in;

	if (!input_open(&in, path, ARCHIVE_LIMIT, &diag)) {
		(void)fprintf(stderr, "%s: cannot be opened\n", path);
		exit(2);
	}
	rest = in.bytes;
	while (archive_next(&rest, &path_in, &bytes))
		replay_input(bytes);
	if (in.bytes.n == 0 || rest.n > 0) {
		(void)fprintf(stderr, "%s: not a tar archive, or cut off\n", path);
		exit(2);
	}
	input_release(&in);
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
		if (str_has_suffix(str_from(path), STR(".tar.xz")))
			replay_archive(path);
		else if (is_input(path))
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
