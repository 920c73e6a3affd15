/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hash tables: uthash, set up to end the program when memory is exhausted. */
#ifndef BASE_TABLES_HASH_H
#define BASE_TABLES_HASH_H

#include "base/xalloc.h"

#define uthash_fatal(message) xalloc_die()
#include <uthash.h>

#endif
