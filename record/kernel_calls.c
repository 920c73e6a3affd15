/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/kernel_calls.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/scan.h"
#include "base/xalloc.h"
#include "collect/osprof.h"
#include "record/call_log.h"

/* --- times ------------------------------------------------------------------------------- */

static uint64_t clock_now(clockid_t clock)
{
	struct timespec t = { 0 };

	(void)clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Takes the fastest of several reads. */
struct instant instant_now(const struct osprof *p)
{
	enum { READINGS = 8 };
	struct instant best = { 0 };
	uint64_t min = UINT64_MAX;

	for (int i = 0; i < READINGS; i++) {
		uint64_t before = osprof_start(p);
		struct instant now = { .boot = clock_now(CLOCK_BOOTTIME),
				       .monotonic = clock_now(CLOCK_MONOTONIC) };
		uint64_t gap = osprof_start(p) - before;

		now.counter = before + gap / 2;
		if (gap < min) {
			min = gap;
			best = now;
		}
	}
	return best;
}

/* Converts the kernel's time to the profile's. */
struct scale {
	uint64_t from, to;
	double each;
};

static uint64_t time_apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* The clock that bpftrace uses depends on its version: takes the one closer to `now`. They are
 * equal if the machine never slept. */
static struct scale make_scale(const struct instant between[2], uint64_t now)
{
	bool boot = time_apart(between[0].boot, now) <= time_apart(between[0].monotonic, now);
	uint64_t from = boot ? between[0].boot : between[0].monotonic;
	uint64_t until = boot ? between[1].boot : between[1].monotonic;

	return (struct scale){ .from = from,
			       .to = between[0].counter,
			       .each = (double)(between[1].counter - between[0].counter) /
				       (double)(until > from ? until - from : 1) };
}

static uint64_t scaled_time(const struct scale *s, uint64_t time)
{
	return time >= s->from ? s->to + (uint64_t)((double)(time - s->from) * s->each) : 0;
}

/* --- calls of a thread --------------------------------------------------------------------- */

struct by_thread {
	uint32_t thread;
	uint32_t i; /* index in the log, which is sorted by start */
};

static int compare_threads(const void *a, const void *b)
{
	const struct by_thread *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

struct matching {
	struct call_log *log;
	struct by_thread *index;
	struct scale scale;
};

static bool is_after(const struct matching *m, const struct by_thread *b, uint32_t thread,
		     uint64_t time)
{
	return b->thread != thread ? b->thread > thread : m->log->record[b->i].start > time;
}

/* Finds the call that a thread was in at a time; the innermost, if a signal handler made calls,
 * too: the last one that began before and had not ended. NULL: there is none. */
static struct kernel_part *part_at(const struct matching *m, uint32_t thread, uint64_t time)
{
	enum { DEEPEST = 16 };
	size_t low = 0, high = m->log->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_after(m, &m->index[middle], thread, time))
			high = middle;
		else
			low = middle + 1;
	}
	for (int depth = 0; depth < DEEPEST && low > 0; depth++) {
		const struct by_thread *b = &m->index[--low];
		const struct call_record *c = &m->log->record[b->i];

		if (b->thread != thread)
			break;
		if (time - c->start <= c->latency)
			return &m->log->kernel[b->i];
	}
	return NULL;
}

/* --- lines ---------------------------------------------------------------------------------- */

static bool scan_numbers(struct cursor *line, uint64_t number[], int n)
{
	for (int i = 0; i < n; i++) {
		scan_blanks(line);
		if (!scan_u64(line, &number[i]))
			return false;
	}
	return true;
}

/* Assigns a system call by its middle, since the clocks may differ a little. */
static void take_system_call(struct matching *m, struct cursor *line)
{
	uint64_t n[3]; /* thread, start, nanoseconds */
	struct kernel_part *part;

	if (!scan_numbers(line, n, 3))
		return;
	part = part_at(m, (uint32_t)n[0], scaled_time(&m->scale, n[1] + n[2] / 2));
	if (part != NULL) {
		part->ns += n[2];
		part->entered = true;
	}
}

/* Whether a function is part of the scheduler, or common to all kinds of waiting. */
static bool is_scheduler(struct str function)
{
	static const char *const names[] = { "__traceiter_", "__bpf_",	    "bpf_",
					     "__schedule",   "schedule",    "io_schedule",
					     "wait_woken",   "do_wait_intr" };

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (str_has_prefix(function, str_from(names[i])))
			return true;
	}
	return false;
}

/* Returns the name in "do_nanosleep+123", without suffixes of the compiler. */
static struct str function_of(struct str line)
{
	struct str name = str_trim(line), tail;

	(void)str_cut(name, '+', &name, &tail);
	(void)str_cut(name, '.', &name, &tail);
	return name;
}

/* The stack frames follow, up to an empty line. */
static void take_wait(struct matching *m, struct cursor *line, struct cursor *lines)
{
	struct kernel_part *part = NULL;
	uint64_t n[2]; /* thread, time */
	struct cursor frame;

	if (scan_numbers(line, n, 2))
		part = part_at(m, (uint32_t)n[0], scaled_time(&m->scale, n[1]));
	while (scan_line(lines, &frame) && str_trim(cursor_rest(&frame)).n > 0) {
		struct str function = function_of(cursor_rest(&frame));

		if (part != NULL && !is_scheduler(function)) {
			part->waited = function;
			part = NULL;
		}
	}
}

static void take_lines(struct matching *m, struct cursor *lines, const struct instant between[2])
{
	struct cursor line;
	uint64_t n;

	while (scan_line(lines, &line)) {
		if (scan_literal(&line, STR("S "))) {
			take_system_call(m, &line);
		} else if (scan_literal(&line, STR("B "))) {
			take_wait(m, &line, lines);
		} else if (scan_literal(&line, STR("clock ")) && scan_u64(&line, &n)) {
			m->scale = make_scale(between, n);
		} else if (scan_literal(&line, STR("Lost ")) && scan_u64(&line, &n)) {
			m->log->kernel_lost += n;
		}
	}
}

void call_log_add_kernel(struct call_log *l, char *text, const struct instant between[2])
{
	struct matching m = { .log = l };
	struct input in;
	struct cursor lines;

	l->kernel_text = text;
	l->kernel = xcalloc(l->n + 1, sizeof(*l->kernel));
	m.index = xcalloc(l->n + 1, sizeof(*m.index));
	for (size_t i = 0; i < l->n; i++)
		m.index[i] = (struct by_thread){ l->record[i].thread, (uint32_t)i };
	qsort(m.index, l->n, sizeof(*m.index), compare_threads);
	input_borrow(&in, "bpftrace", text, strlen(text));
	lines = cursor_on(&in);
	take_lines(&m, &lines, between);
	input_release(&in);
	free(m.index);
}
