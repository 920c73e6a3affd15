/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of C++ functions out of their symbols, as uftrace dump prints them. */
#ifndef FORMATS_PROGRAMS_CXX_NAME_H
#define FORMATS_PROGRAMS_CXX_NAME_H

#include "base/str.h"

struct arena;

/* "_ZN4shop5StoreIiE3putERKi": "shop::Store::put", without arguments, those of templates, too.
 * What is none, or has something that is not known, stays as it is. */
struct str cxx_name(struct arena *a, struct str symbol);

#endif
