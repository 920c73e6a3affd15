/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures as they come off logs and terminals: whatever stands around them, they give the
 * same profile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/input_file.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/text.h"
#include "formats/typescript.h"
#include "formats/wrapping.h"
#include "profile/profile.h"
#include "tests/formats/capture.h"

enum { LARGEST = 50000 };

/* --- what is done to them ------------------------------------------------------------------- */

struct surroundings {
	const char *name, *before, *line, *between, *after;
	bool dated;    /* lines begin with nothing but a time, which events may have themselves */
	bool terminal; /* escape sequences go */
};

static const struct surroundings all[] = {
	{ .name = "dmesg", .line = "[ 3743.963214] " },
	{ .name = "dmesg with callers", .line = "<6>[ 3743.963214][  T812] " },
	{ .name = "dmesg -T", .line = "[Sun Nov  2 12:40:55 2026] " },
	{ .name = "journalctl",
	  .before = "-- Journal begins at Sun 2026-11-22 11:00:00 UTC. --\n",
	  .line = "Nov 22 12:40:57 vm bpftrace[1234]: " },
	{ .name = "journalctl -k", .line = "Nov  2 12:40:57 vm kernel: [    1.000001] " },
	{ .name = "journalctl -o short-iso", .line = "2026-11-22T12:40:57+0100 vm perf[7]: " },
	{ .name = "docker logs -t", .line = "2026-11-22T12:40:57.123456789Z ", .dated = true },
	{ .name = "a job of CI", .line = "2026-11-22T12:40:57.1234567Z ", .dated = true },
	{ .name = "ts", .line = "Nov 22 12:40:57 ", .dated = true },
	{ .name = "docker compose logs", .line = "probe-1  | " },
	{ .name = "both", .line = "probe-1  | 2026-11-22T12:40:57.123456789Z ", .dated = true },
	{ .name = "a node of Kubernetes", .line = "2026-11-22T12:40:57.1+00:00 stdout F " },
	{ .name = "kubectl logs --prefix", .line = "[pod/probe-x7/main] " },
	{ .name = "a letter", .line = "> " },
	{ .name = "Markdown", .before = "```\n", .after = "```\n" },
	{ .name = "a prompt", .before = "$ sudo tool --option 1\n" },
	{ .name = "prompts", .before = "root@vm:~# tool\n", .after = "root@vm:~# \n" },
	{ .name = "prompts in brackets",
	  .before = "[me@vm src]$ ./tool 5 | tee x\n",
	  .after = "[me@vm src]$ \n" },
	{ .name = "script",
	  .before = "Script started on 2026-11-22 12:40:59+00:00 [TERM=\"xterm\"]\n"
		    "\033[?2004h\033]0;me@vm: ~\007\033[01;32mme@vm\033[00m:\033[01;34m~\033[00m$ "
		    "tool\r\n\033[?2004l\r",
	  .between = "\r",
	  .after = "\033[?2004hme@vm:~$ exit\r\n\nScript done on 2026-11-22 12:41:00+00:00\n",
	  .terminal = true },
};

static void put(struct out *o, const char *text)
{
	out_text(o, text != NULL ? text : "");
}

static struct out *surrounded(const struct surroundings *s, struct str text)
{
	struct out *o = out_to_memory();
	struct str line;

	put(o, s->before);
	while (text_next(&text, &line)) {
		put(o, s->line);
		out_bytes(o, line);
		put(o, s->between);
		out_char(o, '\n');
	}
	put(o, s->after);
	return o;
}

/* --- that it changes nothing ---------------------------------------------------------------- */

static struct out *profile_of(struct str text, const char *name, const struct capture_settings *s)
{
	struct diag diag = { 0 };
	struct input in;
	struct out *o = out_to_memory();
	struct profile *p;

	input_borrow(&in, name, text.p, text.n);
	p = format_read(NULL, &in, &s->read, &diag);
	assert_true(p == NULL || format_by_name(STR("osprof"))->write(p, o, &diag));
	profile_free(p);
	input_release(&in);
	return o;
}

/* A terminal shows CR LF, so that a CR of the text is one of it, and is not. */
static bool has_cr_or_escape(struct str text)
{
	return memchr(text.p, '\033', text.n) != NULL || memchr(text.p, '\r', text.n) != NULL;
}

static bool has_lines_in_quotes(struct str text)
{
	bool open = false;

	for (size_t i = 0; i < text.n; i++) {
		open ^= text.p[i] == '"';
		if (open && text.p[i] == '\n')
			return true;
	}
	return false;
}

static bool stays_itself(const struct surroundings *s, const struct format *f, struct str text)
{
	if (s->dated && f->streams)
		return false;
	return !s->terminal || (!has_cr_or_escape(text) && !has_lines_in_quotes(text));
}

