/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A region of counters that somebody else wrote: it is refused, or read to a profile that the
 * reader of osprof(5) takes or refuses, and its messages stay within their slots.
 *
 * The input is taken as changes to a good region: a byte of flags, then for each change where
 * (two bytes, little endian), what (one byte), and when (one byte: even before it is read, odd
 * between the first and the second reading). Of the flags 1 seals it anew, so that the sizes in
 * the header are believed, 2 cuts it off at the first place that is named, 4 takes the input
 * itself as the file.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/region.h"
#include "formats/format.h"
#include "profile/profile.h"
#include "tests/fuzz/fuzz.h"

enum { CHANGE = 4, SEAL = 1, CUT = 2, RAW = 4 };

static void change(int fd, const uint8_t *data, size_t size, int when)
{
	for (size_t i = 1; i + CHANGE <= size; i += CHANGE) {
		if ((data[i + 3] & 1) == when)
			fuzz_require(pwrite(fd, &data[i + 2], 1, data[i] | data[i + 1] << 8) == 1);
	}
}

static void seal(int fd)
{
	struct region r;

	if (pread(fd, &r, sizeof(r), 0) != (ssize_t)sizeof(r))
		return;
	r.seal = osprof_seal(&r);
	fuzz_require(pwrite(fd, &r, offsetof(struct region, ended), 0) ==
		     (ssize_t)offsetof(struct region, ended));
}

/* Two threads' sets, two operations, a message. */
static int good_region(void)
{
	int fd = memfd_create("region", MFD_CLOEXEC);
	struct osprof *p = osprof_new_in(
		fd, &(struct osprof_options){ .max_ops = 2, .max_threads = 1, .system_clock = 1 });

	fuzz_require(p != NULL);
	osprof_add(p, osprof_op(p, "layer", "a"), 100);
	osprof_add(p, osprof_op(p, "", "b"), 0);
	fuzz_require(osprof_send(fd, "hello", 5) == 0);
	((struct capture *)p)->region->owner = 0; /* freeing it does not end it */
	seal(fd);
	osprof_free(p);
	return fd;
}

static void read_it(struct osprof *p)
{
	const struct read_options options = { .numbering = NUMBERING_UNKNOWN };
	struct diag diag = { .emit = NULL };
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	struct profile *profile;
	struct input in;

	fuzz_require(f != NULL);
	if (osprof_print(p, f) == 0) {
		fuzz_require(fclose(f) == 0);
		input_borrow(&in, "region", text, n);
		profile = format_read(format_by_name(STR("osprof")), &in, &options, &diag);
		fuzz_require((profile == NULL) == (diag.seen[SEV_ERROR] > 0));
		profile_free(profile);
		input_release(&in);
	} else {
		(void)fclose(f);
	}
	free(text);
	(void)osprof_count(p);
	(void)osprof_state(p);
}

static void consider(int fd)
{
	struct osprof *p = osprof_attach(fd);
	struct osprof_message m;

	for (int i = 0; p != NULL && i < 100 && osprof_message(p, &m); i++)
		fuzz_require(m.size <= OSPROF_MAX_MESSAGE && m.bytes[m.size] == '\0');
	osprof_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t flags = size > 0 ? data[0] : 0;
	int fd = (flags & RAW) != 0 ? memfd_create("region", MFD_CLOEXEC) : good_region();
	struct osprof *p;

	if ((flags & RAW) != 0)
		fuzz_require(write(fd, data, size) == (ssize_t)size);
	else
		change(fd, data, size, 0);
	if ((flags & SEAL) != 0)
		seal(fd);
	if ((flags & CUT) != 0 && size > 2)
		fuzz_require(ftruncate(fd, data[1] | data[2] << 8) == 0);
	p = osprof_observe(fd);
	if (p != NULL) {
		read_it(p);
		if ((flags & RAW) == 0)
			change(fd, data, size, 1);
		if (osprof_observe_again(p) >= 0)
			read_it(p);
	}
	osprof_free(p);
	(void)osprof_send(fd, data, size < 300 ? size : 300);
	consider(fd);
	(void)close(fd);
	return 0;
}
