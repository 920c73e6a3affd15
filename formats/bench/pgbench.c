/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pgbench: logs of pgbench --log, one transaction a line.
 *
 *	0 199 2241 0 1175850568 995598
 *	1 7 skipped 1 1175850568 998332 1523
 *
 * Client, number, elapsed time in us, script, and the end in seconds since the epoch and
 * microseconds; with -R the delay of the start (included in the time), with --max-tries the number
 * of retries.  The operation is the script.
 *
 * Seen: 15.20, 18.6, and its documentation.  Left out with a note: skipped or failed transactions,
 * which have no time.  Refused: logs of --aggregate-interval, which have means.
 */
#include <stdio.h>

#include "formats/worker_pool.h"

enum { CLIENT, NUMBER, TIME, SCRIPT, SECONDS, MICROSECONDS, FIELDS, MAX_FIELDS = FIELDS + 2 };
enum { SCRIPTS = 128, SECOND = 1000000, EPOCH = 1000000000 };

struct entry {
	uint64_t field[FIELDS];
	struct str time, script; /* raw text of these fields */
	bool ended;		 /* neither skipped nor failed */
	size_t n;		 /* number of fields */
};

static bool is_excuse(struct str word)
{
	static const char *const words[] = { "skipped", "failed", "serialization", "deadlock" };

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (str_eq(word, str_from(words[i])))
			return true;
	}
	return false;
}

/* Parses a line; false when it is invalid at c->at. */
static bool scan_entry(struct cursor *c, struct entry *e)
{
	*e = (struct entry){ .ended = true };
	while (e->n < MAX_FIELDS && !cursor_done(c)) {
		size_t from = c->at;
		/* cppcheck-suppress uninitvar; number_u64() writes to it */
		uint64_t extra, *to = e->n < FIELDS ? &e->field[e->n] : &extra;
		struct str word;

		if (e->n == TIME && scan_word(c, &e->time) && is_excuse(e->time)) {
			e->ended = false;
		} else {
			c->at = from;
			if (!scan_word(c, &word) || number_u64(word, to) != NUMBER_OK) {
				c->at = from;
				scan_blanks(c);
				return false;
			}
			e->script = e->n == SCRIPT ? word : e->script;
		}
		e->n++;
		scan_blanks(c);
	}
	return e->n >= FIELDS && cursor_done(c) && e->field[SCRIPT] < SCRIPTS &&
	       e->field[MICROSECONDS] < SECOND && e->field[SECONDS] >= EPOCH &&
	       e->field[SECONDS] < UINT64_C(100) * EPOCH;
}

static enum probe probe_pgbench(struct str head, struct clue *clue)
{
	struct input in = { .bytes = head };
	struct cursor c = cursor_on(&in), line;
	bool any = false;
	struct entry e;

	while (scan_line(&c, &line)) {
		bool cut = cursor_done(&c) && line.end == c.end;

		if (cursor_done(&line))
			continue;
		if (!scan_entry(&line, &e)) {
			if (!any && e.n == MAX_FIELDS && e.field[CLIENT] >= EPOCH)
				*clue = (struct clue){ line.at, "means of intervals: without "
								"--aggregate-interval each "
								"transaction has a line" };
			else if (any && !cut)
				*clue = (struct clue){ line.at,
						       "not an entry of a log of pgbench" };
			return any && cut ? PROBE_MARKS : PROBE_NO;
		}
		any = true;
	}
	return any ? PROBE_MARKS : PROBE_NO;
}

/* --- transactions ------------------------------------------------------------------ */

enum { MAX_CLIENTS = 1 << 16, CLIENTS_A_WORD = 64 };

struct member {
	struct builder *to;
	size_t n_fields;
	uint64_t client[MAX_CLIENTS / CLIENTS_A_WORD]; /* a bit for each that was met */
	bool many_clients;			       /* more than can be counted */
	uint64_t script;			       /* number of the script that `name` is for */
	char name[sizeof("script 18446744073709551615")];
};

static void name_script(struct member *m, uint64_t script)
{
	m->script = script;
	(void)snprintf(m->name, sizeof(m->name), "script %llu", (unsigned long long)script);
}

