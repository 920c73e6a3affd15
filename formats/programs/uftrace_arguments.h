/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments in records of uftrace; the file `info` specifies their sizes for each function. */
#ifndef FORMATS_PROGRAMS_UFTRACE_ARGUMENTS_H
#define FORMATS_PROGRAMS_UFTRACE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct call_sink;
struct uftrace_spec;
struct uftrace_specs;

/* Parses argspec, retspec, argauto and retauto of a file `info`. */
struct uftrace_specs *uftrace_specs_new(struct str info);
void uftrace_specs_free(struct uftrace_specs *s);

/* Returns the specification of a function; NULL if there is none. */
const struct uftrace_spec *uftrace_spec_of(struct uftrace_specs *s, struct str name, bool results);
/* Passes each argument, or the result, to the sink, which may be NULL.  Returns the number of bytes that they take,
 * including padding; at most `n`. */
size_t uftrace_arguments(const struct uftrace_spec *spec, const unsigned char *bytes, size_t n,
			 struct call_sink *to);

#endif
