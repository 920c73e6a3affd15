/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/sources/forward.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/pack.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "profile/profile.h"
#include "watch/sources/address.h"
#include "watch/sources/spool.h"

static const double first_retry = 1, last_retry = 300;

struct forward {
	struct loop *loop;
	struct forward_options options;
	struct address address;
	char sender[FRAME_NAME + 1];
	uint64_t boot, seq;
	uint64_t said;		     /* the sender's start in the last hello */
	size_t max_starts;	     /* starts with unanswered frames at once */
	struct waiting_frame *queue; /* frames that are not acknowledged, oldest first */
	size_t n, cap, bytes;
	struct spool *spool; /* with a copy of each waiting frame; NULL: none */
	bool spool_failed;   /* the last write; reported once */
	int fd;		     /* -1: not connected */
	struct loop_read *watch;
	bool connected, writing;
	size_t next, offset; /* next frame of the queue, and bytes of it already sent */
	char hello[FRAME_LINE];
	size_t hello_left, hello_n;
	char in[FRAME_LINE]; /* an incomplete answer */
	size_t n_in;
	struct loop_timer *timer;
	double retry;
	struct forwarded counts; /* without those that wait */
};

static void say_state(struct forward *f, bool open, const char *fmt, ...) PRINTF_LIKE(3, 4);

static void say_state(struct forward *f, bool open, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	f->options.report(f->options.ctx, open, text);
}

/* --- the queue ------------------------------------------------------------------------------ */

static void take_out(struct forward *f, size_t i)
{
	f->bytes -= f->queue[i].n;
	spool_remove(f->spool, &f->queue[i]);
	free(f->queue[i].bytes);
	memmove(f->queue + i, f->queue + i + 1, (--f->n - i) * sizeof(*f->queue));
	if (f->next > i)
		f->next--;
}

/* Drops the oldest frames beyond FORWARD_BYTES, but not the one that is being sent. */
static void make_room(struct forward *f)
{
	uint64_t before = f->counts.dropped;

	while (f->bytes > FORWARD_BYTES && f->n > 1 && !(f->next == 0 && f->offset > 0)) {
		take_out(f, 0);
		f->counts.dropped++;
	}
	if (f->counts.dropped > before)
		say_state(f, f->connected, "%llu intervals were dropped: too many wait to be sent",
			  (unsigned long long)f->counts.dropped);
}

/* Removes the frames that an answer settles: those of a start up to an acknowledged number, or the
 * one refused, which would be refused again.  The frame that is being sent stays. */
static void take_answer(struct forward *f, const struct frame *answer)
{
	bool refused = answer->type == FRAME_REFUSED;

	for (size_t i = 0; i < f->next;) {
		const struct waiting_frame *w = &f->queue[i];

		if (w->boot != answer->boot ||
		    (refused ? w->seq != answer->seq : w->seq > answer->seq)) {
			i++;
			continue;
		}
		take_out(f, i);
		*(refused ? &f->counts.refused : &f->counts.acknowledged) += 1;
		if (refused)
			say_state(f, true, "interval %llu was refused",
				  (unsigned long long)answer->seq);
	}
}

/* --- the connection ------------------------------------------------------------------------- */

static void on_ready(void *ctx);

static void watch_for(struct forward *f, bool writing)
{
	if (f->watch != NULL && f->writing == writing)
		return;
	loop_unread(f->watch);
	f->writing = writing;
	f->watch = loop_read(f->loop, f->fd, writing, on_ready, f);
}

static void drop_connection(struct forward *f, const char *why)
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
	say_state(f, false, "%s; tried again in %.0f s", why, f->retry);
	loop_timer_set(f->timer, f->retry);
	f->retry = fmin(2 * f->retry, last_retry);
}

/* Returns the number of starts with unanswered frames. */
static size_t starts_sent(const struct forward *f)
{
	size_t starts = 0;

	for (size_t i = 0; i < f->next; i++)
		starts += i == 0 || f->queue[i].boot != f->queue[i - 1].boot;
	return starts;
}

/* Fills in the start in an answer of an older receiver, which does not name it.  False: frames of
 * several starts are unanswered, so the connection must be opened again. */
static bool settle_start(struct forward *f, struct frame *answer)
{
	if (answer->boot != 0)
		return true;
	f->max_starts = 1;
	if (starts_sent(f) > 1) {
		drop_connection(
			f, "replies without the time of its start: intervals are sent again at "
			   "each start");
		return false;
	}
	answer->boot = f->next > 0 ? f->queue[0].boot : f->said;
	return true;
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
			drop_connection(f, "malformed reply");
			return;
		case FRAME_READY:
			if (!settle_start(f, &frame))
				return;
			take_answer(f, &frame);
			break;
		case FRAME_WRONG:
			break;
		}
		memmove(f->in, f->in + used, f->n_in - used);
		f->n_in -= used;
	}
}

