/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/handlers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "plugin/plugin.h"
#include "region/region.h"

static const double busy = 0.05, calm = 1; /* seconds between two polls of the handlers */

struct handled {
	struct handlers *all;
	const char *name;
	struct handler *handler;
	bool unsent; /* of a message since the last event */
};

struct handlers {
	struct handlers_options options;
	struct handled *v; /* options.n of them */
	struct loop_timer *timer;
	double posted; /* time of the last event, by loop_since() */
};

/* --- what they do --------------------------------------------------------------------------- */

static void report(void *ctx, const char *message)
{
	const struct handled *h = ctx;

	h->all->options.report(h->all->options.ctx, h->name, message);
}

static void report_error(void *ctx, const struct diag_msg *msg)
{
	if (msg->severity == SEV_ERROR)
		report(ctx, msg->detail != NULL ? msg->detail : diag_text(msg->code));
}

static bool is_source(const struct handlers *h, const char *to)
{
	for (size_t i = 0; i < h->options.n_sources; i++) {
		if (strcmp(h->options.source[i], to) == 0)
			return region_is_source(to);
	}
	return false;
}

static void send_message(void *ctx, const char *to, const void *bytes, size_t n)
{
	struct handled *h = ctx;
	struct diag diag = { .emit = report_error, .ctx = h };
	char text[300];

	if (strcmp(to, "log") == 0) {
		(void)snprintf(text, sizeof(text), "%.*s", n < 250 ? (int)n : 250,
			       (const char *)bytes);
		report(h, text);
	} else if (!is_source(h->all, to)) {
		report(h, "it sends to what is not a source that receives messages");
	} else if (h->unsent || !region_send(to, bytes, n, &diag)) {
		/* Sending may block for a second, in which all sources wait: try once an event. */
		h->unsent = true;
		report(h, "its message was not sent");
	}
}

static void look_at_hosts(void *ctx)
{
	struct handlers *h = ctx;
	bool waits = loop_since() - h->posted < HANDLER_SECONDS;

	for (size_t i = 0; i < h->options.n; i++) {
		handler_step(h->v[i].handler);
		waits |= handler_has_output(h->v[i].handler);
	}
	loop_timer_set(h->timer, waits ? busy : calm);
}

/* --- what they get ---------------------------------------------------------------------------- */

/* Begins an event.  With several sources it is unknown which one an operation comes from. */
static struct out *begin_event(const struct handlers *h)
{
	struct out *o = out_to_memory();

	out_char(o, '{');
	handler_put_text(o, "source",
			 h->options.n_sources == 1 ? str_from(h->options.source[0]) : STR("watch"));
	return o;
}

static void post_event(struct handlers *h, int kind, struct out *object, struct str profile)
{
	out_char(object, '}');
	for (size_t i = 0; i < h->options.n; i++) {
		h->v[i].unsent = false;
		handler_post(h->v[i].handler, kind, out_memory(object), profile);
	}
	out_free(object);
	h->posted = loop_since();
	look_at_hosts(h);
}

void handlers_interval(struct handlers *h, const struct profile *p, struct span span)
{
	struct diag silent = { .emit = NULL };
	struct out *text, *o;

	if (p->n_ops == 0)
		return;
	text = out_to_memory();
	o = begin_event(h);
	handler_put_text(o, "side", STR("interval"));
	handler_put_text(o, "unit", str_from(unit_name(p->unit)));
	handler_put_number(o, "start", span.start);
	handler_put_number(o, "end", span.end);
	if (format_by_name(STR("osprof"))->write(p, text, &silent))
		post_event(h, OSPROF_PROFILE, o, out_memory(text));
	else
		out_free(o);
	out_free(text);
}

void handlers_alarm(struct handlers *h, const struct watch_event *e, double time)
{
	struct out *o = begin_event(h);

	handler_put_text(o, "operation", e->common ? STR("") : e->name);
	handler_put_text(o, "layer", e->layer);
	handler_put_text(o, "feature", str_from(watch_feature_names[e->feature]));
	handler_put_text(o, "verdict", e->up ? STR("regressed") : STR("improved"));
	handler_put_number(o, "time", time);
	handler_put_number(o, "intervals", (double)e->since + 1);
	handler_put_number(o, e->feature == WATCH_SHIFT ? "mean_ratio" : "ratio", exp2(e->effect));
	post_event(h, OSPROF_ALARM, o, STR(""));
}

/* --- their lives ------------------------------------------------------------------------------ */

struct handlers *handlers_new(struct loop *l, const struct handlers_options *options)
{
	struct handlers *h = xcalloc(1, sizeof(*h));

	h->options = *options;
	h->v = xcalloc(options->n, sizeof(*h->v));
	for (size_t i = 0; i < options->n; i++) {
		struct handled *v = &h->v[i];
		const struct handler_calls calls = { .send = send_message,
						     .report = report,
						     .ctx = v };

		v->all = h;
		v->name = options->name[i];
		v->handler = handler_new(options->program, options->path[i], &calls);
	}
	h->timer = loop_timer(l, look_at_hosts, h);
	loop_timer_set(h->timer, 0);
	return h;
}

void handlers_end(struct handlers *h, double seconds)
{
	post_event(h, OSPROF_END, begin_event(h), STR(""));
	for (size_t i = 0; i < h->options.n; i++)
		(void)handler_finish(h->v[i].handler, seconds);
}

void handlers_free(struct handlers *h)
{
	if (h == NULL)
		return;
	for (size_t i = 0; i < h->options.n; i++)
		handler_free(h->v[i].handler);
	free(h->v);
	loop_timer_free(h->timer);
	free(h);
}
