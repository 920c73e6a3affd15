/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/live.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "watch/hook.h"
#include "watch/sources/forward.h"
#include "watch/status.h"

/* Seconds by which the clocks may diverge; more means that one was set or the machine slept. */
static const double clock_slack = 1;
static const double early = 0.002; /* seconds that a timer may fire too early */

struct live {
	struct sources sources;
	struct out *out;
	struct diag *diag;
	bool failed; /* the status could not be written */
	struct loop_timer *timer, *end;
	struct hook *hook;
	struct forward *forward;
	struct handlers *handlers;
	struct zoom *zoom;
	const struct watcher_options *options;
	double began, since; /* of the interval, by both clocks */
	double boundary;     /* its end */
	bool whole;	     /* it began at a multiple of its length */
	double ended;	     /* end of the last interval */
	uint64_t n_ended;    /* intervals that have ended */
};

static void next_boundary(struct live *l)
{
	double now = loop_now(), every = l->options->every;

	l->boundary = (floor((now + early) / every) + 1) * every;
	loop_timer_set(l->timer, l->boundary - now);
}

static bool clock_was_set(const struct live *l)
{
	double apart = (loop_now() - l->began) - (loop_since() - l->since);

	return fabs(apart) > clock_slack || loop_now() - l->boundary > l->options->every / 2 ||
	       l->boundary <= l->began;
}

/* Returns the span since the last end: it ends now by the wall clock, and has the length of the
 * monotonic clock.  If the wall clock was set, its own difference could be negative or overlap
 * other intervals. */
static struct span until_now(const struct live *l)
{
	double now = loop_now();

	return (struct span){ now - fmax(loop_since() - l->since, 0.001), now };
}

/* Writes the status file into the folder of intervals. */
static void write_status(struct live *l, bool watching)
{
	struct watch_status s = { .watching = watching, .every = l->options->every };
	struct store *store = l->options->store;
	struct store_counts kept;
	struct out *o;

	if (store == NULL)
		return;
	watcher_status(l->sources.watcher, &s);
	kept = store_counts(store);
	s.unkept = kept.dropped + kept.waiting;
	if (s.intervals != l->n_ended || l->ended == 0 || !watching)
		l->ended = loop_now();
	l->n_ended = s.intervals;
	s.time = l->ended;
	sources_status(&l->sources, &s);
	o = out_to_memory();
	watch_status_print(o, &s);
	l->failed |= !store_note(store, WATCH_STATUS_NAME, out_memory(o), l->diag);
	out_free(o);
}

/* Ends the interval of calls that count when they arrive. */
static void end_interval(void *ctx)
{
	struct live *l = ctx;
	double now = loop_now();
	struct span span = { l->began, l->boundary };
	bool was_set;

	if (now < l->boundary - early && l->boundary - now < l->options->every + clock_slack) {
		loop_timer_set(l->timer, l->boundary - now);
		return;
	}
	sources_cut(&l->sources, false);
	was_set = clock_was_set(l);
	if (was_set)
		span = until_now(l);
	if (l->options->lateness < 0) {
		watcher_end_interval(l->sources.watcher, span, l->whole && !was_set,
				     l->sources.status, l->sources.n);
	} else {
		watcher_place_untimed(l->sources.watcher, span);
		watcher_advance(l->sources.watcher, l->sources.status, l->sources.n);
	}
	if (watcher_kept(l->sources.watcher))
		sources_kept(&l->sources);
	write_status(l, true);
	l->began = span.end;
	l->since = loop_since();
	l->whole = true;
	if (l->out->error != 0)
		loop_stop(l->sources.loop);
	next_boundary(l);
}

static void stop_loop(void *ctx)
{
	struct live *l = ctx;

	loop_stop(l->sources.loop);
}

static void run_hook(void *ctx, struct str json)
{
	struct live *l = ctx;

	if (l->hook != NULL)
		hook_run(l->hook, json);
}

static void send_interval(void *ctx, const struct profile *p, struct span span)
{
	struct live *l = ctx;

	if (l->forward != NULL)
		forward_put(l->forward, p, span);
	if (l->handlers != NULL)
		handlers_interval(l->handlers, p, span);
}

static void hand_alarm_on(void *ctx, const struct watch_event *e, double time)
{
	struct live *l = ctx;

	if (l->handlers != NULL)
		handlers_alarm(l->handlers, e, time);
	if (l->zoom != NULL)
		zoom_alarm(l->zoom, e);
}

static void report_handler(void *ctx, const char *name, const char *message)
{
	struct live *l = ctx;
	const struct source_status status = { .name = name, .state = SOURCE_OPEN };

	watcher_source(l->sources.watcher, loop_now(), &status, message);
}

static void report_forward(void *ctx, bool open, const char *message)
{
	struct live *l = ctx;
	const struct source_status status = { .name = "--forward",
					      .state = open ? SOURCE_OPEN : SOURCE_WAITING };

	watcher_source(l->sources.watcher, loop_now(), &status, message);
}

