/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/sources/listener.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* False: it is not a Unix socket, or there is none. */
static bool stat_socket(const struct address *a, struct stat *ret)
{
	struct sockaddr_un at;

	if (a->at.ss_family != AF_UNIX)
		return false;
	memcpy(&at, &a->at, sizeof(at));
	return lstat(at.sun_path, ret) == 0 && S_ISSOCK(ret->st_mode);
}

/* Removes a Unix socket that nobody listens on. */
static void remove_stale(const struct address *a)
{
	struct sockaddr_un at;
	struct stat st;
	int fd;

	if (!stat_socket(a, &st))
		return;
	memcpy(&at, &a->at, sizeof(at));
	/* Nonblocking: the backlog of a socket that nobody accepts on may be full. */
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (const struct sockaddr *)&at, sizeof(at)) != 0 &&
	    errno == ECONNREFUSED)
		(void)unlink(at.sun_path);
	if (fd >= 0)
		(void)close(fd);
}

bool listener_open(struct listener *l)
{
	const struct address *a = &l->address;
	const int on = 1;
	mode_t mask;
	bool ok;
	int why;

	l->fd = socket(a->at.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (l->fd < 0)
		return false;
	remove_stale(a);
	if (a->at.ss_family != AF_UNIX)
		(void)setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	mask = umask(0177); /* 0600 */
	ok = bind(l->fd, (const struct sockaddr *)&a->at, a->length) == 0;
	(void)umask(mask);
	if (ok && listen(l->fd, SOMAXCONN) == 0) {
		(void)stat_socket(a, &l->made);
		return true;
	}
	why = errno;
	(void)close(l->fd);
	errno = why;
	return false;
}

void listener_close(struct listener *l)
{
	struct sockaddr_un at;
	struct stat now;

	(void)close(l->fd);
	if (stat_socket(&l->address, &now) && now.st_dev == l->made.st_dev &&
	    now.st_ino == l->made.st_ino) {
		memcpy(&at, &l->address.at, sizeof(at));
		(void)unlink(at.sun_path);
	}
}
