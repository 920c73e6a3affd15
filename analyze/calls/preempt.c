/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/calls/preempt.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"

const struct preempt_rules preempt_rules_default = {
	.chance = 0.05,
	.away = 2,
	.min_events = 10,
	.shortest = 0.5e-3,
	.longest = 0.5,
};

const char *preempt_verdict_name(enum preempt_verdict v)
{
	static const char *const names[] = {
		[PREEMPT_AGREES] = "agrees",	 [PREEMPT_MORE] = "more",
		[PREEMPT_FEWER] = "fewer",	 [PREEMPT_NEGLIGIBLE] = "negligible",
		[PREEMPT_TOO_LONG] = "too-long",
	};

	return names[v];
}

/* log of the probability that no request yields during Q: (1 - Y)^(Q / t_period). */
static double log_survival(double tperiod, double yield, double quantum)
{
	return yield > 0 ? quantum / tperiod * log1p(-yield) : 0;
}

/* Quanta that end while another process waits, for each unit of CPU time.  A yield starts a new
 * quantum, so a quantum ends after n = Q / t_period calls of which none yielded, with probability
 * s = (1 - Y)^n, or at the first yield; it lasts (1 - s) / Y calls on average. */
static double rate_of_preemption(double tperiod, double yield, double quantum)
{
	if (!(yield > 0))
		return 1 / quantum;
	return yield / (tperiod * expm1(-log_survival(tperiod, yield, quantum)));
}

double preempt_log10_probability(double tcpu, double tperiod, double yield, double quantum)
{
	return log10(tcpu / tperiod) + log_survival(tperiod, yield, quantum) / log(10);
}

/* --- expected and observed ------------------------------------------------------------------ */

/* A histogram cut at an edge. */
struct below {
	struct histogram hist; /* calls below the edge, whose latency counts as CPU time */
	uint64_t above;	       /* calls from the edge on */
};

static struct below cut_below(const struct histogram *h, double edge)
{
	struct below b = { .hist = *h };

	b.hist.n = 0;
	b.hist.count = 0;
	while (b.hist.n < h->n && h->bucket[b.hist.n].edges->low < edge)
		b.hist.count += h->bucket[b.hist.n++].count;
	b.above = h->count - b.hist.count;
	return b;
}

static double not_negative(double v)
{
	return v > 0 ? v : 0;
}

static void judge_band(struct preempt_op *p, const struct preempt_rules *rules)
{
	double observed = (double)p->observed;

	p->within_band = observed >= p->expected_low && observed <= p->expected_high;
	p->p = 1;
	if (observed > p->expected_high)
		p->p = p->expected_high > 0
			       ? gsl_cdf_poisson_Q((unsigned)fmin(observed - 1, UINT32_MAX),
						   p->expected_high)
			       : 0;
	else if (observed < p->expected_low)
		p->p = gsl_cdf_poisson_P((unsigned)fmin(observed, UINT32_MAX), p->expected_low);
	if (p->observed > p->op->hist.count / 2)
		p->verdict = PREEMPT_TOO_LONG;
	else if (p->observed == 0 && p->expected_high < 1)
		p->verdict = PREEMPT_NEGLIGIBLE;
	else if (p->p >= rules->chance)
		p->verdict = PREEMPT_AGREES;
	else
		p->verdict = observed > p->expected ? PREEMPT_MORE : PREEMPT_FEWER;
}

/* Finds peaks far above the one with the most calls. */
static void find_events(struct arena *a, struct preempt_op *p, const struct histogram *below,
			const struct preempt_terms *t, const struct preempt_rules *rules)
{
	struct peaks peaks = peaks_find(a, below, &peak_rules_default);
	const struct peak *usual = peaks.v;

	for (size_t i = 1; i < peaks.n; i++) {
		if (peaks.v[i].count > usual->count)
			usual = &peaks.v[i];
	}
	p->event = arena_make(a, struct preempt_event, peaks.n);
	for (size_t i = 0; i < peaks.n; i++) {
		const struct peak *k = &peaks.v[i];

		if (k->position < usual->position + rules->away || k->count < rules->min_events)
			continue;
		p->event[p->n_events++] = (struct preempt_event){
			.peak = *k,
			.period = t->elapsed / (double)k->count,
			.inside = p->cpu / (double)k->count,
		};
	}
}