/* Reads all answers that have arrived, also before the end of a connection, up to a limit. */
static void read_answers(struct forward *f)
{
	enum { AT_ONCE = 1000 };
	ssize_t n = 1;

	for (int i = 0; i < AT_ONCE && f->fd >= 0; i++) {
		n = recv(f->fd, f->in + f->n_in, sizeof(f->in) - f->n_in, MSG_DONTWAIT);
		if (n <= 0)
			break;
		f->n_in += (size_t)n;
		f->retry = first_retry;
		take_answers(f);
	}
	if (n == 0)
		drop_connection(f, "the other side closed the connection");
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		drop_connection(f, strerror(errno));
}

/* Sends some of the bytes.  False: the socket is full, or the connection has ended. */
static bool send_some(struct forward *f, const char *bytes, size_t n, size_t *ret_sent)
{
	ssize_t sent = send(f->fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT);

	*ret_sent = sent > 0 ? (size_t)sent : 0;
	if (sent < 0 && errno != EAGAIN && errno != EINTR) {
		int error = errno;

		read_answers(f);
		if (f->fd >= 0)
			drop_connection(f, strerror(error));
		return false;
	}
	return sent == (ssize_t)n;
}

/* Prepares the hello of the next frame's sender. */
static void say_who(struct forward *f)
{
	struct frame hello = { .type = FRAME_HELLO, .boot = f->boot };
	struct out *o = out_to_memory();

	memcpy(hello.sender, f->sender, sizeof(hello.sender));
	if (f->next < f->n) {
		hello.boot = f->queue[f->next].boot;
		memcpy(hello.sender, f->queue[f->next].sender, sizeof(hello.sender));
	}
	frame_print(o, &hello);
	f->said = hello.boot;
	f->hello_n = f->hello_left = out_memory(o).n;
	memcpy(f->hello, out_memory(o).p, f->hello_n);
	out_free(o);
}

/* False: it was not sent completely, or the connection has ended. */
static bool send_hello(struct forward *f)
{
	size_t sent;
	bool all;

	if (f->hello_left == 0)
		return true;
	all = send_some(f, f->hello + f->hello_n - f->hello_left, f->hello_left, &sent);
	f->hello_left -= sent;
	return all;
}

static bool send_next(struct forward *f)
{
	const struct waiting_frame *w = &f->queue[f->next];
	size_t sent;
	bool all;

	if (w->boot != f->said && f->offset == 0 && f->hello_left == 0)
		say_who(f);
	if (!send_hello(f))
		return false;
	all = send_some(f, w->bytes + f->offset, w->n - f->offset, &sent);
	f->offset += sent;
	if (all) {
		f->next++;
		f->offset = 0;
	}
	return all;
}

/* Whether the next frame may be sent: receivers remember a limited number of unanswered starts. */
static bool may_go_on(const struct forward *f)
{
	if (f->offset > 0 || f->hello_left > 0 || f->queue[f->next].boot == f->said)
		return true;
	return starts_sent(f) < f->max_starts;
}

static void send_all(struct forward *f)
{
	bool all = send_hello(f);

	while (all && f->next < f->n && may_go_on(f))
		all = send_next(f);
	if (f->fd >= 0)
		watch_for(f, !all);
}

static void begin_session(struct forward *f)
{
	say_who(f);
	f->connected = true;
	say_state(f, true, "connected");
}

