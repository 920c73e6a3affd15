/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of C++ functions out of their symbols, as uftrace dump prints them: a folder and its dump
 * have to name functions alike, and the demanglers of libraries print templates and types, too. */
#ifndef FORMATS_PROGRAMS_CXX_NAME_H
#define FORMATS_PROGRAMS_CXX_NAME_H

#include "base/str.h"

struct arena;

/* "_ZN4shop5StoreIiE3putERKi": "shop::Store::put", without arguments, those of templates, too.
 * What is none, or has something that is not known, stays as it is. */
struct str cxx_name(struct arena *a, struct str symbol);

#endif
