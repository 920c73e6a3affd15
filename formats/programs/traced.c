/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/programs/traced.h"

#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "base/xalloc.h"
#include "calls/call_sink.h"
#include "calls/nesting.h"
#include "formats/carried.h"
#include "formats/programs/traced_clock.h"
#include "formats/programs/traced_line.h"
#include "formats/programs/traced_variables.h"
#include "formats/text.h"
#include "formats/tracer_lines.h"
#include "formats/worker_pool.h"
#include "profile/accumulator/operation_table.h"
#include "profile/syscalls.h"

enum {
	FINEST = 9, /* maximum decimals of a duration */
	LONGEST_SECONDS = 9,
	LONGEST_UNSIGNED = 20, /* digits of 2^64 */
	SCORE_CALLS = 3,
};

/* The rest of a broken line at the beginning of a block. */
struct rest {
	uint64_t block, offset, ns;
	size_t digits;
	struct input line;
	struct str duration; /* duration of that line */
	bool begun;	     /* the call ends elsewhere, so that there is no duration */
};

/* --- strace or ltrace -------------------------------------------------------------------- */

/* Whether a line has something that only ltrace writes, for calls that may be system calls. */
static bool is_of_ltrace(const struct traced *t, struct str line)
{
	if (t->kind == TRACED_OTHER)
		return str_contains(line, STR("+++ exited (status "));
	return str_contains(t->name, STR("->")) || str_has_prefix(t->name, STR("SYS_")) ||
	       str_contains(line, STR(" = <void>"));
}

/* Whether a line has a blank that ltrace writes, and strace before version 5. */
static bool is_resumed_with_blank(const struct traced *t)
{
	return t->kind != TRACED_OTHER && t->resumed && str_has_prefix(t->after_name, STR(" )"));
}

static bool only_system_calls(struct str head)
{
	struct broken broken = { .n = 0 };
	struct str line;

	while (text_next(&head, &line)) {
		struct traced t = traced_parse(text_content(line));

		if (traced_mend(&broken, &t) && t.kind != TRACED_OTHER && !syscall_is_name(t.name))
			return false;
	}
	return true;
}

struct traced_sight traced_look(struct str head)
{
	struct traced_sight seen = { .untimed_at = head.n };
	struct str line, rest = head;
	struct broken broken = { .n = 0 };
	bool blank = false;

	while (text_next(&rest, &line)) {
		struct traced t;

		t = traced_parse(text_content(line));
		if (!traced_mend(&broken, &t))
			continue;
		seen.lines += line.n > 0;
		seen.untimed += t.kind == TRACED_UNTIMED;
		if (t.kind == TRACED_OTHER && !str_contains(line, STR("+++ exited ")))
			continue;
		seen.calls += t.kind == TRACED_CALL;
		seen.exits += t.kind == TRACED_OTHER;
		seen.of_ltrace |= is_of_ltrace(&t, line);
		blank |= is_resumed_with_blank(&t);
		if (t.kind == TRACED_UNTIMED && seen.untimed_at == head.n)
			seen.untimed_at = (size_t)(line.p - head.p);
	}
	seen.of_ltrace |= blank && !only_system_calls(head);
	return seen;
}

enum probe traced_probe(const struct traced_sight *seen, struct str head, struct clue *clue)
{
	/* Programs may print such lines, too, among others. */
	if (seen->calls == 0 && seen->untimed > 0 && 2 * seen->untimed >= seen->lines)
		*clue = (struct clue){ seen->untimed_at, "no durations; -T has them printed" };
	if (seen->calls >= SCORE_CALLS || (seen->calls > 0 && seen->exits > 0))
		return PROBE_MAGIC;
	if (seen->calls > 0)
		return PROBE_MARKS;
	return seen->exits > 0 && seen->untimed_at == head.n ? PROBE_SHAPE : PROBE_NO;
}

/* --- numbers ---------------------------------------------------------------------- */

/* Parses seconds to ns, and counts the decimals; false when s is not a time.  More seconds than fit
 * are 2^64 - 1 ns: what a clock printed that ran backwards. */
static bool parse_seconds(struct str s, uint64_t *ret_ns, size_t *ret_digits)
{
	uint64_t ns = 0, max = 0;
	size_t i = 0, digits = 0;

	for (; i < s.n && is_digit(s.p[i]); i++)
		ns = ns * 10 + (uint64_t)(s.p[i] - '0');
	if (i == 0 || i > LONGEST_UNSIGNED)
		return false;
	if (i > LONGEST_SECONDS)
		max = UINT64_MAX;
	if (i < s.n && s.p[i] == '.') {
		for (i++; i < s.n && is_digit(s.p[i]) && digits < FINEST; i++, digits++)
			ns = ns * 10 + (uint64_t)(s.p[i] - '0');
	}
	if (i < s.n)
		return false;
	*ret_digits = digits;
	for (; digits < FINEST; digits++)
		ns *= 10;
	*ret_ns = max > 0 ? max : ns;
	return true;
}

