/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/cautions.h"

#include "analyze/rank/noise.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "compare/compared.h"
#include "report/parts.h"

/* Adds a caution and frees the text, in which names are unescaped. */
static void add_caution(struct compared *c, enum diag_code code, struct out *text)
{
	c->caution[c->n_cautions++] =
		(struct caution){ code, arena_str(c->arena, out_memory(text)) };
	out_free(text);
}

/* --- machines ------------------------------------------------------------------------- */

static void say_machine(struct out *o, const char *side, struct str name)
{
	out_printf(o, "%s ", side);
	out_bytes(o, name);
}

static void compare_places(struct compared *c, enum diag_code code, struct str before,
			   struct str after)
{
	struct out *o;

	if (before.n == 0 || after.n == 0 || str_eq(before, after))
		return;
	o = out_to_memory();
	say_machine(o, "before on", before);
	say_machine(o, ", after on", after);
	out_text(o, "; what differs may be theirs");
	add_caution(c, code, o);
}

/* Baselines are kept long and used on other machines: an unknown machine is worth a warning. */
static void find_machine_unknown(struct compared *c)
{
	const struct profile *before = c->before.run.profile;
	const struct profile *after = c->after.run.profile;
	struct out *o;

	if (c->comparison.baseline == NULL || (before->machine.n > 0 && after->machine.n > 0))
		return;
	o = out_to_memory();
	if (before->machine.n > 0) {
		say_machine(o, "the baseline was on", before->machine);
		out_text(o, ", that of the new run is unknown; state it with --machine NAME or "
			    "--this-machine");
	} else {
		out_text(o,
			 "the baseline states none; make it with --machine NAME or --this-machine");
	}
	add_caution(c, DIAG_MACHINE_UNKNOWN, o);
}

static void find_mixed(struct compared *c, const struct loaded *l)
{
	struct out *o;

	for (size_t k = 0; k < l->n_runs && l->n_runs > 1; k++) {
		if (str_eq(l->single[k]->machine, l->run.profile->machine))
			continue;
		o = out_to_memory();
		out_bytes(o, str_from(l->run.path));
		out_text(o, ": its runs come from several machines");
		add_caution(c, DIAG_MACHINE_DIFFERS, o);
		return;
	}
}

/* --- operations ------------------------------------------------------------------------ */

static void find_other_operations(struct compared *c)
{
	const struct ranking *all = &c->ranking;
	size_t gone = 0, new = 0, both;
	struct out *o;

	for (size_t i = 0; i < all->n; i++) {
		gone += all->v[i].after == NULL;
		new += all->v[i].before == NULL;
	}
	both = all->n - gone - new;
	if (c->comparison.baseline == NULL || gone + new <= both)
		return;
	o = out_to_memory();
	out_printf(o, "%zu are only before, %zu only after, %zu on both sides", gone, new, both);
	add_caution(c, DIAG_OPERATIONS_DIFFER, o);
}

/* --- floors ------------------------------------------------------------------------------ */

enum { MAX_NAMED = 5, DIGITS = 2 };

static void say_floor(struct out *o, const struct compared *c, const struct ranked *r)
{
	struct runs_rules rules = runs_rules_for(r, &c->rules, &c->runs.rules);
	const struct noise_floor *floor = &r->runs->floor;
	bool latency = rules.min_effect < floor_of_latency(floor);

	out_bytes(o, r->before->name);
	out_text(o, latency ? ": min-effect " : ": min-calls ");
	out_digits(o, latency ? rules.min_effect : rules.min_calls, DIGITS);
	out_text(o, ", floor ");
	out_digits(o, latency ? floor_of_latency(floor) : floor->calls, DIGITS);
}

static void find_floors(struct compared *c)
{
	size_t n, named = 0;
	struct out *o;

	if (c->comparison.baseline == NULL || c->comparison.runs == NULL)
		return;
	n = noise_mark_below_floor(c->comparison.baseline, &c->rules, &c->runs, &c->ranking);
	if (n == 0)
		return;
	o = out_to_memory();
	out_printf(o,
		   "among the baseline's own runs %zu operation%s var%s by more than the "
		   "minimum effect, so that smaller changes do not show (",
		   n, n == 1 ? "" : "s", n == 1 ? "ies" : "y");
	for (size_t i = 0; i < c->ranking.n && named < MAX_NAMED; i++) {
		if (!c->ranking.v[i].runs->below_floor)
			continue;
		out_text(o, named++ > 0 ? "; " : "");
		say_floor(o, c, &c->ranking.v[i]);
	}
	out_text(o, n > named ? "; ...)" : ")");
	add_caution(c, DIAG_BELOW_FLOOR, o);
}

/* A baseline and the new run are measured at different times: meanwhile the whole machine may have
 * become slower or faster. */
static void find_run_effect(struct compared *c)
{
	struct out *o;

	if (c->comparison.baseline == NULL || !run_effects_any(&c->ranking.effects))
		return;
	o = out_to_memory();
	say_run_effects(o, &c->comparison);
	add_caution(c, DIAG_RUN_EFFECT, o);
}

void find_cautions(struct compared *c)
{
	const struct profile *before = c->before.run.profile, *after = c->after.run.profile;

	compare_places(c, DIAG_MACHINE_DIFFERS, before->machine, after->machine);
	compare_places(c, DIAG_KERNEL_DIFFERS, before->kernel, after->kernel);
	find_machine_unknown(c);
	find_mixed(c, &c->before);
	find_mixed(c, &c->after);
	find_other_operations(c);
	find_run_effect(c);
	find_floors(c);
	c->comparison.caution = c->caution;
	c->comparison.n_cautions = c->n_cautions;
}

void report_cautions(const struct compared *c, struct diag *diag)
{
	for (size_t i = 0; i < c->n_cautions; i++)
		diag_plain(diag, c->caution[i].code, "%.*s", STR_ARG(c->caution[i].detail));
}
