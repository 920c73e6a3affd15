/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * criterion: samples of benchmarks of the Rust library criterion, which it writes below
 * target/criterion.  raw.csv has a sample on each line,
 *
 *	group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count
 *	sort,stable,100,100,elements,75131.0,ns,48
 *
 * and several such files may be concatenated; sample.json has those of one benchmark, which it
 * does not name:
 *
 *	{"sampling_mode":"Linear","iters":[48.0,96.0],"times":[75131.0,150262.0]}
 *
 * An operation is group/function/value, or "benchmark" for sample.json.  A sample is the total time
 * of its iterations.  If each sample has one iteration, samples are calls; otherwise a benchmark
 * has only summary statistics: all iterations and their time.
 *
 * Seen: 0.3.6.  Not supported: estimates.json, which has no counts, and units other than time,
 * which only raw.csv states: sample.json is assumed to be in ns.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/xalloc.h"
#include "formats/lines.h"
#include "formats/measure.h"
#include "formats/table/table.h"
#include "formats/text.h"

enum column { GROUP, FUNCTION, VALUE, THROUGHPUT, THROUGHPUT_TYPE, MEASURED, UNIT, ITERATIONS };

static const char csv_head[] = "group,function,value,throughput_num,throughput_type,"
			       "sample_measured_value,unit,iteration_count";

static bool criterion_is_json(struct str head)
{
	return str_has_prefix(json_without_space(head), STR("{"));
}

static bool criterion_is_one(struct str head)
{
	struct str rest = head, line;

	if (criterion_is_json(head))
		return format_has_marks(head, MARKS("", "\"sampling_mode\"", "\"iters\""));
	return text_line(&rest, &line) && str_eq(line, str_from(csv_head));
}

struct batch {
	uint64_t iterations;
	struct decimal ns;
	struct str where;
};

struct reader {
	struct lines lines;
	struct str name; /* name of the current benchmark */
	struct batch *batch;
	size_t n, cap;
};

/* --- to the builder ------------------------------------------------------------------ */

static void add_batch(struct reader *r, const struct batch *b)
{
	r->batch = xgrow(r->batch, &r->cap, r->n + 1, sizeof(*b));
	r->batch[r->n++] = *b;
}

static bool push_calls(struct reader *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct batch *b = &r->batch[i];
		struct sample sample = {
			.layer = STR(""), .name = r->name, .latency = b->ns, .where = b->where
		};

		if (!samples_add(&r->lines.samples, &sample, b->where, b->where))
			return false;
		samples_repeat(&r->lines.samples, r->lines.to, &sample, i);
	}
	return true;
}

static bool push_total(struct builder *to, struct str name, const struct batch *b)
{
	if (!build_operation_in(to, UNIT_NS, STR(""), name, b->where))
		return false;
	build_fixed_duration(to);
	return build_count(to, b->iterations, b->where) && build_total(to, b->ns, b->where);
}

static bool criterion_push_summary(struct reader *r)
{
	struct batch sum = { .where = r->batch[0].where };

	for (size_t i = 0; i < r->n; i++) {
		const struct batch *b = &r->batch[i];

		if (__builtin_add_overflow(sum.iterations, b->iterations, &sum.iterations))
			return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, b->where,
					  "the sum passes 2^64-1 here");
		if (!decimal_add(sum.ns, b->ns, &sum.ns))
			return lines_fail(&r->lines, DIAG_TOTAL_OVERFLOW, b->where,
					  "the sum passes 1.7e29 here");
	}
	if (!push_total(r->lines.to, r->name, &sum))
		return false;
	for (size_t i = 0; i < r->n; i++)
		(void)push_total(build_replicate(r->lines.to, i), r->name, &r->batch[i]);
	return true;
}

static bool push_benchmark(struct reader *r)
{
	bool calls = true, ok;

	for (size_t i = 0; i < r->n; i++)
		calls &= r->batch[i].iterations == 1;
	ok = calls ? push_calls(r) : criterion_push_summary(r);
	r->n = 0;
	return ok;
}

/* --- raw.csv ------------------------------------------------------------------------- */

static struct str criterion_name_of(struct reader *r, const struct table *t)
{
	struct str name = t->field[GROUP];

	for (enum column c = FUNCTION; c <= VALUE; c++) {
		struct str part = t->field[c];

		if (part.n > 0)
			name = arena_printf(r->lines.arena, "%.*s/%.*s", STR_ARG(name),
					    STR_ARG(part));
	}
	return name;
}

static bool read_batch(struct reader *r, struct table *t, struct batch *ret)
{
	uint64_t ns = measure_nanoseconds(t->field[UNIT]);

	ret->where = t->record;
	if (ns == 0)
		return lines_fail(&r->lines, DIAG_UNIT_CLASH, table_where(t, UNIT),
				  "expected a unit of time");
	if (number_decimal(t->field[MEASURED], &ret->ns) != NUMBER_OK || ret->ns.billionths < 0 ||
	    !decimal_times(ret->ns, ns, &ret->ns))
		return table_bad_number(t, MEASURED, "a time from 0 on");
	return table_u64(t, ITERATIONS, &ret->iterations);
}