/* --- all lines --------------------------------------------------------------------- */

/* The state of one member of a worker pool. */
struct reader {
	struct call_sink *calls; /* receives the calls; NULL: they are counted */
	struct nesting *nesting; /* NULL: calls are not nested */
	struct samples *samples;
	struct traced_begun begun_calls; /* if variables are requested */
	const struct block *block;
	bool timed; /* intervals are requested */
	struct traced_clock clock;
	size_t digits; /* maximum decimals of a duration */
	uint64_t begun, resumed;

	/* Broken lines at the end of blocks, whose rest another thread may have read. */
	struct broken broken, *left;
	struct rest *rest;
	size_t n_left, cap_left, n_rest, cap_rest;
	bool any_call; /* this block has a call */
	uint64_t last_block;
	bool alone; /* `broken` is from the previous block */

	struct carried *carried; /* the line that the piece before ended in is there */
	struct broken before;
};

static bool fail_line(struct reader *r, enum diag_code code, struct str where, const char *what)
{
	return format_fail(r->samples->in, r->samples->diag, code, where, "%s", what);
}

/* Returns the thread of a leader, "[pid 5269]" or "5269"; 0 if there is none. */
static uint64_t thread_of(struct str leader)
{
	uint64_t tid = 0;

	for (size_t i = 0; i < leader.n && tid == 0; i++) {
		struct str digits = str_skip(leader, i);

		if (!is_digit(leader.p[i]))
			continue;
		digits.n = 0;
		while (i < leader.n && is_digit(leader.p[i])) {
			digits.n++;
			i++;
		}
		if (i < leader.n && (leader.p[i] == '.' || leader.p[i] == ':'))
			return 0; /* a time */
		if (number_u64(digits, &tid) != NUMBER_OK)
			return 0;
	}
	return tid;
}

/* Ends a call; the calls of its thread since its begin are nested in it. */
static void nest_call(struct reader *r, const struct traced *t, const struct sample *sample)
{
	struct pairing_slot thread = { thread_of(t->leader), 0 };
	uint32_t op = nesting_number(r->nesting, STR(""), t->name);
	struct nested_call nested = t->resumed
					    ? nesting_leave(r->nesting, thread, op, sample->latency)
					    : nesting_leaf(r->nesting, thread, op, sample->latency);

	if (nested.known)
		accumulator_nested(r->samples->accumulator, sample, nested.self, nested.outermost);
}

static void nest_begin(struct reader *r, const struct traced *t)
{
	nesting_enter(r->nesting, (struct pairing_slot){ thread_of(t->leader), 0 },
		      nesting_number(r->nesting, STR(""), t->name));
}

static bool add_call(struct reader *r, const struct traced *t)
{
	const struct block *block = r->block;
	struct str where = t->is_rest ? t->duration : t->name;
	struct sample sample = { .name = t->name,
				 .where = where,
				 .offset = block->at + (uint64_t)(where.p - block->part.bytes.p) };
	uint64_t ns;
	size_t digits;

	if (!parse_seconds(t->duration, &ns, &digits))
		return fail_line(r, DIAG_NUMBER_BAD, t->duration,
				 "expected seconds with at most nine digits after the point");
	if (digits > r->digits)
		r->digits = digits;
	sample.latency = decimal_from_u64(ns);
	if (t->leader.n > 0 && !t->resumed && ns < UINT64_MAX)
		traced_clock_see(&r->clock, ns);
	if (r->timed) {
		if (!r->clock.has_now)
			return fail_line(r, DIAG_INTERVAL_BAD, where,
					 "intervals need the time of each line: trace with -ttt");
		/* The line of a call's end shows the time of the end. */
		sample.start = decimal_from_u64(r->clock.now);
		if (t->resumed)
			sample.start.billionths -= sample.latency.billionths;
	}
	if (!samples_add(r->samples, &sample, t->duration, where))
		return false;
	if (r->nesting != NULL)
		nest_call(r, t, &sample);
	if (r->samples->variables != NULL)
		traced_set_variables(&r->begun_calls, r->samples->variables, thread_of(t->leader),
				     t);
	return true;
}

static void keep_rest(struct reader *r, struct traced *t)
{
	struct rest rest = { .block = r->block->number };

	rest.begun = t->kind == TRACED_BEGUN;
	if (!rest.begun && !parse_seconds(t->duration, &rest.ns, &rest.digits))
		return;
	if (rest.begun)
		t->duration = t->after_name;
	rest.offset = r->block->at + (uint64_t)(t->duration.p - r->block->part.bytes.p);
	rest.duration = input_keep_line(r->samples->in, t->duration, &rest.line);
	rest.line.passing = true;
	r->rest = xgrow(r->rest, &r->cap_rest, r->n_rest + 1, sizeof(*r->rest));
	r->rest[r->n_rest++] = rest;
}

