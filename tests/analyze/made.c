/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/analyze/made.h"

#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/scan.h"
#include "profile/builder/builder.h"

struct making {
	struct builder *to;
	struct str layer;
	enum unit unit;
	struct bucket_scheme scheme; /* of the operation, and of those that say nothing else */
	struct bucket_scheme usual;
	bool in_op, in_hist, has_buckets;
};

static double number(struct cursor *line)
{
	double v = 0;

	scan_blanks(line);
	assert_true(scan_f64(line, &v));
	return v;
}

static uint64_t count(struct cursor *line)
{
	uint64_t n = 0;

	scan_blanks(line);
	assert_true(scan_u64(line, &n));
	return n;
}

/* "log2 R" or "linear ORIGIN STEP", and perhaps "from INDEX". */
static struct bucket_scheme scheme(struct cursor *line)
{
	struct bucket_scheme s;
	struct str word = STR("");
	double origin;

	assert_true(scan_word(line, &word));
	if (str_eq(word, STR("log2"))) {
		s = bucket_log2((unsigned)count(line));
	} else {
		assert_true(str_eq(word, STR("linear")));
		origin = number(line);
		s = bucket_linear(origin, number(line));
	}
	if (scan_word(line, &word)) {
		assert_true(str_eq(word, STR("from")));
		s.first = (int)number(line);
	}
	return s;
}

/* An operation of buckets without counts has an empty histogram. */
static void end_operation(struct making *m, struct str where)
{
	if (m->has_buckets && !m->in_hist)
		assert_true(build_scheme(m->to, &m->scheme, where));
	m->in_op = m->in_hist = m->has_buckets = false;
}

static void begin_operation(struct making *m, struct str name)
{
	end_operation(m, name);
	assert_true(build_new_operation(m->to, m->layer, name, name));
	build_whole_run(m->to);
	build_unit(m->to, m->unit, UNIT_STATED);
	m->scheme = m->usual;
	m->in_op = true;
}

static void begin_interval(struct making *m, struct cursor *line, struct str where)
{
	double start = number(line);

	assert_true(build_interval(m->to, start, number(line), where));
	assert_true(build_scheme(m->to, &m->scheme, where));
	m->in_hist = true;
}

static void add_row(struct making *m, struct cursor *line, struct str first, struct str where)
{
	int index = m->scheme.first - 1; /* of zero */
	double v = 0;

	if (!str_eq(first, STR("zero"))) {
		assert_int_equal(number_f64(first, &v), NUMBER_OK);
		index = (int)v;
	}
	if (!m->in_hist)
		assert_true(build_scheme(m->to, &m->scheme, where));
	m->in_hist = true;
	assert_true(build_bucket(m->to, index, count(line), where));
}

static void state_scheme(struct making *m, struct cursor *line)
{
	m->scheme = scheme(line);
	m->has_buckets = m->in_op;
	if (!m->in_op)
		m->usual = m->scheme;
}

static void state_unit(struct making *m, struct str name)
{
	enum unit unit;

	assert_true(unit_parse(name, &unit));
	if (m->in_op)
		build_unit(m->to, unit, UNIT_STATED);
	else
		m->unit = unit;
}

/* What is said of an operation by a number; false: another statement. */
static bool state_number(struct making *m, struct cursor *line, struct str word, struct str where)
{
	struct decimal total;

	if (str_eq(word, STR("total"))) {
		assert_true(decimal_parse(where, &total));
		assert_true(build_total(m->to, total, where));
	} else if (str_eq(word, STR("count"))) {
		assert_true(build_count(m->to, count(line), where));
	} else if (str_eq(word, STR("min"))) {
		build_min(m->to, number(line));
	} else if (str_eq(word, STR("max"))) {
		build_max(m->to, number(line));
	} else if (str_eq(word, STR("granularity"))) {
		build_granularity(m->to, number(line));
	} else if (str_eq(word, STR("hz"))) {
		build_hz(m->to, number(line));
	} else if (str_eq(word, STR("elapsed"))) {
		build_elapsed(m->to, number(line));
	} else if (str_eq(word, STR("concurrency"))) {
		build_concurrency(m->to, count(line));
	} else {
		return false;
	}
	return true;
}

static void state(struct making *m, struct cursor *line)
{
	struct str word, rest;

	if (!scan_word(line, &word))
		return;
	scan_blanks(line);
	rest = cursor_rest(line);
	if (str_eq(word, STR("op"))) {
		begin_operation(m, rest);
	} else if (str_eq(word, STR("layer"))) {
		end_operation(m, rest);
		m->layer = rest;
	} else if (str_eq(word, STR("unit"))) {
		state_unit(m, rest);
	} else if (str_eq(word, STR("buckets"))) {
		state_scheme(m, line);
	} else if (str_eq(word, STR("fixed-duration"))) {
		build_fixed_duration(m->to);
	} else if (str_eq(word, STR("interval"))) {
		begin_interval(m, line, rest);
	} else if (!state_number(m, line, word, rest)) {
		add_row(m, line, word, word);
	}
}

struct profile *made_profile(const char *text)
{
	struct making m = { .layer = STR(""), .scheme = bucket_octaves, .usual = bucket_octaves };
	struct build_options options = { .hz = 0 };
	struct diag diag = { .emit = NULL };
	struct cursor all, line;
	struct profile *p;
	struct input in;

	input_borrow(&in, "made", text, strlen(text));
	m.to = builder_new(&in, "made", &options, &diag);
	build_keep_zeros(m.to);
	all = cursor_on(&in);
	while (scan_line(&all, &line))
		state(&m, &line);
	end_operation(&m, (struct str){ in.bytes.p, 0 });
	p = builder_finish(m.to);
	assert_non_null(p);
	input_release(&in);
	return p;
}
