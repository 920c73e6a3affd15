/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses times in uftrace's format: "  3.466 ms", "  1.030  m". */
#ifndef FORMATS_PROGRAMS_UFTRACE_TIME_H
#define FORMATS_PROGRAMS_UFTRACE_TIME_H

#include <stdint.h>

#include "base/scan.h"

/* Takes a number and its unit, as ns.  The digits after the point are thousandths; for minutes they
 * are seconds, for hours minutes. */
MUST_CHECK bool scan_uftrace_time(struct cursor *c, uint64_t *ret_ns);

#endif