static void keep_broken(struct reader *r)
{
	if (r->broken.n == 0 && r->any_call)
		return;
	r->broken.block = r->block->number;
	r->left = xgrow(r->left, &r->cap_left, r->n_left + 1, sizeof(*r->left));
	r->left[r->n_left++] = r->broken;
	r->broken.n = 0;
}

/* Pushes a call; lines are in the order of calls. */
static bool push_call(struct reader *r, const struct traced *t)
{
	struct call_event e = { .what = t->kind == TRACED_BEGUN ? CALL_ENTER
					: t->resumed		? CALL_LEAVE
								: CALL_WHOLE,
				.thread = { thread_of(t->leader), 0 },
				.timed = t->kind == TRACED_CALL,
				.timeless = true,
				.name = t->name,
				.where = t->name };
	uint64_t ns = 0;
	size_t digits;

	if (e.timed && !parse_seconds(t->duration, &ns, &digits))
		return fail_line(r, DIAG_NUMBER_BAD, t->duration,
				 "expected seconds with at most nine digits after the point");
	if (ns == UINT64_MAX) { /* no latency: see unit_impossible_from() */
		r->calls->class->lost(r->calls, &e.thread, 1);
		return true;
	}
	e.latency = call_time_ns(ns);
	return r->calls->class->event(r->calls, &e);
}

/* Whether the tracer printed the line, not the traced program. */
static bool is_of_tracer(const struct traced *t, struct str line)
{
	return t->kind != TRACED_OTHER || str_contains(line, STR("+++ exited with ")) ||
	       str_contains(line, STR("+++ exited (status "));
}

static bool traced_read_line(struct reader *r, struct str line, bool last)
{
	struct traced t = traced_parse(line);

	if (!traced_mend(&r->broken, &t)) {
		if (!r->any_call)
			keep_rest(r, &t);
		r->any_call = true;
		return true;
	}
	r->any_call |= t.kind != TRACED_OTHER || t.after_name.n > 0;
	if (t.leader.n > 0 && (r->timed || is_of_tracer(&t, line)))
		traced_clock_read(&r->clock, t.leader);
	r->resumed += t.resumed && t.kind != TRACED_BEGUN;
	if (r->calls != NULL)
		return t.kind == TRACED_CALL || (t.kind == TRACED_BEGUN && !t.resumed)
			       ? push_call(r, &t)
			       : true;
	switch (t.kind) {
	case TRACED_CALL:
		return add_call(r, &t);
	case TRACED_BEGUN:
		if (!t.resumed && r->samples->variables != NULL)
			traced_begun_keep(&r->begun_calls, thread_of(t.leader), t.after_name);
		if (!t.resumed && r->nesting != NULL)
			nest_begin(r, &t);
		r->begun += !t.resumed;
		return true;
	case TRACED_UNTIMED:
		if (!last)
			return fail_line(r, DIAG_LINE_UNEXPECTED, t.after_name,
					 "a call without its duration; -T has them printed");
		r->begun++;
		return true;
	case TRACED_OTHER:
		r->begun += last && t.after_name.n > 0; /* cut off in its arguments */
		return true;
	case TRACED_NEVER:
		break;
	}
	return true;
}

static bool traced_read_block(void *member, const struct block *block, struct samples *s)
{
	struct reader *r = member;
	struct cursor rest = cursor_on(s->in), line;

	r->samples = s;
	r->block = block;
	r->any_call = r->broken.n > 0;
	if (!r->alone)
		traced_clock_begin(&r->clock);
	r->last_block = block->number > r->last_block ? block->number : r->last_block;
	while (scan_line(&rest, &line)) {
		if (!traced_read_line(r, cursor_rest(&line), line.end == s->in->bytes.n))
			return false;
	}
	if (!r->alone) {
		keep_broken(r);
		traced_clock_end(&r->clock, block->number);
	}
	return true;
}

static void join(void *member, void *other)
{
	struct reader *r = member;
	struct reader *from = other;

	r->digits = from->digits > r->digits ? from->digits : r->digits;
	r->last_block = from->last_block > r->last_block ? from->last_block : r->last_block;
	r->begun += from->begun;
	r->resumed += from->resumed;
	r->left = xgrow(r->left, &r->cap_left, r->n_left + from->n_left, sizeof(*r->left));
	for (size_t i = 0; i < from->n_left; i++)
		r->left[r->n_left++] = from->left[i];
	traced_clock_join(&r->clock, &from->clock);
	r->rest = xgrow(r->rest, &r->cap_rest, r->n_rest + from->n_rest, sizeof(*r->rest));
	for (size_t i = 0; i < from->n_rest; i++)
		r->rest[r->n_rest++] = from->rest[i];
	from->n_rest = 0; /* its lines have moved */
}

