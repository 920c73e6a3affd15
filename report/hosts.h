/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports on comparisons whose replicates are hosts. */
#ifndef REPORT_HOSTS_H
#define REPORT_HOSTS_H

#include <stdbool.h>

struct comparison;
struct jout;
struct out;

/* Prints a paragraph about outlier hosts, the farthest first; nothing when hosts are not the
 * replicates. */
void say_outlier_hosts(struct out *o, const struct comparison *c, bool markdown);
/* Writes the member `hosts` when hosts are the replicates. */
void jout_hosts(struct jout *j, const struct comparison *c);

#endif
