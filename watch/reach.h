/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WATCH_REACH_H
#define WATCH_REACH_H

#include "watch/report.h"

struct diag;

/* Says which changes can be found: now, if there is a reference, otherwise as time passes. */
void reach_note(struct diag *diag, const struct reported_start *s);

#endif
