/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/loop.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <uv.h>

#include "base/clock.h"
#include "base/xalloc.h"

enum {
	PIECE = 64 * 1024,
	MOMENT_MS = 2000, /* before children are killed */
};

struct loop {
	uv_loop_t uv;
	uv_signal_t signal[2];
	void (*on_signal)(void *ctx);
	void *ctx;
	struct loop_child *children; /* running children */
	char piece[PIECE];
};

struct loop_read {
	union {
		uv_handle_t handle;
		uv_poll_t poll;
		uv_idle_t idle; /* for a regular file */
	} uv;
	void (*call)(void *ctx);
	void *ctx;
};

struct loop_timer {
	uv_timer_t uv;
	void (*call)(void *ctx);
	void *ctx;
};

struct loop_child {
	uv_process_t process;
	uv_pipe_t in, out;
	uv_write_t write;
	char *input; /* for its standard input */
	struct loop *loop;
	struct loop_child *next;
	struct child_calls calls;
	void *ctx;
	unsigned handles; /* open handles */
	bool running, reading, given_up;
	int64_t status;
};

struct loop *loop_new(void)
{
	struct loop *l = xcalloc(1, sizeof(*l));

	if (uv_loop_init(&l->uv) != 0) {
		free(l);
		return NULL;
	}
	/* A hook that does not read its input must not end this process. */
	(void)signal(SIGPIPE, SIG_IGN);
	return l;
}

void loop_run(struct loop *l)
{
	(void)uv_run(&l->uv, UV_RUN_DEFAULT);
}

void loop_stop(struct loop *l)
{
	uv_stop(&l->uv);
}

/* --- signals -------------------------------------------------------------------------- */

static void on_uv_signal(uv_signal_t *s, int number)
{
	struct loop *l = s->data;

	(void)number;
	l->on_signal(l->ctx);
}

void loop_on_signal(struct loop *l, void (*call)(void *ctx), void *ctx)
{
	static const int numbers[] = { SIGTERM, SIGINT };

	l->on_signal = call;
	l->ctx = ctx;
	for (int i = 0; i < 2; i++) {
		(void)uv_signal_init(&l->uv, &l->signal[i]);
		l->signal[i].data = l;
		(void)uv_signal_start(&l->signal[i], on_uv_signal, numbers[i]);
	}
}

/* --- descriptors ------------------------------------------------------------------------ */

static void polled(uv_poll_t *p, int status, int events)
{
	struct loop_read *r = p->data;

	(void)status; /* the reader finds errors */
	(void)events;
	r->call(r->ctx);
}

static void idle(uv_idle_t *i)
{
	struct loop_read *r = i->data;

	r->call(r->ctx);
}

struct loop_read *loop_read(struct loop *l, int fd, bool connecting, void (*call)(void *ctx),
			    void *ctx)
{
	struct loop_read *r = xcalloc(1, sizeof(*r));

	r->call = call;
	r->ctx = ctx;
	if (uv_guess_handle(fd) == UV_FILE) {
		(void)uv_idle_init(&l->uv, &r->uv.idle);
		r->uv.idle.data = r;
		(void)uv_idle_start(&r->uv.idle, idle);
		return r;
	}
	if (uv_poll_init(&l->uv, &r->uv.poll, fd) != 0) {
		free(r);
		return NULL;
	}
	r->uv.poll.data = r;
	(void)uv_poll_start(&r->uv.poll, connecting ? UV_WRITABLE : UV_READABLE | UV_DISCONNECT,
			    polled);
	return r;
}

static void free_data(uv_handle_t *h)
{
	free(h->data);
}

void loop_unread(struct loop_read *r)
{
	if (r != NULL)
		uv_close(&r->uv.handle, free_data);
}

/* --- timers ------------------------------------------------------------------------------- */

static void expired(uv_timer_t *t)
{
	struct loop_timer *timer = t->data;

	timer->call(timer->ctx);
}

