/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that outlive a crash. */
#ifndef WATCH_DURABLE_H
#define WATCH_DURABLE_H

#include "base/attr.h"
#include "base/str.h"

/* Creates or empties the file and writes all of it to the disk.  False, with errno: what is there
 * of it is of no use. */
MUST_CHECK bool durable_write(int folder, const char *name, unsigned mode, struct str text);

#endif
