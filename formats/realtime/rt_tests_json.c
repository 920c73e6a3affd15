/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rt-tests-json: what cyclictest and oslat of rt-tests write with --json.
 *
 *	{ "cmdline:": "cyclictest -q -t2 -h 100 --json=x", "rt_test_version:": "2.40",
 *	  "resolution_in_ns": 0,
 *	  "thread": { "0": { "histogram": { "43": 1, "63": 34 },
 *	      "cycles": 40, "min": 43, "max": 876, "avg": 67.29, "cpu": 0 } } }
 *
 * The operation is the number of the thread.  Of cyclictest a key is [key, key + 1), and
 * the cycles that the histogram lacks were longer than its last row, the number behind
 * -h.  Of oslat a key is the upper edge, [key - 1, key), the last one open.  Other tools
 * have moments: cycles, least, most and average.  Of those that wake each other the
 * cycles are the samples of who wakes:
 *
 *	"0": { "sender": { "samples": 200 },
 *	       "receiver": { "min": 2, "avg": 2.85, "max": 20, "cpu": 0 } }
 *
 * Seen: rt-tests 2.4, 2.10.  Left out with a note: threads without cycles, as of
 * rt-migrate-test.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/xalloc.h"
#include "formats/format.h"

static enum probe probe_rt_tests_json(struct str head, struct clue *clue)
{
	(void)clue;
	if (!str_has_prefix(str_trim(head), STR("{")))
		return PROBE_NO;
	if (str_contains(head, STR("\"cmdline:\"")) &&
	    str_contains(head, STR("\"rt_test_version:\"")))
		return PROBE_MAGIC;
	return PROBE_NO;
}

struct cell {
	double key;
	uint64_t count;
	struct str where;
};

struct thread {
	struct str name, where;
	size_t first, n; /* among all cells */
	bool has_cycles, has_min, has_max, has_mean;
	uint64_t cycles;
	double min, max, mean;
};

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct json j;
	bool oslat;
	uint64_t rows; /* of a histogram of cyclictest; 0: not known */
	double width;  /* of one of oslat, us */
	enum unit unit;
	struct thread *thread; /* pushed when all of the file was read */
	struct cell *cell;     /* of all threads */
	size_t n_threads, cap_threads, n_cells, cap_cells;
	size_t n_without;    /* threads without cycles */
	struct arena *arena; /* of cells, and of strings with escapes */
};

/* --- reading ----------------------------------------------------------------- */

/* The number behind one of the options, as in "-h 100", "-h100", "--histogram=100". */
static bool find_option(struct str command, const char *const *options, double *ret)
{
	for (; *options != NULL; options++) {
		size_t n = strlen(*options);
		const char *at = command.n > 0 ? memmem(command.p, command.n, *options, n) : NULL;
		struct input in = { .bytes = command };
		struct cursor c = cursor_on(&in);

		if (at == NULL)
			continue;
		c.at = (size_t)(at - command.p) + n;
		scan_blanks(&c);
		if (scan_f64(&c, ret) && *ret > 0 && *ret < 1 << 24)
			return true;
	}
	return false;
}

static bool read_command(struct reader *r)
{
	static const char *const rows[] = { " -h", " -H", " --histogram=", " --histofall=", NULL };
	static const char *const width[] = { " -W", " --bucket-width=", NULL };
	struct str command, tool, rest;
	double found;

	if (!json_string(&r->j, &command))
		return false;
	if (!str_cut(command, ' ', &tool, &rest))
		tool = command;
	r->oslat = str_has_suffix(tool, STR("oslat"));
	if (!r->oslat && find_option(command, rows, &found))
		r->rows = (uint64_t)found;
	if (r->oslat && find_option(command, width, &found))
		r->width = found;
	return true;
}

/* Nearly all are whole numbers. */
static bool read_label(struct str key, double *ret)
{
	uint64_t whole;

	if (number_u64(key, &whole) == NUMBER_OK)
		*ret = (double)whole;
	else if (number_f64(key, ret) != NUMBER_OK)
		return false;
	return *ret >= 0 && *ret < 1 << 24;
}

static bool read_histogram(struct reader *r, struct thread *t)
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

/* A member of a thread, or of its sender or its receiver. */
static bool read_moment(struct reader *r, struct str key, struct thread *t)
{
	if (str_eq(key, STR("histogram")))
		return read_histogram(r, t);
	if (str_eq(key, STR("cycles")) || str_eq(key, STR("samples")))
		return t->has_cycles = json_u64(&r->j, &t->cycles);
	if (str_eq(key, STR("min")))
		return t->has_min = json_f64(&r->j, &t->min);
	if (str_eq(key, STR("max")))
		return t->has_max = json_f64(&r->j, &t->max);
	if (str_eq(key, STR("avg")))
		return t->has_mean = json_f64(&r->j, &t->mean);
	return json_skip(&r->j);
}

