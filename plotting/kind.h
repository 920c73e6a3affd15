/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kinds of figures: one table, one row for each.
 *
 * A kind turns operations of runs into a figure, or per-call records.  Each lives in the
 * file of what it has most in common with.
 */
#ifndef PLOTTING_KIND_H
#define PLOTTING_KIND_H

#include "base/attr.h"
#include "plotting/call_subject.h"
#include "plotting/causes_subject.h"
#include "plotting/figure.h"
#include "plotting/subject.h"
#include "plotting/values_subject.h"

/* What a kind has to be given. */
enum kind_needs {
	NEEDS_RUNS,	 /* one run, or several */
	NEEDS_ONE,	 /* one run */
	NEEDS_PAIR,	 /* a run before and one after */
	NEEDS_INTERVALS, /* one run, or two, sampled in time */
	NEEDS_CALLS,	 /* one run of per-call records */
	NEEDS_TREES,	 /* traces that hold trees of calls, of one side or two */
};

/* One kind of figure: its name, what it needs, and the function that builds it. A constant. */
struct figure_kind {
	const char *name;  /* as typed */
	const char *title; /* in lists of kinds */
	enum kind_needs needs;
	size_t max_ops; /* that one figure holds */
	bool all_ops;	/* shows all operations, not the telling ones */
	/* False, with *ret untouched, when there is nothing to draw it from: `lacks` of the
	 * kind says what. */
	bool (*build)(struct arena *a, const struct subject *s, struct figure *ret);
	const char *lacks;
	/* The same of NEEDS_CALLS, which has no `build`. */
	bool (*build_calls)(struct arena *a, const struct call_subject *s, struct figure *ret);
	/* And of NEEDS_TREES. */
	bool (*build_causes)(struct arena *a, const struct causes_subject *s, struct figure *ret);
	/* And of runs that record variables of calls; of others there is `build`. */
	bool (*build_values)(struct arena *a, const struct values_subject *s, struct figure *ret);
};

const struct figure_kind *figure_kind_at(size_t i); /* NULL past the last */
MUST_CHECK bool figure_kind_by_name(struct str name, const struct figure_kind **ret);

/* Which variable of per-call records separates the peaks (figure 8 of OSprof); false when there is
 * nothing to draw. */
bool figure_values_of_calls(struct arena *a, const struct values_subject *s, struct figure *ret);
#define KIND(name) bool figure_##name(struct arena *a, const struct subject *s, struct figure *ret);
#define CALLS_KIND(name)                                                                           \
	bool figure_##name(struct arena *a, const struct call_subject *s, struct figure *ret);
#define CAUSES_KIND(name)                                                                          \
	bool figure_##name(struct arena *a, const struct causes_subject *s, struct figure *ret);
#include "plotting/kinds.def"
#undef KIND
#undef CAUSES_KIND
#undef CALLS_KIND

#endif
