/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports what a tree of calls leaves out of a trace: lost, unfinished and unmatched events. */
#ifndef LOAD_CAUSES_MET_H
#define LOAD_CAUSES_MET_H

#include "calls/call_grow.h"

struct diag;

/* Reports notes and warnings about a trace that was read to its end; `function` is the one asked
 * for. */
void causes_report_met(const char *path, const char *function, const struct call_grow *g,
		       struct diag *diag);

#endif
