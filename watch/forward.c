/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/forward.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "profile/profile.h"
#include "watch/address.h"

static const double first_retry = 1, last_retry = 300;

struct sent {
	uint64_t seq;
	char *bytes; /* its line, then the profile */
	size_t n;
};

struct forward {
	struct loop *loop;
	struct forward_options options;
	struct address address;
	char sender[FRAME_NAME + 1];
	uint64_t boot, seq;
	struct sent *queue; /* that are not acknowledged, oldest first */
	size_t n, cap, bytes;
	int fd; /* -1: not connected */
	struct loop_read *watch;
	bool connected, writing;
	size_t next, offset; /* what is to be sent next: of the queue, and bytes of it */
	char hello[FRAME_LINE];
	size_t hello_left, hello_n;
	char in[FRAME_LINE]; /* an answer that is not complete */
	size_t n_in;
	struct loop_timer *timer;
	double retry;
	uint64_t dropped;
};

static void say(struct forward *f, bool open, const char *fmt, ...) PRINTF_LIKE(3, 4);

static void say(struct forward *f, bool open, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	f->options.report(f->options.ctx, open, text);
}

/* --- the queue ------------------------------------------------------------------------------ */

static void drop_first(struct forward *f)
{
	f->bytes -= f->queue[0].n;
	free(f->queue[0].bytes);
	memmove(f->queue, f->queue + 1, --f->n * sizeof(*f->queue));
	if (f->next > 0)
		f->next--;
}

/* The one that is being sent has to go on. */
static void make_room(struct forward *f)
{
	uint64_t before = f->dropped;

	while (f->bytes > FORWARD_BYTES && f->n > 1 && !(f->next == 0 && f->offset > 0)) {
		drop_first(f);
		f->dropped++;
	}
	if (f->dropped > before)
		say(f, f->connected, "%llu intervals were dropped: too many wait to be sent",
		    (unsigned long long)f->dropped);
}

/* It would be refused the next time, too. */
static void drop_refused(struct forward *f, uint64_t seq)
{
	for (size_t i = 0; i < f->next; i++) {
		if (f->queue[i].seq != seq)
			continue;
		f->bytes -= f->queue[i].n;
		free(f->queue[i].bytes);
		memmove(f->queue + i, f->queue + i + 1, (--f->n - i) * sizeof(*f->queue));
		f->next--;
		say(f, true, "interval %llu was refused", (unsigned long long)seq);
		return;
	}
}

static void acknowledged(struct forward *f, const struct frame *frame)
{
	if (frame->type == FRAME_REFUSED)
		drop_refused(f, frame->seq);
	/* What is on its way now cannot be taken back. */
	while (frame->type == FRAME_ACK && f->n > 0 && f->queue[0].seq <= frame->seq && f->next > 0)
		drop_first(f);
}

/* --- the connection ------------------------------------------------------------------------- */

static void ready(void *ctx);

static void watch_for(struct forward *f, bool writing)
{
	if (f->watch != NULL && f->writing == writing)
		return;
	loop_unread(f->watch);
	f->writing = writing;
	f->watch = loop_read(f->loop, f->fd, writing, ready, f);
}

static void disconnect(struct forward *f, const char *why)
{
	loop_unread(f->watch);
	f->watch = NULL;
	if (f->fd >= 0)
		(void)close(f->fd);
	f->fd = -1;
	if (f->connected)
		f->retry = first_retry;
	f->connected = false;
	f->next = f->offset = f->n_in = 0;
	say(f, false, "%s; tried again in %.0f s", why, f->retry);
	loop_timer_set(f->timer, f->retry);
	f->retry = fmin(2 * f->retry, last_retry);
}

/* Sends some of it; false: not now, or the connection is gone. */
static bool send_some(struct forward *f, const char *bytes, size_t n, size_t *ret_sent)
{
	ssize_t sent = send(f->fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT);

	*ret_sent = sent > 0 ? (size_t)sent : 0;
	if (sent < 0 && errno != EAGAIN && errno != EINTR) {
		disconnect(f, strerror(errno));
		return false;
	}
	return sent == (ssize_t)n;
}

static void send_all(struct forward *f)
{
	size_t sent;

	if (f->hello_left > 0) {
		bool all =
			send_some(f, f->hello + f->hello_n - f->hello_left, f->hello_left, &sent);

		f->hello_left -= sent;
		if (!all) {
			if (f->fd >= 0)
				watch_for(f, true);
			return;
		}
	}
	while (f->next < f->n) {
		const struct sent *s = &f->queue[f->next];
		bool all = send_some(f, s->bytes + f->offset, s->n - f->offset, &sent);

		if (f->fd < 0)
			return;
		f->offset += sent;
		if (!all) {
			watch_for(f, true);
			return;
		}
		f->next++;
		f->offset = 0;
	}
	watch_for(f, false);
}

static void take_answers(struct forward *f)
{
	while (f->n_in > 0) {
		struct frame frame;
		struct str body;
		const char *why;
		size_t used;

		switch (frame_find(f->in, f->n_in, &frame, &body, &used, &why)) {
		case FRAME_MORE:
			return;
		case FRAME_BROKEN:
			disconnect(f, "what it answers is no frame");
			return;
		case FRAME_READY:
			acknowledged(f, &frame);
			break;
		case FRAME_WRONG:
			break;
		}
		memmove(f->in, f->in + used, f->n_in - used);
		f->n_in -= used;
	}
}

