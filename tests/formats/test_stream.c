/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures of the formats that are read in constant memory: in parts, from a file and
 * from a pipe, they give the same messages and the same profile as read whole, wherever
 * the parts begin and end, and so does what can be done to their text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input/input_file.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "profile/names.h"
#include "profile/profile.h"
#include "tests/formats/capture.h"
#include "tests/formats/parts.h"

enum { LONG_LINE = 3000 };

static char path[] = "/tmp/osprof-test-stream-XXXXXX";
static uint64_t seed;

static size_t draw(size_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (size_t)((seed >> 11) % below);
}

/* What is drawn for a capture does not depend on those before it. */
static void seed_by(const char *name)
{
	seed = 11;
	for (const char *c = name; *c != '\0'; c++)
		seed = (seed ^ (unsigned char)*c) * 0x100000001b3; /* as FNV does it */
}

/* --- giving ----------------------------------------------------------------------------- */

struct feed {
	int fd;
	struct str text;
};

static void *feed(void *arg)
{
	const struct feed *feed = arg;
	struct str rest = feed->text;

	while (rest.n > 0) {
		size_t n = 1 + rest.n / 40; /* that a reader waits for the next */
		ssize_t done = write(feed->fd, rest.p, n);

		if (done <= 0)
			break; /* the reader has gone */
		rest = str_skip(rest, (size_t)done);
	}
	(void)close(feed->fd);
	return NULL;
}

static void write_file(struct str text)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(text.p, 1, text.n, f), text.n);
	assert_int_equal(fclose(f), 0);
}

/* --- comparing ---------------------------------------------------------------------------- */

static const char *capture; /* the current one */

static void assert_same(struct out *got, struct str want, const char *what,
			const struct parts *parts)
{
	if (!str_eq(out_memory(got), want))
		fail_msg("%s, %s, head %zu, blocks of %zu: got\n%.*s\ninstead of\n%.*s", capture,
			 what, parts->head, parts->block, STR_ARG(out_memory(got)), STR_ARG(want));
	out_free(got);
}

/* What is read first is a line at least: it tells how a file is read. */
static size_t min_head(struct str text)
{
	return str_find(text, STR("\n")) + 1;
}

static void check_pipe(const struct format *f, struct str text, const char *what,
		       const struct read_options *o)
{
	struct parts parts = { min_head(text), 1 + draw(100) };
	struct out *want, *got;
	struct feed source = { .text = text };
	pthread_t feeder;
	char name[40];
	int fd[2];

	assert_int_equal(pipe(fd), 0);
	(void)snprintf(name, sizeof(name), "/dev/fd/%d", fd[0]);
	source.fd = fd[1];
	assert_int_equal(pthread_create(&feeder, NULL, feed, &source), 0);
	want = parts_reported_whole(f, name, text, o);
	parts.block = parts_depend_on_threads(out_memory(want)) ? text.n + 1 : parts.block;
	got = parts_reported(f, name, &parts, o);
	(void)close(fd[0]);
	assert_int_equal(pthread_join(feeder, NULL), 0);
	assert_same(got, out_memory(want), what, &parts);
	out_free(want);
}

static void check(const struct format *f, struct str text, const char *what,
		  const struct read_options *o)
{
	struct parts parts[] = {
		{ PARTS_LARGE, 1 + draw(200) },
		{ min_head(text), 1 + draw(60) },
		{ min_head(text) + draw(1 + text.n / 2), 1 + draw(700) },
	};
	struct out *want = parts_reported_whole(f, path, text, o);
	bool one_block = parts_depend_on_threads(out_memory(want));

	write_file(text);
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		parts[i].block = one_block ? text.n + 1 : parts[i].block;
		assert_same(parts_reported(f, path, &parts[i], o), out_memory(want), what,
			    &parts[i]);
	}
	out_free(want);
}

/* --- texts --------------------------------------------------------------------------------- */

static bool is_valid(const struct format *f, struct str text, const struct read_options *o)
{
	struct diag diag = { 0 };
	struct profile *p;
	struct input in;

	input_borrow(&in, path, text.p, text.n);
	p = format_read(f, &in, o, &diag);
	profile_free(p);
	input_release(&in);
	return p != NULL;
}

static struct out *with_crlf(struct str text)
{
	struct out *o = out_to_memory();

	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\n' && (i == 0 || text.p[i - 1] != '\r'))
			out_char(o, '\r');
		out_char(o, text.p[i]);
	}
	return o;
}

/* `n` times `c` before a line in the second half. */
static struct out *with_line(struct str text, char c, size_t n)
{
	struct out *o = out_to_memory();
	struct str after = str_skip(text, text.n / 2);
	size_t at = text.n / 2 + str_find(after, STR("\n")) + 1;

	out_bytes(o, (struct str){ text.p, at < text.n ? at : text.n });
	out_repeat(o, c, n);
	out_bytes(o, str_skip(text, at));
	return o;
}

