/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <sys/utsname.h>

#include "analyze/calls/preempt.h"
#include "analyze/times.h"
#include "base/arena.h"
#include "base/diag.h"
#include "load/known_times.h"
#include "load/load.h"
#include "program/command.h"
#include "record/scheduler.h"

enum { USUAL_PROCESSES = 2 /* processes per processor, on which some schedulers' slice depends */ };

static enum exit_status refuse_usage(struct diag *diag, const char *what)
{
	diag_plain(diag, DIAG_USAGE, "%s", what);
	return EXIT_ERROR;
}

/* --- equation 3 alone ---------------------------------------------------------------------- */

/* Converts to a common unit. Numbers without a unit are in that of --unit, else in cycles; if
 * none has a unit, none is needed. */
static double in_common(struct amount a, const struct settings *s, bool plain)
{
	if (plain)
		return a.value;
	if (a.unit == UNIT_UNKNOWN)
		a.unit = s->options.load.read.build.unit != UNIT_UNKNOWN
				 ? s->options.load.read.build.unit
				 : UNIT_CYCLES;
	return amount_in(a, UNIT_S, s->options.load.read.build.hz);
}

static enum exit_status run_equation(struct context *cx, const struct settings *s)
{
	const struct preempting *p = &s->preempt;
	bool plain = p->quantum.unit == UNIT_UNKNOWN && p->tcpu.unit == UNIT_UNKNOWN &&
		     p->tperiod.unit == UNIT_UNKNOWN;
	double quantum = in_common(p->quantum, s, plain), tcpu = in_common(p->tcpu, s, plain),
	       tperiod = in_common(p->tperiod, s, plain);

	if (s->options.load.n_operands > 0)
		return refuse_usage(cx->diag, "--equation takes no run");
	if (p->kernel || isnan(p->quantum.value) || isnan(p->tcpu.value) ||
	    isnan(p->tperiod.value) || isnan(p->yield))
		return refuse_usage(
			cx->diag,
			"--equation needs --tcpu, --tperiod, --yield and --quantum in numbers");
	if (isnan(quantum) || isnan(tcpu) || isnan(tperiod))
		return refuse_usage(cx->diag,
				    "a mix of cycles and times: use --hz to set the clock rate");
	if (tcpu > tperiod)
		return refuse_usage(cx->diag, "--tcpu is a part of --tperiod and cannot be longer");
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_preempt_equation(
			cx->output[k].out, &cx->output[k].style,
			preempt_log10_probability(tcpu, tperiod, p->yield, quantum));
	return EXIT_OK;
}

/* --- a run ------------------------------------------------------------------------------------ */

/* Converts a time of the command line to the unit of the run. */
static bool in_run(struct amount a, const char *option, const struct profile *p, double *ret,
		   struct diag *diag)
{
	*ret = amount_in(a, p->unit, p->hz);
	if (!isnan(*ret) || isnan(a.value))
		return true;
	diag_plain(diag, p->unit == UNIT_UNKNOWN ? DIAG_UNIT_CLASH : DIAG_HZ_MISSING,
		   "%s is in %s, the run in %s: %s", option, unit_name(a.unit), unit_name(p->unit),
		   p->unit == UNIT_UNKNOWN ? "--unit gives its unit"
					   : "use --hz to set its clock rate");
	return false;
}

static bool kernel_quantum(struct preemption_report *r, struct arena *a, struct amount *ret,
			   struct diag *diag)
{
	struct scheduler_settings settings;
	struct utsname name = { .release = "" };

	(void)uname(&name);
	settings = scheduler_read(a, "", name.release);
	*ret = (struct amount){ scheduler_quantum(&settings, USUAL_PROCESSES), UNIT_S };
	r->quantum = KNOWN_KERNEL;
	r->kernel = scheduler_words(a, &settings);
	if (isnan(ret->value))
		(void)refuse_usage(
			diag, "this kernel does not say how long its scheduler's slice is (are its "
			      "settings below /sys/kernel/debug/sched readable?): state it with "
			      "--quantum");
	return !isnan(ret->value);
}

