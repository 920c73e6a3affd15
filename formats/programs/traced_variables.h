/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables of a call in strace and ltrace: arguments, result, process. */
#ifndef FORMATS_PROGRAMS_TRACED_VARIABLES_H
#define FORMATS_PROGRAMS_TRACED_VARIABLES_H

#include <stdint.h>

#include "base/tables/number_map.h"
#include "formats/programs/traced_line.h"
#include "profile/variables.h"

/* Unfinished calls, with the text after their names. */
struct traced_begun {
	struct number_map of_thread;
	struct begun_call *v;
	size_t n, cap;
};

/* Frees the unfinished calls. */
void traced_begun_release(struct traced_begun *b);
/* Stores an unfinished call; thread 0: the trace does not show threads. */
void traced_begun_keep(struct traced_begun *b, uint64_t thread, struct str after_name);
/* Sets the variables of the last added call, which ends on this line. */
void traced_set_variables(struct traced_begun *b, struct variables *to, uint64_t thread,
			  const struct traced *t);

#endif