static void read_answers(struct forward *f)
{
	ssize_t n = recv(f->fd, f->in + f->n_in, sizeof(f->in) - f->n_in, MSG_DONTWAIT);

	if (n > 0) {
		f->n_in += (size_t)n;
		f->retry = first_retry;
		take_answers(f);
	} else if (n == 0) {
		disconnect(f, "the other side closed the connection");
	} else if (errno != EAGAIN && errno != EINTR) {
		disconnect(f, strerror(errno));
	}
}

static void begin(struct forward *f)
{
	struct frame hello = { .type = FRAME_HELLO, .boot = f->boot };
	struct out *o = out_to_memory();

	memcpy(hello.sender, f->sender, sizeof(hello.sender));
	frame_print(o, &hello);
	f->hello_n = f->hello_left = out_memory(o).n;
	memcpy(f->hello, out_memory(o).p, f->hello_n);
	out_free(o);
	f->connected = true;
	say(f, true, "connected");
}

static void ready(void *ctx)
{
	struct forward *f = ctx;
	socklen_t length = sizeof(int);
	int error = 0;

	if (!f->connected) {
		(void)getsockopt(f->fd, SOL_SOCKET, SO_ERROR, &error, &length);
		if (error != 0) {
			disconnect(f, strerror(error));
			return;
		}
		begin(f);
	}
	read_answers(f);
	if (f->fd >= 0)
		send_all(f);
}

static void try_to_connect(void *ctx)
{
	struct forward *f = ctx;

	f->fd = socket(f->address.at.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (f->fd < 0 ||
	    (connect(f->fd, (const struct sockaddr *)&f->address.at, f->address.length) != 0 &&
	     errno != EINPROGRESS)) {
		disconnect(f, strerror(errno));
		return;
	}
	watch_for(f, true);
}

/* --- for the watcher ------------------------------------------------------------------------ */

static bool name_sender(struct forward *f, const char *name, struct diag *diag)
{
	char host[256] = "";

	if (name == NULL && gethostname(host, sizeof(host) - 1) == 0)
		name = host;
	if (name == NULL || !frame_is_name(str_from(name))) {
		diag_plain(
			diag, DIAG_USAGE,
			"--sender %s: expected 1 to 64 letters, digits, dots, dashes, underscores",
			name != NULL ? name : "");
		return false;
	}
	memcpy(f->sender, name, strlen(name) + 1);
	return true;
}

struct forward *forward_new(struct loop *l, const struct forward_options *options,
			    struct diag *diag)
{
	struct forward *f = xcalloc(1, sizeof(*f));

	f->loop = l;
	f->options = *options;
	f->fd = -1;
	f->retry = first_retry;
	if (!address_parse(options->address, &f->address, diag) ||
	    !name_sender(f, options->sender, diag) ||
	    getrandom(&f->boot, sizeof(f->boot), 0) != (ssize_t)sizeof(f->boot)) {
		free(f);
		return NULL;
	}
	f->timer = loop_timer(l, try_to_connect, f);
	loop_timer_set(f->timer, 0);
	return f;
}

void forward_free(struct forward *f)
{
	if (f == NULL)
		return;
	while (f->n > 0)
		drop_first(f);
	free(f->queue);
	loop_unread(f->watch);
	if (f->fd >= 0)
		(void)close(f->fd);
	loop_timer_free(f->timer);
	free(f);
}

void forward_put(struct forward *f, const struct profile *p, struct span span)
{
	struct diag diag = { .emit = NULL };
	struct frame frame = { .type = FRAME_PROFILE, .boot = f->boot, .span = span };
	struct out *body = out_to_memory(), *o = out_to_memory();
	bool ok = p->n_ops > 0 && format_by_name(STR("osprof"))->write(p, body, &diag);

	if (ok && out_memory(body).n > FRAME_BYTES) {
		say(f, f->connected, "an interval is too large to be sent: more than 8 MiB");
		ok = false;
	}
	if (ok) {
		struct sent *s;

		memcpy(frame.sender, f->sender, sizeof(frame.sender));
		frame.seq = ++f->seq;
		frame.bytes = out_memory(body).n;
		frame.crc32 = frame_crc32(out_memory(body));
		frame_print(o, &frame);
		out_bytes(o, out_memory(body));
		f->queue = xgrow(f->queue, &f->cap, f->n + 1, sizeof(*f->queue));
		s = &f->queue[f->n++];
		*s = (struct sent){ frame.seq, xcalloc(out_memory(o).n, 1), out_memory(o).n };
		memcpy(s->bytes, out_memory(o).p, s->n);
		f->bytes += s->n;
		make_room(f);
	}
	out_free(body);
	out_free(o);
	if (f->connected)
		send_all(f);
}

void forward_finish(struct forward *f, double seconds)
{
	double end = loop_since() + seconds, left;

	if (f->connected && f->n > 0)
		send_all(f);
	while (f->fd >= 0 && f->n > 0 && (left = end - loop_since()) > 0) {
		struct pollfd p = { .fd = f->fd, .events = (short)(f->writing ? POLLOUT : POLLIN) };

		if (poll(&p, 1, (int)(1000 * left) + 1) > 0)
			ready(f);
	}
	if (f->n > 0)
		say(f, false, "%zu intervals were not acknowledged", f->n);
}
