/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/builder/builder.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
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

/* Frees everything except the profile. */
static void release_builder(struct builder *b)
{
	replicates_release(&b->replicates);
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

static void report_at(struct builder *b, enum diag_code code, struct str where, const char *fmt,
		      va_list ap)
{
	const char *start = b->in->bytes.p, *end = start + b->in->bytes.n;
	char text[300] = "";

	if (diag_is_reported(b->diag, code))
		(void)vsnprintf(text, sizeof(text), fmt, ap);
	if (where.p != NULL && where.p >= start && where.p <= end)
		diag_at(b->diag, code, b->in, (size_t)(where.p - start), where.n, "%s", text);
	else
		diag_file(b->diag, code, b->in, "%s", text);
}

bool build_fail(struct builder *b, enum diag_code code, struct str where, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report_at(b, code, where, fmt, ap);
	va_end(ap);
	b->failed = true;
	return false;
}

void build_warn(struct builder *b, enum diag_code code, struct str where, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report_at(b, code, where, fmt, ap);
	va_end(ap);
}

RARELY bool sum_overflows(struct builder *b, struct str where)
{
	return build_fail(b, DIAG_COUNT_OVERFLOW, where, "the sum passes 2^64-1 here");
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

static void add_span(struct builder *b, double start, double end)
{
	if (b->n_spans == INT_MAX)
		xalloc_die();
	b->span = xgrow(b->span, &b->cap_spans, b->n_spans + 1, sizeof(*b->span));
	b->span[b->n_spans++] = (struct span){ start, end };
	b->interval = (int)b->n_spans - 1;
	b->interval_used = false;
}

/* What was pushed before the first stamp turns out to be an interval, too. */
static void first_interval(struct builder *b)
{
	bool used = b->interval_used;

	add_span(b, NAN, NAN);
	b->interval_used = used;
	for (size_t i = 0; i < b->profile->n_ops; i++) {
		struct series *s = b->op_builder[i].series;

		b->op_builder[i].interval = b->interval;
		for (size_t k = 0; s != NULL && k < s->n; k++)
			s->snapshot[k].interval = b->interval;
		if (s != NULL)
			s->whole = NO_SNAPSHOT;
	}
}

void build_next_interval(struct builder *b, double stamp)
{
	if (b->failed)
		return;
	seal_histogram(b);
	if (b->n_spans == 0 && b->interval_used)
		first_interval(b);
	if (b->n_spans > 0 && !b->interval_used) /* two stamps and nothing between */
		b->span[b->n_spans - 1].end = isnan(stamp) ? b->span[b->n_spans - 1].end : stamp;
	else
		add_span(b, NAN, stamp);
}

void build_untimed(struct builder *b)
{
	b->profile->untimed = true;
}

static bool is_span(const struct builder *b, size_t number, struct span span)
{
	return b->span[number].start == span.start && b->span[number].end == span.end;
}

static uint32_t hash_of_span(const struct builder *b, const struct span *span)
{
	return hash_index_hash(&b->given, (struct str){ (const char *)span, sizeof(*span) }, 0);
}

/* Adds to the hash index the spans that are not there yet. */
static void find_span_places(struct builder *b)
{
	for (; b->n_indexed < b->n_spans; b->n_indexed++) {
		size_t at, number;
		uint32_t hash;

		hash_index_reserve(&b->given, b->n_indexed);
		hash = hash_of_span(b, &b->span[b->n_indexed]);
		at = hash_index_first(&b->given, hash);
		while (hash_index_next(&b->given, &at, hash, &number))
			at++;
		hash_index_take(&b->given, at, hash, b->n_indexed);
	}
}

/* Operations mostly have the same spans in the same order, so the index is seldom needed: a span
 * is the one after the last, or later than all known. */
static bool find_span(struct builder *b, struct span span, size_t *ret_number)
{
	uint32_t hash;

	*ret_number = b->next_given;
	if (b->next_given < b->n_spans && is_span(b, b->next_given, span))
		return true;
	if (b->n_spans == 0 || span.start > b->latest_start)
		return false;
	find_span_places(b);
	hash = hash_of_span(b, &span);
	for (size_t at = hash_index_first(&b->given, hash);
	     hash_index_next(&b->given, &at, hash, ret_number); at++) {
		if (is_span(b, *ret_number, span))
			return true;
	}
	return false;
}

bool build_interval(struct builder *b, double start, double end, struct str where)
{
	const struct span span = { start + 0.0, end + 0.0 }; /* -0 is 0 */
	size_t number;

	if (b->failed)
		return false;
	seal_histogram(b);
	if (!(start >= 0 && end >= start && end < HUGE_VAL))
		return build_fail(b, DIAG_INTERVAL_BAD, where, "expected 0 <= start <= end");
	b->spans_given = true;
	if (!find_span(b, span, &number)) {
		number = b->n_spans;
		add_span(b, span.start, span.end);
		b->latest_start = fmax(b->latest_start, span.start);
	}
	b->next_given = number + 1;
	b->interval = (int)number;
	return true;
}

void build_whole_run(struct builder *b)
{
	seal_histogram(b);
	b->interval = WHOLE_RUN;
	b->next_given = 0;
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
