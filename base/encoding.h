/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text by its byte order mark: UTF-16, as Windows' shells write what they redirect, into
 * UTF-8.  In UTF-8 the mark itself is no part of the text.
 */
#ifndef BASE_ENCODING_H
#define BASE_ENCODING_H

#include "base/filter.h"

enum { ENCODING_HEAD = 3 }; /* bytes that both want to see */

/* Which passes over the mark; NULL: what begins so is no UTF-16 with one. */
struct filter *decoder_for(struct str head);

#endif
