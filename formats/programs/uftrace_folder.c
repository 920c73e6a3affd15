/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/programs/uftrace_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"

enum { HEADER = 40 };

static const char signature[] = "Ftrace!";

static ssize_t read_info(const char *path, char *to, size_t room)
{
	struct arena *a = arena_new();
	int fd = open(arena_printf(a, "%s/info", path).p, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t got = 0;

	arena_free(a);
	if (fd < 0)
		return -1;
	while (n < room && ((got = read(fd, to + n, room - n)) > 0 || (got < 0 && errno == EINTR)))
		n += got > 0 ? (size_t)got : 0;
	(void)close(fd);
	return got < 0 ? -1 : (ssize_t)n;
}

bool uftrace_is_folder(const char *path)
{
	char begin[sizeof(signature)];

	return read_info(path, begin, sizeof(begin)) == (ssize_t)sizeof(begin) &&
	       memcmp(begin, signature, sizeof(begin)) == 0;
}

bool uftrace_folder_open(struct input *ret, const char *path, struct diag *diag)
{
	enum { LARGEST_INFO = 1 << 24 };
	char *bytes = xcalloc(LARGEST_INFO, 1);
	ssize_t n = read_info(path, bytes, LARGEST_INFO);
	size_t text = 0;

	*ret = (struct input){ .name = str_from(path), .bytes = STR("") };
	if (n < HEADER || bytes[14] != 1 || bytes[15] != 2) {
		diag_file(diag, n < HEADER ? DIAG_INPUT_TRUNCATED : DIAG_FORMAT_UNKNOWN, ret,
			  n < HEADER ? "its info ends within the header"
				     : "only folders of 64-bit little-endian machines are read");
		free(bytes);
		return false;
	}
	/* Text up to the first byte that is none. */
	memmove(bytes, bytes + HEADER, (size_t)n - HEADER);
	while (text < (size_t)n - HEADER && bytes[text] != '\0')
		text++;
	ret->owned = bytes;
	ret->bytes = (struct str){ bytes, text };
	ret->folder = path;
	return true;
}
