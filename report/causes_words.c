/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The findings of osprof causes in sentences. */
#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/causes.h"

static const struct scale ns = { .unit = UNIT_NS };

void causes_say_name(struct out *o, const struct style *s, struct str name)
{
	(s->output_format == OUTPUT_FORMAT_CSV	      ? escape_terminal
	 : s->output_format == OUTPUT_FORMAT_HTML     ? escape_html
	 : s->output_format == OUTPUT_FORMAT_MARKDOWN ? escape_markdown
						      : escape_terminal)(o, name);
}

void causes_path(struct out *o, const struct style *s, const struct causes *c, uint32_t node,
		 uint32_t from)
{
	struct arena *a = arena_new();
	struct str *name;
	size_t n = cause_path(c, a, node, &name);

	for (size_t i = from; i < n; i++) {
		out_text(o,
			 i > from ? s->output_format == OUTPUT_FORMAT_HTML ? " &gt; " : " > " : "");
		causes_say_name(o, s, name[i]);
	}
	if (from >= n)
		causes_say_name(o, s, name[n - 1]);
	arena_free(a);
}

static void say_side(struct out *o, const struct cause_choice *c)
{
	if (c->side != CAUSE_SIDE_NONE)
		out_text(o, c->side == CAUSE_SIDE_AFTER ? " after" : " before");
}

/* "the calls of peak 2", "faster calls", "calls before". */
void causes_say_choice(struct out *o, const struct cause_choice *c)
{
	switch (c->what) {
	case CHOSEN_PEAK:
		out_printf(o, "calls of peak %zu", c->number);
		say_side(o, c);
		return;
	case CHOSEN_RANGE:
		out_text(o, "calls of ");
		if (c->high == HUGE_VAL) {
			quantity_latency(o, c->low, ns);
			out_text(o, " and more");
		} else {
			quantity_range(o, c->low, c->high, ns);
		}
		say_side(o, c);
		return;
	case CHOSEN_AFTER:
		out_text(o, "calls after");
		return;
	case CHOSEN_BEFORE:
		out_text(o, "calls before");
		return;
	case CHOSEN_FASTER:
		out_text(o, "faster calls");
		return;
	case CHOSEN_OTHERS:
		out_text(o, "other calls");
		return;
	case CHOSEN_ALL:
	case CHOSEN_NONE:
		out_text(o, "calls");
	}
}

void causes_say_comparison(struct out *o, const struct causes *c)
{
	quantity_count(o, (double)c->chosen.count);
	out_char(o, ' ');
	causes_say_choice(o, &c->chosen);
	out_text(o, " take ");
	if (c->against.count == 0) {
		quantity_latency(o, c->chosen.mean, ns);
		out_text(o, " on average; there are no calls to compare with");
		return;
	}
	quantity_latency(o, fabs(c->added), ns);
	out_text(o, c->added < 0 ? " less than " : " longer than ");
	quantity_count(o, (double)c->against.count);
	out_char(o, ' ');
	causes_say_choice(o, &c->against);
}

/* --- sentences ---------------------------------------------------------------------------- */

static struct str name_at(const struct causes *c, uint32_t node)
{
	return c->node[node].name;
}

static bool is_wait(const struct cause_node *n)
{
	return n->kind == CALL_IS_BLOCKED || n->kind == CALL_IS_QUEUED ||
	       n->kind == CALL_IS_UNKNOWN;
}

/* Returns the call that a cause is about: the waiting call when the node is a wait whose name is
 * in brackets. */
static uint32_t call_of(const struct causes *c, uint32_t node)
{
	const struct cause_node *n = &c->node[node];

	return is_wait(n) && n->name.n > 0 && n->name.p[0] == '[' ? n->parent : node;
}

/* Returns the nearest caller of `node` at which its path differs from that of `other`, if both
 * nodes have the same name and so have their callers; 0 otherwise. */
static uint32_t where_apart(const struct causes *c, uint32_t node, uint32_t other)
{
	unsigned same = 0;

	while (node != 0 && other != 0 && node != other &&
	       str_eq(name_at(c, node), name_at(c, other))) {
		node = c->node[node].parent;
		other = c->node[other].parent;
		same++;
	}
	return same >= 2 && node != other ? node : 0;
}

/* Whether `caller` distinguishes this call from the call of another cause. */
static bool tells_apart(const struct causes *c, uint32_t node, uint32_t caller)
{
	for (size_t i = 0; i < c->n_causes; i++) {
		if (where_apart(c, node, call_of(c, c->cause[i].node)) == caller)
			return true;
	}
	return false;
}

/* "f for g"; adds " below h" when another cause is also in f for g. */
static void say_call(struct out *o, const struct style *s, const struct causes *c, uint32_t node)
{
	uint32_t caller = node != 0 ? c->node[node].parent : 0;

	causes_say_name(o, s, name_at(c, node));
	if (caller == 0)
		return;
	out_text(o, " for ");
	causes_say_name(o, s, name_at(c, caller));
	for (caller = c->node[caller].parent; caller != 0; caller = c->node[caller].parent) {
		if (tells_apart(c, node, caller)) {
			out_text(o, " below ");
			causes_say_name(o, s, name_at(c, caller));
		}
	}
}

