/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operands that name captures which come with osprof: `example:randread-1`.
 *
 * They are those of testdata/ that the manual names, and are installed with it.
 */
#ifndef PROGRAM_EXAMPLES_H
#define PROGRAM_EXAMPLES_H

#include <stdbool.h>

#include "base/attr.h"

struct diag;
struct settings;

/* Replaces such operands by paths, which the settings own; false when an error was reported. */
MUST_CHECK bool examples_resolve(struct settings *s, struct diag *diag);
void examples_release(struct settings *s);

#endif
