/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof preempt: calls that were preempted, expected and observed. */
#include "analyze/calls/preempt.h"

#include <math.h>

#include "analyze/rank/story.h"
#include "analyze/times.h"
#include "base/attr.h"
#include "base/escape.h"
#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/table.h"

static const char *const known_from_names[] = {
	[KNOWN_NOT] = NULL,	   [KNOWN_OPTION] = "option",	[KNOWN_RUN] = "run",
	[KNOWN_KERNEL] = "kernel", [KNOWN_ASSUMED] = "assumed",
};

static double seconds_of_unit(const struct preemption_report *r)
{
	const struct profile *p = r->run.profile;
	double seconds;

	return unit_seconds(p->unit, p->hz, &seconds) ? seconds : NAN;
}

static struct scale scale_of(const struct preemption_report *r)
{
	return (struct scale){ .unit = r->run.profile->unit, .hz = r->run.profile->hz };
}

/* Finds known times of about this period, which is in the unit of the run. */
static size_t hints_of(const struct preemption_report *r, double period,
		       struct time_hint hint[MAX_HINTS])
{
	return times_match(r->times, period * seconds_of_unit(r), story_rules_default.hint_within,
			   true, NULL, hint);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_terms(struct jout *j, const struct preemption_report *r)
{
	const struct profile *p = r->run.profile;
	const struct preempt_terms *t = r->terms;

	jout_text(j, "path", r->run.path);
	jout_text(j, "format", p->format);
	jout_unit(j, "unit", p->unit);
	jout_f64(j, "hz", p->hz > 0 ? p->hz : NAN);
	jout_f64(j, "quantum", t->quantum);
	jout_text(j, "quantum_from", known_from_names[r->quantum]);
	jout_f64(j, "yield", t->yield);
	jout_text(j, "yield_from", known_from_names[r->yield]);
	jout_text(j, "tperiod_from", known_from_names[r->tperiod]);
	jout_f64(j, "elapsed", t->elapsed * seconds_of_unit(r));
	jout_text(j, "elapsed_from", known_from_names[r->elapsed]);
	jout_u64(j, "left_out", r->found->n_left_out);
}

static void json_events(struct jout *j, const struct preemption_report *r,
			const struct preempt_op *op)
{
	double seconds = seconds_of_unit(r);

	jout_array(j, "background");
	for (size_t i = 0; i < op->n_events; i++) {
		const struct preempt_event *e = &op->event[i];
		struct time_hint hint[MAX_HINTS];
		size_t n = hints_of(r, e->period, hint);

		jout_flat_object(j, NULL);
		jout_f64(j, "low", e->peak.low);
		jout_f64(j, "high", e->peak.high);
		jout_u64(j, "count", e->peak.count);
		jout_f64(j, "period", e->period * seconds);
		jout_f64(j, "period_inside", e->inside * seconds);
		jout_flat_array(j, "as_often_as");
		for (size_t k = 0; k < n; k++)
			jout_str(j, NULL, hint[k].time->name);
		jout_end_array(j);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void preempt_json(struct out *o, const struct preemption_report *r)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.preempt/1");
	json_terms(&j, r);
	jout_array(&j, "operations");
	for (size_t i = 0; i < r->found->n_ops; i++) {
		const struct preempt_op *op = &r->found->op[i];

		jout_object(&j, NULL);
		jout_str(&j, "name", op->op->name);
		jout_str(&j, "layer", op->op->layer);
		jout_u64(&j, "count", op->op->hist.count);
		jout_f64(&j, "tcpu", op->tcpu);
		jout_f64(&j, "tperiod", op->tperiod);
		jout_f64(&j, "expected", op->expected);
		jout_f64(&j, "expected_low", op->expected_low);
		jout_f64(&j, "expected_high", op->expected_high);
		jout_u64(&j, "observed", op->observed);
		jout_f64(&j, "observed_low_edge", op->observed_low_edge);
		jout_f64(&j, "log10_probability", op->log10_probability);
		jout_bool(&j, "within_band", op->within_band);
		jout_f64(&j, "p", op->p);
		jout_text(&j, "verdict", preempt_verdict_name(op->verdict));
		json_events(&j, r, op);
		jout_end_object(&j);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

void report_preempt_equation(struct out *o, const struct style *s, double log10_probability)
{
	struct jout j;

	if (s->output_format != OUTPUT_FORMAT_JSON) {
		out_text(o, "log10 of the probability of being preempted in a call: ");
		out_digits(o, log10_probability, 5);
		out_char(o, '\n');
		return;
	}
	j = jout_on(o);
	jout_document(&j, "osprof.preempt/1");
	jout_f64(&j, "log10_probability", log10_probability);
	jout_end_object(&j);
	jout_finish(&j);
}

/* --- the table -------------------------------------------------------------------------------- */

static const struct column columns[] = {
	{ "operation", "operation", ALIGN_LEFT },
	{ "layer", NULL, ALIGN_LEFT },
	{ "calls", "calls", ALIGN_RIGHT },
	{ "tcpu", "CPU a call", ALIGN_RIGHT },
	{ "tperiod", NULL, ALIGN_RIGHT },
	{ "expected", "expected", ALIGN_RIGHT },
	{ "expected_low", "at least", ALIGN_RIGHT },
	{ "expected_high", "at most", ALIGN_RIGHT },
	{ "observed", "observed", ALIGN_RIGHT },
	{ "observed_low_edge", "from", ALIGN_RIGHT },
	{ "log10_probability", "log10 P", ALIGN_RIGHT },
	{ "p", NULL, ALIGN_RIGHT },
	{ "verdict", "verdict", ALIGN_LEFT },
	{ "unit", NULL, ALIGN_LEFT },
};

/* Prints an expected number of calls, which may be a fraction, or a logarithm. */
static void put_calls(struct out *o, double v)
{
	if (fabs(v) >= 1000)
		quantity_count(o, round(v));
	else
		out_digits(o, v, 3);
}

static void table_calls(struct table *t, const struct style *s, double v)
{
	if (s->output_format == OUTPUT_FORMAT_CSV) {
		table_number(t, v);
	} else if (isnan(v)) {
		table_text(t, "-", TONE_PLAIN);
	} else {
		put_calls(table_open(t), v);
		table_close(t, TONE_PLAIN);
	}
}

static enum tone tone_of(enum preempt_verdict v)
{
	return v == PREEMPT_MORE || v == PREEMPT_FEWER ? TONE_NOTICE : TONE_PLAIN;
}

static void table_of(struct out *o, const struct style *s, const struct preemption_report *r)
{
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < r->found->n_ops; i++) {
		const struct preempt_op *op = &r->found->op[i];

		operation_cell(t, s, op->op);
		table_name(t, op->op->layer);
		table_count(t, op->op->hist.count);
		table_latency(t, op->tcpu, scale_of(r), true);
		table_number(t, op->tperiod);
		table_calls(t, s, op->expected);
		table_calls(t, s, op->expected_low);
		table_calls(t, s, op->expected_high);
		table_count(t, op->observed);
		table_latency(t, op->observed_low_edge, scale_of(r), false);
		table_calls(t, s, op->log10_probability);
		table_number(t, op->p);
		table_text(t, preempt_verdict_name(op->verdict), tone_of(op->verdict));
		table_text(t, unit_name(op->op->unit), TONE_PLAIN);
	}
	table_end(t);
}

/* --- in words ---------------------------------------------------------------------------- */

static void say_name(struct out *o, const struct style *s, struct str name)
{
	bool markdown = s->output_format == OUTPUT_FORMAT_MARKDOWN;

	out_text(o, markdown ? "- **" : "");
	tone_begin(o, s, TONE_STRONG);
	(markdown ? escape_markdown : escape_terminal)(o, name);
	tone_end(o, s, TONE_STRONG);
	out_text(o, markdown ? "**: " : ": ");
}

static void say_terms(struct out *o, const struct preemption_report *r)
{
	static const char *const quantum[] = {
		[KNOWN_OPTION] = "given",
		[KNOWN_RUN] = "seen in the run itself: only the number of calls is a test",
		[KNOWN_KERNEL] = "this kernel's: ",
	};
	const struct preempt_terms *t = r->terms;

	out_text(o, "Quantum ");
	quantity_latency(o, t->quantum, scale_of(r));
	out_printf(o, " (%s%.*s); a call yields with probability ", quantum[r->quantum],
		   STR_ARG(r->kernel));
	out_f64(o, t->yield);
	out_printf(o, " (%s)", r->yield == KNOWN_OPTION ? "given" : "assumed");
	if (!isnan(t->tperiod)) {
		out_text(o, "; from call to call ");
		quantity_latency(o, t->tperiod, scale_of(r));
		out_text(o, " (given)");
	}
	out_text(o, ".\n");
	if (r->found->n_left_out > 0)
		out_printf(o, "Left out: %zu without latencies in the unit of the run.\n",
			   r->found->n_left_out);
}

/* "as many slow calls as preemption explains". */
static void say_verdict(struct out *o, const struct style *s, const struct preempt_op *op)
{
	static const char *const conclusions[] = {
		[PREEMPT_AGREES] = "as many slow calls as preemption explains",
		[PREEMPT_MORE] = "more slow calls than preemption explains",
		[PREEMPT_FEWER] = "fewer slow calls than preemption predicts",
		[PREEMPT_TOO_LONG] = "most calls are so long that preempted ones do not stand out",
	};
	static const char *const reasons[COUNT_OF(conclusions)] = {
		[PREEMPT_MORE] = "They waited for something else, or the quantum is shorter.",
		[PREEMPT_FEWER] = "The quantum is longer, calls yield, or nothing else wanted the "
				  "processor.",
	};

	say_name(o, s, op->op->name);
	out_text(o, conclusions[op->verdict]);
	if (op->verdict == PREEMPT_AGREES && !op->within_band)
		out_text(o, ", within chance");
	if (reasons[op->verdict] != NULL)
		out_printf(o, "%s%s", next_detail(s), reasons[op->verdict]);
}

static void write_verdict(struct out *o, const struct style *s, const struct preemption_report *r,
			  const struct preempt_op *op)
{
	say_verdict(o, s, op);
	out_text(o, next_detail(s));
	quantity_count(o, (double)op->observed);
	out_text(o, op->observed == 1 ? " call takes " : " calls take ");
	quantity_latency(o, op->observed_low_edge, scale_of(r));
	out_text(o, " or longer, ");
	put_calls(o, op->expected);
	out_text(o, " (");
	put_calls(o, op->expected_low);
	out_text(o, " to ");
	put_calls(o, op->expected_high);
	out_text(o, ") expected\n");
}

/* Those whose calls are too few or too short to be preempted, in one line. */
static void write_negligible(struct out *o, const struct style *s,
			     const struct preemption_report *r)
{
	const char *next = "Too few or too short to be preempted: ";
	bool any = false;

	for (size_t i = 0; i < r->found->n_ops; i++) {
		if (r->found->op[i].verdict != PREEMPT_NEGLIGIBLE)
			continue;
		out_text(o, any ? ", " : next);
		say_short_operation(o, s, r->found->op[i].op);
		any = true;
	}
	out_text(o, any ? ".\n" : "");
}

static void write_verdicts(struct out *o, const struct style *s, const struct preemption_report *r)
{
	for (size_t i = 0; i < r->found->n_ops; i++) {
		if (r->found->op[i].verdict != PREEMPT_NEGLIGIBLE)
			write_verdict(o, s, r, &r->found->op[i]);
	}
	write_negligible(o, s, r);
}

static void say_event(struct out *o, const struct style *s, const struct preemption_report *r,
		      const struct preempt_op *op, const struct preempt_event *e)
{
	struct time_hint hint[MAX_HINTS];
	size_t n = hints_of(r, e->period, hint);

	say_name(o, s, op->op->name);
	quantity_count(o, (double)e->peak.count);
	out_text(o, " calls of ");
	quantity_range(o, e->peak.core_low, e->peak.core_high, scale_of(r));
	out_text(o, ", one every ");
	quantity_latency(o, e->period, scale_of(r));
	out_text(o, " (every ");
	quantity_latency(o, e->inside, scale_of(r));
	out_text(o, " in these calls)");
	for (size_t i = 0; i < n; i++) {
		out_printf(o, "%s", i == 0 ? next_detail(s) : ", ");
		out_text(o, i == 0 ? "as often as: " : "");
		escape_terminal(o, hint[i].time->name);
	}
	out_char(o, '\n');
}

static void write_background(struct out *o, const struct style *s,
			     const struct preemption_report *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->found->n_ops; i++)
		n += r->found->op[i].n_events;
	if (n == 0)
		return;
	if (isnan(r->terms->elapsed)) {
		out_text(o, "\nSlower calls below the quantum may be interrupts; --elapsed gives "
			    "their period.\n");
		return;
	}
	out_text(o, "\nSlower calls below the quantum may be interrupts:\n");
	for (size_t i = 0; i < r->found->n_ops; i++) {
		const struct preempt_op *op = &r->found->op[i];

		for (size_t k = 0; k < op->n_events; k++)
			say_event(o, s, r, op, &op->event[k]);
	}
}

void report_preempt(struct out *o, const struct style *s, const struct preemption_report *r)
{
	if (s->output_format == OUTPUT_FORMAT_JSON) {
		preempt_json(o, r);
		return;
	}
	if (s->output_format != OUTPUT_FORMAT_CSV) {
		part_heading(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "### " : "", &r->run);
		out_char(o, '\n');
		say_terms(o, r);
		out_char(o, '\n');
	}
	table_of(o, s, r);
	if (s->output_format == OUTPUT_FORMAT_CSV)
		return;
	out_char(o, '\n');
	write_verdicts(o, s, r);
	write_background(o, s, r);
}