double causes_spent(const struct cause *cause, const struct cause_sums *s)
{
	return cause->spread ? s->total : s->own;
}

/* Says "time", or how much: when all counted calls have the path and some others do, too. */
static void say_time(struct out *o, const struct causes *c, const struct cause *one)
{
	const struct cause_node *n = &c->node[one->node];

	if (n->against.present > 0 && one->in == cause_mean(&c->chosen, n->chosen.present))
		quantity_latency(o, causes_spent(one, &n->chosen) / n->chosen.present, ns);
	else
		out_text(o, "time");
}

/* "wait in usleep for sync_log", "spend 41.2 us in encode" */
static void say_deed(struct out *o, const struct style *s, const struct causes *c,
		     const struct cause *one)
{
	const struct cause_node *n = &c->node[one->node];

	if (n->kind == CALL_IS_PREEMPTED) {
		out_text(o, "are preempted");
		return;
	}
	if (n->kind == CALL_IS_INTERRUPT) {
		out_text(o, "are interrupted by ");
		causes_say_name(o, s, n->name);
		return;
	}
	if (is_wait(n)) {
		out_text(o, n->kind == CALL_IS_QUEUED ? "are queued in " : "wait in ");
	} else {
		out_text(o, "spend ");
		say_time(o, c, one);
		out_text(o, one->spread ? " below " : " in ");
	}
	say_call(o, s, c, call_of(c, one->node));
	if (one->spread)
		out_text(o, ", where no callee stands out");
}

/* Whether more calls of either side do it than are slowed down by it, so that what matters is
 * that the chosen calls do it for longer. */
static bool is_usual(const struct causes *c, const struct cause *one)
{
	return c->against.count > 0 &&
	       cause_mean(&c->against, c->node[one->node].against.present) > one->in &&
	       cause_mean(&c->chosen, c->node[one->node].chosen.present) > one->in;
}

static void say_for_longer(struct out *o, const struct causes *c, double usual)
{
	out_text(o, " for longer than ");
	quantity_percent(o, usual);
	out_text(o, " of the ");
	causes_say_choice(o, &c->against);
	out_text(o, ", of which ");
}

static void say_others(struct out *o, const struct causes *c, const struct cause *one)
{
	const struct cause_node *n = &c->node[one->node];
	double present = cause_mean(&c->against, n->against.present);

	if (c->against.count == 0)
		return;
	if (!is_usual(c, one))
		out_text(o, ", which ");
	if (present == 0) {
		out_text(o, "none of the ");
		causes_say_choice(o, &c->against);
		out_text(o, " does");
		return;
	}
	quantity_percent(o, present);
	if (!is_usual(c, one)) {
		out_text(o, " of the ");
		causes_say_choice(o, &c->against);
	}
	out_text(o, " do for ");
	quantity_latency(o, causes_spent(one, &n->against) / n->against.present, ns);
	if (fabs(one->more_calls) > fabs(one->slower_calls)) {
		out_text(o, " (");
		quantity_ratio(o, cause_mean(&c->chosen, n->chosen.calls));
		out_text(o, " calls of it instead of ");
		quantity_ratio(o, cause_mean(&c->against, n->against.calls));
		out_char(o, ')');
	}
}

static void say_gone(struct out *o, const struct style *s, const struct causes *c,
		     const struct cause *one)
{
	const struct cause_node *n = &c->node[one->node];

	out_text(o, "none of the ");
	causes_say_choice(o, &c->chosen);
	out_text(o, " calls ");
	say_call(o, s, c, one->node);
	out_text(o, ", which ");
	quantity_percent(o, cause_mean(&c->against, n->against.present));
	out_text(o, " of the ");
	causes_say_choice(o, &c->against);
	out_text(o, " do");
}

/* "99 % of the difference (+- 20 us): " */
static void say_share(struct out *o, const struct causes_report *r, const struct cause *one)
{
	const struct causes *c = r->causes;
	bool against_it = one->added * c->added < 0;

	if (c->against.count > 0 && against_it) {
		quantity_latency(o, fabs(one->added), ns);
		out_text(o, " the other way");
	} else {
		quantity_percent(o, one->share);
		out_text(o, c->against.count > 0 ? " of the difference" : " of the time");
	}
	if (2 * one->error > 0.1 * fabs(one->added) && c->against.count > 0) {
		out_text(o, " (+- ");
		quantity_latency(o, 2 * one->error, ns);
		out_char(o, ')');
	}
	out_text(o, ": ");
}

void causes_sentence(struct out *o, const struct style *s, const struct causes_report *r,
		     const struct cause *one)
{
	const struct causes *c = r->causes;

	say_share(o, r, one);
	if (one->gone) {
		say_gone(o, s, c, one);
	} else {
		quantity_percent(o, one->in);
		out_text(o, " of the ");
		causes_say_choice(o, &c->chosen);
		out_char(o, ' ');
		say_deed(o, s, c, one);
		if (is_usual(c, one))
			say_for_longer(o, c, r->rules->usual);
		say_others(o, c, one);
	}
	if (c->against.count > 0 && one->overhead > r->rules->max_overhead) {
		out_text(o, " (tracing may explain ");
		quantity_percent(o, one->overhead);
		out_text(o, " of it)");
	}
}
