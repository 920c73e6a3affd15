/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/formats/capture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/scan.h"
#include "profile/names.h"

static void set_option(struct capture_settings *s, const char *path, struct str key,
		       struct str value)
{
	struct diag ignored = { 0 };
	double number;

	if (str_eq(key, STR("from"))) {
		s->from = format_by_name(value);
		assert_non_null(s->from);
	} else if (str_eq(key, STR("unit"))) {
		assert_true(unit_parse(value, &s->read.build.unit));
	} else if (str_eq(key, STR("hz"))) {
		assert_int_equal(number_f64(value, &s->read.build.hz), NUMBER_OK);
	} else if (str_eq(key, STR("interval"))) {
		assert_int_equal(number_f64(value, &s->read.build.interval), NUMBER_OK);
	} else if (str_eq(key, STR("snapshots"))) {
		s->read.build.snapshots =
			str_eq(value, STR("delta")) ? SNAPSHOTS_DELTA : SNAPSHOTS_CUMULATIVE;
	} else if (str_eq(key, STR("numbering"))) {
		s->read.numbering =
			str_eq(value, STR("osprof")) ? NUMBERING_OSPROF : NUMBERING_FSPROF;
	} else if (str_eq(key, STR("resolution"))) {
		assert_int_equal(number_f64(value, &number), NUMBER_OK);
		s->read.resolution = (unsigned)number;
	} else if (str_eq(key, STR("separator"))) {
		s->read.separator = value.p[0];
	} else if (str_eq(key, STR("operation"))) {
		s->read.columns.operation = value;
	} else if (str_eq(key, STR("latency"))) {
		s->read.columns.latency = value;
	} else if (str_eq(key, STR("start"))) {
		s->read.columns.start = value;
	} else if (str_eq(key, STR("low"))) {
		s->read.columns.low = value;
	} else if (str_eq(key, STR("high"))) {
		s->read.columns.high = value;
	} else if (str_eq(key, STR("count"))) {
		s->read.columns.count = value;
	} else if (str_eq(key, STR("names"))) {
		(void)snprintf(s->names_path, sizeof(s->names_path), "%.*s/%.*s",
			       (int)(strrchr(path, '/') - path), path, STR_ARG(value));
		assert_true(input_open(&s->names_in, s->names_path, CAPTURE_LIMIT, &ignored));
		s->names = names_read(&s->names_in, &ignored);
		assert_non_null(s->names);
		s->read.build.names = s->names;
	} else {
		fail_msg("%s.args: unknown option %.*s", path, STR_ARG(key));
	}
}

void capture_settings(struct capture_settings *s, const char *path)
{
	char args_path[CAPTURE_PATH];
	struct diag ignored = { 0 };
	struct cursor c, line;

	*s = (struct capture_settings){ 0 };
	(void)snprintf(args_path, sizeof(args_path), "%s.args", path);
	if (!input_open(&s->args, args_path, CAPTURE_LIMIT, &ignored))
		return;
	c = cursor_on(&s->args);
	while (scan_line(&c, &line)) {
		struct str key;

		if (scan_word(&line, &key)) {
			scan_blanks(&line);
			set_option(s, path, key, cursor_rest(&line));
		}
	}
}

void capture_settings_release(struct capture_settings *s)
{
	names_free(s->names);
	input_release(&s->names_in);
	input_release(&s->args);
}

void captures_walk(const char *folder, void (*found)(const char *path))
{
	struct dirent **entry;
	int n = scandir(folder, &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char path[CAPTURE_PATH];
		struct stat st;
		size_t len;

		(void)snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
		len = strlen(path);
		if (entry[i]->d_name[0] != '.' && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
			captures_walk(path, found);
		} else if (len > 7 && strcmp(path + len - 7, ".expect") == 0) {
			path[len - 7] = '\0';
			found(path);
		}
		free(entry[i]);
	}
	free(entry);
}
