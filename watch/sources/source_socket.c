/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unix:PATH and tcp:HOST:PORT: connects and reads, and reconnects when the connection ends. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "watch/sources/address.h"
#include "watch/sources/source.h"

struct connection {
	struct source *source;
	struct address address;
	int fd; /* -1: there is none */
	struct loop_read *read;
	struct loop_timer *timer;
};

static void drop_connection(struct connection *c)
{
	loop_unread(c->read);
	c->read = NULL;
	if (c->fd >= 0)
		(void)close(c->fd);
	c->fd = -1;
}

static void try_later(struct connection *c, const char *why)
{
	double after;

	drop_connection(c);
	after = source_retry(c->source);
	source_state(c->source, SOURCE_WAITING, "%s; tried again in %.0f s", why, after);
	loop_timer_set(c->timer, after);
}

static void read_socket(void *ctx)
{
	struct connection *c = ctx;
	long n = source_read_fd(c->source, c->fd);

	if (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)))
		return;
	intake_break(c->source->intake);
	try_later(c, n == 0 ? "the other side closed the connection" : strerror(errno));
}

static void on_connected(void *ctx)
{
	struct connection *c = ctx;
	socklen_t length = sizeof(int);
	int error = 0;

	loop_unread(c->read);
	c->read = NULL;
	(void)getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &length);
	if (error != 0) {
		try_later(c, strerror(error));
		return;
	}
	source_state(c->source, SOURCE_OPEN, "connected");
	c->read = loop_read(c->source->all->loop, c->fd, false, read_socket, c);
}

static void try_to_connect(void *ctx)
{
	struct connection *c = ctx;

	c->fd = socket(c->address.at.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (c->fd < 0 ||
	    (connect(c->fd, (const struct sockaddr *)&c->address.at, c->address.length) != 0 &&
	     errno != EINPROGRESS)) {
		try_later(c, strerror(errno));
		return;
	}
	address_keep_alive(c->fd);
	c->read = loop_read(c->source->all->loop, c->fd, true, on_connected, c);
	if (c->read == NULL)
		try_later(c, "no room for another connection");
}

static void close_connection(struct source *s)
{
	struct connection *c = s->own;

	drop_connection(c);
	loop_timer_free(c->timer);
	free(c);
}

static struct connection *connection_of(struct source *s)
{
	struct connection *c = xcalloc(1, sizeof(*c));

	c->source = s;
	c->fd = -1;
	c->timer = loop_timer(s->all->loop, try_to_connect, c);
	s->own = c;
	loop_timer_set(c->timer, 0);
	return c;
}

static bool open_connection(struct source *s, const char *rest, struct diag *diag)
{
	struct address address;

	(void)rest;
	if (!address_parse(s->status->name, &address, diag))
		return false;
	connection_of(s)->address = address;
	return true;
}

const struct source_type source_unix = {
	.prefix = "unix:",
	.title = "a Unix socket to connect to",
	.open = open_connection,
	.close = close_connection,
};

const struct source_type source_tcp = {
	.prefix = "tcp:",
	.title = "HOST:PORT to connect to",
	.open = open_connection,
	.close = close_connection,
};
