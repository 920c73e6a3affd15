/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/call_graph.h"

#include <string.h>

void call_graph_start(struct call_graph *g, struct samples *to, struct str layer)
{
	*g = (struct call_graph){ .to = to, .open = pairing_new(PAIRING_NESTED), .layer = layer };
}

void call_graph_release(struct call_graph *g)
{
	pairing_free(g->open);
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

/* "vfs_read [mod](args)": the name alone. */
static struct str name_of(struct str text)
{
	struct str name = { text.p, str_find(text, STR("(")) };

	name.n = str_find(name, STR(" "));
	return name;
}

/* The name in the comment behind a closing brace; empty where there is none, or only a
 * value ("= 0x1") or a caller ("<-ksys_read"). */
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
	return name_of(name);
}

static bool add_call(struct call_graph *g, struct str name, struct str duration, struct decimal ns,
		     struct decimal at)
{
	struct sample sample = {
		.layer = g->layer, .name = name, .latency = ns, .start = at, .where = duration
	};

	return samples_add(g->to, &sample, duration, duration);
}

bool call_graph_add(struct call_graph *g, struct pairing_slot task, struct str duration,
		    struct str text, struct decimal at)
{
	struct decimal ns = { 0 }, began = at;
	bool timed = call_graph_duration(duration, &ns);
	struct str name;

	text = str_trim(text);
	if (text.n == 0 || str_has_prefix(text, STR("/*")))
		return true;
	if (text.p[0] == '}') {
		name = name_in_comment(text);
		/* One that says its name counts even if it began before the trace. */
		if ((name.n == 0 || pairing_is_open(g->open, task, name)) &&
		    !pairing_end(g->open, task, name, &name, &began))
			return true;
		return !timed || add_call(g, name, duration, ns, began);
	}
	name = name_of(text);
	if (name.n == 0)
		return true;
	if (!timed) {
		pairing_begin(g->open, task, name, at);
		return true;
	}
	return add_call(g, name, duration, ns, at);
}
