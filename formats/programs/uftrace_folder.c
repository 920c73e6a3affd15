/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/programs/uftrace_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"

enum { HEADER = 40 };

static const char signature[] = "Ftrace!";

static int open_info(const char *path)
{
	struct arena *a = arena_new();
	int fd = open(arena_printf(a, "%s/info", path).p, O_RDONLY | O_CLOEXEC);

	arena_free(a);
	return fd;
}

/* Reads and closes fd; -1 if it is not open or cannot be read. */
static ssize_t read_info(int fd, char *to, size_t room)
{
	size_t n = 0;
	ssize_t got = 0;

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

	return read_info(open_info(path), begin, sizeof(begin)) == (ssize_t)sizeof(begin) &&
	       memcmp(begin, signature, sizeof(begin)) == 0;
}

bool uftrace_folder_open(struct input *ret, const char *path, struct diag *diag)
{
	enum { LARGEST_INFO = 1 << 24 };
	int fd = open_info(path);
	struct stat st;
	size_t room = fd >= 0 && fstat(fd, &st) == 0 && st.st_size < LARGEST_INFO
			      ? (size_t)st.st_size + 1
			      : LARGEST_INFO,
	       text = 0;
	char *bytes = xcalloc(room, 1);
	ssize_t n = read_info(fd, bytes, room);

	*ret = (struct input){ .name = str_from(path), .bytes = STR("") };
	if (n < HEADER || bytes[14] != 1 || bytes[15] != 2) {
		diag_file(diag, n < HEADER ? DIAG_INPUT_TRUNCATED : DIAG_FORMAT_UNKNOWN, ret,
			  n < HEADER ? "its info ends within the header"
				     : "only folders of 64-bit little-endian machines are read");
		free(bytes);
		return false;
	}
	/* Keep the text up to the first NUL. */
	memmove(bytes, bytes + HEADER, (size_t)n - HEADER);
	while (text < (size_t)n - HEADER && bytes[text] != '\0')
		text++;
	ret->owned = bytes;
	ret->bytes = (struct str){ bytes, text };
	ret->folder = path;
	return true;
}