struct loop_timer *loop_timer(struct loop *l, void (*call)(void *ctx), void *ctx)
{
	struct loop_timer *t = xcalloc(1, sizeof(*t));

	t->call = call;
	t->ctx = ctx;
	(void)uv_timer_init(&l->uv, &t->uv);
	t->uv.data = t;
	return t;
}

void loop_timer_set(struct loop_timer *t, double seconds)
{
	/* The loop's time is that of its last iteration. */
	uv_update_time(t->uv.loop);
	(void)uv_timer_start(&t->uv, expired, (uint64_t)ceil(fmax(seconds, 0) * 1000), 0);
}

void loop_timer_free(struct loop_timer *t)
{
	if (t != NULL)
		uv_close((uv_handle_t *)&t->uv, free_data);
}

/* --- children ------------------------------------------------------------------------------- */

static void release(uv_handle_t *h)
{
	struct loop_child *c = h->data;

	if (--c->handles > 0)
		return;
	free(c->input);
	free(c);
}

static void close_handle(void *handle)
{
	if (!uv_is_closing(handle))
		uv_close(handle, release);
}

static void unlink_child(struct loop_child *c)
{
	struct loop_child **at = &c->loop->children;

	while (*at != NULL && *at != c)
		at = &(*at)->next;
	if (*at != NULL)
		*at = c->next;
}

static void close_child(struct loop_child *c)
{
	unlink_child(c);
	close_handle(&c->process);
	close_handle(&c->in);
	close_handle(&c->out);
}

/* Reports the end of a child after it has exited and all of its output was read. */
static void report_ended(struct loop_child *c)
{
	struct child_calls calls = c->calls;
	void *ctx = c->ctx;
	int64_t status = c->status;
	bool reported = c->given_up;

	if (c->running || c->reading)
		return;
	close_child(c);
	if (!reported)
		calls.ended(ctx, status);
}

static void exited(uv_process_t *p, int64_t status, int signal)
{
	struct loop_child *c = p->data;

	c->running = false;
	c->status = signal > 0 ? -signal : status;
	report_ended(c);
}

static void room_for(uv_handle_t *h, size_t suggested, uv_buf_t *buf)
{
	struct loop_child *c = h->data;

	(void)suggested;
	*buf = uv_buf_init(c->loop->piece, PIECE);
}

static void read_some(uv_stream_t *s, ssize_t n, const uv_buf_t *buf)
{
	struct loop_child *c = s->data;

	if (n > 0 && !c->given_up)
		c->calls.bytes(c->ctx, buf->base, (size_t)n);
	if (n >= 0)
		return;
	c->reading = false;
	(void)uv_read_stop(s);
	report_ended(c);
}

static void written(uv_write_t *w, int status)
{
	struct loop_child *c = w->data;

	(void)status;
	close_handle(&c->in);
}

static void give_input(struct loop_child *c, struct str input)
{
	uv_buf_t buf;

	if (input.n == 0)
		return;
	c->input = xcalloc(input.n, 1);
	memcpy(c->input, input.p, input.n);
	buf = uv_buf_init(c->input, (unsigned)input.n);
	c->write.data = c;
	if (uv_write(&c->write, (uv_stream_t *)&c->in, &buf, 1, written) != 0)
		close_handle(&c->in);
}

