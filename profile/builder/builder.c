/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/builder/builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "profile/builder/builder_parts.h"
#include "profile/names.h"
#include "profile/spread.h"
#include "profile/syscalls.h"

struct builder *builder_new(struct input *in, const char *format,
			    const struct build_options *options, struct diag *diag)
{
	struct builder *b = xcalloc(1, sizeof(*b));

	b->in = b->whole = in;
	b->diag = diag;
	b->options = *options;
	b->snapshots_settled = options->snapshots != SNAPSHOTS_AUTO;
	b->arena = arena_new();
	b->scratch = arena_new();
	edges_pool_start(&b->edges, b->arena);
	b->profile = arena_make(b->arena, struct profile, 1);
	b->profile->arena = b->arena;
	b->profile->source = arena_str(b->arena, in->name);
	b->profile->format = format;
	b->profile->hz = options->hz;
	b->interval = WHOLE_RUN;
	b->ascend = true;
	return b;
}

static void release_replicates(struct replicates *r)
{
	for (size_t k = 0; k < r->n; k++)
		builder_free(r->builder[k]);
	free(r->builder);
	free(r->of_op);
}

/* Frees everything except the profile. */
static void release_builder(struct builder *b)
{
	release_replicates(&b->replicates);
	edges_pool_release(&b->edges);
	names_free(b->syscalls);
	hash_index_release(&b->given);
	hash_index_release(&b->hash_index);
	str_table_release(&b->layer_names);
	free(b->layer);
	free(b->bucket);
	free(b->span);
	arena_free(b->scratch);
	input_release(&b->line);
	free(b);
}

void builder_free(struct builder *b)
{
	struct arena *arena;

	if (b == NULL)
		return;
	arena = b->arena;
	release_builder(b);
	arena_free(arena);
}

/* Checks the operations added so far while their `where` still points into the current part. */
static bool part_ends(struct builder *b)
{
	return !b->failed && (b->all_differ || b->ascend || find_added(b));
}

void builder_part(struct builder *b, struct input *part)
{
	(void)part_ends(b); /* builder_failed() tells */
	b->in = part != NULL ? part : b->whole;
}

void builder_line(struct builder *b, const struct line_copy *line)
{
	(void)part_ends(b);
	input_release(&b->line);
	input_borrow_line(&b->line, b->whole->name, line);
	b->in = &b->line;
}

bool builder_failed(const struct builder *b)
{
	return b->failed;
}

static bool add_count(struct builder *b, uint64_t *sum, uint64_t count, struct str where)
{
	if (b->failed)
		return false;
	return !__builtin_add_overflow(*sum, count, sum) || sum_overflows(b, where);
}

bool build_lost(struct builder *b, uint64_t events, struct str where)
{
	return add_count(b, &b->profile->lost, events, where);
}

bool build_operation_lost(struct builder *b, uint64_t events, struct str where)
{
	return !b->failed && add_count(b, &b->op->lost, events, where);
}

bool build_impossible(struct builder *b, uint64_t n, double latency, struct str where)
{
	if (!build_operation_lost(b, n, where))
		return false;
	note_impossible(b, b->op, n, latency);
	return true;
}

static bool is_number(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (!is_digit(s.p[i]))
			return false;
	}
	return s.n > 0;
}

/* Names a key by the user's names; without these, a system-call number by the architecture that
 * the file states. */
static struct str name_of_key(struct builder *b, struct str layer, struct str key)
{
	const struct names *names = b->options.names;
	struct str found;

	if (names == NULL && b->options.architecture.n > 0 && is_number(key) &&
	    str_has_prefix(layer, STR("sys"))) {
		if (b->syscalls == NULL)
			b->syscalls = syscall_names(b->options.architecture);
		names = b->syscalls;
	}
	if (names == NULL)
		return key;
	found = names_find(names, key);
	b->name_used |= found.p != key.p;
	return found;
}

static bool open_operation(struct builder *b, struct str layer, struct str name, struct str where,
			   bool must_be_new)
{
	struct layer_builder *l;
	bool is_new = true;
	size_t number;

	if (b->failed)
		return false;
	seal_histogram(b);
	if (layer.n == 0) /* also of no bytes at all */
		layer = STR("");
	name = name_of_key(b, layer, name);
	l = find_layer(b, layer);
	if (must_be_new ? !add_new_operation(b, l, name, &number)
			: !find_operation(b, l, name, &number, &is_new))
		return false;
	b->op = &b->profile->op[number];
	b->of_op = &b->op_builder[number];
	if (is_new)
		b->of_op->where = where;
	return true;
}

void build_all_differ(struct builder *b)
{
	b->all_differ = b->profile->n_ops == 0 && b->options.names == NULL;
}

bool build_operation(struct builder *b, struct str layer, struct str name, struct str where)
{
	return open_operation(b, layer, name, where, false);
}

bool build_new_operation(struct builder *b, struct str layer, struct str name, struct str where)
{
	return open_operation(b, layer, name, where, true);
}

static bool begins_with_histogram(const struct op_builder *d)
{
	return d->series != NULL ? d->series->snapshot[0].marks.has_hist : d->marks.has_hist;
}

