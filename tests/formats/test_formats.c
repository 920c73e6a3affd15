/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks testdata: every capture that captures.expect of its folder names is read, and
 * what comes out is compared with the entry there (tests/formats/capture.h).
 *
 * A file that is refused has a message, "LINE:COLUMN code", or several; one that can be
 * read has its messages, and the profile in osprof's own format.  Besides, what is written
 * must read back the same.  With OSPROF_UPDATE=1 set the entries are written, to be read by a
 * person before they are kept: add a line "NAME:" for a new file.  A file given as second
 * argument is printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/input_file.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "profile/profile.h"
#include "tests/formats/capture.h"
#include "tests/formats/same.h"

static void emit(void *ctx, const struct diag_msg *msg)
{
	struct out *o = ctx;
	struct position at = { 0, 0 };

	if (msg->input != NULL && msg->at != DIAG_NOWHERE)
		at = input_position(msg->input, msg->at);
	out_printf(o, "! %zu:%zu %s\n", at.line, at.column, diag_name(msg->code));
}

static void assert_same(const char *path, struct str expected, struct str got)
{
	size_t line = 1, at = 0;

	if (str_eq(expected, got))
		return;
	while (at < expected.n && at < got.n && expected.p[at] == got.p[at])
		line += expected.p[at++] == '\n';
	fail_msg("%s: differs from what is expected in line %zu; got:\n%.*s", path, line,
		 (int)(got.n > 4000 ? 4000 : got.n), got.p);
}

/* As osprof's own text and back, nothing of a profile is lost, nor is anything the second
 * time. */
static void reads_back_the_same(const char *path, const struct profile *before, struct str text)
{
	struct out *again = out_to_memory(), *notes = out_to_memory(), *lost = out_to_memory();
	struct diag diag = { .emit = emit, .ctx = notes };
	struct read_options options = { 0 };
	struct profile *p;
	struct input in;

	input_borrow(&in, path, text.p, text.n);
	p = format_read(NULL, &in, &options, &diag);
	assert_non_null(p);
	report_differences(lost, before, p);
	if (out_memory(lost).n > 0)
		fail_msg("%s: lost by writing and reading:\n%.*s", path, STR_ARG(out_memory(lost)));
	assert_true(format_by_name(STR("osprof"))->write(p, again, &diag));
	assert_same(path, text, out_memory(again));
	profile_free(p);
	input_release(&in);
	out_free(again);
	out_free(notes);
	out_free(lost);
}

/* Without `ends` and `end N`, which say that a file is whole and are in all of them. */
static void put_without_ends(struct out *o, struct str text)
{
	static const struct str head = STR_INIT("osprof 1\nends\n");
	size_t n = text.n - 1;

	if (!str_has_prefix(text, head)) {
		out_bytes(o, text);
		return;
	}
	while (text.p[n - 1] != '\n')
		n--;
	assert_true(str_has_prefix(str_skip(text, n), STR("end ")));
	out_text(o, "osprof 1\n");
	out_bytes(o, (struct str){ text.p + head.n, n - head.n });
}

/* Diagnostics and, when it could be read, the profile. */
static void dump(const char *capture, struct out *o)
{
	struct diag diag = { .emit = emit, .ctx = o };
	struct capture_settings s;
	struct profile *p = NULL;
	struct input in = { .owned = NULL };

	capture_settings(&s, capture);
	if (input_open(&in, s.path, CAPTURE_LIMIT, &diag))
		p = format_read(s.from, &in, &s.read, &diag);
	assert_int_equal(p == NULL, diag.seen[SEV_ERROR] > 0);
	if (p != NULL) {
		struct out *text = out_to_memory();

		assert_true(format_by_name(STR("osprof"))->write(p, text, &diag));
		reads_back_the_same(capture, p, out_memory(text));
		put_without_ends(o, out_memory(text));
		out_free(text);
	}
	profile_free(p);
	input_release(&in);
	capture_settings_release(&s);
}

static void expect_file(void **state)
{
	const char *capture = *state;
	struct out *got = out_to_memory(), *entry = out_to_memory();
	struct expectation expected;
	struct input in;

	dump(capture, got);
	assert_true(expectation_of(capture, &in, &expected));
	expectation_write(entry, expected.name, expected.options, out_memory(got));
	assert_same(capture, expected.entry, out_memory(entry));
	input_release(&in);
	out_free(entry);
	out_free(got);
}

/* --- finding the files ------------------------------------------------------- */

static struct CMUnitTest *tests;
static size_t n_tests, cap_tests;

static void add_test(const char *path)
{
	char *copy = xcalloc(strlen(path) + 1, 1);

	strcpy(copy, path);
	tests = xgrow(tests, &cap_tests, n_tests + 1, sizeof(*tests));
	tests[n_tests++] = (struct CMUnitTest){ .name = copy,
						.test_func = expect_file,
						.initial_state = copy };
}

/* --- writing what came out ---------------------------------------------------- */

/* Entries of the folder that is walked, which are written when the next one begins. */
static struct {
	char path[CAPTURE_PATH];
	struct out *text;
} updated;

static void write_entries(void)
{
	struct str text = out_memory(updated.text);
	FILE *f;

	if (text.n == 0)
		return;
	f = fopen(updated.path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text.p, 1, text.n, f), text.n);
	assert_int_equal(fclose(f), 0);
	out_reset(updated.text);
}

static void update_entry(const char *capture)
{
	size_t folder = str_find_last(str_from(capture), STR("/"));
	struct out *got = out_to_memory();
	char file[CAPTURE_PATH];
	struct expectation e;
	struct input in;

	if (!expectation_of(capture, &in, &e))
		fail_msg("%s: no entry", capture);
	(void)snprintf(file, sizeof(file), "%.*s/%s", (int)folder, capture, CAPTURES_EXPECT);
	if (strcmp(file, updated.path) != 0) {
		write_entries();
		strcpy(updated.path, file);
	}
	dump(capture, got);
	expectation_write(updated.text, e.name, e.options, out_memory(got));
	input_release(&in);
	out_free(got);
}

static void update_entries(const char *testdata)
{
	updated.text = out_to_memory();
	captures_walk(testdata, update_entry);
	write_entries();
	out_free(updated.text);
}

int main(int argc, char **argv)
{
	struct out *o = out_to_memory();
	int status = 0;

	(void)setlocale(LC_CTYPE, "C.UTF-8");
	if (argc == 3) {
		dump(argv[2], o);
		(void)fwrite(out_memory(o).p, 1, out_memory(o).n, stdout);
	} else if (argc == 2) {
		if (getenv("OSPROF_UPDATE") != NULL)
			update_entries(argv[1]);
		captures_walk(argv[1], add_test);
		status = _cmocka_run_group_tests("formats", tests, n_tests, NULL, NULL);
		for (size_t i = 0; i < n_tests; i++)
			free(tests[i].initial_state);
		free(tests);
	}
	out_free(o);
	return status;
}
