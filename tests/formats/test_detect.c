/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who claims whose files: every capture of testdata, those in archives too, against every
 * format.
 *
 * testdata/detection.matrix records what is surprising.  A file of testdata/FOLDER should
 * be claimed by the format FOLDER alone, as surely as can be ("FOLDER=90").  A line
 * "FOLDER/ *SUFFIX: CLAIMS" says what most files of that kind have instead, a line
 * "PATH: CLAIMS" what a single file has that differs from its kind: the formats with their
 * scores, the surest first, or "none".  A file that no format claims needs no line where
 * captures.expect says that its format is unknown or has to be given.  So a new format that
 * takes another one's files shows here.  OSPROF_UPDATE=1 writes it.
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

#include "base/arena.h"
#include "base/input/input_file.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "tests/formats/capture.h"
#include "tests/fuzz/archive.h"

enum { PATH_ROOM = 1024 };

static const char *testdata;

struct capture {
	struct str path;   /* below testdata */
	struct str claims; /* "csv=60 calls=30"; "none" */
};

static struct arena *arena;
static struct capture *captures; /* in the order of their paths */
static size_t n_captures, cap_captures;

static bool is_sidecar(const char *name)
{
	static const char *const suffix[] = { ".expect", ".md", ".matrix" };

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

/* That no format claims it is known: captures.expect says so. */
static bool is_expected_unclaimed(const char *path)
{
	struct expectation e;
	struct input in;
	bool is = expectation_of(path, &in, &e) && (str_has_prefix(e.options, STR("from ")) ||
						    str_contains(e.options, STR(", from ")) ||
						    str_contains(e.entry, STR(" format-unknown")));

	input_release(&in);
	return is;
}

static void probe(const char *path, const struct input *in)
{
	struct out *claims = out_to_memory();

	if (in != NULL)
		list_claims(claims, in);
	if (out_memory(claims).n == 0 && !is_expected_unclaimed(path))
		out_text(claims, " none");
	if (out_memory(claims).n > 0) {
		captures = xgrow(captures, &cap_captures, n_captures + 1, sizeof(*captures));
		captures[n_captures++] = (struct capture){
			.path = arena_str(arena, str_from(path + strlen(testdata) + 1)),
			.claims = arena_str(arena, str_skip(out_memory(claims), 1)),
		};
	}
	out_free(claims);
}

static void probe_file(const char *path)
{
	struct diag diag = { .emit = NULL };
	struct input in;

	if (!input_open(&in, path, CAPTURE_LIMIT, &diag)) { /* it is compressed, and damaged */
		probe(path, NULL);
		return;
	}
	probe(path, &in);
	input_release(&in);
}

/* Each file of an archive, by the path that it would have beside the archive. */
static void probe_archive(const char *folder, const char *archive)
{
	struct diag diag = { .emit = NULL };
	struct str rest, name, bytes;
	struct input in, part;

	assert_true(input_open(&in, archive, CAPTURE_LIMIT, &diag));
	rest = in.bytes;
	while (archive_next(&rest, &name, &bytes)) {
		char path[PATH_ROOM];

		(void)snprintf(path, sizeof(path), "%s/%.*s", folder, STR_ARG(name));
		input_borrow(&part, path, bytes.p, bytes.n);
		probe(path, &part);
		input_release(&part);
	}
	assert_true(in.bytes.n > 0 && rest.n == 0);
	input_release(&in);
}

static void walk(const char *folder)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char path[PATH_ROOM];
		struct stat st;

		(void)snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.' && stat(path, &st) == 0) {
			if (S_ISDIR(st.st_mode))
				walk(path);
			else if (str_has_suffix(str_from(path), STR(".tar.xz")))
				probe_archive(folder, path);
			else if (!is_sidecar(path) && strcmp(folder, testdata) != 0)
				probe_file(path);
		}
		free(entry[i]);
	}
	free(entry);
}

/* --- what is surprising ------------------------------------------------------- */

/* Files in one folder of testdata with one suffix. */
struct kind {
	struct str folder, suffix, claims;
};

