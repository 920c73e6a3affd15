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

#include "base/input/input_file.h"
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
		fail_msg("%s: unknown option %.*s", path, STR_ARG(key));
	}
}

/* "NAME:", "NAME: ..." or "NAME (OPTIONS): ...". */
static void parse_heading(struct str line, struct expectation *e)
{
	static const struct str end_of_options = STR_INIT("):");
	size_t colon = str_find(line, STR(":")), options = str_find(line, STR(" ("));

	e->options = (struct str){ line.p, 0 };
	if (options < colon) {
		e->options = str_skip(line, options + 2);
		colon = str_find(e->options, end_of_options);
		assert_true(colon < e->options.n);
		e->options.n = colon;
		colon = options;
	}
	assert_true(colon < line.n);
	e->name = (struct str){ line.p, colon };
}

bool expectation_next(struct cursor *c, struct expectation *ret)
{
	const char *text = c->in->bytes.p;
	size_t start = c->at;
	struct cursor line;

	if (!scan_line(c, &line))
		return false;
	parse_heading(cursor_rest(&line), ret);
	while (c->at < c->end && text[c->at] == '\t')
		(void)!scan_line(c, &line);
	ret->entry = (struct str){ text + start, c->at - start };
	return true;
}

/* Its file's name, and the options; the latter empty: any. */
static void parse_capture(const char *capture, struct expectation *ret)
{
	const char *slash = strrchr(capture, '/');
	struct str whole = str_from(slash != NULL ? slash + 1 : capture);
	size_t options = str_find(whole, STR(" ("));

	*ret = (struct expectation){ .name = { whole.p, options } };
	if (options < whole.n) {
		ret->options = str_skip(whole, options + 2);
		assert_true(str_has_suffix(ret->options, STR(")")));
		ret->options.n--;
	}
}

bool expectation_of(const char *capture, struct input *ret_in, struct expectation *ret)
{
	char path[CAPTURE_PATH];
	struct diag ignored = { 0 };
	struct expectation wanted;
	struct cursor c;

	parse_capture(capture, &wanted);
	*ret_in = (struct input){ .owned = NULL };
	(void)snprintf(path, sizeof(path), "%.*s" CAPTURES_EXPECT, (int)(wanted.name.p - capture),
		       capture);
	if (!input_open(ret_in, path, CAPTURE_LIMIT, &ignored))
		return false;
	ret_in->name = STR(CAPTURES_EXPECT); /* `path` goes */
	c = cursor_on(ret_in);
	while (expectation_next(&c, ret)) {
		if (str_eq(ret->name, wanted.name) &&
		    (wanted.options.n == 0 || str_eq(ret->options, wanted.options)))
			return true;
	}
	return false;
}

void expectation_write(struct out *o, struct str name, struct str options, struct str got)
{
	bool is_read =
		str_has_prefix(got, STR("osprof 1\n")) || str_contains(got, STR("\nosprof 1\n"));
	const char *between = " ";
	struct str line;

	out_bytes(o, name);
	if (options.n > 0)
		out_printf(o, " (%.*s)", STR_ARG(options));
	out_char(o, ':');
	if (is_read)
		out_char(o, '\n');
	while (str_cut(got, '\n', &line, &got)) {
		if (is_read) {
			out_printf(o, "\t%.*s\n", STR_ARG(line));
		} else {
			assert_true(str_has_prefix(line, STR("! ")));
			out_printf(o, "%s%.*s", between, STR_ARG(str_skip(line, 2)));
			between = ", ";
		}
	}
	assert_int_equal(got.n, 0);
	if (!is_read)
		out_char(o, '\n');
}

void capture_settings(struct capture_settings *s, const char *capture)
{
	struct expectation e;
	struct str option, key, value;

	/* One bucket for each octave keeps what is expected of samples short. */
	*s = (struct capture_settings){ .read.resolution = 1 };
	parse_capture(capture, &e);
	(void)snprintf(s->path, sizeof(s->path), "%.*s", (int)(e.name.p + e.name.n - capture),
		       capture);
	if (!expectation_of(capture, &s->expected, &e))
		return;
	while (e.options.n > 0) {
		size_t comma = str_find(e.options, STR(", "));

		option = (struct str){ e.options.p, comma < e.options.n ? comma : e.options.n };
		e.options = str_skip(e.options, comma < e.options.n ? comma + 2 : e.options.n);
		assert_true(str_cut(option, ' ', &key, &value));
		set_option(s, s->path, key, value);
	}
}

void capture_settings_release(struct capture_settings *s)
{
	names_free(s->names);
	input_release(&s->names_in);
	input_release(&s->expected);
}

/* Each entry of captures.expect at `path`. */
static void visit_entries(const char *folder, const char *path, void (*found)(const char *capture))
{
	struct diag ignored = { 0 };
	struct expectation e;
	struct input in;
	struct cursor c;

	assert_true(input_open(&in, path, CAPTURE_LIMIT, &ignored));
	c = cursor_on(&in);
	while (expectation_next(&c, &e)) {
		char capture[CAPTURE_PATH];

		(void)snprintf(capture, sizeof(capture), "%s/%.*s%s%.*s%s", folder, STR_ARG(e.name),
			       e.options.n > 0 ? " (" : "", STR_ARG(e.options),
			       e.options.n > 0 ? ")" : "");
		found(capture);
	}
	input_release(&in);
}

void captures_walk(const char *folder, void (*found)(const char *capture))
{
	struct dirent **entry;
	int n = scandir(folder, &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char path[CAPTURE_PATH];
		struct stat st;

		(void)snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.' && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
			captures_walk(path, found);
		else if (strcmp(entry[i]->d_name, CAPTURES_EXPECT) == 0)
			visit_entries(folder, path, found);
		free(entry[i]);
	}
	free(entry);
}