struct loop_child *loop_child(struct loop *l, const char *const *argv, struct str input,
			      const struct child_calls *calls, void *ctx)
{
	struct loop_child *c = xcalloc(1, sizeof(*c));
	uv_stdio_container_t io[3] = { { .flags = UV_IGNORE },
				       { .flags = UV_INHERIT_FD, .data.fd = 2 },
				       { .flags = UV_INHERIT_FD, .data.fd = 2 } };
	uv_process_options_t o = { .exit_cb = exited,
				   .file = argv[0],
				   .args = (char **)(uintptr_t)argv,
				   .flags = UV_PROCESS_DETACHED,
				   .stdio_count = 3,
				   .stdio = io };
	int error;

	c->loop = l;
	c->calls = *calls;
	c->ctx = ctx;
	c->handles = 3;
	(void)uv_pipe_init(&l->uv, &c->in, 0);
	(void)uv_pipe_init(&l->uv, &c->out, 0);
	c->in.data = c->out.data = c->process.data = c;
	if (input.n > 0) {
		io[0].flags = UV_CREATE_PIPE | UV_READABLE_PIPE;
		io[0].data.stream = (uv_stream_t *)&c->in;
	}
	if (calls->bytes != NULL) {
		io[1].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
		io[1].data.stream = (uv_stream_t *)&c->out;
	}
	error = uv_spawn(&l->uv, &c->process, &o);
	c->next = l->children;
	l->children = c;
	if (error != 0) {
		close_child(c);
		errno = -error;
		return NULL;
	}
	c->running = true;
	c->reading = calls->bytes != NULL;
	if (c->reading)
		(void)uv_read_start((uv_stream_t *)&c->out, room_for, read_some);
	give_input(c, input);
	return c;
}

void loop_child_kill(struct loop_child *c, int signal)
{
	if (c->running)
		(void)kill(-c->process.pid, signal);
}

bool loop_child_wait(struct loop_child *c, double seconds, int64_t *ret_status)
{
	static const struct timespec look_again = { .tv_nsec = 10000000 };
	double end = loop_since() + seconds;
	siginfo_t info;

	/* Close its input, which only a running loop would do. */
	if (uv_stream_get_write_queue_size((uv_stream_t *)&c->in) == 0)
		close_handle(&c->in);
	for (;;) {
		info.si_pid = 0;
		/* WNOWAIT: the loop reaps it later. */
		if (waitid(P_PID, (id_t)c->process.pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
		    info.si_pid != 0)
			break;
		if (loop_since() >= end)
			return false;
		(void)nanosleep(&look_again, NULL);
	}
	c->running = false;
	*ret_status = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
	return true;
}

/* A running child is freed when it ends. */
void loop_child_free(struct loop_child *c)
{
	if (c == NULL)
		return;
	c->given_up = true;
	c->reading = false;
	close_handle(&c->in);
	close_handle(&c->out);
	loop_child_kill(c, SIGTERM);
	if (!c->running)
		close_child(c);
}

static void wait_no_longer(uv_timer_t *t)
{
	uv_close((uv_handle_t *)t, NULL);
}

/* Terminates children, and kills those that still run after MOMENT_MS. */
static void end_children(struct loop *l)
{
	uv_timer_t timer;
	struct loop_child *next;

	for (struct loop_child *c = l->children; c != NULL; c = next) {
		next = c->next;
		loop_child_free(c);
	}
	(void)uv_timer_init(&l->uv, &timer);
	(void)uv_timer_start(&timer, wait_no_longer, MOMENT_MS, 0);
	while (l->children != NULL && !uv_is_closing((uv_handle_t *)&timer))
		(void)uv_run(&l->uv, UV_RUN_ONCE);
	while (l->children != NULL) {
		loop_child_kill(l->children, SIGKILL);
		close_child(l->children);
	}
	if (!uv_is_closing((uv_handle_t *)&timer))
		wait_no_longer(&timer);
	(void)uv_run(&l->uv, UV_RUN_NOWAIT);
}

/* --- its end -------------------------------------------------------------------------------- */

static void close_if_open(uv_handle_t *h, void *arg)
{
	(void)arg;
	if (!uv_is_closing(h))
		uv_close(h, NULL);
}

void loop_free(struct loop *l)
{
	if (l == NULL)
		return;
	end_children(l);
	uv_walk(&l->uv, close_if_open, NULL);
	(void)uv_run(&l->uv, UV_RUN_DEFAULT);
	(void)uv_loop_close(&l->uv);
	free(l);
}

double loop_now(void)
{
	return clock_utc();
}

double loop_since(void)
{
	return clock_monotonic();
}
