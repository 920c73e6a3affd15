/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangles C++ function names in the way of uftrace dump: a folder and its dump must name
 * functions alike, but the demanglers of libraries also print templates and types. */
#ifndef FORMATS_PROGRAMS_CXX_NAME_H
#define FORMATS_PROGRAMS_CXX_NAME_H

#include "base/str.h"

struct arena;

/* Converts "_ZN4shop5StoreIiE3putERKi" to "shop::Store::put", without arguments and template
 * arguments.  Returns symbols that are not mangled, or not understood, unchanged. */
struct str cxx_name(struct arena *a, struct str symbol);

#endif
