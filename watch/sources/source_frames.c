/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frames:unix:PATH and frames:tcp:HOST:PORT: listens for profiles of other watches.
 *
 * A profile counts once, in the interval in which it arrives.  It is acknowledged when that
 * interval is on the disk; a frame that is sent again after a broken connection is left out.
 * Peers that send anything but frames, are too slow or exceed a limit are disconnected.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "watch/sources/frame.h"
#include "watch/sources/listener.h"
#include "watch/sources/refused.h"
#include "watch/sources/source.h"

enum {
	MAX_PEERS = 1024,
	MAX_KNOWN = 2 * MAX_PEERS * FRAME_STARTS, /* starts of senders */
	MAX_WAITING = 64 << 20,			  /* bytes of incomplete frames, of all peers */
	MAX_MESSAGES = 8,			  /* reported an interval; others are counted */
	SECONDS_A_FRAME = 30,
	PIECE = 64 * 1024, /* bytes of one read */
	AT_ONCE = 64,	   /* connections accepted in one go */
};

/* One start of a sender. */
struct known {
	char sender[FRAME_NAME + 1];
	uint64_t boot, seq; /* seq: of the last profile counted; 0: none */
	uint64_t used;	    /* order of last use, to forget the oldest */
	size_t n_peers;	    /* connections with this start: it is not forgotten */
	struct peer *due;   /* the peer to send the acknowledgement to; NULL: none */
};

struct peer {
	struct frames *all;
	int fd;
	struct loop_read *read;
	char *buf;
	size_t n, cap;
	double since;	     /* start of the incomplete frame, or of the connection */
	struct known *known; /* NULL: no hello yet */
	struct peer *next;
};

struct frames {
	struct source *source;
	struct listener listener;
	struct loop_read *accept; /* NULL: out of descriptors */
	struct loop_timer *sweep;
	struct peer *peers;
	size_t n_peers, max_peers, waiting;
	unsigned n_unkept; /* intervals in a row that were not written */
	bool paused;	   /* no peer is read until an interval is written */
	struct known known[MAX_KNOWN];
	size_t n_known;
	uint64_t clock;
	size_t n_messages, n_left_out, n_turned_away; /* since the last interval */
};

static void report_what(struct frames *f, const char *who, const char *what)
{
	if (f->n_messages++ < MAX_MESSAGES)
		source_state(f->source, SOURCE_OPEN, "%s%s%s", who, *who != '\0' ? ": " : "", what);
	else
		f->n_left_out++;
}

/* --- peers ---------------------------------------------------------------------------------- */

/* Sets which sender a peer is; NULL: none. */
static void be_known(struct peer *p, struct known *known)
{
	if (p->known != NULL)
		p->known->n_peers--;
	p->known = known;
	if (known != NULL)
		known->n_peers++;
}

static void forget_peer(struct frames *f, struct peer *p, size_t dropped)
{
	struct ledger *l = intake_own_ledger(f->source->intake);
	struct peer **at = &f->peers;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	f->n_peers--;
	f->waiting -= p->n;
	be_known(p, NULL);
	for (size_t i = 0; i < f->n_known; i++)
		f->known[i].due = f->known[i].due != p ? f->known[i].due : NULL;
	l->dropped += dropped;
	loop_unread(p->read);
	(void)close(p->fd);
	free(p->buf);
	free(p);
}

/* Closes the connection, and drops its incomplete frame. */
static void refuse_peer(struct peer *p, const char *why)
{
	struct frames *f = p->all;

	report_what(f, p->known != NULL ? p->known->sender : "", why);
	intake_own_ledger(f->source->intake)->refused++;
	forget_peer(f, p, p->n);
}

/* False: the peer is gone. */
static bool answer_peer(struct peer *p, enum frame_type type, uint64_t boot, uint64_t seq)
{
	struct out *o = out_to_memory();
	const struct frame frame = { .type = type, .boot = boot, .seq = seq };
	struct str line;
	ssize_t n;
	bool ok;

	frame_print(o, &frame);
	line = out_memory(o);
	n = send(p->fd, line.p, line.n, MSG_NOSIGNAL | MSG_DONTWAIT);
	/* What a peer sent before it left is still read. */
	ok = n == (ssize_t)line.n || (n < 0 && (errno == EPIPE || errno == ECONNRESET));
	out_free(o);
	if (ok)
		return true;
	refuse_peer(p, "it does not read replies");
	return false;
}