static struct kind kind_of(const struct capture *c)
{
	struct kind k = { .claims = c->claims };
	struct str below, ignored;
	size_t dot;

	assert_true(str_cut(c->path, '/', &k.folder, &below));
	while (str_cut(below, '/', &ignored, &below))
		;
	dot = str_find_last(below, STR("."));
	k.suffix = str_skip(below, dot);
	return k;
}

static int compare_str(struct str a, struct str b)
{
	int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);

	return order != 0 ? order : (a.n > b.n) - (a.n < b.n);
}

static int compare_kinds(const struct kind *a, const struct kind *b)
{
	int order = compare_str(a->folder, b->folder);

	return order != 0 ? order : compare_str(a->suffix, b->suffix);
}

static int compare(const void *x, const void *y)
{
	const struct kind *a = x, *b = y;
	int order = compare_kinds(a, b);

	return order != 0 ? order : compare_str(a->claims, b->claims);
}

/* Each kind with the claims that most of its files have; returns how many kinds. */
static size_t find_usual(struct kind *kind)
{
	size_t n_kinds = 0, run, max = 0;

	for (size_t i = 0; i < n_captures; i++)
		kind[i] = kind_of(&captures[i]);
	qsort(kind, n_captures, sizeof(*kind), compare);
	for (size_t i = 0; i < n_captures; i += run) {
		struct kind this = kind[i];

		for (run = 1; i + run < n_captures && compare(&this, &kind[i + run]) == 0; run++)
			;
		if (n_kinds == 0 || compare_kinds(&kind[n_kinds - 1], &this) != 0)
			max = 0, n_kinds++;
		if (run > max) {
			max = run;
			kind[n_kinds - 1] = this;
		}
	}
	return n_kinds;
}

static void put_surprises(struct out *o)
{
	struct kind *kind = xcalloc(n_captures, sizeof(*kind));
	size_t n_kinds = find_usual(kind);

	for (size_t i = 0; i < n_kinds; i++) {
		char own[PATH_ROOM];

		(void)snprintf(own, sizeof(own), "%.*s=%d", STR_ARG(kind[i].folder), PROBE_MAGIC);
		if (!str_eq(kind[i].claims, str_from(own)))
			out_printf(o, "%.*s/ *%.*s: %.*s\n", STR_ARG(kind[i].folder),
				   STR_ARG(kind[i].suffix), STR_ARG(kind[i].claims));
	}
	for (size_t i = 0; i < n_captures; i++) {
		struct kind this = kind_of(&captures[i]);
		size_t k = 0;

		while (compare_kinds(&kind[k], &this) != 0)
			k++;
		if (!str_eq(this.claims, kind[k].claims))
			out_printf(o, "%.*s: %.*s\n", STR_ARG(captures[i].path),
				   STR_ARG(this.claims));
	}
	free(kind);
}

static void claims_are_as_expected(void **state)
{
	struct out *o = out_to_memory();
	struct diag diag = { .emit = NULL };
	char path[PATH_ROOM];
	struct input expected;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/detection.matrix", testdata);
	arena = arena_new();
	walk(testdata);
	put_surprises(o);
	if (getenv("OSPROF_UPDATE") != NULL) {
		FILE *f = fopen(path, "w");

		assert_non_null(f);
		assert_int_equal(fwrite(out_memory(o).p, 1, out_memory(o).n, f), out_memory(o).n);
		assert_int_equal(fclose(f), 0);
	}
	assert_true(input_open(&expected, path, CAPTURE_LIMIT, &diag));
	if (!str_eq(expected.bytes, out_memory(o)))
		fail_msg("detection differs from %s; got:\n%.*s", path, STR_ARG(out_memory(o)));
	input_release(&expected);
	out_free(o);
	free(captures);
	arena_free(arena);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(claims_are_as_expected) };

	if (argc != 2)
		return 2;
	testdata = argv[1];
	return cmocka_run_group_tests_name("detect", tests, NULL, NULL);
}