static double period_of(const struct preempt_op *p, const struct preempt_terms *t)
{
	double period = t->tperiod;

	if (isnan(period))
		period = t->elapsed / (double)p->op->hist.count;
	return period > p->tcpu ? period : p->tcpu;
}

static struct preempt_op expect_preempted(struct arena *a, const struct operation *op,
					  const struct preempt_terms *t,
					  const struct preempt_rules *rules)
{
	const struct bucket_scheme *scheme = op->hist.scheme;
	struct preempt_op p = { .op = op };
	struct below below;
	double rate;

	p.observed_low_edge = not_negative(bucket_low(scheme, bucket_find(scheme, t->quantum / 2)));
	below = cut_below(&op->hist, p.observed_low_edge);
	p.observed = below.above;
	p.cpu = not_negative(histogram_total(&below.hist));
	p.tcpu = p.cpu / (double)below.hist.count;
	p.tperiod = period_of(&p, t);
	rate = rate_of_preemption(p.tperiod, t->yield, t->quantum);
	p.expected = p.cpu * rate;
	p.expected_low = not_negative(histogram_total_min(&below.hist)) * rate;
	p.expected_high = not_negative(histogram_total_max(&below.hist)) * rate;
	p.log10_probability = preempt_log10_probability(p.tcpu, p.tperiod, t->yield, t->quantum);
	judge_band(&p, rules);
	find_events(a, &p, &below.hist, t, rules);
	return p;
}

static int by_falling_cpu(const void *pa, const void *pb)
{
	const struct preempt_op *a = pa, *b = pb;

	if (a->cpu != b->cpu)
		return a->cpu > b->cpu ? -1 : 1;
	return (a->op > b->op) - (a->op < b->op);
}

static bool has_latencies(const struct profile *p, const struct operation *op)
{
	return op->hist.count > 0 && op->unit == p->unit && op->unit != UNIT_PLAIN;
}

struct preemption preemption_of(struct arena *a, const struct profile *p,
				const struct preempt_terms *t, const struct preempt_rules *rules)
{
	struct preemption all = { .op = arena_make(a, struct preempt_op, p->n_ops) };

	for (size_t i = 0; i < p->n_ops; i++) {
		if (has_latencies(p, &p->op[i]))
			all.op[all.n_ops++] = expect_preempted(a, &p->op[i], t, rules);
		else
			all.n_left_out++;
	}
	qsort(all.op, all.n_ops, sizeof(*all.op), by_falling_cpu);
	return all;
}

/* --- the quantum ------------------------------------------------------------------------------ */

double preempt_quantum_seen(struct arena *a, const struct profile *p,
			    const struct preempt_rules *rules)
{
	const struct operation *max = NULL;
	const struct peak *last = NULL;
	struct peaks peaks;
	double seconds;

	for (size_t i = 0; i < p->n_ops; i++) {
		if (has_latencies(p, &p->op[i]) &&
		    (max == NULL || p->op[i].hist.count > max->hist.count))
			max = &p->op[i];
	}
	if (max == NULL || !unit_seconds(p->unit, p->hz, &seconds))
		return NAN;
	peaks = peaks_find(a, &max->hist, &peak_rules_default);
	for (size_t i = 0; i < peaks.n; i++) {
		if (last == NULL || peaks.v[i].position > last->position)
			last = &peaks.v[i];
	}
	if (peaks.n < 2 || last->mean * seconds < rules->shortest ||
	    last->mean * seconds > rules->longest)
		return NAN;
	return last->mean;
}

double scheduler_quantum(const struct scheduler_settings *s, unsigned n)
{
	double slice = s->slice;

	if (slice <= 0)
		slice = fmax(s->latency / n, s->granularity);
	if (!(slice > 0))
		return NAN;
	/* The scheduler checks the slice at ticks only. */
	return s->tick > 0 ? ceil(slice / s->tick - 1e-9) * s->tick : slice;
}
