/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/realtime/json_threads.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "formats/format.h"

struct cell {
	double key;
	uint64_t count;
	struct str where;
};

struct thread {
	struct str name, where;
	size_t first, n; /* range of its cells among all cells */
	bool has_cycles, has_min, has_max, has_mean;
	uint64_t cycles;
	double min, max, mean;
};

void json_threads_init(struct json_threads *r, struct input *in, struct builder *to,
		       struct diag *diag)
{
	*r = (struct json_threads){
		.unit = UNIT_US, .width = 1, .in = in, .to = to, .diag = diag, .arena = arena_new()
	};
	json_start(&r->j, cursor_on(in), r->arena, diag);
}

void json_threads_release(struct json_threads *r)
{
	free(r->thread);
	arena_free(r->arena);
}

/* --- reading ----------------------------------------------------------------------- */

/* Reads the label of a row; the fast path is for integers, as nearly all are. */
static bool read_label(struct str key, double *ret)
{
	uint64_t whole;

	if (number_u64(key, &whole) == NUMBER_OK)
		*ret = (double)whole;
	else if (number_f64(key, ret) != NUMBER_OK)
		return false;
	return *ret >= 0 && *ret < 1 << 24;
}

static bool json_threads_read_histogram(struct json_threads *r, struct thread *t)
{
	struct str key;
	size_t from;

	if (!json_open(&r->j, '{'))
		return false;
	for (from = r->j.c.at; json_key(&r->j, &key); from = r->j.c.at) {
		struct cell cell = { 0 };

		if (!read_label(key, &cell.key))
			return format_fail(r->in, r->diag, DIAG_NUMBER_BAD, json_since(&r->j, from),
					   "expected the label of a row, below 2^24");
		if (!json_u64(&r->j, &cell.count))
			return false;
		cell.where = json_since(&r->j, from);
		r->cell = arena_grow(r->arena, r->cell, &r->cap_cells, r->n_cells + 1,
				     sizeof(*r->cell));
		r->cell[r->n_cells++] = cell;
		t->n++;
	}
	return !r->j.failed;
}

static bool read_histogram(void *threads)
{
	struct json_threads *r = threads;

	return json_threads_read_histogram(r, &r->thread[r->n_threads - 1]);
}

static bool read_thread(struct json_threads *r, struct thread *t)
{
	const struct json_member members[9] = {
		JSON_READ("histogram", read_histogram, r),
		JSON_U64("cycles", &t->cycles, &t->has_cycles),
		JSON_U64("samples", &t->cycles, &t->has_cycles),
		JSON_U64("count", &t->cycles, &t->has_cycles),
		JSON_F64("min", &t->min, &t->has_min),
		JSON_F64("max", &t->max, &t->has_max),
		JSON_F64("avg", &t->mean, &t->has_mean),
		JSON_OBJECT("sender", members),
		JSON_OBJECT("receiver", members),
	};

	return json_members(&r->j, members, COUNT_OF(members));
}

bool json_threads_read(void *threads)
{
	struct json_threads *r = threads;
	struct str key;
	size_t from;

	if (!json_open(&r->j, '{'))
		return false;
	for (from = r->j.c.at; json_key(&r->j, &key); from = r->j.c.at) {
		struct thread *t;

		r->thread = xgrow(r->thread, &r->cap_threads, r->n_threads + 1, sizeof(*t));
		t = &r->thread[r->n_threads++];
		*t = (struct thread){ .name = key,
				      .where = json_since(&r->j, from),
				      .first = r->n_cells };
		if (!read_thread(r, t))
			return false;
	}
	return !r->j.failed;
}

/* --- to the builder ---------------------------------------------------------------- */

/* Pushes rows named by their lower edge, and the calls beyond the last row. */
static bool json_threads_push_rows(struct json_threads *r, const struct thread *t)
{
	uint64_t seen = 0, end = r->rows;

	for (size_t i = 0; i < t->n; i++) {
		const struct cell *c = &r->cell[t->first + i];

		if (!build_range(r->to, c->key, c->key + 1, c->count, c->where))
			return false;
		if (__builtin_add_overflow(seen, c->count, &seen))
			seen = UINT64_MAX; /* the builder reports the overflow */
		if (c->key + 1 > (double)end)
			end = (uint64_t)c->key + 1;
	}
	if (!t->has_cycles || t->cycles <= seen)
		return true;
	return build_range(r->to, (double)end, HUGE_VAL, t->cycles - seen, t->where);
}

static bool push_gaps(struct json_threads *r, const struct thread *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct cell *c = &r->cell[t->first + i];
		double low = round((c->key - r->width) * 1e6) / 1e6;
		bool open = i + 1 == t->n && t->has_max && t->max >= c->key;

		if (!build_range(r->to, low, open ? HUGE_VAL : c->key, c->count, c->where))
			return false;
	}
	return true;
}

/* Computes the sum of all latencies, which are integers; false if rows do not have all calls. */
static bool sum_rows(const struct json_threads *r, const struct thread *t, struct decimal *ret)
{
	struct decimal total = { 0 }, of_row;
	uint64_t missing = t->cycles;

	for (size_t i = 0; i < t->n; i++) {
		const struct cell *c = &r->cell[t->first + i];

		if (c->key != floor(c->key) || c->count > missing ||
		    !decimal_times(decimal_from_u64((uint64_t)c->key), c->count, &of_row) ||
		    !decimal_add(total, of_row, &total))
			return false;
		missing -= c->count;
	}
	*ret = total;
	return t->n > 0 && missing == 0;
}

static bool json_threads_push_summary(struct json_threads *r, const struct thread *t)
{
	struct decimal total;

	if (t->has_min && !r->upper) /* with `upper`, the minimum is rounded up out of its row */
		build_min(r->to, t->min);
	if (t->has_max)
		build_max(r->to, t->max);
	if (!t->has_cycles)
		return true;
	if (!build_count(r->to, t->cycles, t->where))
		return false;
	if (r->upper)
		return true;
	if (sum_rows(r, t, &total))
		return build_total(r->to, total, t->where);
	if (!t->has_mean)
		return true;
	if (!decimal_from_f64(t->mean * (double)t->cycles, &total))
		return format_fail(r->in, r->diag, DIAG_TOTAL_OVERFLOW, t->where,
				   "average times cycles");
	build_rounded_totals(r->to);
	return build_total(r->to, total, t->where);
}

static bool push_thread(struct json_threads *r, const struct thread *t)
{
	if (t->n == 0 && !t->has_cycles) {
		r->n_without++;
		return true;
	}
	if (!build_operation(r->to, STR(""), t->name, t->where))
		return false;
	build_unit(r->to, r->unit, UNIT_STATED);
	if (t->n > 0 && (!build_histogram(r->to, t->where) ||
			 (r->upper ? !push_gaps(r, t) : !json_threads_push_rows(r, t))))
		return false;
	return json_threads_push_summary(r, t);
}

bool json_threads_push(struct json_threads *r)
{
	for (size_t i = 0; i < r->n_threads; i++) {
		if (!push_thread(r, &r->thread[i]))
			return false;
	}
	if (r->n_without > 0)
		diag_file(r->diag, DIAG_NOT_A_HISTOGRAM, r->in, "%zu thread%s without cycles",
			  r->n_without, r->n_without == 1 ? "" : "s");
	return true;
}