static bool read_side(struct reader *r, struct thread *t)
{
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		if (!read_moment(r, key, t))
			return false;
	}
	return !r->j.failed;
}

static bool read_thread(struct reader *r, struct thread *t)
{
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		bool side = str_eq(key, STR("sender")) || str_eq(key, STR("receiver"));

		if (side ? !read_side(r, t) : !read_moment(r, key, t))
			return false;
	}
	return !r->j.failed;
}

static bool read_threads(struct reader *r)
{
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

static bool read_document(struct reader *r)
{
	uint64_t nanoseconds;
	struct str key;

	if (!json_open(&r->j, '{'))
		return false;
	while (json_key(&r->j, &key)) {
		bool done;

		if (str_eq(key, STR("cmdline:")) || str_eq(key, STR("cmdline")))
			done = read_command(r);
		else if (str_eq(key, STR("thread")))
			done = read_threads(r);
		else if (str_eq(key, STR("resolution_in_ns"))) {
			done = json_u64(&r->j, &nanoseconds);
			r->unit = done && nanoseconds > 0 ? UNIT_NS : UNIT_US;
		} else
			done = json_skip(&r->j);
		if (!done)
			return false;
	}
	return !r->j.failed;
}

/* --- to the builder ---------------------------------------------------------------- */

/* Rows from key on, and what was beyond them. */
static bool push_rows(struct reader *r, const struct thread *t)
{
	uint64_t seen = 0, end = r->rows;

	for (size_t i = 0; i < t->n; i++) {
		const struct cell *c = &r->cell[t->first + i];

		if (!build_range(r->to, c->key, c->key + 1, c->count, c->where))
			return false;
		if (__builtin_add_overflow(seen, c->count, &seen))
			seen = UINT64_MAX; /* which the builder has told */
		if (c->key + 1 > (double)end)
			end = (uint64_t)c->key + 1;
	}
	if (!t->has_cycles || t->cycles <= seen)
		return true;
	return build_range(r->to, (double)end, HUGE_VAL, t->cycles - seen, t->where);
}

static bool push_gaps(struct reader *r, const struct thread *t)
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

static bool push_moments(struct reader *r, const struct thread *t)
{
	struct decimal total;

	if (t->has_min && !r->oslat) /* which rounds it up, beyond the row it is in */
		build_min(r->to, t->min);
	if (t->has_max)
		build_max(r->to, t->max);
	if (!t->has_cycles)
		return true;
	if (!build_count(r->to, t->cycles, t->where))
		return false;
	if (!t->has_mean || r->oslat)
		return true;
	if (!decimal_from_f64(t->mean * (double)t->cycles, &total))
		return format_fail(r->in, r->diag, DIAG_TOTAL_OVERFLOW, t->where,
				   "average times cycles");
	build_rounded_totals(r->to);
	return build_total(r->to, total, t->where);
}

static bool push_thread(struct reader *r, const struct thread *t)
{
	if (t->n == 0 && !t->has_cycles) {
		r->n_without++;
		return true;
	}
	if (!build_operation(r->to, STR(""), t->name, t->where))
		return false;
	build_unit(r->to, r->unit, UNIT_STATED);
	if (t->n > 0 &&
	    (!build_histogram(r->to, t->where) || (r->oslat ? !push_gaps(r, t) : !push_rows(r, t))))
		return false;
	return push_moments(r, t);
}

static bool read_rt_tests_json(struct input *in, const struct read_options *options,
			       struct builder *to, struct diag *diag)
{
	struct reader r = {
		.in = in, .to = to, .diag = diag, .unit = UNIT_US, .width = 1, .arena = arena_new()
	};
	bool fine;

	(void)options;
	json_start(&r.j, cursor_on(in), r.arena, diag);
	fine = read_document(&r);
	for (size_t i = 0; fine && i < r.n_threads; i++)
		fine = push_thread(&r, &r.thread[i]);
	if (fine && r.n_without > 0)
		diag_file(diag, DIAG_NOT_A_HISTOGRAM, in, "%zu thread%s without cycles",
			  r.n_without, r.n_without == 1 ? "" : "s");
	free(r.thread);
	arena_free(r.arena);
	return fine;
}

const struct format format_rt_tests_json = {
	.name = "rt-tests-json",
	.title = "rt-tests --json: cyclictest and oslat, moments of others",
	.versions = "rt-tests 2.4, 2.10",
	.unit = "us, or ns where resolution_in_ns says it",
	.totals = "average times cycles, to the digits of the average",
	.probe = probe_rt_tests_json,
	.read = read_rt_tests_json,
};
