/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A context, and how calls of the library are run. */
#ifndef LIBRARY_CONTEXT_H
#define LIBRARY_CONTEXT_H

#include <stdbool.h>

#include "base/diag.h"
#include "library/compare.h"
#include "library/pool.h"
#include "options/options.h"

/* Strings and arrays of a context are not of a pool, also where a callback of a call adds them. */
struct context_option {
	char *name, *value; /* value NULL: none */
};

struct context_input {
	int side;
	char *name;
	const void *bytes; /* borrowed; NULL: a path */
	size_t n;
};

struct osc_context {
	osc_message_fn *message; /* may be NULL */
	void *message_arg;
	struct context_option *option;
	struct context_input *input;
	size_t n_options, n_inputs;
};

/* Runs body(arg) in a pool, with errors of GSL left to its callers; OSC_NO_MEMORY if memory ran
 * out, else OSC_OK. */
int call_run(struct pool *pool, void (*body)(void *arg), void *arg);

/* The rest is for use within call_run(). */

/* Returns where messages of this context go. */
struct diag context_diag(const struct osc_context *context);
/* Sets the options of a context; false when an error was reported. */
MUST_CHECK bool context_set_options(const struct osc_context *context, struct options *ret,
				    struct diag *diag);
/* Sets the operands to the inputs of both sides, or of the one before only. */
MUST_CHECK bool context_set_inputs(const struct osc_context *context, bool both,
				   struct load_options *ret, struct diag *diag);

/* Where an output goes, and how that ended. */
struct rendering {
	osc_write_fn *to;
	void *to_arg;
	int status;
};
struct out;
/* Runs body(arg), which writes one output, in a pool of its own; returns a status. */
int rendering_run(struct rendering *r, void (*body)(void *arg), void *arg);
/* Passes an output in memory to the callback, and frees it. */
void rendering_pass(struct rendering *r, struct out *o);

/* Copies at most the known bytes of a structure, of which the caller knows `size`; false if that is
 * less than `first`, those of the first version. */
bool copy_sized(void *to, size_t size, const void *from, size_t known, size_t first);

#endif