/* Returns the start of a sender; a new one replaces the least recently used.  NULL: all are in use,
 * which senders that keep to FRAME_STARTS do not cause. */
static struct known *find_known(struct frames *f, const struct frame *frame)
{
	struct known *oldest = NULL;

	for (size_t i = 0; i < f->n_known; i++) {
		struct known *k = &f->known[i];

		if (k->boot == frame->boot && strcmp(k->sender, frame->sender) == 0)
			return k;
		if (k->n_peers == 0 && k->due == NULL && (oldest == NULL || k->used < oldest->used))
			oldest = k;
	}
	if (f->n_known < MAX_KNOWN)
		oldest = &f->known[f->n_known++];
	if (oldest == NULL)
		return NULL;
	*oldest = (struct known){ .boot = frame->boot };
	memcpy(oldest->sender, frame->sender, sizeof(oldest->sender));
	return oldest;
}

/* --- frames --------------------------------------------------------------------------------- */

static void keep_error(void *ctx, const struct diag_msg *msg)
{
	struct out *o = ctx;

	if (msg->severity == SEV_ERROR && o->n == 0)
		out_printf(o, "%s: %s%c", diag_text(msg->code),
			   msg->detail != NULL ? msg->detail : "", '\0');
}

/* NULL: *why holds the reason. */
static struct profile *profile_in(struct frames *f, struct str body, struct out *why)
{
	struct diag diag = { .emit = keep_error, .ctx = why };
	struct profile *p;
	struct input in;

	input_borrow(&in, f->source->status->name, body.p, body.n);
	p = format_read_bare(format_by_name(STR("osprof")), &in, f->source->all->read, &diag);
	input_release(&in);
	return p;
}

/* Keeps a refused frame for a later version of osprof. */
static void put_aside(const struct peer *p, const struct frame *frame, struct str all)
{
	const struct sources *sources = p->all->source->all;
	const char *sender = p->known != NULL ? p->known->sender : "unknown";

	if (sources->keep != NULL && !refused_keep(sources->keep, frame, sender, all))
		report_what(p->all, sender, "and not put aside: there are too many, or no room");
}

/* False: the peer is gone. */
static bool take_profile(struct peer *p, const struct frame *frame, struct str body, struct str all)
{
	struct frames *f = p->all;
	struct ledger *l = intake_own_ledger(f->source->intake);
	struct known *k = p->known;
	struct profile *profile;
	struct out *why;
	struct str bytes;
	bool was_read;
	char text[100], *room = NULL;
	const char *bad = NULL;

	k->due = p;
	if (frame->seq <= k->seq) {
		l->repeated++; /* it was counted already */
		return true;
	}
	if (frame->seq > k->seq + 1 && k->seq > 0) {
		(void)snprintf(text, sizeof(text), "%llu profiles before this one are missing",
			       (unsigned long long)(frame->seq - k->seq - 1));
		report_what(f, k->sender, text);
		intake_gap(f->source->intake);
	}
	k->seq = frame->seq;
	why = out_to_memory();
	profile = NULL;
	if (frame_unpack(frame, body, &bytes, &room, &bad))
		profile = profile_in(f, bytes, why);
	else
		out_printf(why, "%s%c", bad, '\0');
	free(room);
	was_read = profile != NULL;
	if (was_read && source_profile(f->source, profile)) {
		out_free(why);
		return true;
	}
	if (!was_read) {
		l->refused++;
		report_what(f, k->sender, why->n > 0 ? out_memory(why).p : "no profile");
	}
	out_free(why);
	put_aside(p, frame, all);
	return answer_peer(p, FRAME_REFUSED, frame->boot, frame->seq);
}

/* False: the peer is gone. */
static bool take_frame(struct peer *p, const struct frame *frame, struct str body, struct str all)
{
	struct frames *f = p->all;

	if (frame->type == FRAME_HELLO)
		be_known(p, find_known(f, frame));
	if (frame->type > FRAME_END || p->known == NULL || p->known->boot != frame->boot ||
	    strcmp(p->known->sender, frame->sender) != 0) {
		refuse_peer(p, "expected a hello frame first");
		return false;
	}
	p->known->used = ++f->clock;
	return frame->type != FRAME_PROFILE || take_profile(p, frame, body, all);
}