static void check_made(const struct format *f, struct out *made, const char *what,
		       const struct read_options *o)
{
	check(f, out_memory(made), what, o);
	out_free(made);
}

static bool is_word(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] <= ' ' || s.p[i] > '~' || s.p[i] == '#' || s.p[i] == '"')
			return false;
	}
	return s.n > 0;
}

/* A reader of individual samples knows their sum, and so do few that read histograms. */
static bool is_sampled(const struct operation *op)
{
	return op->hist.n > 0 && op->hist.scheme->kind == BUCKET_LOG2 && op->stated.has_total &&
	       op->stated.has_count;
}

/* Two operations that get one name are an error, at the later one's first sample; what is
 * no samples may add up. */
static void check_one_name(const struct format *f, struct str text, const struct read_options *o)
{
	struct read_options named = *o;
	struct out *list = out_to_memory();
	struct diag diag = { 0 };
	struct profile *p;
	struct names *names;
	struct input in;
	bool sampled = true;
	size_t n = 0;

	/* As the file has them, not as the architecture that it names would. */
	named.build.names = names = names_new();
	input_borrow(&in, path, text.p, text.n);
	p = format_read(f, &in, &named, &diag);
	names_free(names);
	for (size_t i = 0; p != NULL && i < p->n_ops; i++) {
		if (!is_word(p->op[i].name) || !str_eq(p->op[i].layer, p->op[0].layer))
			continue;
		sampled &= is_sampled(&p->op[i]);
		out_printf(list, "%.*s same\n", STR_ARG(p->op[i].name));
		n++;
	}
	profile_free(p);
	input_release(&in);
	if (n >= 2) {
		input_borrow(&in, "names", out_memory(list).p, out_memory(list).n);
		names = names_read(&in, &diag);
		assert_non_null(names);
		named.build.names = names;
		assert_true(!sampled || !is_valid(f, text, &named));
		check(f, text, "with one name for all", &named);
		names_free(names);
		input_release(&in);
	}
	out_free(list);
}

static void check_variants(const struct format *f, struct str text, const struct read_options *o)
{
	struct read_options timed = *o;

	check(f, text, "as it is", o);
	check_pipe(f, text, "from a pipe", o);
	check_made(f, with_crlf(text), "CR LF", o);
	check_made(f, with_line(text, 'x', LONG_LINE), "a long line", o);
	check(f, (struct str){ text.p, text.n - 1 }, "without its last byte", o);
	check(f, (struct str){ text.p, text.n / 2 + draw(text.n / 2) }, "cut off", o);
	check_made(f, with_line(text, '\0', 1), "a NUL byte", o);
	if (o->build.names == NULL)
		check_one_name(f, text, o);
	timed.build.interval = 0.25;
	check(f, text, "in intervals", &timed);
}

static void reads_parts_as_the_whole(void **state)
{
	struct capture_settings s;
	struct diag diag = { 0 };
	const struct format *f;
	struct input in;

	capture = *state;
	seed_by(strrchr(capture, '/'));
	capture_settings(&s, capture);
	assert_true(input_open(&in, s.path, CAPTURE_LIMIT, &diag));
	f = s.from != NULL ? s.from : format_detect(NULL, &in, &diag);
	check_variants(f, in.bytes, &s.read);
	input_release(&in);
	capture_settings_release(&s);
}

/* --- finding the captures ------------------------------------------------------------------- */

static struct CMUnitTest *tests;
static size_t n_tests, cap_tests;

static void add_if_it_streams(const char *found)
{
	struct capture_settings s;
	struct diag diag = { 0 };
	const struct format *f;
	struct input in;
	char *copy;

	capture_settings(&s, found);
	if (!input_open(&in, s.path, CAPTURE_LIMIT, &diag)) {
		capture_settings_release(&s);
		return;
	}
	f = s.from != NULL ? s.from : format_detect(NULL, &in, &diag);
	if (f != NULL && f->streams && in.bytes.n > 2) {
		copy = xcalloc(strlen(found) + 1, 1);
		strcpy(copy, found);
		tests = xgrow(tests, &cap_tests, n_tests + 1, sizeof(*tests));
		tests[n_tests++] = (struct CMUnitTest){ .name = copy,
							.test_func = reads_parts_as_the_whole,
							.initial_state = copy };
	}
	capture_settings_release(&s);
	input_release(&in);
}

int main(int argc, char **argv)
{
	int fd = mkstemp(path), status;

	if (fd < 0 || argc != 2)
		return 2;
	(void)close(fd);
	(void)signal(SIGPIPE, SIG_IGN); /* of readers that stop at an error */
	captures_walk(argv[1], add_if_it_streams);
	status = _cmocka_run_group_tests("stream", tests, n_tests, NULL, NULL);
	for (size_t i = 0; i < n_tests; i++)
		free(tests[i].initial_state);
	free(tests);
	(void)unlink(path);
	return status;
}
