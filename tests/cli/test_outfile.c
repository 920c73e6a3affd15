/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files: whole or not at all, whatever happens in their folder meanwhile. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/out.h"
#include "base/outfile.h"

struct scratch {
	char folder[32], path[48];
	struct captured captured;
	struct diag diag;
};

static void begin(struct scratch *s)
{
	(void)snprintf(s->folder, sizeof(s->folder), "/tmp/osprof-XXXXXX");
	assert_non_null(mkdtemp(s->folder));
	(void)snprintf(s->path, sizeof(s->path), "%s/result", s->folder);
	s->diag = diag_to(&s->captured);
}

/* The result is the only file then; NULL: there is none. */
static void end(struct scratch *s, const char *expected)
{
	DIR *d = opendir(s->folder);
	unsigned n = 0;

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d)) != NULL;)
		n += e->d_name[0] != '.';
	(void)closedir(d);
	assert_int_equal(n, expected != NULL);
	if (expected != NULL) {
		char text[32] = "";
		FILE *f = fopen(s->path, "r");

		assert_non_null(f);
		assert_non_null(fgets(text, sizeof(text), f));
		assert_string_equal(text, expected);
		(void)fclose(f);
		assert_int_equal(unlink(s->path), 0);
	}
	assert_int_equal(rmdir(s->folder), 0);
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Opened by us and written, but not in its place yet. */
static void open_ours(struct scratch *s, struct outfile *f, bool force)
{
	assert_true(outfile_open(f, s->path, force, NULL, &s->diag));
	out_text(f->out, "ours");
}

static void nothing_is_there_before_all_is_written(void **state)
{
	struct scratch s;
	struct outfile f;

	(void)state;
	begin(&s);
	open_ours(&s, &f, false);
	assert_int_not_equal(access(s.path, F_OK), 0);
	assert_true(outfile_commit(&f, &s.diag));
	end(&s, "ours");
}

static void what_came_meanwhile_is_kept(void **state)
{
	struct scratch s;
	struct outfile f;

	(void)state;
	begin(&s);
	open_ours(&s, &f, false);
	put(s.path, "theirs");
	assert_false(outfile_commit(&f, &s.diag));
	assert_int_equal(s.captured.code, DIAG_OUTPUT_EXISTS);
	end(&s, "theirs");
}

static void force_replaces_what_came_meanwhile(void **state)
{
	struct scratch s;
	struct outfile f;

	(void)state;
	begin(&s);
	open_ours(&s, &f, true);
	put(s.path, "theirs");
	assert_true(outfile_commit(&f, &s.diag));
	end(&s, "ours");
}

static void what_is_discarded_leaves_nothing(void **state)
{
	struct scratch s;
	struct outfile f;

	(void)state;
	begin(&s);
	open_ours(&s, &f, true);
	outfile_discard(&f);
	end(&s, NULL);
}

/* Neither a trial nor its failure leaves a trace. */
static void a_check_leaves_nothing(void **state)
{
	struct scratch s;

	(void)state;
	begin(&s);
	assert_true(outfile_check(s.path, false, &s.diag));
	put(s.path, "theirs");
	assert_false(outfile_check(s.path, false, &s.diag));
	assert_true(outfile_check(s.path, true, &s.diag));
	end(&s, "theirs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_there_before_all_is_written),
		cmocka_unit_test(what_came_meanwhile_is_kept),
		cmocka_unit_test(force_replaces_what_came_meanwhile),
		cmocka_unit_test(what_is_discarded_leaves_nothing),
		cmocka_unit_test(a_check_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