static void take_off(struct peer *p, size_t n)
{
	memmove(p->buf, p->buf + n, p->n - n);
	p->n -= n;
	p->all->waiting -= n;
	p->since = loop_since();
	intake_own_ledger(p->all->source->intake)->read += n;
}

/* Frees the buffer of a large frame: the peer may be idle for long. */
static void shrink_buffer(struct peer *p)
{
	char *rest = NULL;

	if (p->n > PIECE)
		return;
	p->cap = 0;
	if (p->n > 0) {
		rest = xgrow(NULL, &p->cap, p->n, 1);
		memcpy(rest, p->buf, p->n);
	}
	free(p->buf);
	p->buf = rest;
}

static void take_frames(struct peer *p)
{
	struct frames *f = p->all;

	while (p->n > 0) {
		struct str body = STR("");
		struct frame frame;
		const char *why;
		size_t used = 0;
		enum frame_found found = frame_find(p->buf, p->n, &frame, &body, &used, &why);

		if (found == FRAME_MORE)
			break;
		if (found == FRAME_BROKEN) {
			refuse_peer(p, why);
			return;
		}
		if (found == FRAME_WRONG) {
			report_what(f, p->known != NULL ? p->known->sender : "", why);
			intake_own_ledger(f->source->intake)->refused++;
			if (frame.newer)
				put_aside(p, &frame, (struct str){ p->buf, used });
			if (!answer_peer(p, FRAME_REFUSED, frame.boot, frame.seq))
				return;
		} else if (!take_frame(p, &frame, body, (struct str){ p->buf, used })) {
			return;
		}
		take_off(p, used);
	}
	shrink_buffer(p);
}

static void read_peer(void *ctx)
{
	struct peer *p = ctx;
	struct frames *f = p->all;
	ssize_t n;

	p->buf = xgrow(p->buf, &p->cap, p->n + PIECE, 1);
	n = recv(p->fd, p->buf + p->n, PIECE, MSG_DONTWAIT);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		if (p->n > 0)
			refuse_peer(p, "the connection ended within a frame");
		else
			forget_peer(f, p, 0);
		return;
	}
	if (p->n == 0)
		p->since = loop_since();
	p->n += (size_t)n;
	f->waiting += (size_t)n;
	f->source->latest = loop_since();
	intake_own_ledger(f->source->intake)->in += (uint64_t)n;
	if (f->waiting > MAX_WAITING)
		refuse_peer(p, "too many incomplete frames");
	else
		take_frames(p);
}

/* --- connections ---------------------------------------------------------------------------- */

/* Only this user and root may connect to a Unix socket. */
static bool may_connect(const struct frames *f, int fd)
{
	struct ucred who;
	socklen_t n = sizeof(who);

	if (f->listener.address.at.ss_family != AF_UNIX)
		return true;
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0 &&
	       (who.uid == geteuid() || who.uid == 0);
}

static void add_peer(struct frames *f, int fd)
{
	struct peer *p = xcalloc(1, sizeof(*p));

	p->all = f;
	p->fd = fd;
	p->since = loop_since();
	p->read = loop_read(f->source->all->loop, fd, false, read_peer, p);
	if (p->read == NULL) {
		(void)close(fd);
		free(p);
		return;
	}
	p->next = f->peers;
	f->peers = p;
	f->n_peers++;
}

static void accept_peers(void *ctx)
{
	struct frames *f = ctx;

	for (int i = 0; i < AT_ONCE; i++) {
		int fd = accept4(f->listener.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM)) {
			/* sweep_peers() tries again. */
			report_what(f, "", strerror(errno));
			loop_unread(f->accept);
			f->accept = NULL;
		}
		if (fd < 0)
			return;
		if (!may_connect(f, fd)) {
			report_what(f, "", "a process of another user was turned away");
			(void)close(fd);
		} else if (f->n_peers >= f->max_peers) {
			f->n_turned_away++;
			(void)close(fd);
		} else {
			address_keep_alive(fd);
			add_peer(f, fd);
		}
	}
}

/* Disconnects peers that did not complete a frame or a hello in time. */
static void sweep_peers(void *ctx)
{
	struct frames *f = ctx;
	struct peer *p = f->paused ? NULL : f->peers, *next;

	for (; p != NULL; p = next) {
		next = p->next;
		if ((p->n > 0 || p->known == NULL) && loop_since() - p->since > SECONDS_A_FRAME)
			refuse_peer(p, "a frame took more than 30 seconds");
	}
	if (f->accept == NULL && !f->paused)
		f->accept = loop_read(f->source->all->loop, f->listener.fd, false, accept_peers, f);
	loop_timer_set(f->sweep, 1);
}