static void reads_the_same(void **state)
{
	const char *path = *state;
	struct capture_settings s;
	struct diag diag = { 0 };
	struct input in;
	const struct format *f;
	struct out *want;

	capture_settings(&s, path);
	assert_true(input_open(&in, s.path, CAPTURE_LIMIT, &diag));
	f = format_detect(NULL, &in, &diag);
	assert_non_null(f);
	want = profile_of(in.bytes, s.path, &s);
	for (size_t i = 0; i < COUNT_OF(all) && out_memory(want).n > 0; i++) {
		struct out *wrapped, *got;

		if (!stays_itself(&all[i], f, in.bytes))
			continue;
		wrapped = surrounded(&all[i], in.bytes);
		got = profile_of(out_memory(wrapped), s.path, &s);
		if (!str_eq(out_memory(got), out_memory(want)))
			fail_msg("%s: other in %s", path, all[i].name);
		out_free(got);
		out_free(wrapped);
	}
	out_free(want);
	input_release(&in);
	capture_settings_release(&s);
}

/* --- folded --------------------------------------------------------------------------------- */

static size_t columns_in(struct str s)
{
	size_t columns = 0;

	for (size_t i = 0; i < s.n; i++)
		columns += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	return columns;
}

/* Returns how many bytes so many columns take. */
static size_t bytes_of(struct str s, size_t columns)
{
	size_t n = s.n;

	while (columns_in((struct str){ s.p, n }) > columns)
		n--;
	return n;
}

/* Breaks lines as a terminal does; *ret_any: there was one to break. */
static struct out *folded(struct str text, size_t columns, bool *ret_any)
{
	struct out *o = out_to_memory();
	struct str line;

	*ret_any = false;
	while (text_next(&text, &line)) {
		while (columns_in(line) > columns) {
			size_t n = bytes_of(line, columns);

			out_bytes(o, (struct str){ line.p, n });
			out_char(o, '\n');
			line = str_skip(line, n);
			*ret_any = true;
		}
		out_bytes(o, line);
		out_char(o, '\n');
	}
	return o;
}

static void reads_the_same_in_a_terminal_of_any_width(void **state)
{
	enum { NARROW = 40, WIDE = 120, STEP = 7 };
	const char *path = *state;
	struct capture_settings s = { 0 };
	struct diag diag = { 0 };
	struct input in;
	struct out *want;
	bool any = true;

	assert_true(input_open(&in, path, CAPTURE_LIMIT, &diag));
	want = profile_of(in.bytes, path, &s);
	assert_true(out_memory(want).n > 0);
	for (size_t columns = NARROW; any && columns <= WIDE; columns += STEP) {
		struct out *text = folded(in.bytes, columns, &any);
		struct out *got = profile_of(out_memory(text), path, &s);

		if (!str_eq(out_memory(got), out_memory(want)))
			fail_msg("%s: other in %zu columns", path, columns);
		out_free(got);
		out_free(text);
	}
	out_free(want);
	input_release(&in);
}

/* --- in pieces ------------------------------------------------------------------------------ */

static struct str in_pieces(struct filter *f, struct str rest, size_t piece, size_t room)
{
	char *got = xcalloc(rest.n + 1, 1);
	size_t n = 0, given;
	enum filtered what;

	do {
		struct str some = { rest.p, piece < rest.n ? piece : rest.n };
		bool ended = some.n == rest.n;

		what = f->run(f, &some, ended, got + n, room, &given);
		n += given;
		rest = str_skip(rest, (size_t)(some.p - rest.p));
	} while (what != FILTERED_END);
	f->free(f);
	return (struct str){ got, n };
}

static void pieces_of_any_size_come_to_the_same(void **state)
{
	static const char text[] = "Nov 22 12:40:57 vm a[1]: one\nNov 22 12:40:57 vm a[1]:\n"
				   "not of it\r\nNov 22 12:40:57 vm a[1]: me@vm:~$ x\n-- Boot --\n"
				   "Nov 22 12:40:57 vm a[1]: \033[1mlast\033[0m";
	static const char without[] = "one\n\nnot of it\r\n\n\n\033[1mlast\033[0m";
	struct wrapping w = { .shell = SHELL_CERTAIN };

	(void)state;
	assert_true(wrapping_add(&w, STR("Nov 22 12:40:57 vm a[1]: \n"), PREFIX_WEAK));
	for (size_t piece = 1; piece < 60; piece++) {
		for (size_t room = 1; room < 60; room += 7) {
			struct str got =
				in_pieces(wrapping_filter(&w), str_from(text), piece, room);
			struct str bare = in_pieces(typescript_filter(), got, piece, room);

			assert_int_equal(got.n, sizeof(without) - 1);
			assert_memory_equal(got.p, without, got.n);
			assert_true(str_eq(bare, STR("one\n\nnot of it\r\n\n\nlast")));
			free((char *)(uintptr_t)got.p);
			free((char *)(uintptr_t)bare.p);
		}
	}
}

