/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded stacks, the input of flame graphs and differential flame graphs. */
#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/causes.h"

/* Escapes a name so that it holds no separator of frames, counts or lines. */
static void write_frame(struct out *o, struct str name)
{
	struct out *shown = out_to_memory();
	struct str s;

	escape_terminal(shown, name);
	s = out_memory(shown);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == ';')
			out_text(o, "\\x3b");
		else if (s.p[i] == ' ')
			out_char(o, '_');
		else
			out_char(o, s.p[i]);
	}
	out_free(shown);
}

static uint64_t whole_number(double v)
{
	return v > 0 ? (uint64_t)(v + 0.5) : 0;
}

void causes_folded(struct out *o, const struct causes_report *r)
{
	const struct causes *c = r->causes;
	struct arena *a = arena_new();

	for (uint32_t i = 0; i < c->n_nodes; i++) {
		const struct cause_node *n = &c->node[i];
		uint64_t against = whole_number(cause_mean(&c->against, n->against.own));
		uint64_t chosen = whole_number(cause_mean(&c->chosen, n->chosen.own));
		struct str *name;
		size_t length;

		if (against == 0 && chosen == 0)
			continue;
		length = cause_path(c, a, i, &name);
		for (size_t k = 0; k < length; k++) {
			out_text(o, k > 0 ? ";" : "");
			write_frame(o, name[k]);
		}
		out_char(o, ' ');
		out_u64(o, against);
		out_char(o, ' ');
		out_u64(o, chosen);
		out_char(o, '\n');
		arena_clear(a);
	}
	arena_free(a);
}
