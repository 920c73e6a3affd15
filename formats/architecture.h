/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The architecture that a capture names, which decides how system calls are numbered. */
#ifndef FORMATS_ARCHITECTURE_H
#define FORMATS_ARCHITECTURE_H

#include "base/str.h"

/* Returns its name as it stands in the text, or "x86_64" and so on, deduced from names of kernel
 * functions; empty: not stated. */
struct str architecture_stated(struct str text);

#endif
