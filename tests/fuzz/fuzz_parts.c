/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading in parts: any bytes by every format that is read in constant memory, as a whole and
 * in parts, which has to give the same messages and the same profile.
 *
 * How large the parts are, whether there are intervals and several threads, three bytes
 * after a NUL byte at the end say; an input without them is text alone, cut by its length.
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/input/decompress.h"
#include "base/input/encoding.h"
#include "formats/format.h"
#include "tests/formats/parts.h"
#include "tests/fuzz/fuzz.h"

enum { TAIL = 4 };

struct cut {
	struct str text;
	struct parts parts;
	double interval; /* seconds; 0: none */
	bool threads;
};

/* Threads take longer to begin than most inputs to read: a worker pool has as many as there are
 * processors. */
static void allow_threads(bool all)
{
	static cpu_set_t every, one;

	if (CPU_COUNT(&every) == 0) {
		fuzz_require(sched_getaffinity(0, sizeof(every), &every) == 0);
		CPU_SET((size_t)sched_getcpu(), &one);
	}
	fuzz_require(sched_setaffinity(0, sizeof(one), all ? &every : &one) == 0);
}

/* What is read first is a line at least: it tells how a file is read. */
static size_t head_of(struct str text, size_t min)
{
	size_t line = str_find(text, STR("\n")) + 1;

	return line > min ? line : min;
}

static struct cut cut_of(const uint8_t *data, size_t size)
{
	struct cut c = { .text = { (const char *)data, size }, .parts = { 0, 1 + size % 97 } };
	const uint8_t *tail = data + (size >= TAIL ? size - TAIL : 0);

	if (size < TAIL || tail[0] != '\0') {
		c.parts.head = head_of(c.text, size / 3);
		return c;
	}
	c.text.n -= TAIL;
	c.parts.head = head_of(c.text, (size_t)tail[1] * 4);
	c.parts.block = 1 + (size_t)tail[2];
	c.interval = (double)(tail[3] % 4) / 4;
	c.threads = (tail[3] & 4) != 0;
	return c;
}

/* Of several errors one is reported: where threads are together too much their order is not
 * known. */
static bool may_differ(struct str want, struct str got)
{
	return parts_depend_on_threads(want) && parts_depend_on_threads(got);
}

static void same_in_parts(const struct format *f, const char *path, const struct cut *c)
{
	struct read_options options = { .numbering = NUMBERING_OSPROF,
					.build = { .interval = c->interval } };
	struct out *whole = parts_reported_whole(f, path, c->text, &options);
	struct out *parts = parts_reported(f, path, &c->parts, &options);
	struct str want = out_memory(whole), got = out_memory(parts);

	if (!str_eq(want, got) && !may_differ(want, got)) {
		(void)fprintf(stderr, "%s, head %zu, blocks of %zu:\n%.*s\ninstead of\n%.*s\n",
			      f->name, c->parts.head, c->parts.block, STR_ARG(got), STR_ARG(want));
		abort();
	}
	out_free(whole);
	out_free(parts);
}

static bool is_filtered(struct str text)
{
	struct filter *f = decompressor_for(text);

	if (f == NULL)
		f = decoder_for(text);
	if (f == NULL)
		return false;
	f->free(f);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cut c = cut_of(data, size);
	const struct format *f;
	char path[40];
	int fd;

	if (is_filtered(c.text))
		return 0; /* a file of it would be another text */
	fd = memfd_create("text", MFD_CLOEXEC);
	fuzz_require(fd >= 0 && write(fd, c.text.p, c.text.n) == (ssize_t)c.text.n);
	allow_threads(c.threads);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (size_t i = 0; (f = format_at(i)) != NULL; i++) {
		if (f->streams)
			same_in_parts(f, path, &c);
	}
	(void)close(fd);
	return 0;
}