static int by_block(const void *a, const void *b)
{
	uint64_t i = ((const struct broken *)a)->block, k = ((const struct broken *)b)->block;

	return (i > k) - (i < k);
}

/* Returns the broken line whose rest begins a block, searching back over blocks that consist of
 * other output; NULL if there is none. */
static const struct broken *begin_of(const struct reader *r, uint64_t block)
{
	struct broken before = { .block = block - 1 };
	const struct broken *found = NULL;

	if (block > 0 && r->n_left > 0)
		found = bsearch(&before, r->left, r->n_left, sizeof(before), by_block);
	while (found != NULL && found->n == 0 && found->block > 0)
		found = found > r->left && found[-1].block + 1 == found->block ? found - 1 : NULL;
	if (block == 0 || (found != NULL && found->n == 0))
		return r->before.n > 0 ? &r->before : NULL;
	return found;
}

/* Saves the broken line at the end of the last block for the next piece. */
static void leave_broken(const struct reader *r)
{
	const struct broken none = { .n = 0 };
	const struct broken *last = r->alone ? &r->broken : begin_of(r, r->last_block + 1);

	carried_leave_bytes(r->carried, CARRIED_READER, last != NULL ? last : &none, sizeof(none));
}

/* Joins broken lines with their rests in later blocks. */
static bool complete(void *member, struct samples *s)
{
	struct reader *r = member;

	if (r->alone)
		traced_clock_end(&r->clock, 0);
	traced_clock_push(&r->clock, s->accumulator);
	if (r->n_left > 0)
		qsort(r->left, r->n_left, sizeof(*r->left), by_block);
	for (size_t i = 0; i < r->n_rest; i++) {
		struct rest *rest = &r->rest[i];
		const struct broken *begin = begin_of(r, rest->block);
		struct sample sample = { .where = rest->duration, .offset = rest->offset };

		if (begin == NULL)
			continue; /* output of a program that looks like a rest */
		r->digits = rest->digits > r->digits ? rest->digits : r->digits;
		if (rest->begun) {
			r->begun += !begin->resumed;
			continue;
		}
		r->resumed += begin->resumed;
		sample.name = (struct str){ begin->name, begin->n };
		sample.latency = decimal_from_u64(rest->ns);
		s->in = &rest->line;
		if (!samples_add(s, &sample, rest->duration, rest->duration))
			return false;
	}
	leave_broken(r);
	return true;
}

static void release(void *member)
{
	struct reader *r = member;

	for (size_t i = 0; i < r->n_rest; i++)
		input_release(&r->rest[i].line);
	free(r->left);
	traced_clock_release(&r->clock);
	free(r->rest);
	traced_begun_release(&r->begun_calls);
	free(r);
}

static void conclude(void *member, struct operation_table *all, struct input *in, struct diag *diag)
{
	static const double steps[] = { 1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 10, 0 };
	const struct reader *r = member;

	if (r->begun > r->resumed)
		diag_file(diag, DIAG_UNMATCHED_EVENTS, in,
			  "%llu begun and not ended when the trace ended; not counted",
			  (unsigned long long)(r->begun - r->resumed));
	operation_table_granularity(all, steps[r->digits]);
	if (r->nesting != NULL && !nesting_is_any(r->nesting))
		operation_table_forget_nested(all);
}

static bool read_all(const struct read_task *task, struct nesting *nesting)
{
	/* Times of day, and times relative to the previous line, require reading in order. */
	struct reader model = { .timed = task->options->build.interval > 0,
				.calls = task->options->calls,
				.nesting = nesting,
				.carried = task->options->carried };
	struct worker_pool_job job = { .task = task,
				       .sampling = &samples_ns,
				       .ctx = &model,
				       .size = sizeof(model),
				       .read = traced_read_block,
				       .join = join,
				       .complete = complete,
				       .conclude = conclude,
				       .release = release };

	carried_copy(model.carried, CARRIED_READER, &model.before);
	model.alone = model.timed || model.calls != NULL || nesting != NULL ||
		      task->options->variables != NULL;
	if (model.alone)
		model.broken = model.before;
	job.alone = model.alone;
	return worker_pool_read(&job);
}

bool traced_read(const struct read_task *task)
{
	return read_all(task, NULL);
}

bool traced_read_nested(const struct read_task *task)
{
	struct nesting *nesting = task->options->calls == NULL ? nesting_new() : NULL;
	bool ok = read_all(task, nesting);

	if (ok && nesting != NULL)
		nesting_push(nesting, task->to);
	nesting_free(nesting);
	return ok;
}
