/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hosts as replicates, in reports. */
#ifndef REPORT_HOSTS_H
#define REPORT_HOSTS_H

#include <stdbool.h>

struct comparison;
struct jout;
struct out;

/* A paragraph about outlier hosts, the farthest first; nothing where hosts are not the replicates.
 */
void say_outlier_hosts(struct out *o, const struct comparison *c, bool markdown);
/* The member `hosts`, where they are. */
void jout_hosts(struct jout *j, const struct comparison *c);

#endif
