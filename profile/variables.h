/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variables: what a capture records of each call besides its latency, such as arguments, results,
 * sizes, sectors, processes (OSprof 3.1, value correlation).  Readers push them, and
 * analyze/values/values.h finds those that separate the peaks.
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
#include "base/tables/str_table.h"
#include "profile/unit.h"

struct arena;

/* The role of a variable, which decides what is derived from it. */
enum variable_role {
	VARIABLE_PLAIN,	   /* a number if its text is one */
	VARIABLE_LABEL,	   /* names something, even by a number: a process, a processor */
	VARIABLE_POSITION, /* derives the distance from the position before */
	VARIABLE_SIZE,	   /* derives the power of two at or below it */
	VARIABLE_RESULT,   /* derives whether it is 0 */
};

/* The kinds of value that a call has for a variable. */
enum { CELL_MISSING, CELL_NUMBER, CELL_TEXT };

/* One recorded or derived variable: a value, or none, for each call. */
struct variable {
	struct str name;
	enum variable_role role;
	const struct variable *from; /* what it is derived from; NULL: it was recorded */
	uint32_t *kind; /* by call: CELL_MISSING, CELL_NUMBER, or CELL_TEXT + number of the text */
	double *number; /* by call, valid for CELL_NUMBER */
	struct str_table texts;
	size_t n; /* calls in these arrays; later calls have no value */

	/* Private. */
	size_t cap_kind, cap_number;
	struct variable *derived;
	struct str_table streams; /* of a position */
	double *before;		  /* last position by stream */
	size_t cap_before;
};

/* An operation whose calls have variables. */
struct traced_operation {
	struct str layer, name;
};

/* All calls of a capture, in order, with their variables; variables_free() frees them. */
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

	/* Private. */
	size_t cap_operation, cap_latency, cap_operations, cap_v;
	struct str_table layers, names, pairs;
};

/* Returns an empty table; variables_free() frees it. */
struct variables *variables_new(void);
void variables_free(struct variables *v); /* NULL is fine */

/* Adds a call; variables_set() applies to it. */
void variables_call(struct variables *v, struct str layer, struct str name, double latency);
/* Returns the number of a variable, which is added if new. */
size_t variables_column(struct variables *v, struct str name, enum variable_role role);
/* Sets a variable of the last call; empty text sets nothing.  The distance of a position is that
 * to the last position in the same stream, such as a disk; other roles do not use `stream`. */
void variables_set(struct variables *v, size_t column, struct str value, struct str stream);
/* Begins another run: its first positions have no distance. */
void variables_next_run(struct variables *v);

/* Returns the role that a common name has: "pid", "SECTOR", "block size". */
enum variable_role variable_role_of(struct str name);

/* Returns what a call has for a variable, as in variable.kind. */
static inline uint32_t variable_kind(const struct variable *v, size_t call)
{
	return call < v->n ? v->kind[call] : CELL_MISSING;
}

#endif
