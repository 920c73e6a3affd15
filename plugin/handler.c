/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/handler.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/json.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "plugin/events.h"

enum { LONGEST_PAUSE = 300, HOPELESS = 2 };

extern char **environ;

struct posted {
	struct posted *next;
	int kind;
	size_t n, done; /* bytes, and bytes written so far */
	char bytes[];
};

struct handler {
	char *program, *path;
	struct handler_calls calls;
	pid_t process; /* 0: not running */
	int fd;
	double pause;		     /* seconds to wait before the next restart */
	double start_at, done_until; /* on the clock of clock_monotonic(); HUGE_VAL: never */
	struct posted *first, *last; /* the queue; the first may be partly written */
	struct posted *given;	     /* the event being handled */
	size_t queued;
	uint64_t seq, n_dropped;
	unsigned n_lines;  /* lines read since it was given the event */
	unsigned failures; /* since it last finished an event */
	bool refused, closing;
	char line[HOST_LINE];
	size_t n_line;
};

struct handler *handler_new(const char *program, const char *path,
			    const struct handler_calls *calls)
{
	struct handler *h = xcalloc(1, sizeof(*h));

	*h = (struct handler){ .program = xstrdup(program),
			       .path = xstrdup(path),
			       .calls = *calls,
			       .fd = -1,
			       .pause = 1,
			       .start_at = 0,
			       .done_until = HUGE_VAL };
	if (h->calls.seconds <= 0)
		h->calls.seconds = HANDLER_SECONDS;
	return h;
}

/* --- the process ------------------------------------------------------------------------ */

static void end_process(struct handler *h, int *ret_status)
{
	if (h->fd >= 0)
		(void)close(h->fd);
	h->fd = -1;
	if (h->process == 0)
		return;
	(void)kill(-h->process, SIGKILL); /* and its children */
	(void)kill(h->process, SIGKILL);  /* even if it changed its process group */
	while (waitpid(h->process, ret_status, 0) < 0 && errno == EINTR)
		;
	h->process = 0;
}

static void free_given(struct handler *h)
{
	free(h->given);
	h->given = NULL;
	h->done_until = HUGE_VAL;
}

/* Ends the process after a failure and schedules the restart. `why` NULL: taken from its exit
 * status. */
static void give_up(struct handler *h, const char *why)
{
	char text[256];
	const char *during = h->given != NULL ? event_name(h->given->kind) : NULL;
	int status = 0;

	end_process(h, &status);
	if (why == NULL && WIFSIGNALED(status))
		(void)snprintf(text, sizeof(text), "crashed (signal %d)", WTERMSIG(status));
	else if (why == NULL)
		(void)snprintf(text, sizeof(text), "ended (status %d)", WEXITSTATUS(status));
	else
		(void)snprintf(text, sizeof(text), "%s", why);
	if (during != NULL)
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text),
			       " while it had an event: %s", during);
	if (!h->refused && !h->closing)
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text),
			       "; started again after %.0f s", h->pause);
	h->calls.report(h->calls.ctx, text);
	free_given(h);
	h->failures++;
	if (h->first != NULL)
		h->first->done = 0;
	h->n_line = 0;
	h->start_at = h->refused ? HUGE_VAL : clock_monotonic() + h->pause;
	h->pause = h->pause < LONGEST_PAUSE / 2 ? 2 * h->pause : LONGEST_PAUSE;
}

static bool spawn_host(struct handler *h, int theirs)
{
	char *argv[] = { h->program, h->path, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, usual;
	int error;

	(void)sigemptyset(&none);
	(void)sigfillset(&usual);
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawnattr_init(&attributes);
	(void)posix_spawn_file_actions_adddup2(&actions, theirs, 0);
	(void)posix_spawn_file_actions_adddup2(&actions, theirs, 1);
	(void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
							    POSIX_SPAWN_SETSIGDEF);
	(void)posix_spawnattr_setpgroup(&attributes, 0);
	(void)posix_spawnattr_setsigmask(&attributes, &none);
	(void)posix_spawnattr_setsigdefault(&attributes, &usual);
	error = posix_spawn(&h->process, h->program, &actions, &attributes, argv, environ);
	(void)posix_spawnattr_destroy(&attributes);
	(void)posix_spawn_file_actions_destroy(&actions);
	if (error != 0)
		h->process = 0;
	errno = error;
	return error == 0;
}

static void start_host(struct handler *h)
{
	int end[2] = { -1, -1 };
	bool ok = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end) == 0;
	char text[256];

	h->start_at = HUGE_VAL;
	if (ok) {
		h->fd = end[0];
		(void)fcntl(end[0], F_SETFL, O_NONBLOCK);
		ok = spawn_host(h, end[1]);
		(void)close(end[1]);
	}
	if (!ok) {
		(void)snprintf(text, sizeof(text), "cannot be started: %s", strerror(errno));
		give_up(h, text);
	}
}

