/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of kinds of figures.
 *
 * A kind makes a figure of the operations of runs, or of per-call records.  Similar kinds share a
 * source file.
 */
#ifndef PLOTTING_KIND_H
#define PLOTTING_KIND_H

#include "base/attr.h"
#include "plotting/call_subject.h"
#include "plotting/causes_subject.h"
#include "plotting/figure.h"
#include "plotting/subject.h"
#include "plotting/values_subject.h"

/* The input that a kind needs. */
enum kind_needs {
	NEEDS_RUNS,	 /* one run, or several */
	NEEDS_ONE,	 /* one run */
	NEEDS_PAIR,	 /* a run before and one after */
	NEEDS_INTERVALS, /* one or two runs with intervals */
	NEEDS_CALLS,	 /* one run of per-call records */
	NEEDS_TREES,	 /* traces with call trees, for one side or two */
};

/* One kind of figure: its name, its input, and the function that builds it; constant. */
struct figure_kind {
	const char *name;  /* as typed */
	const char *title; /* in lists of kinds */
	enum kind_needs needs;
	size_t max_ops; /* maximum number of operations in one figure */
	bool all_ops;	/* shows all operations, not only the reported ones */
	/* Builds the figure; false, with *ret untouched, when the input lacks what `lacks`
	 * describes. */
	bool (*build)(struct arena *a, const struct subject *s, struct figure *ret);
	const char *lacks;
	/* Instead of `build` for NEEDS_CALLS. */
	bool (*build_calls)(struct arena *a, const struct call_subject *s, struct figure *ret);
	/* Instead of `build` for NEEDS_TREES. */
	bool (*build_causes)(struct arena *a, const struct causes_subject *s, struct figure *ret);
	/* For runs that record variables of calls; `build` handles other runs. */
	bool (*build_values)(struct arena *a, const struct values_subject *s, struct figure *ret);
};

const struct figure_kind *figure_kind_at(size_t i); /* NULL past the last */
MUST_CHECK bool figure_kind_by_name(struct str name, const struct figure_kind **ret);

/* Builds a figure of the variable of per-call records that separates the peaks (OSprof figure 8);
 * false when there is nothing to draw. */
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
