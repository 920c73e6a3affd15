/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/call_latencies.h"

static struct call_output *output_of(struct call_sink *to)
{
	return (struct call_output *)((char *)to - offsetof(struct call_output, own));
}

static uint32_t number_of(struct call_output *c, const struct call_event *e, struct str name)
{
	return e->id != 0 ? e->id : nesting_number(c->nesting, e->layer, name);
}

static bool add(struct call_output *c, const struct call_event *e, struct str name,
		struct decimal start, struct decimal latency)
{
	struct sample sample = { .layer = e->layer,
				 .name = name,
				 .latency = latency,
				 .start = start,
				 .where = e->where };
	struct nested_call nested;
	uint32_t op;

	if (!samples_add(c->samples, &sample, e->where, e->where))
		return false;
	if (c->flat)
		return true;
	op = number_of(c, e, name);
	nested = e->what == CALL_WHOLE ? nesting_leaf(c->nesting, e->thread, op, latency)
				       : nesting_leave(c->nesting, e->thread, op, latency);
	if (nested.known)
		accumulator_nested(c->samples->accumulator, &sample, nested.self, nested.outermost);
	return true;
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

	if (e->untold)
		nesting_abandon(c->nesting, e->thread, name.n > 0 ? number_of(c, e, name) : 0);
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
		nesting_enter(c->nesting, e->thread, number_of(c, e, e->name));
		return true;
	case CALL_LEAVE:
		return e->timed ? take_timed_leave(c, e) : take_leave(c, e);
	case CALL_WHOLE:
		break;
	}
	c->flat |= e->unordered;
	return add(c, e, e->name, call_time_decimal(e->at), call_time_decimal(e->latency));
}

static bool take_span(struct call_sink *to, const struct call_span *s)
{
	struct call_output *c = output_of(to);
	struct call_event e = { .layer = s->service, .name = s->name, .where = s->where };

	c->flat = true;
	return add(c, &e, s->name, call_time_decimal(s->start),
		   call_time_decimal(call_time_between(s->start, s->end)));
}

static void take_lost(struct call_sink *to, const struct pairing_slot *thread, uint64_t events)
{
	struct call_output *c = output_of(to);

	(void)events;
	nesting_forget(c->nesting, thread);
	if (thread != NULL)
		pairing_forget(c->open, *thread);
	else
		pairing_forget_all(c->open);
}

static uint32_t number(struct call_sink *to, struct str name)
{
	return nesting_number(output_of(to)->nesting, STR(""), name);
}

static const struct call_sink_class latencies = {
	.number = number,
	.event = take_event,
	.span = take_span,
	.lost = take_lost,
};

void call_output_start(struct call_output *c, struct samples *samples,
		       const struct read_options *options)
{
	*c = (struct call_output){ .own = { .class = &latencies },
				   .samples = samples,
				   .open = pairing_new(PAIRING_NESTED),
				   .nesting = nesting_new() };
	c->to = options->calls != NULL ? options->calls : &c->own;
}

void call_output_release(struct call_output *c)
{
	pairing_free(c->open);
	nesting_free(c->nesting);
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

void call_output_push_nests(const struct call_output *c, struct builder *to)
{
	if (call_output_grows(c))
		return;
	if (c->flat || !nesting_is_known(c->nesting))
		accumulator_forget_nested(c->samples->accumulator);
	else
		nesting_push(c->nesting, to);
}