/* --- events ------------------------------------------------------------------------------ */

static void put_key(struct out *object, const char *key)
{
	out_printf(object, "%s\"%s\":", out_memory(object).n > 1 ? "," : "", key);
}

void handler_put_text(struct out *object, const char *key, struct str text)
{
	put_key(object, key);
	escape_json(object, text);
}

void handler_put_number(struct out *object, const char *key, double v)
{
	if (!isfinite(v))
		return;
	put_key(object, key);
	out_f64(object, v);
}

void handler_post(struct handler *h, int kind, struct str object, struct str profile)
{
	size_t n = object.n + (profile.n > 0 ? profile.n + 1 : 0);
	struct posted *p;
	int head;

	if (h->refused)
		return;
	if (n > FRAME_BYTES || h->queued + n > HANDLER_QUEUE) {
		h->n_dropped++;
		return;
	}
	p = xcalloc(1, sizeof(*p) + FRAME_LINE + n);
	h->seq++;
	head = snprintf(p->bytes, FRAME_LINE, "osprof-frame 1 %s seq=%llu bytes=%zu\n",
			event_name(kind), (unsigned long long)h->seq, n);
	p->kind = kind;
	p->n = (size_t)head + n;
	memcpy(p->bytes + head, object.p, object.n);
	if (profile.n > 0) {
		p->bytes[(size_t)head + object.n] = '\n';
		memcpy(p->bytes + head + object.n + 1, profile.p, profile.n);
	}
	*(h->last != NULL ? &h->last->next : &h->first) = p;
	h->last = p;
	h->queued += p->n;
}

static void report_dropped(struct handler *h)
{
	char text[128];

	if (h->n_dropped == 0)
		return;
	(void)snprintf(text, sizeof(text), "too slow: %llu events were skipped",
		       (unsigned long long)h->n_dropped);
	h->n_dropped = 0;
	h->calls.report(h->calls.ctx, text);
}

/* Sends one event at a time: the next one when the handler has finished the last. */
static void write_events(struct handler *h)
{
	while (h->fd >= 0 && h->given == NULL && h->first != NULL) {
		struct posted *p = h->first;
		ssize_t n = send(h->fd, p->bytes + p->done, p->n - p->done, MSG_NOSIGNAL);

		if (n < 0)
			return; /* the socket is full, or closed, which read_answers() notices */
		if (h->done_until == HUGE_VAL)
			h->done_until = clock_monotonic() + h->calls.seconds;
		p->done += (size_t)n;
		if (p->done < p->n)
			continue;
		h->first = p->next;
		h->last = h->first != NULL ? h->last : NULL;
		h->queued -= p->n;
		h->given = p;
		h->n_lines = 0;
	}
}

/* --- answers ------------------------------------------------------------------------------- */

struct answer {
	struct str event, to, hex, message;
};

static bool parse_answer(struct answer *ret, struct arena *a, struct str line)
{
	struct diag silent = { .emit = NULL };
	struct answer r = { .event = { NULL, 0 } };
	struct input in;
	struct json j;
	struct str key;

	input_borrow(&in, "answer", line.p, line.n);
	json_start(&j, cursor_on(&in), a, &silent);
	if (json_open(&j, '{')) {
		while (json_key(&j, &key)) {
			struct str *to = str_eq(key, STR("event"))     ? &r.event
					 : str_eq(key, STR("to"))      ? &r.to
					 : str_eq(key, STR("hex"))     ? &r.hex
					 : str_eq(key, STR("message")) ? &r.message
								       : NULL;
			struct str text = { NULL, 0 };

			if (!json_text_or_skip(&j, &text))
				break;
			if (to != NULL && text.p != NULL)
				*to = arena_str(a, text);
		}
	}
	input_release(&in);
	*ret = r;
	return !j.failed && r.event.p != NULL;
}

