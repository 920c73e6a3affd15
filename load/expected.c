/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/expected.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/input/input_file.h"
#include "base/out.h"
#include "base/scan.h"
#include "load/load_options.h"
#include "profile/profile.h"

static void add_name(struct expected *e, struct str name)
{
	e->name = arena_grow(e->arena, e->name, &e->cap, e->n + 1, sizeof(*e->name));
	e->name[e->n++] = arena_str(e->arena, name);
}

bool expected_read(struct expected *e, const struct load_options *q, struct diag *diag)
{
	struct cursor c, line;
	struct input in;

	*e = (struct expected){ .given = q->expect != NULL,
				.naming = q->expect != NULL || q->by_host,
				.arena = arena_new() };
	if (!e->given)
		return true;
	if (!input_open(&in, q->expect, q->max_input, diag))
		return false;
	c = cursor_on(&in);
	while (scan_line(&c, &line)) {
		struct str name = str_trim(cursor_rest(&line));

		if (name.n > 0 && name.p[0] != '#')
			add_name(e, name);
	}
	input_release(&in);
	if (e->n == 0)
		diag_plain(diag, DIAG_INPUT_EMPTY, "%s: no host", q->expect);
	return e->n > 0;
}

void expected_release(struct expected *e)
{
	arena_free(e->arena);
}

void expected_skipped(struct expected *e, struct str host)
{
	if (e != NULL && host.n > 0)
		add_name(e, host);
}

void expected_name(const struct expected *e, struct profile *p, struct str host)
{
	if (e == NULL || !e->naming || p->n_hosts > 0 || host.n == 0)
		return;
	p->host = arena_make(p->arena, struct str, 1);
	p->host[p->n_hosts++] = arena_str(p->arena, host);
}

void expected_add(const struct expected *e, struct profile *p)
{
	struct str *all = arena_make(p->arena, struct str, p->n_missing + e->n);

	for (size_t i = 0; i < p->n_missing; i++)
		all[i] = p->missing[i];
	for (size_t i = 0; i < e->n; i++)
		all[p->n_missing + i] = arena_str(p->arena, e->name[i]);
	p->missing = all;
	p->n_missing += e->n;
	profile_sort_hosts(p);
}

void expected_report(const struct profile *p, struct diag *diag)
{
	struct out *names;
	size_t reported = 0;

	if (p->n_missing == 0)
		return;
	names = out_to_memory();
	while (reported < p->n_missing && out_listed(names, p->missing[reported]))
		reported++;
	diag_plain(diag, DIAG_HOSTS_MISSING, "%zu of %zu: %.*s%s", p->n_missing,
		   p->n_hosts + p->n_missing, STR_ARG(out_memory(names)),
		   reported < p->n_missing ? ", ...; the result lists all of them" : "");
	out_free(names);
}
