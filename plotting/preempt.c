/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preempted calls (OSprof, section 3.3): the expected number of each operation, and the observed. */
#include <math.h>

#include "analyze/calls/preempt.h"
#include "base/arena.h"
#include "base/out.h"
#include "plotting/kind.h"

enum { MAX_ROWS = 30, MAX_LETTERS = 32 };

static const double min_shown = 0.1; /* calls; a logarithmic axis has no 0 */

/* Operations of which neither a call is expected nor one was observed say nothing. */
static bool tells(const struct preempt_op *op)
{
	return op->observed > 0 || op->expected_high >= 1;
}

static struct str name_of(struct arena *a, const struct operation *op)
{
	struct plotted_op of = { .layer = op->layer, .name = op->name };

	return plotted_name(a, &of);
}

static void add_row(struct panel *p, const struct preempt_op *op, size_t i, double *min,
		    double *max)
{
	double y = (double)i, low = fmax(op->expected_low, min_shown);
	double observed = fmax((double)op->observed, min_shown);

	series_add(&p->series[0],
		   (double[]){ low, fmax(op->expected_high, low), y - 0.25, y + 0.25 });
	series_add(&p->series[op->within_band || op->p >= preempt_rules_default.chance ? 1 : 2],
		   (double[]){ observed, y });
	*min = fmin(*min, fmin(low, observed));
	*max = fmax(*max, fmax(op->expected_high, observed));
}

static void make_series(struct arena *a, struct panel *p, size_t n)
{
	p->series = arena_make(a, struct series, 3);
	p->series[0] = series_of(a, "expected", SHAPE_BAND, COLOUR_FIRST_PALE, n);
	p->series[0].title = STR("expected");
	p->series[1] = series_of(a, "observed", SHAPE_POINTS, COLOUR_SECOND, n);
	p->series[1].title = STR("observed");
	p->series[1].point = POINT_RING;
	p->series[2] = series_of(a, "differs", SHAPE_POINTS, COLOUR_WORSE, n);
	p->series[2].title = STR("observed, differs");
	p->series[2].point = POINT_CROSS;
	p->n_series = 3;
}

static struct str note_of(struct arena *a, double quantum, struct scale scale)
{
	struct out *text = out_to_memory();
	struct str note;

	out_text(text, "Calls of half the time slice or longer; the slice is ");
	quantity_latency(text, quantum, scale);
	out_text(text, ". Expected: with all calls at the low edge of their buckets, to all at the "
		       "high edge.");
	note = arena_str(a, out_memory(text));
	out_free(text);
	return note;
}

bool figure_preempt(struct arena *a, const struct subject *s, struct figure *ret)
{
	const struct profile *profile = s->run[0].profile;
	struct preempt_terms terms = { .tperiod = NAN, .elapsed = NAN, .quantum = s->quantum };
	struct preemption found;
	struct str name[MAX_ROWS];
	double min = HUGE_VAL, max = 1;
	size_t n = 0;
	struct panel *p;

	if (!(terms.quantum > 0))
		terms.quantum = preempt_quantum_seen(a, profile, &preempt_rules_default);
	if (isnan(terms.quantum))
		return false;
	found = preemption_of(a, profile, &terms, &preempt_rules_default);
	*ret = (struct figure){ .n_panels = 1, .n_across = 1 };
	ret->panel = p = arena_make(a, struct panel, 1);
	*p = (struct panel){ .has_key = true, .has_grid = true };
	make_series(a, p, MAX_ROWS);
	for (size_t i = 0; i < found.n_ops && n < MAX_ROWS; i++) {
		if (!tells(&found.op[i]))
			continue;
		add_row(p, &found.op[i], n, &min, &max);
		name[n++] = words_cut(a, name_of(a, found.op[i].op), MAX_LETTERS);
	}
	if (n == 0)
		p->empty = STR("no call is expected to be preempted, none was");
	p->x = axis_of_counts(a, STR("preempted calls"), fmin(min, max), max, 0.05);
	p->y = axis_of_names(a, name, n);
	ret->panel_height = 0.25 + 0.08 * (double)n;
	ret->note = note_of(a, terms.quantum,
			    (struct scale){ .unit = profile->unit, .hz = profile->hz });
	ret->caption = STR("How many calls of each operation are expected to be preempted, and how "
			   "many were as slow.");
	return true;
}