static int digit_of(char c)
{
	return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Passes a message on; false if it is malformed. */
static bool send_message(struct handler *h, const struct answer *r)
{
	char bytes[MESSAGE_BYTES];
	size_t n = r->hex.n / 2;

	if (r->to.p == NULL || r->hex.n % 2 != 0 || n > sizeof(bytes) ||
	    memchr(r->to.p, '\0', r->to.n) != NULL)
		return false;
	for (size_t i = 0; i < n; i++) {
		int high = digit_of(r->hex.p[2 * i]), low = digit_of(r->hex.p[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		bytes[i] = (char)(high * 16 + low);
	}
	h->calls.send(h->calls.ctx, r->to.p, bytes, n);
	return true;
}

/* The host refuses to work and says why; it is not started again. */
static void be_refused(struct handler *h, const struct answer *r)
{
	h->refused = true;
	give_up(h, r->message.p != NULL ? r->message.p : "refused");
}

/* Returns false if the line is not a valid answer. */
static bool take_answer(struct handler *h, struct str line)
{
	struct arena *a = arena_new();
	struct answer r;
	bool ok = parse_answer(&r, a, line);

	if (!ok) {
		/* reported below */
	} else if (str_eq(r.event, STR("send"))) {
		ok = h->given != NULL && send_message(h, &r);
	} else if (str_eq(r.event, STR("done"))) {
		ok = h->given != NULL;
		free_given(h);
		h->pause = 1;
		h->failures = 0;
		report_dropped(h);
	} else if (str_eq(r.event, STR("refused"))) {
		be_refused(h, &r);
	} else {
		ok = str_eq(r.event, STR("hello"));
	}
	arena_free(a);
	return ok;
}

/* Returns false if the process was given up. */
static bool take_bytes(struct handler *h, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '\n') {
			if (h->n_line == sizeof(h->line)) {
				give_up(h, "printed a malformed answer");
				return false;
			}
			h->line[h->n_line++] = bytes[i];
			continue;
		}
		if (++h->n_lines > SENDS_OF_EVENT + 2) {
			give_up(h, "floods");
			return false;
		}
		if (!take_answer(h, (struct str){ h->line, h->n_line }) && h->process != 0)
			give_up(h, "printed a malformed answer");
		if (h->process == 0)
			return false;
		h->n_line = 0;
	}
	return true;
}

static void read_answers(struct handler *h)
{
	char bytes[4096];
	ssize_t n;

	while (h->fd >= 0 && (n = recv(h->fd, bytes, sizeof(bytes), 0)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		if (n < 0)
			break;
		if (!take_bytes(h, bytes, (size_t)n))
			return;
	}
	if (h->fd >= 0 && h->closing && h->given == NULL && h->first == NULL)
		end_process(h, &(int){ 0 });
	else if (h->fd >= 0)
		give_up(h, NULL);
}

/* Whether the process has exited. Its children may keep the socket open, so end-of-file does not
 * tell. */
static bool has_ended(const struct handler *h)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)h->process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid != 0;
}

void handler_step(struct handler *h)
{
	bool ended;

	if (h->process == 0 && clock_monotonic() >= h->start_at)
		start_host(h);
	if (h->fd < 0)
		return;
	ended = has_ended(h); /* checked first: its last answers are still to be read */
	read_answers(h);
	if (ended && h->fd >= 0)
		give_up(h, NULL);
	write_events(h);
	if (clock_monotonic() >= h->done_until)
		give_up(h, "hangs");
}

bool handler_has_output(const struct handler *h)
{
	return h->fd >= 0 && h->given == NULL && h->first != NULL;
}

/* Returns the seconds until the next restart or timeout; HUGE_VAL: none is due. */
static double time_left(const struct handler *h)
{
	double at = h->process == 0 ? h->start_at : h->done_until;

	return at == HUGE_VAL ? at : fmax(at - clock_monotonic(), 0);
}

bool handler_finish(struct handler *h, double seconds)
{
	double until = clock_monotonic() + seconds;

	while ((h->first != NULL || h->given != NULL) && clock_monotonic() < until && !h->refused &&
	       h->failures < HOPELESS) {
		struct pollfd p = { .fd = h->fd,
				    .events = (short)(POLLIN |
						      (handler_has_output(h) ? POLLOUT : 0)) };
		double wait = fmin(time_left(h), until - clock_monotonic());

		(void)poll(&p, h->fd >= 0, (int)(fmin(wait, 1) * 1000) + (h->process == 0 ? 0 : 1));
		handler_step(h);
	}
	report_dropped(h);
	if (h->first != NULL || h->given != NULL) {
		h->closing = true;
		if (!h->refused && h->process != 0)
			give_up(h, "did not come to an end");
		return false;
	}
	if (h->fd < 0)
		return !h->refused;
	h->closing = true;
	(void)shutdown(h->fd, SHUT_WR); /* tells it to exit */
	until = clock_monotonic() + 1;
	while (h->fd >= 0 && clock_monotonic() < until) {
		struct pollfd p = { .fd = h->fd, .events = POLLIN };

		(void)poll(&p, 1, 100);
		read_answers(h);
	}
	end_process(h, &(int){ 0 });
	return true;
}

void handler_free(struct handler *h)
{
	if (h == NULL)
		return;
	end_process(h, &(int){ 0 });
	free(h->given);
	while (h->first != NULL) {
		struct posted *next = h->first->next;

		free(h->first);
		h->first = next;
	}
	free(h->program);
	free(h->path);
	free(h);
}
