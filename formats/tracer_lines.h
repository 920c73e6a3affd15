/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that tracers print between their measurements: times of day, errors, losses. */
#ifndef FORMATS_TRACER_LINES_H
#define FORMATS_TRACER_LINES_H

#include <stdint.h>

#include "base/str.h"

/* Whether the line states the time of day: "13:19:35", perhaps after a date or before other
 * text. */
bool is_time_line(struct str line, double *ret_seconds);
/* "WARNING: ...", "stdin:1:2-3: ERROR: ...", "Failed to map_update_elem ...". */
bool is_collector_error(struct str line, struct str *ret_text);
/* "Lost 12 events". */
bool is_loss(struct str line, uint64_t *ret_events);

#endif
