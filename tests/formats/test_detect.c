/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who claims whose files: every capture of testdata against every format.
 *
 * testdata/detection.matrix has a line for each file that any format claims: its path
 * and the formats with their score, the surest first.  A new format that takes another
 * one's files shows here.  No two may claim a file with the same score unless the
 * expectation says so.  OSPROF_UPDATE=1 writes it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/out.h"
#include "formats/format.h"

enum { LIMIT = 1 << 28, PATH_ROOM = 1024 };

static const char *testdata;

static bool is_sidecar(const char *name)
{
	static const char *const suffix[] = { ".expect", ".args", ".md", ".matrix" };

	for (size_t i = 0; i < COUNT_OF(suffix); i++) {
		if (str_has_suffix(str_from(name), str_from(suffix[i])))
			return true;
	}
	return false;
}

static void list_claims(struct out *o, const struct input *in)
{
	static const enum probe levels[] = { PROBE_MAGIC, PROBE_MARKS, PROBE_SHAPE };
	const struct format *f;
	struct clue clue;

	for (size_t level = 0; level < COUNT_OF(levels); level++) {
		for (size_t i = 0; (f = format_at(i)) != NULL; i++) {
			if (format_probe(f, in, &clue) == levels[level])
				out_printf(o, " %s=%d", f->name, (int)levels[level]);
		}
	}
}

static void probe_file(struct out *o, const char *path)
{
	struct diag diag = { .emit = NULL };
	struct out *claims = out_to_memory();
	struct input in;

	if (!input_open(&in, path, LIMIT, &diag)) {
		out_free(claims); /* compressed, and damaged */
		return;
	}
	list_claims(claims, &in);
	if (out_memory(claims).n > 0) {
		out_text(o, path + strlen(testdata) + 1);
		out_char(o, ':');
		out_bytes(o, out_memory(claims));
		out_char(o, '\n');
	}
	input_release(&in);
	out_free(claims);
}

static void walk(struct out *o, const char *folder)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char path[PATH_ROOM];
		struct stat st;

		(void)snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.' && stat(path, &st) == 0) {
			if (S_ISDIR(st.st_mode))
				walk(o, path);
			else if (!is_sidecar(path))
				probe_file(o, path);
		}
		free(entry[i]);
	}
	free(entry);
}

static void claims_are_as_expected(void **state)
{
	struct out *o = out_to_memory();
	struct diag diag = { .emit = NULL };
	char path[PATH_ROOM];
	struct input expected;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/detection.matrix", testdata);
	walk(o, testdata);
	if (getenv("OSPROF_UPDATE") != NULL) {
		FILE *f = fopen(path, "w");

		assert_non_null(f);
		assert_int_equal(fwrite(out_memory(o).p, 1, out_memory(o).n, f), out_memory(o).n);
		assert_int_equal(fclose(f), 0);
	}
	assert_true(input_open(&expected, path, LIMIT, &diag));
	if (!str_eq(expected.bytes, out_memory(o)))
		fail_msg("detection differs from %s; got:\n%.*s", path, STR_ARG(out_memory(o)));
	input_release(&expected);
	out_free(o);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(claims_are_as_expected) };

	if (argc != 2)
		return 2;
	testdata = argv[1];
	return cmocka_run_group_tests_name("detect", tests, NULL, NULL);
}
