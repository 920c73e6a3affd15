/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What strace and ltrace print of a call besides its duration: arguments, result, process. */
#ifndef FORMATS_PROGRAMS_TRACED_VARIABLES_H
#define FORMATS_PROGRAMS_TRACED_VARIABLES_H

#include <stdint.h>

#include "base/number_map.h"
#include "formats/programs/traced_line.h"
#include "profile/variables.h"

/* Calls that were begun on a line of their own: what stood after their name there. */
struct traced_begun {
	struct number_map of_thread;
	struct begun_call *v;
	size_t n, cap;
};

/* Frees the calls that have begun and not ended. */
void traced_begun_release(struct traced_begun *b);
/* The line of a call that ends elsewhere; thread 0: the trace does not name any. */
void traced_begun_keep(struct traced_begun *b, uint64_t thread, struct str after_name);
/* Sets the variables of the call that was added last, which this line ends. */
void traced_set_variables(struct traced_begun *b, struct variables *to, uint64_t thread,
			  const struct traced *t);

#endif
