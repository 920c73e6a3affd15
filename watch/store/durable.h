/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing files that survive a crash of the system. */
#ifndef WATCH_STORE_DURABLE_H
#define WATCH_STORE_DURABLE_H

#include "base/attr.h"
#include "base/str.h"

/* Creates or truncates a file, writes the text and syncs it to the disk.  False: see errno; the
 * file is incomplete. */
MUST_CHECK bool durable_write(int folder, const char *name, unsigned mode, struct str text);

#endif
