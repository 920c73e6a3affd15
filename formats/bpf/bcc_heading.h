/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Headings of bcc's tables: text of any kind, where no key names the table.
 *
 *	fmu[381694] lock 0x55bb40a44060 contended 61 times, 16 avg msecs [max: ...
 *	    -
 *	    __lll_lock_wait_private
 *	     msecs               : count    distribution
 *
 * The first line names the operation; futexctn's also states the extremes and the mean.
 */
#ifndef FORMATS_BPF_BCC_HEADING_H
#define FORMATS_BPF_BCC_HEADING_H

#include "base/attr.h"
#include "formats/lines.h"

/* Returns whether all tables without a key have headings, which differ or are futexctn's: a single
 * one may be a warning or other noise. */
bool bcc_headings_differ(struct str text);
/* Returns the part of a heading that names the operation. */
struct str bcc_heading_name(struct str heading);
/* Pushes what the heading states of the current operation, whose table has this unit.  False when
 * an error was reported. */
MUST_CHECK bool bcc_heading_push(const struct lines *l, struct str heading, enum unit unit);

#endif
