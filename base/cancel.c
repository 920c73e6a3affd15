/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/cancel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>

int cancel_open(const char *path, const atomic_bool *cancelled)
{
	int fd;

	if (cancelled == NULL)
		return open(path, O_RDONLY | O_CLOEXEC);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

bool cancel_wait(int fd, const atomic_bool *cancelled)
{
	enum { LOOK_MS = 50 }; /* less than a user notices after a key */
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (cancelled != NULL) {
		if (atomic_load(cancelled)) {
			errno = ECANCELED;
			return false;
		}
		if (poll(&p, 1, LOOK_MS) != 0)
			break;
	}
	return true;
}