/* Stops reading while intervals cannot be written: the profiles stay with their senders. */
static void pause_peers(struct frames *f)
{
	f->paused = true;
	source_state(f->source, SOURCE_WAITING,
		     "intervals cannot be written: senders wait until they can");
	loop_unread(f->accept);
	f->accept = NULL;
	for (struct peer *p = f->peers; p != NULL; p = p->next) {
		loop_unread(p->read);
		p->read = NULL;
	}
}

static void go_on(struct frames *f)
{
	struct peer *p = f->peers, *next;

	f->paused = false;
	source_state(f->source, SOURCE_OPEN, "intervals are written again: senders go on");
	for (; p != NULL; p = next) {
		next = p->next;
		p->since = loop_since();
		p->read = loop_read(f->source->all->loop, p->fd, false, read_peer, p);
		if (p->read == NULL)
			refuse_peer(p, "no room to read it");
	}
}

static void end_of_interval(struct source *s)
{
	struct frames *f = s->own;

	if (f->n_unkept++ > 0 && !f->paused)
		pause_peers(f);
	if (f->n_turned_away > 0)
		source_state(s, SOURCE_OPEN, "%zu connections were turned away: %zu are open",
			     f->n_turned_away, f->max_peers);
	if (f->n_left_out > 0)
		source_state(s, SOURCE_OPEN, "%zu messages more", f->n_left_out);
	f->n_messages = f->n_left_out = f->n_turned_away = 0;
}

/* Acknowledges the profiles of an interval that is on the disk, or is not to be kept. */
static void acknowledge_interval(struct source *s)
{
	struct frames *f = s->own;

	f->n_unkept = 0;
	if (f->paused)
		go_on(f);
	for (size_t i = 0; i < f->n_known; i++) {
		struct known *k = &f->known[i];
		struct peer *p = k->due;

		k->due = NULL;
		if (p != NULL)
			(void)answer_peer(p, FRAME_ACK, k->boot, k->seq);
	}
}

/* --- for the watcher ------------------------------------------------------------------------ */

/* Returns how many connections leave enough descriptors for files, other sources and commands. */
static size_t room_for_peers(void)
{
	enum { OTHERS = 64 };
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= MAX_PEERS + OTHERS)
		return MAX_PEERS;
	return limit.rlim_cur > 2 * OTHERS ? limit.rlim_cur - OTHERS : limit.rlim_cur / 2;
}

static bool open_frames(struct source *s, const char *rest, struct diag *diag)
{
	struct listener listener = { .fd = -1 };
	struct frames *f;

	if (s->all->by_start) {
		diag_plain(diag, DIAG_USAGE,
			   "%s: profiles count when they arrive; leave --lateness out",
			   s->status->name);
		return false;
	}
	if (!address_parse(rest, &listener.address, diag))
		return false;
	if (!address_is_local(&listener.address) && !s->all->trust_network) {
		diag_plain(diag, DIAG_USAGE,
			   "%s: anybody in the network could send profiles; use --trust-network to "
			   "allow it",
			   s->status->name);
		return false;
	}
	if (!listener_open(&listener)) {
		diag_plain(diag, DIAG_USAGE, "%s: %s", s->status->name, strerror(errno));
		return false;
	}
	f = xcalloc(1, sizeof(*f));
	f->source = s;
	f->listener = listener;
	f->max_peers = room_for_peers();
	f->accept = loop_read(s->all->loop, listener.fd, false, accept_peers, f);
	f->sweep = loop_timer(s->all->loop, sweep_peers, f);
	s->own = f;
	loop_timer_set(f->sweep, 1);
	source_state(s, SOURCE_OPEN, "listening");
	return true;
}

static void close_frames(struct source *s)
{
	struct frames *f = s->own;

	while (f->peers != NULL)
		forget_peer(f, f->peers, f->peers->n);
	loop_unread(f->accept);
	loop_timer_free(f->sweep);
	listener_close(&f->listener);
	free(f);
}

const struct source_type source_frames = {
	.prefix = "frames:",
	.title = "an address to listen at for profiles of other watches",
	.no_records = "other watches send profiles, and no per-call records",
	.open = open_frames,
	.interval = end_of_interval,
	.kept = acknowledge_interval,
	.close = close_frames,
};
