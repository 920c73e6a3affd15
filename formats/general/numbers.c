/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * numbers: nothing but latencies, one a line, as loops of scripts and programs print them.
 *
 *	# seconds of each request
 *	0.000412
 *	0.000398
 *	1.2e-3
 *
 * Or each with its unit: "412us", "1.2 ms".  Blank lines and lines that begin with # are
 * ignored.
 *
 * The operation is called "latency", so that any two files can be compared.  Either all
 * numbers have a unit, and latencies are in nanoseconds, or none has.  Then the unit can only
 * be guessed from the end of the file's name (read_us.txt).
 *
 * Not supported: durations of several parts (1m30s), decimal commas, times of calls.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "formats/general/plain_number.h"
#include "formats/text.h"
#include "formats/worker_pool.h"

enum { MIN_NUMBERS = 3 }; /* fewer do not make a file of numbers */

/* --- lines ------------------------------------------------------------------------ */

/* The value on a line. */
struct value {
	struct str digits, unit_word;
	struct decimal number;
	enum unit unit; /* UNIT_UNKNOWN: none after the number */
};

static bool is_passed_over(struct str line)
{
	return line.n == 0 || line.p[0] == '#';
}

static bool is_value(struct str line)
{
	return !is_passed_over(line);
}

/* Returns how many bytes may be part of a number: four of "1e-3s". */
static size_t digits_in(struct str s)
{
	size_t n = 0;

	while (n < s.n && (is_digit(s.p[n]) || s.p[n] == '.' || s.p[n] == '+' || s.p[n] == '-' ||
			   s.p[n] == 'e' || s.p[n] == 'E'))
		n++;
	return n;
}

static enum number parse_line(struct str line, struct value *v)
{
	size_t n = digits_in(line);

	*v = (struct value){ .digits = { line.p, n }, .unit_word = str_trim(str_skip(line, n)) };
	if (v->unit_word.n > 0 && !(unit_parse(v->unit_word, &v->unit) && unit_is_time(v->unit)))
		return NUMBER_NONE;
	return number_decimal(v->digits, &v->number);
}

/* --- detection -------------------------------------------------------------------- */

static enum probe probe_numbers(struct str head, struct clue *clue)
{
	struct str rest = head, line;
	size_t good = 0;
	bool units = false;

	while (text_line(&rest, &line)) {
		struct value v;
		bool cut = rest.n == 0 && head.p[head.n - 1] != '\n';

		if (is_passed_over(line))
			continue;
		if (parse_line(line, &v) == NUMBER_NONE ||
		    (good > 0 && units != (v.unit != UNIT_UNKNOWN))) {
			if (good < MIN_NUMBERS)
				return PROBE_NO;
			if (cut)
				break;
			return probe_near(clue, head, line, "not a number like those above");
		}
		units = v.unit != UNIT_UNKNOWN;
		good++;
	}
	return good >= MIN_NUMBERS ? PROBE_SHAPE : PROBE_NO;
}

/* --- reading ---------------------------------------------------------------------- */

static struct str operation_name(void)
{
	return STR("latency");
}

/* Returns the unit that the file's name ends in before its suffix: "read_us" in
 * "a/read_us.txt.gz". */
static enum unit unit_of_file(struct str path)
{
	struct str name = text_expanded_name(path);
	size_t point = str_find_last(name, STR("."));

	if (!str_contains(str_skip(name, point), STR("/")))
		name.n = point;
	return unit_in_name(name);
}

/* The state that members of a worker pool start with, and then their own. */
struct reader {
	bool with_units;
	struct bulk *bulk; /* NULL: no line is read fast */
	struct plain_number number;
	struct bulk_item item;
};

static void *start(const void *ctx, struct accumulator *s)
{
	const struct reader *model = ctx;
	struct reader *r = xcalloc(1, sizeof(*r));

	*r = *model;
	r->bulk = r->with_units ? NULL : bulk_new(s);
	if (r->bulk != NULL) {
		plain_number_init(&r->number, r->bulk);
		bulk_set_any_name(&r->item, operation_name());
		bulk_set_hash(&r->item);
	}
	return r;
}

static void release(void *member)
{
	struct reader *r = member;

	bulk_free(r->bulk);
	free(r);
}

static void finish(void *member)
{
	struct reader *r = member;

	if (r->bulk != NULL)
		bulk_flush(r->bulk);
}

