/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What bpftrace prints as text and what it prints as JSON are the same profile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/input/input_file.h"
#include "base/out.h"
#include "formats/format.h"
#include "profile/profile.h"

enum { INPUT_LIMIT = 1 << 20, PATH_ROOM = 1024 };

static const char *testdata;

/* Read as `format`, written as osprof's own. */
static struct out *rewrite(const char *name, const char *suffix, const char *format)
{
	struct out *o = out_to_memory();
	struct read_options options = { 0 };
	struct diag diag = { 0 };
	char path[PATH_ROOM];
	struct profile *p;
	struct input in;

	(void)snprintf(path, sizeof(path), "%s/bpftrace/%s.%s", testdata, name, suffix);
	assert_true(input_open(&in, path, INPUT_LIMIT, &diag));
	assert_ptr_equal(format_detect(NULL, &in, &diag), format_by_name(str_from(format)));
	p = format_read(NULL, &in, &options, &diag);
	assert_non_null(p);
	assert_true(format_by_name(STR("osprof"))->write(p, o, &diag));
	profile_free(p);
	input_release(&in);
	return o;
}

static void text_and_json_are_one(void **state)
{
	struct out *text = rewrite(*state, "txt", "bpftrace");
	struct out *json = rewrite(*state, "json", "bpftrace-json");

	out_char(text, '\0');
	out_char(json, '\0');
	assert_string_equal(out_memory(text).p, out_memory(json).p);
	out_free(text);
	out_free(json);
}

int main(int argc, char **argv)
{
#define SAME(file)                                                                                 \
	{                                                                                          \
		file, text_and_json_are_one, NULL, NULL, (char[])                                  \
		{                                                                                  \
			file                                                                       \
		}                                                                                  \
	}
	const struct CMUnitTest tests[] = {
		SAME("maps-with-totals"), SAME("cumulative-with-times"),
		SAME("moments"),	  SAME("linear"),
		SAME("zeroed"),		  SAME("top-saturated"),
		SAME("above-4G"),	  SAME("noise"),
	};

	if (argc != 2)
		return 2;
	testdata = argv[1];
	return cmocka_run_group_tests_name("bpftrace", tests, NULL, NULL);
}
