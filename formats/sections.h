/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text in which several tools wrote one after the other: an issue with the reports of two.
 *
 * Parts are found by blank lines, and each is probed alone.  What has no marks may belong to the part
 * above it or to that below.
 */
#ifndef FORMATS_SECTIONS_H
#define FORMATS_SECTIONS_H

#include "base/attr.h"
#include "formats/candidate.h"

/* If several formats wrote the text, leaves in the input what is of `named`, else of the candidate,
 * else of the first, and makes that the candidate; a warning says what is not read.  False when an
 * error was reported. */
MUST_CHECK bool sections_choose(const struct format *named, struct input *in, struct candidate *c,
				struct diag *diag);

#endif
