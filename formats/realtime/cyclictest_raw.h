/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of cyclictest -v, "       0:       7:      65": thread, cycle, latency. */
#ifndef FORMATS_REALTIME_CYCLICTEST_RAW_H
#define FORMATS_REALTIME_CYCLICTEST_RAW_H

#include "formats/format.h"

/* Whether this is a line of cyclictest -v. */
bool cyclictest_is_raw(struct str line);
bool cyclictest_is_histogram(struct str line); /* the head of a histogram */

/* Reads these lines as samples, in constant memory.  If the head of a histogram follows, they do
 * not count: then *ret_histogram is set, and the input begins at the head.  False when an error was
 * reported. */
MUST_CHECK bool cyclictest_read_raw(struct input *in, const struct read_options *options,
				    struct builder *to, bool *ret_histogram, struct diag *diag);

#endif
