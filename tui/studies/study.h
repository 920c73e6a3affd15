/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The data that the browser shows: one run, or two sides of a comparison.
 *
 * An item is one operation.  With one run, its histogram is `before`; there is no `after` and no
 * ranking.  Everything borrows from what the host loaded.
 */
#ifndef TUI_STUDIES_STUDY_H
#define TUI_STUDIES_STUDY_H

#include "profile/quantity.h"
#include "tui/browsed.h"
#include "tui/studies/story_study.h"

struct arena;

/* The sides of a comparison; one run has only SIDE_BEFORE. */
enum side { SIDE_BEFORE, SIDE_AFTER };
enum { N_SIDES = 2 };

/* One operation, on the sides that have it, with the user's annotation. */
struct item {
	const struct operation *before, *after; /* NULL where absent */
	const struct ranked *ranked;		/* NULL: one run */
	struct annotation *annotation;		/* NULL: none */
	size_t index;				/* position in the ranking, from 0 */
	double n_runs; /* that were added up, of one side that is not compared */
	double p50[N_SIDES], p99[N_SIDES]; /* of items that study_measure() has measured */
};

/* A result that a view computes once and draws many times. */
struct kept {
	struct arena *arena; /* NULL: nothing is kept */
	const void *by;	     /* the view that computed it */
	const struct item *of;
	void *what;		     /* the result, in the arena */
	void (*release)(void *what); /* frees what does not lie in the arena; NULL: nothing */
};

/* All operations that the browser shows; study_free() frees it. */
struct study {
	struct arena *arena;
	struct browsed browsed;
	struct kept kept;
	struct story_study stories;
	struct item *item; /* in the order of the ranking; of one run, by self time */
	size_t n, n_measured;
	size_t widest_name; /* in columns, with its layer */
	bool nested;	    /* some calls are known to be nested in others */
};

/* Returns the study of what the host loaded; study_free() frees it. */
struct study *study_new(const struct browsed *s);
void study_free(struct study *s); /* NULL is fine */
/* Finds quantiles of the next n items, which makes sorting by them quick; false when all have them. */
bool study_measure(struct study *s, size_t n);

/* Whether s->kept holds the result of view `by` for an item (NULL: for all).  If not, frees the
 * kept result; the caller must then compute kept.what in kept.arena. */
bool study_keeps(struct study *s, const void *by, const struct item *of);

/* Whether two runs are browsed. */
static inline bool study_compares(const struct study *s)
{
	return s->browsed.comparison != NULL;
}

const struct operation *item_operation(const struct item *i); /* before if present, else after */
struct scale item_scale(const struct study *s, const struct item *i);
/* Returns the factor that converts latencies after to the unit of the run before. */
double item_scale_after(const struct item *i);

const struct operation *item_side(const struct item *i, enum side side); /* NULL: absent */
/* Numbers of a side, per run, with latencies in the unit of the run before; NAN when it is absent.
 */
double item_calls(const struct item *i, enum side side);
double item_total(const struct item *i, enum side side);
double item_self(const struct item *i, enum side side); /* total without nested calls */
double item_mean(const struct item *i, enum side side);
/* Quantiles within their bucket. */
double item_p50(const struct study *s, const struct item *i, enum side side);
double item_p99(const struct study *s, const struct item *i, enum side side);
double item_share(const struct study *s, const struct item *i); /* the larger of both sides */
/* Returns the change of total latency, for as many runs as before; for one run, its total. */
double item_change(const struct study *s, const struct item *i);

/* Returns the same operation in one of the repeated runs; NULL when it is absent. */
const struct operation *operation_in(const struct profile *p, const struct operation *op);

#endif
