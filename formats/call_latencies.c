/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/call_latencies.h"

#include "profile/variables.h"

static struct call_output *output_of(struct call_sink *to)
{
	return (struct call_output *)((char *)to - offsetof(struct call_output, own));
}

static uint32_t number_of(struct call_output *c, const struct call_event *e, struct str name)
{
	return e->id != 0 ? e->id : nesting_number(c->nesting, e->layer, name);
}

/* Begins and ends of a file whose calls may come in any order are kept up to this number.  If the
 * file has nothing else, they nest in file order and need not be kept. */
enum { MAX_KEPT_PAIRS = 1 << 20 };

static void keep_call(struct call_output *c, const struct call_event *e, uint32_t op,
		      struct call_time start, struct call_time latency)
{
	if (c->late == NULL)
		return;
	if (!c->unordered && late_nesting_n(c->late) == MAX_KEPT_PAIRS) {
		late_nesting_free(c->late);
		c->late = NULL;
		return;
	}
	late_nesting_call(c->late, e->thread, op, start, latency);
}

static bool add_call(struct call_output *c, const struct call_event *e, struct str name,
		     struct decimal start, struct decimal latency)
{
	struct sample sample = { .layer = e->layer,
				 .name = name,
				 .latency = latency,
				 .start = start,
				 .timed = !e->timeless && !e->undated,
				 .where = e->where };
	struct nested_call nested;
	struct call_time at, lasted;
	uint32_t op;

	op = number_of(c, e, name);
	if (e->unordered && call_time_from(start, &at) && call_time_from(latency, &lasted)) {
		c->unordered |= e->what == CALL_WHOLE;
		keep_call(c, e, op, at, lasted);
		c->deferred |= e->what == CALL_WHOLE && c->outermost && !c->paired;
		if (e->what == CALL_WHOLE)
			return c->deferred || samples_add(c->samples, &sample, e->where, e->where);
	}
	c->paired = !c->deferred;
	nested = e->what == CALL_WHOLE ? nesting_leaf(c->nesting, e->thread, op, latency)
				       : nesting_leave(c->nesting, e->thread, op, latency);
	if (c->deferred || (c->outermost && nested.known && !nested.outermost))
		return true;
	if (!samples_add(c->samples, &sample, e->where, e->where))
		return false;
	if (nested.known)
		accumulator_nested(c->samples->accumulator, &sample, nested.self, nested.outermost);
	return true;
}

/* A leave that states its own duration counts even if its enter is missing. */
static bool take_timed_leave(struct call_output *c, const struct call_event *e)
{
	struct decimal start = call_time_decimal(e->at);
	struct str name = e->name;

	if (!e->timeless && (name.n == 0 || pairing_is_open(c->open, e->thread, name)) &&
	    !pairing_end(c->open, e->thread, name, &name, &start))
		return true;
	return add_call(c, e, name, start, call_time_decimal(e->latency));
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
	return add_call(c, e, name, start, latency);
}

static bool count_event(struct call_output *c, const struct call_event *e)
{
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
	return add_call(c, e, e->name, call_time_decimal(e->at), call_time_decimal(e->latency));
}

static bool take_event(struct call_sink *to, const struct call_event *e)
{
	struct call_output *c = output_of(to);
	size_t before = c->values != NULL ? c->samples->variables->n : 0;
	bool ok;

	if (c->values != NULL && e->what == CALL_ENTER)
		call_values_enter(c->values, e->thread);
	ok = count_event(c, e);
	if (c->values != NULL && e->what == CALL_LEAVE)
		call_values_leave(c->values, e->thread, c->samples->variables->n > before);
	if (c->values != NULL && e->what == CALL_WHOLE)
		call_values_whole(c->values, c->samples->variables->n > before);
	return ok;
}

static void take_value(struct call_sink *to, const struct call_value *v)
{
	call_values_add(output_of(to)->values, v);
}

static bool take_span(struct call_sink *to, const struct call_span *s)
{
	struct call_output *c = output_of(to);
	struct sample sample = { .layer = s->service,
				 .name = s->name,
				 .latency = call_time_decimal(call_time_between(s->start, s->end)),
				 .start = call_time_decimal(s->start),
				 .timed = true,
				 .where = s->where };

	c->unordered = true;
	c->deferred |= c->outermost && !c->paired;
	if (!c->deferred && !samples_add(c->samples, &sample, s->where, s->where))
		return false;
	if (c->values != NULL)
		call_values_whole(c->values, !c->deferred);
	if (c->late != NULL)
		late_nesting_span(c->late, s, nesting_number(c->nesting, s->service, s->name));
	return true;
}