/* Takes the plain lines from `at` on; returns where the first other line begins. */
static size_t take_plain(struct reader *r, const struct block *block, size_t at)
{
	const char *bytes = block->part.bytes.p, *stop = bytes + block->part.bytes.n;
	const char *p = bytes + at;
	struct bulk_item item = r->item;

	bulk_find_slot(r->bulk, &item);
	if (!bulk_knows(r->bulk, &item))
		return at;
	while (p < stop && block->limit - p >= PLAIN_REACH) {
		unsigned n = plain_number_read(&r->number, p, &item.latency);
		const char *next = n > 0 ? plain_line_end(p + n) : NULL;

		if (next == NULL)
			break;
		item.step = (uint32_t)bulk_step(&r->bulk->steps, item.latency);
		if (!bulk_count(r->bulk, &item))
			break;
		p = next;
	}
	return (size_t)(p - bytes);
}

static bool take_line(struct reader *r, const struct block *block, struct samples *s,
		      struct str line, bool cut)
{
	bool stays = block->room != block->part.bytes.p; /* in memory after the block is freed */
	struct sample sample = {
		.layer = STR(""),
		.name = operation_name(),
		.offset = block->at + (uint64_t)(line.p - block->part.bytes.p),
	};
	struct value v;
	enum number what = parse_line(line, &v);

	if (what == NUMBER_NONE || r->with_units != (v.unit != UNIT_UNKNOWN))
		return format_fail(s->in, s->diag, cut ? DIAG_INPUT_TRUNCATED : DIAG_NUMBER_BAD,
				   line,
				   r->with_units ? "expected a number and its unit (ns, us, ms, s)"
						 : "expected a number alone");
	if (what == NUMBER_TOO_LARGE ||
	    (r->with_units && !decimal_times(v.number, unit_nanoseconds(v.unit), &v.number)))
		return format_fail(s->in, s->diag, DIAG_NUMBER_RANGE, v.digits, "beyond 1.7e29");
	sample.latency = v.number;
	if (stays)
		sample.where = v.digits;
	if (r->bulk != NULL && bulk_learn(r->bulk, &r->item, &sample))
		return true;
	return samples_add(s, &sample, v.digits, v.digits);
}

static bool numbers_read_block(void *member, const struct block *block, struct samples *s)
{
	struct reader *r = member;
	struct str bytes = block->part.bytes, rest = bytes, line;

	for (;;) {
		if (r->bulk != NULL)
			rest = str_skip(bytes, take_plain(r, block, (size_t)(rest.p - bytes.p)));
		if (!text_line(&rest, &line))
			return true;
		if (!is_passed_over(line) &&
		    !take_line(r, block, s, line, rest.n == 0 && bytes.p[bytes.n - 1] != '\n'))
			return false;
	}
}

/* Returns whether the first number has a unit, and so all of them must. */
static bool has_units(struct str bytes)
{
	struct str line;
	struct value v;

	while (text_line(&bytes, &line)) {
		if (!is_passed_over(line))
			return parse_line(line, &v) == NUMBER_OK && v.unit != UNIT_UNKNOWN;
	}
	return false;
}

static bool read_numbers(const struct read_task *task)
{
	struct reader model = { .with_units = false };
	struct accumulator_options sampling = { .unit = UNIT_NS, .unit_source = UNIT_STATED };
	struct worker_pool_job job = { .task = task,
				       .sampling = &sampling,
				       .ctx = &model,
				       .start = start,
				       .read = numbers_read_block,
				       .finish = finish,
				       .release = release };
	struct str head;

	if (task->options->build.interval > 0)
		return format_fail(task->in, task->diag, DIAG_COLUMN_MISSING,
				   (struct str){ task->in->bytes.p, 0 },
				   "intervals need the time of each call; a table can have it");
	if (!format_look(task->in, is_value, &head, task->diag))
		return false;
	model.with_units = has_units(head);
	if (!model.with_units) {
		sampling.unit = task->options->build.unit != UNIT_UNKNOWN
					? task->options->build.unit
					: unit_of_file(task->in->name);
		sampling.unit_source = UNIT_GUESSED;
	}
	return worker_pool_read(&job);
}

const struct format format_numbers = {
	.name = "numbers",
	.title = "nothing but latencies, one a line",
	.versions = "any",
	.unit = "after each number, guessed from the file's name, or --unit",
	.totals = "exact",
	.probe = probe_numbers,
	.streams = true,
	.read = read_numbers,
};
