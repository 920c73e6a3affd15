/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a capture records of each call besides its latency: arguments, results, sizes, sectors,
 * processes (OSprof 3.1, value correlation).  Readers push it, analyze/values.h asks which of
 * it separates the peaks.
 *
 *	variables_call(v, layer, name, latency);
 *	variables_set(v, variables_column(v, STR("BYTES"), VARIABLE_SIZE), field, STR(""));
 *
 * One array for each variable, 12 bytes a call.
 */
#ifndef PROFILE_VARIABLES_H
#define PROFILE_VARIABLES_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/str_table.h"
#include "profile/unit.h"

struct arena;

/* What a variable is, which decides what else is derived from it. */
enum variable_role {
	VARIABLE_PLAIN,	   /* a number where its text is one */
	VARIABLE_LABEL,	   /* names something, even by a number: a process, a processor */
	VARIABLE_POSITION, /* its distance from the call before is derived */
	VARIABLE_SIZE,	   /* its power of two is derived */
	VARIABLE_RESULT,   /* whether it is 0 is derived */
};

/* What a call has of a variable. */
enum { CELL_MISSING, CELL_NUMBER, CELL_TEXT };

/* One recorded or derived variable: a value, or none, for each call. */
struct variable {
	struct str name;
	enum variable_role role;
	const struct variable *from; /* what it is derived from; NULL: it was recorded */
	uint32_t *kind; /* of each call: CELL_MISSING, CELL_NUMBER, CELL_TEXT + its text's number */
	double *number; /* of each call that has one */
	struct str_table texts;
	size_t n; /* calls; those after them have none */

	/* Its own. */
	size_t cap_kind, cap_number;
	struct variable *derived;
	struct str_table streams; /* of positions: whose distance is taken */
	double *before;
	size_t cap_before;
};

/* An operation whose calls have variables. */
struct traced_operation {
	struct str layer, name;
};

/* All calls of a capture with their variables, by number of the call; lives in its arena. */
struct variables {
	struct arena *arena;
	uint32_t *operation; /* of each call */
	double *latency;
	size_t n;
	struct traced_operation *operations;
	size_t n_operations;
	struct variable **v;
	size_t n_v;
	enum unit unit; /* of latencies; UNIT_UNKNOWN: not stated */

	/* Its own. */
	size_t cap_operation, cap_latency, cap_operations, cap_v;
	struct str_table layers, names, pairs;
};

/* No variables yet; variables_free() frees them. */
struct variables *variables_new(void);
void variables_free(struct variables *v); /* NULL is fine */

/* The next call; what is set from now on is of it. */
void variables_call(struct variables *v, struct str layer, struct str name, double latency);
/* The number of a variable, which is added when it is new. */
size_t variables_column(struct variables *v, struct str name, enum variable_role role);
/* Of the last call.  Empty text is nothing.  The distance of a position is the one to the
 * position before it in the same stream, such as a disk; of other roles it does not matter. */
void variables_set(struct variables *v, size_t column, struct str value, struct str stream);
/* What follows is of another run: no position is before it. */
void variables_next_run(struct variables *v);

/* What a usual name stands for: "pid", "SECTOR", "block size". */
enum variable_role variable_role_of(struct str name);

/* The number of the value that a call has of a variable. */
static inline uint32_t variable_kind(const struct variable *v, size_t call)
{
	return call < v->n ? v->kind[call] : CELL_MISSING;
}

#endif
