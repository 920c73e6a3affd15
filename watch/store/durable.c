/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/store/durable.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static bool write_all(int fd, struct str s)
{
	while (s.n > 0) {
		ssize_t n = write(fd, s.p, s.n);

		if (n < 0 && errno != EINTR)
			return false;
		s = str_skip(s, n > 0 ? (size_t)n : 0);
	}
	return fsync(fd) == 0;
}

bool durable_write(int folder, const char *name, unsigned mode, struct str text)
{
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
	bool ok = fd >= 0 && write_all(fd, text);
	int why = errno;

	if (fd >= 0 && close(fd) != 0 && ok) {
		why = errno;
		ok = false;
	}
	errno = why;
	return ok;
}
