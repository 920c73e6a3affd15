/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/call_graph.h"

#include <string.h>

void call_graph_start(struct call_graph *g, struct samples *to, const struct read_options *options,
		      struct str layer)
{
	g->layer = layer;
	call_output_start(&g->to, to, options);
}

void call_graph_release(struct call_graph *g)
{
	call_output_release(&g->to);
}

bool call_graph_duration(struct str s, struct decimal *ret_ns)
{
	struct decimal us;

	s = str_trim(s);
	if (s.n > 0 && memchr("+!#*@$", s.p[0], 6) != NULL)
		s = str_trim(str_skip(s, 1));
	if (!str_has_suffix(s, STR("us")))
		return false;
	s = str_trim((struct str){ s.p, s.n - 2 });
	return s.n > 0 && s.p[0] != '-' && decimal_parse(s, &us) && decimal_times(us, 1000, ret_ns);
}

/* Returns the name alone in "vfs_read [mod](args)". */
static struct str call_graph_name_of(struct str text)
{
	struct str name = { text.p, str_find(text, STR("(")) };

	name.n = str_find(name, STR(" "));
	return name;
}

/* Returns the name in the comment after a closing brace; empty when there is none, or only a value
 * ("= 0x1") or a caller ("<-ksys_read"). */
static struct str name_in_comment(struct str text)
{
	size_t at = str_find(text, STR("/*"));
	struct str name, end = { NULL, 0 };

	if (at == text.n)
		return (struct str){ text.p, 0 };
	name = str_trim(str_skip(text, at + 2));
	name.n = str_find(name, STR("*/"));
	name = str_trim(name);
	name.n = str_find(name, STR(" "));
	if (name.n > 0 && (name.p[0] == '=' || name.p[0] == '<'))
		return end;
	return call_graph_name_of(name);
}

/* Returns whether an interrupt begins with this function, judging by its name. */
static bool is_interrupt(struct str name)
{
	static const struct str begins[] = {
		STR_INIT("irq_enter"),	      STR_INIT("irq_exit"),
		STR_INIT("__irq_exit"),	      STR_INIT("__sysvec_"),
		STR_INIT("_sysvec_"),	      STR_INIT("sysvec_"),
		STR_INIT("do_IRQ"),	      STR_INIT("exc_nmi"),
		STR_INIT("common_interrupt"), STR_INIT("__do_softirq"),
		STR_INIT("do_softirq"),	      STR_INIT("__common_interrupt"),
		STR_INIT("handle_softirqs"),  STR_INIT("xen_evtchn_do_upcall"),
	};

	for (size_t i = 0; i < COUNT_OF(begins); i++) {
		if (str_has_prefix(name, begins[i]))
			return true;
	}
	return str_has_prefix(name, STR("smp_")) && str_contains(name, STR("_interrupt"));
}

static enum call_kind kind_of(struct str name)
{
	if (is_interrupt(name))
		return CALL_IS_INTERRUPT;
	return str_eq(name, STR("schedule")) ? CALL_IS_BLOCKED : CALL_IS_RUNNING;
}

bool call_graph_add(struct call_graph *g, struct pairing_slot task, struct str duration,
		    struct str text, const struct call_time *at)
{
	struct call_event e = { .thread = task,
				.layer = g->layer,
				.undated = at == NULL,
				.timeless = at == NULL && call_output_wants_calls(&g->to) };
	struct decimal ns = { 0 };

	if (at != NULL)
		e.at = *at;
	e.timed = call_graph_duration(duration, &ns) && call_time_from(ns, &e.latency);
	text = str_trim(text);
	if (text.n == 0 || str_has_prefix(text, STR("/*")))
		return true;
	e.where = e.timed ? duration : text;
	if (text.p[0] == '}') {
		e.what = CALL_LEAVE;
		e.name = name_in_comment(text);
		e.untold = !e.timed;
		return call_output_push(&g->to, &e);
	}
	e.name = call_graph_name_of(text);
	if (e.name.n == 0)
		return true;
	e.kind = kind_of(e.name);
	e.what = e.timed ? CALL_WHOLE : CALL_ENTER;
	return call_output_push(&g->to, &e);
}
