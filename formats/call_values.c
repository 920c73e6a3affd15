/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/call_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "profile/variables.h"

enum { MAX_OPEN = 65536 }; /* open calls of a thread: of deeper ones no values are kept */

/* A value of an open call; its text is in the thread's bytes. */
struct kept {
	size_t column, at, n;
};

/* Where the values of an open call begin. */
struct open_call {
	size_t values, bytes;
};

/* The open calls of a thread, and their values, as stacks. */
struct thread {
	struct pairing_slot who;
	struct open_call *open;
	struct kept *kept;
	char *bytes;
	size_t n_open, cap_open, n_kept, cap_kept, n_bytes, cap_bytes;
	size_t too_deep; /* open calls beyond MAX_OPEN */
};

struct call_values {
	struct variables *to;
	struct thread *thread;
	size_t n, cap;
	size_t latest;			       /* the thread met last */
	enum { OF_NONE, OF_OPEN, OF_LAST } of; /* whose the next value is */
};

struct call_values *call_values_new(struct variables *to)
{
	struct call_values *v = xcalloc(1, sizeof(*v));

	v->to = to;
	return v;
}

void call_values_free(struct call_values *v)
{
	if (v == NULL)
		return;
	for (size_t i = 0; i < v->n; i++) {
		free(v->thread[i].open);
		free(v->thread[i].kept);
		free(v->thread[i].bytes);
	}
	free(v->thread);
	free(v);
}

static bool is_of(const struct thread *t, struct pairing_slot who)
{
	return t->who.who == who.who && t->who.what == who.what;
}

/* Programs have few threads, and mostly several events of one follow each other. */
static struct thread *thread_of(struct call_values *v, struct pairing_slot who)
{
	if (v->latest < v->n && is_of(&v->thread[v->latest], who))
		return &v->thread[v->latest];
	for (v->latest = 0; v->latest < v->n; v->latest++) {
		if (is_of(&v->thread[v->latest], who))
			return &v->thread[v->latest];
	}
	v->thread = xgrow(v->thread, &v->cap, v->n + 1, sizeof(*v->thread));
	v->thread[v->n] = (struct thread){ .who = who };
	return &v->thread[v->n++];
}

void call_values_enter(struct call_values *v, struct pairing_slot who)
{
	struct thread *t = thread_of(v, who);

	v->of = OF_NONE;
	if (t->n_open == MAX_OPEN) {
		t->too_deep++;
		return;
	}
	t->open = xgrow(t->open, &t->cap_open, t->n_open + 1, sizeof(*t->open));
	t->open[t->n_open++] = (struct open_call){ t->n_kept, t->n_bytes };
	v->of = OF_OPEN;
}

void call_values_leave(struct call_values *v, struct pairing_slot who, bool counted)
{
	struct thread *t = thread_of(v, who);
	struct open_call o;

	v->of = counted ? OF_LAST : OF_NONE;
	if (t->too_deep > 0) {
		t->too_deep--;
		return;
	}
	if (t->n_open == 0)
		return;
	o = t->open[--t->n_open];
	for (size_t i = o.values; counted && i < t->n_kept; i++) {
		const struct kept *k = &t->kept[i];

		variables_set(v->to, k->column, (struct str){ t->bytes + k->at, k->n }, STR(""));
	}
	t->n_kept = o.values;
	t->n_bytes = o.bytes;
}

void call_values_whole(struct call_values *v, bool counted)
{
	v->of = counted ? OF_LAST : OF_NONE;
}

static void keep_value(struct thread *t, size_t column, struct str value)
{
	t->kept = xgrow(t->kept, &t->cap_kept, t->n_kept + 1, sizeof(*t->kept));
	t->kept[t->n_kept++] = (struct kept){ column, t->n_bytes, value.n };
	t->bytes = xgrow(t->bytes, &t->cap_bytes, t->n_bytes + value.n + 1, 1);
	if (value.n > 0)
		memcpy(t->bytes + t->n_bytes, value.p, value.n);
	t->n_bytes += value.n;
}

void call_values_add(struct call_values *v, const struct call_value *value)
{
	size_t column;

	if (v->of == OF_NONE)
		return;
	column = variables_column(v->to, value->of, variable_role_of(value->of));
	if (v->of == OF_OPEN)
		keep_value(&v->thread[v->latest], column, value->value);
	else
		variables_set(v->to, column, value->value, STR(""));
}

void call_values_forget(struct call_values *v, const struct pairing_slot *who)
{
	v->of = OF_NONE;
	for (size_t i = 0; i < v->n; i++) {
		struct thread *t = &v->thread[i];

		if (who == NULL || is_of(t, *who))
			t->n_open = t->n_kept = t->n_bytes = t->too_deep = 0;
	}
}
