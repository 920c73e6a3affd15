/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the browser looks at: one run, or two sides of a comparison.
 *
 * An item is an operation under study.  With one run its histogram is `before`; there
 * is no `after` and nothing to rank.  All of it borrows from what the host loaded.
 */
#ifndef TUI_STUDY_H
#define TUI_STUDY_H

#include "analyze/annotations.h"
#include "profile/quantity.h"
#include "report/report.h"

struct arena;

/* The sides of a comparison; of one run only SIDE_BEFORE is there. */
enum side { SIDE_BEFORE, SIDE_AFTER };
enum { N_SIDES = 2 };

/* One operation, on the sides that have it, with what the user noted about it. */
struct item {
	const struct operation *before, *after; /* NULL where absent */
	const struct ranked *ranked;		/* NULL: one run */
	struct annotation *annotation;		/* NULL: none */
	size_t index;				/* in the ranking, from 0 */
};

/* What the host has loaded; the study borrows it. */
struct browsed {
	struct run before, after;		  /* after.profile NULL: one run */
	const struct comparison *comparison;	  /* NULL: one run */
	struct runs_side runs_before, runs_after; /* of repeated runs; n is 0 or 1 otherwise */
	const struct known_times *times;
	double elapsed_before, elapsed_after; /* seconds; 0: not known */
	struct annotations *annotations;
	const char *command; /* operands and reading options, quoted for a shell */
};

/* What a view has worked out once and shows at each draw. */
struct kept {
	struct arena *arena; /* NULL: nothing is kept */
	const void *by;	     /* the view */
	const struct item *of;
	void *what; /* lies in the arena */
};

/* All operations that the browser shows; study_free() frees it. */
struct study {
	struct arena *arena;
	struct browsed browsed;
	struct kept kept;
	struct item *item; /* in the order of the ranking; one run: by self time */
	size_t n;
	size_t widest_name; /* in columns, with its layer */
	bool nested;	    /* calls of a run are known to lie within others */
};

/* What the browser shows of one reading; study_free() frees it. */
struct study *study_new(const struct browsed *s);
void study_free(struct study *s); /* NULL is fine */

/* Whether `by` has worked it out of the item (NULL: of all) before.  If not, what others
 * kept is gone, and kept.what is to be made in kept.arena. */
bool study_keeps(struct study *s, const void *by, const struct item *of);

/* Whether two runs are browsed. */
static inline bool study_compares(const struct study *s)
{
	return s->browsed.comparison != NULL;
}

const struct operation *item_operation(const struct item *i); /* either side's, before first */
struct scale item_scale(const struct study *s, const struct item *i);
/* What turns its latencies after into the unit before. */
double item_scale_after(const struct item *i);

const struct operation *item_side(const struct item *i, enum side side); /* NULL: absent */
/* Numbers of a side, latencies in the unit before; NAN where it is absent. */
double item_calls(const struct item *i, enum side side);
double item_total(const struct item *i, enum side side);
double item_self(const struct item *i, enum side side); /* without what lies below */
double item_mean(const struct item *i, enum side side);
double item_share(const struct study *s, const struct item *i); /* the larger of both sides */
/* What it gained in total latency for as many runs as before; one run: its total. */
double item_change(const struct study *s, const struct item *i);

/* The same operation in a single run of repeated ones; NULL where it is absent. */
const struct operation *operation_in(const struct profile *p, const struct operation *op);

#endif
