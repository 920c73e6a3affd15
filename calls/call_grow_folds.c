/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads, held calls and spans share while they grow a tree: names, folds, hashes. */
#include <string.h>

#include "base/glob.h"
#include "base/tables/number_map.h"
#include "base/xalloc.h"
#include "calls/call_grow_parts.h"

/* Returns what follows the service in the name of a span, "front/req"; else the name. */
static struct str without_service(struct str name)
{
	size_t slash = str_find_last(name, STR("/"));

	return slash < name.n ? str_skip(name, slash + 1) : name;
}

bool grow_is_function(const struct call_grow *g, struct str name)
{
	struct str function = str_from(g->o.function);

	return str_eq(name, function) || (!g->o.exact && (glob_matches(g->o.function, name) ||
							  str_eq(without_service(name), function)));
}

static bool returns_twice(struct str name)
{
	static const char *const names[] = { "_setjmp", "setjmp", "sigsetjmp", "__sigsetjmp" };

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (str_eq(name, str_from(names[i])))
			return true;
	}
	return false;
}

static uint8_t flags_of(struct call_grow *g, uint32_t number)
{
	struct str name = call_tree_str(g->tree, number);
	uint8_t flags = NAME_KNOWN;

	if (g->o.function != NULL && grow_is_function(g, name)) {
		g->match = xgrow(g->match, &g->cap_matches, g->n_matches + 1, sizeof(*g->match));
		g->match[g->n_matches++] = number;
		flags |= NAME_FUNCTION;
	}
	if (g->o.within != NULL && glob_matches(g->o.within, name))
		flags |= NAME_WITHIN;
	if (g->o.interrupt != NULL && glob_matches(g->o.interrupt, name))
		flags |= NAME_INTERRUPT;
	if (g->o.link.submit.n > 0 && str_eq(name, g->o.link.submit))
		flags |= NAME_SUBMIT;
	if (g->o.link.submit.n > 0 && str_eq(name, g->o.link.serve))
		flags |= NAME_SERVE;
	if (returns_twice(name))
		flags |= NAME_TWICE;
	return flags;
}

uint8_t grow_flags_new(struct call_grow *g, uint32_t name)
{
	if (name >= g->cap_flags) {
		size_t had = g->cap_flags;

		g->flag = xgrow(g->flag, &g->cap_flags, (size_t)name + 1, 1);
		memset(g->flag + had, 0, g->cap_flags - had);
	}
	if (g->flag[name] == 0)
		g->flag[name] = flags_of(g, name);
	return g->flag[name];
}

struct call_fold *grow_fold_new(struct call_grow *g)
{
	struct call_fold *f = g->free_folds;

	if (f != NULL)
		g->free_folds = f->next_free;
	else
		f = xcalloc(1, sizeof(*f));
	fold_begin(f, g->tree);
	f->slot[0].calls = 1;
	return f;
}

void grow_pause(struct call_grow *g, struct call_fold *f, int64_t start, int64_t end)
{
	if (!g->o.pauses)
		return;
	if (f->n_pauses >= CALL_MAX_PAUSES) {
		g->more_pauses = true;
		return;
	}
	f->pause = xgrow(f->pause, &f->cap_pauses, f->n_pauses + 1, sizeof(*f->pause));
	f->pause[f->n_pauses++] = (struct call_pause){ .start = start, .end = end };
}

static void keep_pauses(struct call_grow *g, const struct call_fold *f, uint64_t thread,
			uint32_t bucket)
{
	if (g->n_pauses + f->n_pauses > CALL_MAX_PAUSES) {
		g->more_pauses = true;
		return;
	}
	g->pause =
		xgrow(g->pause, &g->cap_pauses, g->n_pauses + f->n_pauses + 1, sizeof(*g->pause));
	for (size_t i = 0; i < f->n_pauses; i++) {
		g->pause[g->n_pauses] = f->pause[i];
		g->pause[g->n_pauses].thread = thread;
		g->pause[g->n_pauses++].bucket = bucket;
	}
}

/* Whether to count the largest contributors: in the first o.decision calls of the range. */
static bool counts_max(struct call_grow *g, int64_t latency)
{
	if (g->o.no_maxcounts)
		return false;
	if (g->o.decision == 0)
		return true;
	if (g->o.filter && ((double)latency < g->o.low || (double)latency >= g->o.high))
		return false;
	return g->decided++ < g->o.decision;
}

void grow_count_thread(struct call_grow *g, const struct grow_thread *t, uint32_t bucket,
		       uint64_t calls)
{
	call_tree_count_value(g->tree, call_tree_name(g->tree, STR("thread")), t->name, bucket,
			      calls);
}

void grow_fold_end(struct call_grow *g, struct call_fold *f, const struct grow_thread *t,
		   int64_t start, int64_t latency)
{
	struct fold_end end = { .latency = latency,
				.start = start,
				.thread = t != NULL ? t->name : 0,
				.bucket = call_tree_bucket(g->tree, latency),
				.counts_max = counts_max(g, latency) };

	fold_end(f, g->tree, &end);
	if (t != NULL) {
		keep_pauses(g, f, t->key.who ^ t->key.what << 32, end.bucket);
		if (g->n_threads > 1)
			grow_count_thread(g, t, end.bucket, 1);
	}
	g->tree->tally.calls++;
	f->next_free = g->free_folds;
	g->free_folds = f;
}

uint64_t grow_span_hash(const uint64_t trace[2], uint64_t id)
{
	uint64_t hash = number_map_mix(trace[0] + 0x9e3779b97f4a7c15U);

	if (id == 0)
		return 0;
	hash = number_map_mix(hash ^ (trace[1] + 0x632be59bd9b4e019U));
	hash = number_map_mix(hash ^ id);
	return hash >> 1 == 0 ? 1 : hash >> 1;
}
