/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is compressed, known by its content.  A file may hold several members (gzip),
 * frames (zstd) or streams (xz) after one another: they read as one.
 */
#ifndef BASE_EXPAND_H
#define BASE_EXPAND_H

#include "base/filter.h"

enum { EXPAND_HEAD = 6 }; /* bytes that decompressor_for() wants to see */

/* NULL: what begins so is not compressed. */
struct filter *decompressor_for(struct str head);

#endif