static void on_ready(void *ctx)
{
	struct forward *f = ctx;
	socklen_t length = sizeof(int);
	int error = 0;

	if (!f->connected) {
		(void)getsockopt(f->fd, SOL_SOCKET, SO_ERROR, &error, &length);
		if (error != 0) {
			drop_connection(f, strerror(error));
			return;
		}
		begin_session(f);
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
		drop_connection(f, strerror(errno));
		return;
	}
	address_keep_alive(f->fd);
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

/* Opens the spool.  Frames of earlier processes are sent first. */
static bool open_spool(struct forward *f, struct diag *diag)
{
	uint64_t bad;

	f->spool = spool_open(f->options.spool, diag);
	if (f->spool == NULL || !spool_read(f->spool, &f->queue, &f->n, &f->cap, &bad, diag))
		return false;
	for (size_t i = 0; i < f->n; i++)
		f->bytes += f->queue[i].n;
	f->counts.spooled = f->n + bad;
	f->counts.dropped = bad;
	if (bad > 0)
		say_state(f, false, "%llu files of the spool are damaged, and were removed",
			  (unsigned long long)bad);
	make_room(f);
	return true;
}

struct forward *forward_new(struct loop *l, const struct forward_options *options,
			    struct diag *diag)
{
	struct forward *f = xcalloc(1, sizeof(*f));

	f->loop = l;
	f->options = *options;
	f->fd = -1;
	f->max_starts = FRAME_STARTS;
	f->retry = first_retry;
	if (!address_parse(options->address, &f->address, diag) ||
	    !name_sender(f, options->sender, diag) || getentropy(&f->boot, sizeof(f->boot)) != 0) {
		free(f);
		return NULL;
	}
	f->timer = loop_timer(l, try_to_connect, f);
	if (options->spool != NULL && !open_spool(f, diag)) {
		forward_free(f);
		return NULL;
	}
	loop_timer_set(f->timer, 0);
	return f;
}

void forward_free(struct forward *f)
{
	if (f == NULL)
		return;
	/* Waiting frames stay in the spool. */
	spool_close(f->spool);
	f->spool = NULL;
	while (f->n > 0)
		take_out(f, 0);
	free(f->queue);
	loop_unread(f->watch);
	if (f->fd >= 0)
		(void)close(f->fd);
	loop_timer_free(f->timer);
	free(f);
}

/* Queues a frame: the head line, then the compressed profile. */
static void queue_frame(struct forward *f, struct str text, struct span span)
{
	struct frame frame = { .type = FRAME_PROFILE,
			       .boot = f->boot,
			       .seq = f->seq + 1,
			       .span = span,
			       .zstd = true };
	struct out *o = out_to_memory();
	struct waiting_frame *s;
	struct str packed;
	char *room;

	pack_zstd(text, &room, &packed.n);
	packed.p = room;
	f->counts.profiles++;
	if (text.n > FRAME_UNPACKED || packed.n > FRAME_BYTES) {
		f->counts.dropped++;
		say_state(f, f->connected, "an interval is too large to be sent: more than 8 MiB");
	} else {
		f->seq++;
		memcpy(frame.sender, f->sender, sizeof(frame.sender));
		frame.bytes = packed.n;
		frame.crc32 = frame_crc32(packed);
		frame_print(o, &frame);
		out_bytes(o, packed);
		f->queue = xgrow(f->queue, &f->cap, f->n + 1, sizeof(*f->queue));
		s = &f->queue[f->n++];
		*s = (struct waiting_frame){ .boot = f->boot, .seq = frame.seq };
		memcpy(s->sender, f->sender, sizeof(s->sender));
		s->bytes = xcalloc(out_memory(o).n, 1);
		s->n = out_memory(o).n;
		memcpy(s->bytes, out_memory(o).p, s->n);
		f->bytes += s->n;
		if (!spool_write(f->spool, s) && !f->spool_failed)
			say_state(f, f->connected, "the spool cannot be written: %s",
				  strerror(errno));
		f->spool_failed = f->spool != NULL && !s->spooled;
		make_room(f);
	}
	free(room);
	out_free(o);
}

void forward_put(struct forward *f, const struct profile *p, struct span span)
{
	struct diag diag = { .emit = NULL };
	struct out *text = out_to_memory();

	if (p->n_ops > 0 && format_by_name(STR("osprof"))->write(p, text, &diag))
		queue_frame(f, out_memory(text), span);
	out_free(text);
	if (f->connected)
		send_all(f);
}

struct forwarded forward_counts(const struct forward *f)
{
	struct forwarded counts = f->counts;

	counts.waiting = f->n;
	counts.waiting_bytes = f->bytes;
	return counts;
}

void forward_finish(struct forward *f, double seconds)
{
	double end = loop_since() + seconds, left;

	if (f->connected && f->n > 0)
		send_all(f);
	while (f->fd >= 0 && f->n > 0 && (left = end - loop_since()) > 0) {
		struct pollfd p = { .fd = f->fd, .events = (short)(f->writing ? POLLOUT : POLLIN) };

		if (poll(&p, 1, (int)(1000 * left) + 1) > 0)
			on_ready(f);
	}
	if (f->n > 0)
		say_state(f, false, "%zu intervals were not acknowledged%s", f->n,
			  f->spool != NULL ? ", and are in the spool" : "");
}