static void report_hook(void *ctx, const char *message)
{
	struct live *l = ctx;
	const struct source_status status = { .name = "--on-alarm", .state = SOURCE_OPEN };

	watcher_source(l->sources.watcher, loop_now(), &status, message);
}

static bool begin_following(struct live *l, const struct live_options *o, const char *reference,
			    const char *history, struct diag *diag)
{
	if (reference != NULL && !watcher_learn(l->sources.watcher, reference, true))
		return false;
	if (reference == NULL && history != NULL &&
	    !watcher_learn(l->sources.watcher, history, false))
		return false;
	if (o->on_alarm != NULL) {
		l->hook = hook_new(l->sources.loop, o->on_alarm, report_hook, l);
		if (l->hook == NULL) {
			diag_plain(diag, DIAG_USAGE, "--on-alarm: expected a command");
			return false;
		}
	}
	if (o->forward != NULL) {
		const struct forward_options to = { .address = o->forward,
						    .sender = o->sender,
						    .spool = o->spool,
						    .report = report_forward,
						    .ctx = l };

		l->forward = forward_new(l->sources.loop, &to, diag);
		if (l->forward == NULL)
			return false;
	}
	if (o->handlers != NULL) {
		struct handlers_options with = *o->handlers;

		with.source = o->names;
		with.n_sources = o->n;
		with.report = report_handler;
		with.ctx = l;
		l->handlers = handlers_new(l->sources.loop, &with);
	}
	if (!sources_open(&l->sources, o->names, o->n, &o->intake, diag))
		return false;
	if (o->zoom.seconds > 0)
		l->zoom = zoom_new(&o->zoom, &l->sources, diag);
	return true;
}

static void go_on(struct live *l, double duration)
{
	struct loop *loop = l->sources.loop;
	struct forwarded counts;

	l->timer = loop_timer(loop, end_interval, l);
	l->began = loop_now();
	l->since = loop_since();
	next_boundary(l);
	if (duration > 0) {
		l->end = loop_timer(loop, stop_loop, l);
		loop_timer_set(l->end, duration);
	}
	watcher_begin(l->sources.watcher, l->sources.status, l->sources.n);
	write_status(l, true);
	loop_run(loop);
	sources_finish(&l->sources);
	sources_cut(&l->sources, true);
	watcher_end(l->sources.watcher,
		    clock_was_set(l)
			    ? until_now(l)
			    : (struct span){ l->began, fmax(loop_now(), l->began + 0.001) },
		    l->sources.status, l->sources.n);
	if (watcher_kept(l->sources.watcher))
		sources_kept(&l->sources);
	if (l->zoom != NULL)
		zoom_end(l->zoom);
	if (l->forward != NULL)
		forward_finish(l->forward, 5);
	if (l->handlers != NULL)
		handlers_end(l->handlers, 5);
	if (l->hook != NULL)
		hook_finish(l->hook);
	write_status(l, false);
	if (l->forward != NULL)
		counts = forward_counts(l->forward);
	watcher_finish(l->sources.watcher, l->sources.status, l->sources.n,
		       l->forward != NULL ? &counts : NULL);
}

bool live_watch(const struct live_options *options, const struct watcher_options *watcher_options,
		const char *reference, const char *history, struct out *out, struct diag *diag,
		uint64_t *ret_alarms, bool *ret_failed)
{
	struct live l = { .out = out, .diag = diag };
	struct watcher_options with = *watcher_options;
	bool ok;

	l.sources.loop = loop_new();
	l.sources.every = watcher_options->every;
	l.sources.trust_network = options->trust_network;
	l.sources.keep = options->keep;
	l.sources.by_start = watcher_options->lateness >= 0;
	if (l.sources.loop == NULL) {
		diag_plain(diag, DIAG_OUTPUT_FAILED, "no event loop: %s", strerror(errno));
		return false;
	}
	with.each = send_interval;
	with.alarm = hand_alarm_on;
	with.each_ctx = &l;
	l.options = &with;
	l.sources.watcher = watcher_new(&with, out, diag, run_hook, &l);
	/* First, so that a signal finds what it has to close. */
	loop_on_signal(l.sources.loop, stop_loop, &l);
	ok = begin_following(&l, options, reference, history, diag);
	if (ok) {
		go_on(&l, options->duration);
		*ret_alarms = watcher_alarms(l.sources.watcher);
		*ret_failed = watcher_failed(l.sources.watcher) || l.failed ||
			      (l.zoom != NULL && zoom_failed(l.zoom));
	}
	zoom_free(l.zoom);
	sources_close(&l.sources);
	hook_free(l.hook);
	forward_free(l.forward);
	handlers_free(l.handlers);
	loop_timer_free(l.timer);
	loop_timer_free(l.end);
	loop_free(l.sources.loop);
	watcher_free(l.sources.watcher);
	return ok;
}