/* A line of any length is detected by its beginning. */
static void long_lines_keep_their_rest(void **state)
{
	enum { LENGTH = 5000 };
	static char text[2 * LENGTH];
	struct wrapping w = { .shell = SHELL_CERTAIN };
	struct str got;

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text, "> ", 2);
	memcpy(text + LENGTH - 1, "\n```", 4);
	assert_true(wrapping_add(&w, (struct str){ text, LENGTH }, PREFIX_WEAK));
	got = wrapping_without(&w, (struct str){ text, sizeof(text) });
	assert_int_equal(got.n, LENGTH - 2);
	assert_int_equal(run_length('x', got.p, got.n), LENGTH - 3);
	assert_int_equal(got.p[got.n - 1], '\n');
	free((char *)(uintptr_t)got.p);
}

static void what_not_all_lines_bear_stays(void **state)
{
	struct wrapping w = { .shell = SHELL_NONE };

	(void)state;
	assert_false(wrapping_add(&w, STR("> one\ntwo\n"), PREFIX_WEAK));
	assert_false(wrapping_add(&w, STR("a-1  | one\nb-1  | two\n"), PREFIX_WEAK));
	assert_false(wrapping_add(&w, STR("    one\n    two\n"), PREFIX_DATED));
	assert_false(wrapping_add(&w, STR("12:40:57 one\n"), PREFIX_WEAK));
	assert_false(wrapping_add(&w, STR("2026-11-22 one\n"), PREFIX_WEAK));
	assert_false(wrapping_add(&w, STR("[12.5] one\n"), PREFIX_WEAK));
	assert_false(wrapping_add(&w, STR("\n\n"), PREFIX_WEAK));
	assert_false(wrapping_add(&w, STR(""), PREFIX_WEAK));
	assert_false(wrapping_has_shell(STR("a\n$ b\nc@d\n@[e]: 1\n"), SHELL_CERTAIN));
	assert_true(wrapping_has_shell(STR("a\n$ b\n"), SHELL_LIKELY));
	assert_false(wrapping_has_shell(STR("# HELP a b\n"), SHELL_CERTAIN));
}

/* --- finding the captures ------------------------------------------------------------------- */

static struct CMUnitTest *tests;
static size_t n_tests, cap_tests;

static void add(const char *name, CMUnitTestFunction f, bool of_file)
{
	char *copy = xcalloc(strlen(name) + 1, 1);

	strcpy(copy, name);
	tests = xgrow(tests, &cap_tests, n_tests + 1, sizeof(*tests));
	tests[n_tests++] = (struct CMUnitTest){ .name = copy,
						.test_func = f,
						.initial_state = of_file ? copy : NULL };
}

/* One that is read by itself. */
static void add_if_it_stands_bare(const char *found)
{
	struct capture_settings s;
	struct diag diag = { 0 };
	struct input in;

	capture_settings(&s, found);
	if (!input_open(&in, s.path, CAPTURE_LIMIT, &diag)) {
		capture_settings_release(&s);
		return;
	}
	if (s.from == NULL && in.bytes.n < LARGEST && in.bytes.n > 0 &&
	    in.bytes.p[in.bytes.n - 1] == '\n' && format_detect(NULL, &in, &diag) != NULL)
		add(found, reads_the_same, true);
	capture_settings_release(&s);
	input_release(&in);
}

/* Reports of several tools, with names, numbers and units where lines break. */
static void add_folded(const char *testdata)
{
	static const char *const reports[] = { "ab",	    "criterion",
					       "gatling",   "go-ycsb",
					       "hyperfine", "hyperfine-comma",
					       "k6",	    "libtest",
					       "locust",    "pgbench-r",
					       "ping",	    "pgbench-scripts",
					       "mtr",	    "netperf",
					       "fping",	    "pgbench-shell",
					       "warp",	    "pgbench-statements",
					       "siege",	    "jmh",
					       "bombardier" };
	char path[256];

	for (size_t i = 0; i < COUNT_OF(reports); i++) {
		(void)snprintf(path, sizeof(path), "%s/reports/%s.txt", testdata, reports[i]);
		add(path, reads_the_same_in_a_terminal_of_any_width, true);
	}
}

int main(int argc, char **argv)
{
	int status;

	if (argc != 2)
		return 2;
	add("pieces", pieces_of_any_size_come_to_the_same, false);
	add("long lines", long_lines_keep_their_rest, false);
	add("not all lines", what_not_all_lines_bear_stays, false);
	add_folded(argv[1]);
	captures_walk(argv[1], add_if_it_stands_bare);
	status = _cmocka_run_group_tests("wrapping", tests, n_tests, NULL, NULL);
	for (size_t i = 0; i < n_tests; i++)
		free((char *)(uintptr_t)tests[i].name);
	free(tests);
	return status;
}
