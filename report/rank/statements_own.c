/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What osprof says of an operation of one run. */
#include "report/rank/statements.h"

#include <math.h>

#include "analyze/rank/facts.h"
#include "base/arena.h"
#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/quantiles.h"
#include "report/report.h"

/* Statements that are being written. */
struct saying {
	struct arena *a;
	struct facts facts;
	struct scale scale;
	struct out *o; /* the current statement */
	struct statements said;
};

static void end_statement(struct saying *s)
{
	if (out_memory(s->o).n > 0 && s->said.n < MAX_STATEMENTS)
		s->said.v[s->said.n++] = arena_str(s->a, out_memory(s->o));
	out_reset(s->o);
}

static bool is_plain(const struct saying *s)
{
	return s->scale.unit == UNIT_PLAIN;
}

/* A share of the latency that the buckets bound as narrowly as it is printed needs no "about". */
static const double printed_step = 0.01;

/* By how much the share of the latency exceeds that of the calls, where it is worth saying: calls
 * that spread evenly over three octaves, as wide as a peak with one characteristic time, reach
 * (8 - m) / 7 - (1 - log2(m) / 3) = 0.246 at their mean m = 7 / (3 ln 2). */
static const double unequal = 0.25;

/* "the slowest 4.9 % of the calls, 4.10 ms or longer, hold about 94 % of the time". */
static void say_slowest(struct saying *s)
{
	const struct fact *f = facts_next(&s->facts, FACT_SLOWEST, NULL);

	if (f == NULL || !(f->after.latency - f->after.share > unequal) ||
	    !(f->after.low > f->after.share))
		return;
	out_text(s->o, is_plain(s) ? "the largest " : "the slowest ");
	quantity_percent(s->o, f->after.share);
	out_text(s->o, is_plain(s) ? " of the values, " : " of the calls, ");
	quantity_latency(s->o, f->low, s->scale);
	out_text(s->o, is_plain(s) ? " or more, hold " : " or longer, hold ");
	out_text(s->o, f->after.high - f->after.low > printed_step ? "about " : "");
	quantity_percent(s->o, f->after.latency);
	out_text(s->o, is_plain(s) ? " of their sum" : " of the time");
	end_statement(s);
}

/* "p50 ~66 us, p90 ~130 us, p99 ~240 us, largest 12.3 ms". */
static void say_percentiles(struct saying *s)
{
	const struct fact *f = NULL, *max = facts_next(&s->facts, FACT_MAX, NULL);

	while ((f = facts_next(&s->facts, FACT_QUANTILE, f)) != NULL) {
		out_printf(s->o, "p%.12g ", f->quantile * 100);
		say_own_quantile(s->o, &f->after, s->scale);
		out_text(s->o, ", ");
	}
	if (isnan(max->after.value) && isnan(max->after.low)) {
		out_reset(s->o);
		return;
	}
	out_text(s->o, "largest ");
	say_own_max(s->o, max, s->scale);
	end_statement(s);
}

struct statements statements_of_operation(struct arena *a, const struct run *run,
					  const struct operation *op)
{
	struct saying s = { .a = a,
			    .facts = facts_of_operation(a, op, run->n_runs, &quantiles_default),
			    .scale = scale_of_operation(run->profile, op),
			    .o = out_to_memory() };

	say_slowest(&s);
	say_percentiles(&s);
	out_free(s.o);
	return s.said;
}

/* --- JSON ---------------------------------------------------------------------------- */

static void jout_own_quantile(struct jout *j, const struct fact *f)
{
	jout_f64(j, "p", f->quantile);
	jout_flat_array(j, "value");
	jout_f64(j, NULL, f->after.low);
	jout_f64(j, NULL, f->after.value);
	jout_f64(j, NULL, f->after.high);
	jout_end_array(j);
}

static void jout_own_slowest(struct jout *j, const struct fact *f)
{
	jout_f64(j, "beyond", f->low);
	jout_f64(j, "count", f->after.value);
	jout_f64(j, "share", f->after.share);
	jout_flat_array(j, "of_latency");
	jout_f64(j, NULL, f->after.low);
	jout_f64(j, NULL, f->after.latency);
	jout_f64(j, NULL, f->after.high);
	jout_end_array(j);
}

static void jout_own_fact(struct jout *j, const struct fact *f)
{
	jout_flat_object(j, NULL);
	jout_text(j, "kind", fact_kind_name(f->kind));
	switch (f->kind) {
	case FACT_QUANTILE:
		jout_own_quantile(j, f);
		break;
	case FACT_SLOWEST:
		jout_own_slowest(j, f);
		break;
	case FACT_RANGE:
		jout_f64(j, "low", f->low);
		jout_f64(j, "high", f->high);
		jout_f64(j, "count", f->after.value);
		jout_f64(j, "share", f->after.share);
		break;
	default:
		jout_f64(j, "value", f->after.value);
		break;
	}
	jout_end_object(j);
}

void jout_own_facts(struct jout *j, const struct run *run, const struct operation *op,
		    const struct quantile_list *quantiles)
{
	struct arena *a = arena_new();
	struct facts facts = facts_of_operation(a, op, run->n_runs, quantiles);
	struct statements s = statements_of_operation(a, run, op);
	struct out *text = out_to_memory();

	jout_array(j, "facts");
	for (size_t i = 0; i < facts.n; i++)
		jout_own_fact(j, &facts.v[i]);
	jout_end_array(j);
	say_statements(text, &s);
	jout_str(j, "text", out_memory(text));
	out_free(text);
	arena_free(a);
}
