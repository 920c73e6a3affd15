/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far reading has come, in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/out.h"
#include "load/reading.h"
#include "program/progress.h"

static void expect(struct progress *p, size_t columns, const char *words)
{
	struct out *o = out_to_memory();

	progress_write(p, o, columns);
	out_char(o, '\0');
	assert_string_equal(out_memory(o).p, words);
	out_free(o);
}

static void begin(struct progress *p, struct reading *r, const char *path, uint64_t taken,
		  uint64_t size)
{
	reading_begin(progress_observer(p), r, path);
	atomic_store(&r->watch.taken, taken);
	atomic_store(&r->watch.size, size);
}

static void files_have_a_percent(void **state)
{
	struct progress *p = progress_new(false);
	struct reading a, b;

	(void)state;
	expect(p, 80, "");
	begin(p, &a, "runs/a.csv", 999, 100000);
	expect(p, 80, "runs/a.csv   0 %");
	begin(p, &b, "b.csv", 100000, 100000);
	expect(p, 80, "runs/a.csv and 1 more  50 %"); /* 100,999 of 200,000 bytes */
	reading_end(progress_observer(p), &a);
	expect(p, 80, "b.csv 100 %");
	atomic_store(&b.watch.taken, 123456); /* it grew meanwhile */
	expect(p, 80, "b.csv 100 %");
	reading_end(progress_observer(p), &b);
	expect(p, 80, "");
	progress_free(p);
}

static void long_names_make_room(void **state)
{
	struct progress *p = progress_new(false);
	struct reading a;

	(void)state;
	begin(p, &a, "some/folder/of/a/run/raw\x1b.csv", 1, 4);
	expect(p, 80, "some/folder/of/a/run/raw\\x1b.csv  25 %");
	expect(p, 60, "raw\\x1b.csv  25 %");
	expect(p, 50, "a file  25 %");
	expect(p, 10, "a file  25 %");
	reading_end(progress_observer(p), &a);
	progress_free(p);
}

static void pipes_have_bytes_and_a_rate(void **state)
{
	struct progress *p = progress_new(false);
	struct reading a;

	(void)state;
	begin(p, &a, "-", 12345678, 0);
	a.since -= 1e6; /* seconds: 12.3 bytes in each, whenever this runs */
	expect(p, 80, "standard input 12.3 MB, 12 B/s");
	atomic_store(&a.watch.taken, 234567890);
	expect(p, 80, "standard input 235 MB, 235 B/s");
	reading_end(progress_observer(p), &a);
	progress_free(p);
}

static void nobody_waits(void **state)
{
	struct reading a;

	(void)state;
	reading_begin(NULL, &a, "a.csv");
	progress_pause(NULL);
	progress_go_on(NULL);
	expect(NULL, 80, "");
	reading_end(NULL, &a);
	progress_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_have_a_percent),
		cmocka_unit_test(long_names_make_room),
		cmocka_unit_test(pipes_have_bytes_and_a_rate),
		cmocka_unit_test(nobody_waits),
	};

	return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