static bool find_quantum(struct preemption_report *r, struct preempt_terms *t, struct arena *a,
			 const struct settings *s, struct diag *diag)
{
	const struct profile *p = r->run.profile;
	struct amount given = s->preempt.quantum;

	r->quantum = KNOWN_OPTION;
	if (s->preempt.kernel && !kernel_quantum(r, a, &given, diag))
		return false;
	if (!in_run(given, "--quantum", p, &t->quantum, diag))
		return false;
	if (!isnan(t->quantum))
		return true;
	t->quantum = preempt_quantum_seen(a, p, &preempt_rules_default);
	r->quantum = KNOWN_RUN;
	if (isnan(t->quantum))
		(void)refuse_usage(diag, "the run shows no quantum: state it with --quantum (4ms), "
					 "or --quantum kernel "
					 "on the machine where it was captured");
	return !isnan(t->quantum);
}

/* Returns the total duration of all files of the run, in seconds. */
static double elapsed_of(struct preemption_report *r, const struct settings *s)
{
	const struct profile *p = r->run.profile;
	double each = p->elapsed > 0 ? p->elapsed : s->options.load.elapsed_before;

	r->elapsed = p->elapsed > 0			  ? KNOWN_RUN
		     : s->options.load.elapsed_before > 0 ? KNOWN_OPTION
							  : KNOWN_NOT;
	return each > 0 ? each * (double)r->run.n_runs : NAN;
}

static bool find_terms(struct preemption_report *r, struct preempt_terms *t, struct arena *a,
		       const struct settings *s, struct diag *diag)
{
	const struct profile *p = r->run.profile;
	double elapsed = elapsed_of(r, s), seconds;

	if (!find_quantum(r, t, a, s, diag) ||
	    !in_run(s->preempt.tperiod, "--tperiod", p, &t->tperiod, diag))
		return false;
	t->elapsed = unit_seconds(p->unit, p->hz, &seconds) ? elapsed / seconds : NAN;
	r->yield = isnan(s->preempt.yield) ? KNOWN_ASSUMED : KNOWN_OPTION;
	t->yield = isnan(s->preempt.yield) ? 0 : s->preempt.yield;
	r->tperiod = isnan(t->tperiod) ? KNOWN_RUN : KNOWN_OPTION;
	return true;
}

static enum exit_status run_preempt(struct context *cx, const struct settings *s)
{
	enum exit_status status = EXIT_ERROR;
	struct preemption_report r = { .quantum = KNOWN_NOT };
	struct known_times times;
	struct preempt_terms terms;
	struct preemption found;
	struct arena *a;
	struct loaded l;

	if (s->preempt.equation)
		return run_equation(cx, s);
	if (s->options.load.n_operands == 0)
		return refuse_usage(cx->diag, "osprof preempt needs a run, or --equation");
	if (!isnan(s->preempt.tcpu.value))
		return refuse_usage(cx->diag, "--tcpu is for --equation: a run has its own");
	if (!load_run(&l, s->options.load.operand, 1, &s->options.load, cx->diag))
		return EXIT_ERROR;
	a = arena_new();
	r.run = l.run;
	r.terms = &terms;
	r.times = &times;
	r.found = &found;
	if (load_known_times(a, &s->options.load, &times, cx->diag) &&
	    find_terms(&r, &terms, a, s, cx->diag)) {
		found = preemption_of(a, l.profile, &terms, &preempt_rules_default);
		for (size_t k = 0; k < cx->n_outputs; k++)
			report_preempt(cx->output[k].out, &cx->output[k].style, &r);
		status = EXIT_OK;
	}
	arena_free(a);
	loaded_release(&l);
	return status;
}

const struct command command_preempt = {
	.id = COMMAND_preempt,
	.name = "preempt",
	.operands = "[RUN]",
	.summary = "Compare the expected with the observed number of preempted calls",
	.min_operands = 0,
	.max_operands = 1,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_preempt,
};