static bool criterion_read_row(struct reader *r, struct table *t)
{
	struct batch batch;
	struct str name;

	if (str_eq(str_trim(t->record), str_from(csv_head)))
		return true;
	if (t->n_fields != ITERATIONS + 1)
		return lines_fail(&r->lines, t->cut_short ? DIAG_INPUT_TRUNCATED : DIAG_CSV_BAD,
				  t->record, "expected 8 fields, there are %zu", t->n_fields);
	name = criterion_name_of(r, t);
	if (r->n > 0 && !str_eq(name, r->name) && !push_benchmark(r))
		return false;
	if (r->n == 0)
		r->name = arena_str(r->lines.arena, name);
	if (!read_batch(r, t, &batch))
		return false;
	add_batch(r, &batch);
	return true;
}

static bool read_csv(struct reader *r)
{
	struct table table;
	enum table_next next;
	bool ok = true;

	table_start(&table, r->lines.in, ',', r->lines.diag);
	while (ok && (next = table_next(&table)) != TABLE_END)
		ok = next == TABLE_RECORD && criterion_read_row(r, &table);
	table_release(&table);
	return ok && (r->n == 0 || push_benchmark(r));
}

/* --- sample.json --------------------------------------------------------------------- */

/* Reads a number of iterations, 48.0. */
static bool read_iterations(struct reader *r, struct json *j, struct batch *ret)
{
	struct decimal n;
	struct str text;

	if (!json_number(j, &text))
		return false;
	if (number_decimal(text, &n) != NUMBER_OK || n.billionths < 0 ||
	    n.billionths % 1000000000 != 0 || n.billionths / 1000000000 > (decimal_int)UINT64_MAX)
		return lines_fail(&r->lines, DIAG_NUMBER_RANGE, text,
				  "expected a whole number of iterations");
	ret->iterations = (uint64_t)(n.billionths / 1000000000);
	return true;
}

static bool criterion_read_time(struct reader *r, struct json *j, struct batch *ret)
{
	if (!json_number(j, &ret->where))
		return false;
	return (number_decimal(ret->where, &ret->ns) == NUMBER_OK && ret->ns.billionths >= 0) ||
	       lines_fail(&r->lines, DIAG_NUMBER_RANGE, ret->where, "expected a time from 0 on");
}

/* Reads one of the two arrays; the first one creates the batches. */
static bool read_array(struct reader *r, struct json *j, bool first,
		       bool (*read)(struct reader *, struct json *, struct batch *))
{
	size_t from = json_begin(j), i = 0;

	if (!json_open(j, '['))
		return false;
	for (; json_item(j); i++) {
		if (first)
			add_batch(r, &(struct batch){ .iterations = 0 });
		if (i == r->n)
			return json_unexpected(j, "as many iters as times");
		if (!read(r, j, &r->batch[i]))
			return false;
	}
	if (j->failed)
		return false;
	return i == r->n || lines_fail(&r->lines, DIAG_COLUMN_MISSING, json_since(j, from),
				       "expected as many iters as times");
}

static bool criterion_read_json(struct reader *r)
{
	bool iterations = false, times = false;
	struct str key;
	struct json j;

	lines_json(&r->lines, &j);
	for (json_object(&j); json_key(&j, &key);) {
		bool done;

		if (str_eq(key, STR("iters")) && !iterations)
			iterations = done = read_array(r, &j, !times, read_iterations);
		else if (str_eq(key, STR("times")) && !times)
			times = done = read_array(r, &j, !iterations, criterion_read_time);
		else
			done = json_skip(&j);
		if (!done)
			return false;
	}
	if (!json_end(&j))
		return false;
	if (!iterations || !times)
		return lines_fail(&r->lines, DIAG_COLUMN_MISSING, r->lines.in->bytes,
				  "expected iters and times");
	r->name = STR("benchmark");
	return r->n == 0 || push_benchmark(r);
}

static bool criterion_text(void *reader)
{
	struct reader *r = reader;
	bool ok = criterion_is_json(r->lines.in->bytes) ? criterion_read_json(r) : read_csv(r);

	free(r->batch);
	return ok;
}

static const struct accumulator_options sampling = { .unit = UNIT_NS,
						     .unit_source = UNIT_STATED,
						     .fixed_duration = true };

const struct format format_criterion = {
	.name = "criterion",
	.title = "criterion of Rust: raw.csv and sample.json; summary statistics of batches",
	.versions = "0.3.6",
	.unit = "stated in raw.csv, ns of sample.json",
	.totals = "exact",
	.is_one = criterion_is_one,
	.read = lines_read,
	.spec =
		&(const struct line_format){
			.size = sizeof(struct reader),
			.end = criterion_text,
			.sampling = &sampling,
			.no_intervals =
				"intervals need the time of each sample; criterion has none" },
};
