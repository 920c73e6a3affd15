/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * osprof rank as the input of programs that keep benchmarks over time: the latencies of the run
 * after, in nanoseconds where they are times.
 *
 * Operations that wait by design are left out: their latency is not that of the program.  No
 * other choice is made, so that an operation is in the file of every commit.
 */
#include <math.h>

#include "analyze/rank/facts.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/rank/rank_output.h"
#include "report/report.h"

/* What is tracked of one operation.  Bounds are NAN if they are not known. */
struct tracked {
	struct str name;
	const char *measure, *unit;
	struct fact_side mean, p99;
};

static struct fact_side scaled_side(struct fact_side side, double factor)
{
	side.value *= factor;
	side.low *= factor;
	side.high *= factor;
	return side;
}

/* The mean, which lies between bounds unless the sum of latencies is known. */
static struct fact_side mean_of(const struct ranked *r)
{
	struct fact_side mean = { .value = r->run_after.mean };

	if (!operation_mean_bounds(r->after, &mean.low, &mean.high))
		mean.low = mean.high = NAN;
	mean.low *= r->scale_after;
	mean.high *= r->scale_after;
	return mean;
}

static struct tracked tracked_of(const struct comparison *c, const struct ranked *r,
				 struct str name)
{
	struct scale scale = scale_of_ranked(c, r);
	struct tracked t = { .name = name, .measure = "latency", .unit = "ns" };
	double factor;

	if (!unit_scale(scale.unit, scale.hz, UNIT_NS, 0, &factor)) {
		factor = 1;
		t.unit = unit_name(scale.unit);
		t.measure = t.unit;
	}
	t.mean = scaled_side(mean_of(r), factor);
	t.p99 = scaled_side(fact_of_quantile(r, c->runs, 0.99).after, factor);
	return t;
}

/* Calls `write` for each operation that is tracked. */
static void each_tracked(struct jout *j, const struct comparison *c,
			 void (*write)(struct jout *j, const struct tracked *t))
{
	static const struct style plain = { .output_format = OUTPUT_FORMAT_TEXT };
	struct out *name = out_to_memory();

	for (size_t i = 0; i < c->ranking->n; i++) {
		const struct ranked *r = &c->ranking->v[i];
		struct tracked t;

		if (r->after == NULL || r->idle || isnan(r->run_after.mean))
			continue;
		out_reset(name);
		say_operation(name, &plain, r->after);
		t = tracked_of(c, r, out_memory(name));
		write(j, &t);
	}
	out_free(name);
}

static bool has_range(const struct fact_side *s)
{
	return isfinite(s->high) && s->low <= s->value && s->value <= s->high && s->low < s->high;
}

/* --- Bencher's metric format ------------------------------------------------------------- */

static void write_metric(struct jout *j, const char *key, const struct fact_side *s)
{
	jout_flat_object(j, key);
	jout_f64(j, "value", s->value);
	if (has_range(s)) {
		jout_f64(j, "lower_value", s->low);
		jout_f64(j, "upper_value", s->high);
	}
	jout_end_object(j);
}

static void write_bmf(struct jout *j, const struct tracked *t)
{
	struct out *key = out_to_memory();

	out_text(key, t->measure);
	out_text(key, "-p99");
	jout_named_object(j, t->name);
	write_metric(j, t->measure, &t->mean);
	if (isfinite(t->p99.value)) {
		out_char(key, '\0');
		write_metric(j, out_memory(key).p, &t->p99);
	}
	jout_end_object(j);
	out_free(key);
}

void rank_bmf(struct out *o, const struct comparison *c)
{
	struct jout j = jout_on(o);

	jout_object(&j, NULL);
	each_tracked(&j, c, write_bmf);
	jout_end_object(&j);
	jout_finish(&j);
}

/* --- github-action-benchmark ----------------------------------------------------------------- */

static void write_benchmark(struct jout *j, const struct tracked *t, const char *what,
			    const struct fact_side *s)
{
	struct out *text = out_to_memory();

	jout_flat_object(j, NULL);
	out_bytes(text, t->name);
	out_text(text, what);
	jout_str(j, "name", out_memory(text));
	jout_text(j, "unit", t->unit);
	jout_f64(j, "value", s->value);
	if (has_range(s)) {
		out_reset(text);
		out_digits(text, s->low, 3);
		out_text(text, " to ");
		out_digits(text, s->high, 3);
		jout_str(j, "range", out_memory(text));
	}
	jout_end_object(j);
	out_free(text);
}

static void write_benchmarks(struct jout *j, const struct tracked *t)
{
	write_benchmark(j, t, "", &t->mean);
	if (isfinite(t->p99.value))
		write_benchmark(j, t, " p99", &t->p99);
}

void rank_benchmark_action(struct out *o, const struct comparison *c)
{
	struct jout j = jout_on(o);

	jout_array(&j, NULL);
	each_tracked(&j, c, write_benchmarks);
	jout_end_array(&j);
	jout_finish(&j);
}
