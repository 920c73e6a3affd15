/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs: files, formats, units, and whether each is self-consistent. */

#include "analyze/check.h"
#include "base/arena.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/runs.h"
#include "tui/state.h"

enum { COL_VALUE = 16 };

static unsigned draw_field(struct canvas *c, unsigned row, const char *name, struct out *o)
{
	canvas_text(c, row, 1, FACE_DIM, str_from(name));
	row = canvas_paragraph(c, row, COL_VALUE, FACE_PLAIN, out_memory(o));
	out_reset(o);
	return row;
}

static unsigned draw_totals(struct canvas *c, unsigned row, const struct run *r, struct out *o)
{
	const struct profile *p = r->profile;
	struct scale scale = { .unit = p->unit, .hz = p->hz };

	out_printf(o, "%s, unit %s", p->format, unit_name(p->unit));
	if (p->hz > 0)
		out_printf(o, ", clock %.6g Hz", p->hz);
	row = draw_field(c, row, "format", o);
	out_printf(o, "%zu operation%s, ", p->n_ops, p->n_ops == 1 ? "" : "s");
	quantity_count(o, r->totals.count);
	out_text(o, " calls, total latency ");
	quantity_latency(o, r->totals.latency, scale);
	row = draw_field(c, row, "holds", o);
	if (p->elapsed > 0) {
		quantity_latency(o, p->elapsed, (struct scale){ .unit = UNIT_S });
		row = draw_field(c, row, "elapsed", o);
	}
	if (p->lost > 0) {
		out_printf(o, "%llu events that belong to no one operation",
			   (unsigned long long)p->lost);
		row = draw_field(c, row, "lost", o);
	}
	return row;
}

/* "count: stated 12, the buckets hold 11". */
static unsigned draw_finding(struct canvas *c, unsigned row, const struct finding *f,
			     const struct profile *p, struct out *o)
{
	struct scale scale = { .unit = f->op->unit, .hz = p->hz };
	bool latency = f->what != CHECK_COUNT && f->what != CHECK_INTERVALS;

	out_bytes(o, f->op->name);
	out_printf(o, ": %s %s ", inconsistency_name(f->what),
		   f->what == CHECK_INTERVALS ? "add up to" : "is stated as");
	if (latency)
		quantity_latency(o, f->stated, scale);
	else
		quantity_count(o, f->stated);
	out_text(o, ", the buckets allow ");
	if (latency)
		quantity_range(o, f->low, f->high, scale);
	else
		quantity_count(o, f->low);
	return draw_field(c, row, "inconsistent", o);
}

static unsigned draw_consistency(struct canvas *c, unsigned row, const struct profile *p,
				 struct out *o)
{
	struct arena *a = arena_new();
	struct consistency found = check(a, p);

	if (found.n == 0) {
		if (found.n_totals + found.n_counts == 0)
			out_text(o, "nothing is stated beside the buckets");
		else
			out_printf(o,
				   "yes; %zu totals and %zu counts are stated beside the buckets",
				   found.n_totals, found.n_counts);
		row = draw_field(c, row, "consistent", o);
	}
	for (size_t i = 0; i < found.n; i++)
		row = draw_finding(c, row, &found.finding[i], p, o);
	arena_free(a);
	return row;
}

static unsigned draw_run(struct canvas *c, unsigned row, const char *label, const struct run *r)
{
	struct out *o = out_to_memory();

	canvas_text(c, row++, 1, FACE_STRONG, str_from(label));
	out_bytes(o, str_from(r->path));
	if (r->n_runs > 1)
		out_printf(o, " (%zu runs)", r->n_runs);
	row = draw_field(c, row, "from", o);
	row = draw_totals(c, row, r, o);
	row = draw_consistency(c, row, r->profile, o);
	if (r->n_runs > 1) {
		out_bytes(o, str_from(r->representative));
		row = draw_field(c, row, "representative", o);
	}
	for (size_t i = 0; r->n_runs > 1 && i < r->n_runs; i++) {
		out_bytes(o, str_from(r->file[i]));
		row = draw_field(c, row, i == 0 ? "files" : "", o);
	}
	out_free(o);
	return row + 1;
}

static unsigned write(const struct view *v, const struct tui *t, struct canvas *c)
{
	const struct browsed *s = &t->study->browsed;
	struct out *o;
	unsigned row;

	(void)v;
	if (!study_compares(t->study))
		return draw_run(c, 0, "run", &s->before);
	row = draw_run(c, 0, "before", &s->before);
	row = draw_run(c, row, "after", &s->after);
	if (s->comparison->runs != NULL) {
		o = out_to_memory();
		say_judgement(o, s->comparison->runs,
			      run_effects_any(&s->comparison->ranking->effects));
		row = canvas_lines(c, row, 1, FACE_PLAIN, out_memory(o));
		out_free(o);
	}
	return row;
}

static const enum action hints[] = { ACT_VIEW_MESSAGES, ACT_VIEW_RANKING, ACT_NONE };

const struct view_class view_runs = {
	.name = "runs",
	.title = "runs",
	.opens = ACT_VIEW_RUNS,
	.hints = hints,
	.write = write,
};