void build_unit(struct builder *b, enum unit unit, enum unit_source source)
{
	struct operation *op = b->op;
	bool guessed = source == UNIT_GUESSED;

	if (b->failed)
		return;
	if (unit == UNIT_UNKNOWN && guessed)
		return; /* a guess that found nothing */
	if (!guessed && !b->of_op->unit_guessed && op->unit != UNIT_UNKNOWN &&
	    unit != UNIT_UNKNOWN && op->unit != unit && begins_with_histogram(b->of_op))
		(void)build_fail(b, DIAG_UNIT_CLASH,
				 b->current.hist != NULL ? b->hist_where : b->of_op->where,
				 "%.*s: %s, but %s before", STR_ARG(op->name), unit_name(unit),
				 unit_name(op->unit));
	op->unit = unit;
	b->of_op->unit_guessed = guessed;
}

bool build_operation_in(struct builder *b, enum unit unit, struct str layer, struct str name,
			struct str where)
{
	if (!build_operation(b, layer, name, where))
		return false;
	build_unit(b, unit, UNIT_STATED);
	return true;
}

void build_threshold(struct builder *b, double threshold)
{
	if (b->failed)
		return;
	b->op->threshold = threshold;
}

void build_rounded_totals(struct builder *b)
{
	if (b->failed)
		return;
	b->op->rounded_totals = true;
}

void build_fixed_duration(struct builder *b)
{
	if (b->failed)
		return;
	b->op->fixed_duration = true;
}

void build_approximate(struct builder *b)
{
	if (b->failed)
		return;
	b->op->hist.approximate = true;
}

void build_granularity(struct builder *b, double granularity)
{
	if (b->failed)
		return;
	b->op->hist.granularity = granularity;
}

void build_snapshots(struct builder *b, enum snapshots snapshots)
{
	b->profile->printing.cleared = snapshots == SNAPSHOTS_DELTA;
	b->profile->printing.cumulative = snapshots == SNAPSHOTS_CUMULATIVE;
	if (b->options.snapshots == SNAPSHOTS_AUTO)
		b->options.snapshots = snapshots;
}

static bool add_total(struct builder *b, bool *has, struct decimal *to, struct decimal more,
		      struct str where)
{
	if (*has && !decimal_add(*to, more, &more))
		return build_fail(b, DIAG_TOTAL_OVERFLOW, where, "in the sum with earlier ones");
	*has = true;
	*to = more;
	return true;
}

bool build_total(struct builder *b, struct decimal total, struct str where)
{
	struct stated *s;

	if (b->failed)
		return false;
	s = current_snapshot(b).stated;
	return add_total(b, &s->has_total, &s->total, total, where);
}

bool build_self(struct builder *b, struct decimal self, struct str where)
{
	struct stated *s;

	if (b->failed)
		return false;
	s = current_snapshot(b).stated;
	return add_total(b, &s->has_self, &s->self, self, where);
}

bool build_inclusive(struct builder *b, struct decimal inclusive, struct str where)
{
	struct stated *s;

	if (b->failed)
		return false;
	s = current_snapshot(b).stated;
	return add_total(b, &s->has_inclusive, &s->inclusive, inclusive, where);
}

bool build_count(struct builder *b, uint64_t count, struct str where)
{
	struct stated *s;

	if (b->failed)
		return false;
	s = current_snapshot(b).stated;
	s->has_count = true;
	return add_count(b, &s->count, count, where);
}

void build_min(struct builder *b, double min)
{
	struct stated *s;

	if (b->failed)
		return;
	s = current_snapshot(b).stated;
	s->min = s->has_min && s->min < min ? s->min : min;
	s->has_min = true;
}

void build_max(struct builder *b, double max)
{
	struct stated *s;

	if (b->failed)
		return;
	s = current_snapshot(b).stated;
	s->max = s->has_max && s->max > max ? s->max : max;
	s->has_max = true;
}

void build_deviation(struct builder *b, double deviation)
{
	struct stated *s;

	if (b->failed)
		return;
	s = current_snapshot(b).stated;
	/* A second one makes a sum; then it stays below zero, unknown. */
	s->deviation = s->deviation == 0 && deviation > 0 && isfinite(deviation) ? deviation : -1;
	s->has_deviation = s->deviation > 0;
}

void build_drop_single_layer(struct builder *b)
{
	b->drop_single_layer = true;
}

/* Operations have the same names as in the sum. */
static struct profile *finish_replicate(struct builder *b, struct builder *of)
{
	of->drop_single_layer = b->drop_single_layer && b->layer_names.n == 1;
	of->profile->fixed_duration = b->profile->fixed_duration;
	of->profile->machine = arena_str(of->arena, b->profile->machine);
	of->profile->kernel = arena_str(of->arena, b->profile->kernel);
	return builder_finish(of);
}

/* Makes the repetitions replicates of the finished profile, if there are several. */
static void finish_replicates(struct builder *b)
{
	struct replicates *r = &b->replicates;
	struct profile *p = b->profile;
	bool whole = !r->too_many && r->n > 1;

	if (!whole)
		return;
	p->replicate = arena_make(b->arena, struct profile *, r->n);
	for (size_t k = 0; k < r->n && whole; k++) {
		p->replicate[k] = finish_replicate(b, r->builder[k]);
		r->builder[k] = NULL;
		whole = p->replicate[k] != NULL;
		p->n_replicates += whole;
	}
	while (!whole && p->n_replicates > 0)
		profile_free(p->replicate[--p->n_replicates]);
}

struct profile *builder_finish(struct builder *b)
{
	struct profile *p;

	seal_histogram(b);
	if (!part_ends(b) || !assemble(b)) {
		builder_free(b);
		return NULL;
	}
	finish_replicates(b);
	p = b->profile;
	release_builder(b);
	return p;
}
