/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times as uftrace prints them: "  3.466 ms", "  1.030  m". */
#ifndef FORMATS_PROGRAMS_UFTRACE_TIME_H
#define FORMATS_PROGRAMS_UFTRACE_TIME_H

#include <stdint.h>

#include "base/scan.h"

/* Takes a number and its unit, as nanoseconds.  After the point stand thousandths;
 * of minutes seconds, of hours minutes. */
MUST_CHECK bool scan_uftrace_time(struct cursor *c, uint64_t *ret_ns);

#endif