static void take_lost(struct call_sink *to, const struct pairing_slot *thread, uint64_t events)
{
	struct call_output *c = output_of(to);

	(void)events;
	nesting_forget(c->nesting, thread);
	if (c->values != NULL)
		call_values_forget(c->values, thread);
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

/* The same where variables are requested. */
static const struct call_sink_class latencies_with_values = {
	.number = number,
	.event = take_event,
	.span = take_span,
	.value = take_value,
	.lost = take_lost,
};

struct pairing *call_pairs_begin(const struct carried *from, enum carried_part part,
				 enum pairing_order order)
{
	struct pairing *open = carried_take(from, part);

	return open != NULL ? open : pairing_new(order);
}

void call_output_start(struct call_output *c, struct samples *samples,
		       const struct read_options *options)
{
	*c = (struct call_output){ .own = { .class = &latencies },
				   .samples = samples,
				   .outermost = options->outermost,
				   .carried = options->carried,
				   .open = call_pairs_begin(options->carried, CARRIED_CALLS,
							    PAIRING_NESTED),
				   .nesting = nesting_new() };
	c->late = late_nesting_new(c->nesting);
	if (options->calls == NULL && options->variables != NULL) {
		c->values = call_values_new(options->variables);
		c->own.class = &latencies_with_values;
	}
	c->to = options->calls != NULL ? options->calls : &c->own;
}

void call_output_release(struct call_output *c)
{
	pairing_free(c->open);
	late_nesting_free(c->late);
	nesting_free(c->nesting);
	call_values_free(c->values);
}

void call_output_lost(struct call_output *c, const struct pairing_slot *thread, uint64_t events)
{
	c->to->class->lost(c->to, thread, events);
}

static void *copy_pairing(const void *pairing)
{
	return pairing_copy(pairing);
}

static void free_pairing(void *pairing)
{
	pairing_free(pairing);
}

static size_t n_open_calls(const void *pairing)
{
	return pairing_n_open(pairing);
}

void call_pairs_end(struct pairing **open, struct carried *to, enum carried_part part,
		    struct input *in, struct diag *diag)
{
	static const struct carried_class class = { copy_pairing, free_pairing, n_open_calls };

	pairing_report(*open, to != NULL, in, diag);
	if (to == NULL)
		return;
	carried_leave(to, part, &class, *open);
	*open = NULL;
}

void call_output_report(struct call_output *c, struct input *in, struct diag *diag)
{
	if (!call_output_wants_calls(c))
		call_pairs_end(&c->open, c->carried, CARRIED_CALLS, in, diag);
}

static void take_late(void *ctx, const struct late_call *call)
{
	struct call_output *c = ctx;
	struct sample sample = { .start = call->start, .timed = true, .latency = call->latency };

	nesting_name(c->nesting, call->op, &sample.layer, &sample.name);
	sample.where = (struct str){ c->samples->in->bytes.p, 0 };
	if (c->deferred && call->nested.known && !call->nested.outermost)
		return;
	/* Sums of such times cannot overflow, and there are no intervals. */
	if (c->deferred && !samples_add(c->samples, &sample, sample.where, sample.where))
		return;
	accumulator_nested_late(c->samples->accumulator, &sample, call->nested.self,
				call->nested.outermost);
}

/* Below 1 % it makes no difference to any number that is printed. */
static void report_clipped(const struct call_output *c)
{
	struct late_clipped clipped = late_nesting_clipped(c->late);
	struct skew skew = late_nesting_skew(c->late);

	if (skew.n > 0)
		diag_file(c->samples->diag, DIAG_SPANS_CLIPPED, c->samples->in,
			  "%zu spans, by up to %.3g ms, as clocks of hosts differ: moved into "
			  "their callers",
			  skew.n, (double)skew.max / 1e6);
	if (clipped.ns > clipped.of / 100)
		diag_file(
			c->samples->diag, DIAG_SPANS_CLIPPED, c->samples->in,
			"%zu spans, %.2g %% of the time of all children, cut off; clocks of hosts "
			"may differ, or nobody waits for them",
			clipped.n, clipped.ns / clipped.of * 100);
}

void call_output_push_nests(struct call_output *c, struct builder *to)
{
	bool known = nesting_is_known(c->nesting);

	if (call_output_wants_calls(c))
		return;
	if (c->unordered && c->late != NULL) {
		nesting_restart(c->nesting);
		accumulator_restart_nested(c->samples->accumulator);
		late_nesting_settle(c->late, take_late, c);
		report_clipped(c);
		known = nesting_is_any(c->nesting);
	}
	if (!known || (c->unordered && c->late == NULL))
		accumulator_forget_nested(c->samples->accumulator);
	else
		nesting_push(c->nesting, to);
}
