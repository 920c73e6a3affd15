/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/call_latencies.h"

static struct call_output *output_of(struct call_sink *to)
{
	return (struct call_output *)((char *)to - offsetof(struct call_output, own));
}

static bool add(struct call_output *c, const struct call_event *e, struct str name,
		struct decimal start, struct decimal latency)
{
	struct sample sample = { .layer = e->layer,
				 .name = name,
				 .latency = latency,
				 .start = start,
				 .where = e->where };

	return samples_add(c->samples, &sample, e->where, e->where);
}

/* What prints its own duration counts though its begin may be missing. */
static bool take_timed_leave(struct call_output *c, const struct call_event *e)
{
	struct decimal start = call_time_decimal(e->at);
	struct str name = e->name;

	if (!e->timeless && (name.n == 0 || pairing_is_open(c->open, e->thread, name)) &&
	    !pairing_end(c->open, e->thread, name, &name, &start))
		return true;
	return add(c, e, name, start, call_time_decimal(e->latency));
}

static bool take_leave(struct call_output *c, const struct call_event *e)
{
	struct decimal start, latency = call_time_decimal(e->at);
	struct str name = e->name;

	if (e->untold && name.n > 0 && !pairing_is_open(c->open, e->thread, name))
		return true;
	if (!pairing_end(c->open, e->thread, name, &name, &start) || e->untold)
		return true;
	latency.billionths -= start.billionths;
	return add(c, e, name, start, latency);
}

static bool take_event(struct call_sink *to, const struct call_event *e)
{
	struct call_output *c = output_of(to);

	switch (e->what) {
	case CALL_ENTER:
		if (!e->timeless)
			pairing_begin(c->open, e->thread, e->name, call_time_decimal(e->at));
		return true;
	case CALL_LEAVE:
		return e->timed ? take_timed_leave(c, e) : take_leave(c, e);
	case CALL_WHOLE:
		break;
	}
	return add(c, e, e->name, call_time_decimal(e->at), call_time_decimal(e->latency));
}

static bool take_span(struct call_sink *to, const struct call_span *s)
{
	struct call_output *c = output_of(to);
	struct call_event e = { .layer = s->service, .name = s->name, .where = s->where };

	return add(c, &e, s->name, call_time_decimal(s->start),
		   call_time_decimal(call_time_between(s->start, s->end)));
}

static void take_lost(struct call_sink *to, const struct pairing_slot *thread, uint64_t events)
{
	struct call_output *c = output_of(to);

	(void)events;
	if (thread != NULL)
		pairing_forget(c->open, *thread);
	else
		pairing_forget_all(c->open);
}

static const struct call_sink_class latencies = {
	.event = take_event,
	.span = take_span,
	.lost = take_lost,
};

void call_output_start(struct call_output *c, struct samples *samples,
		       const struct read_options *options)
{
	*c = (struct call_output){ .own = { .class = &latencies },
				   .samples = samples,
				   .open = pairing_new(PAIRING_NESTED) };
	c->to = options->calls != NULL ? options->calls : &c->own;
}

void call_output_release(struct call_output *c)
{
	pairing_free(c->open);
}

void call_output_lost(struct call_output *c, const struct pairing_slot *thread, uint64_t events)
{
	c->to->class->lost(c->to, thread, events);
}

void call_output_report(const struct call_output *c, struct input *in, struct diag *diag)
{
	if (!call_output_grows(c))
		pairing_report(c->open, in, diag);
}