static void note_client(struct member *m, uint64_t client)
{
	if (client < MAX_CLIENTS)
		m->client[client / CLIENTS_A_WORD] |= UINT64_C(1) << client % CLIENTS_A_WORD;
	else
		m->many_clients = true;
}

static void join(void *member, void *other)
{
	struct member *m = member;
	const struct member *from = other;

	m->many_clients |= from->many_clients;
	for (size_t i = 0; i < COUNT_OF(m->client); i++)
		m->client[i] |= from->client[i];
}

/* Each client waits for its transaction before it begins another. */
static void conclude(void *member, struct operation_table *all, struct input *in, struct diag *diag)
{
	const struct member *m = member;
	uint64_t n = 0;

	(void)all;
	(void)in;
	(void)diag;
	for (size_t i = 0; i < COUNT_OF(m->client); i++)
		n += (uint64_t)__builtin_popcountll(m->client[i]);
	if (!m->many_clients && !builder_is_part(m->to))
		build_concurrency(m->to, n);
}

static bool add_entry(struct member *m, struct samples *s, const struct block *block,
		      const struct entry *e)
{
	uint64_t ended = e->field[SECONDS] * SECOND + e->field[MICROSECONDS];
	struct sample sample = { .layer = STR(""), .where = e->time };

	if (!e->ended) {
		s->skipped[0]++;
		return true;
	}
	note_client(m, e->field[CLIENT]);
	if (e->field[SCRIPT] != m->script)
		name_script(m, e->field[SCRIPT]);
	sample.name = str_from(m->name);
	sample.latency = decimal_from_u64(e->field[TIME]);
	sample.start = decimal_from_u64(ended);
	sample.start.billionths -= sample.latency.billionths;
	sample.timed = true;
	sample.offset = block->at + (uint64_t)(e->time.p - s->in->bytes.p);
	return samples_add(s, &sample, e->time, e->time);
}

static bool bad_entry(struct input *in, const struct cursor *line, bool last, struct diag *diag)
{
	struct str where = cursor_rest(line);

	return format_fail(
		in, diag, last && where.n == 0 ? DIAG_INPUT_TRUNCATED : DIAG_LINE_UNEXPECTED, where,
		"expected client, number, time in us, script, seconds, microseconds and "
		"as many numbers as above");
}

static bool pgbench_read_block(void *member, const struct block *block, struct samples *s)
{
	struct member *m = member;
	struct cursor c = cursor_on(s->in), line;
	struct entry e;

	while (scan_line(&c, &line)) {
		bool last = line.end == s->in->bytes.n;

		if (cursor_done(&line))
			continue;
		if (!scan_entry(&line, &e) || e.n != m->n_fields)
			return bad_entry(s->in, &line, last, s->diag);
		if (!add_entry(m, s, block, &e))
			return false;
	}
	return true;
}

/* Returns the number of fields of an entry; 0 if the line is not one. */
static size_t count_fields(struct str line)
{
	struct input in = { .bytes = line };
	struct cursor c = cursor_on(&in);
	struct entry e;

	return scan_entry(&c, &e) ? e.n : 0;
}

static bool read_pgbench(const struct read_task *task)
{
	static const struct accumulator_options kind = {
		.unit = UNIT_US, .unit_source = UNIT_STATED, .start_rate = SECOND, .granularity = 1
	};
	struct member model;
	struct worker_pool_job job = { .task = task,
				       .sampling = &kind,
				       .alone = task->options->build.interval > 0,
				       .join = join,
				       .conclude = conclude,
				       .ctx = &model,
				       .size = sizeof(model),
				       .read = pgbench_read_block,
				       .skipped = {
					       { DIAG_NOT_A_HISTOGRAM,
						 "transactions that were skipped or failed" } } };
	struct str first;

	if (!format_first_line(task->in, &first, task->diag))
		return false;
	model = (struct member){ .to = task->to, .n_fields = count_fields(first) };
	name_script(&model, 0);
	return worker_pool_read(&job);
}

const struct format format_pgbench = {
	.name = "pgbench",
	.title = "logs of pgbench, one transaction a line",
	.versions = "15.20, 18.6",
	.unit = "us, always",
	.totals = "exact",
	.probe = probe_pgbench,
	.streams = true,
	.read = read_pgbench,
};
