/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes this machine, the same for all machines of its kind. */
#ifndef BASE_HOST_H
#define BASE_HOST_H

#include "base/str.h"

struct arena;

/* Returns "Intel(R) Xeon(R) CPU @ 2.20GHz, 2 processors": without the host name, which differs
 * for every machine that a CI service rents. */
struct str host_machine(struct arena *a);
struct str host_kernel(struct arena *a); /* "Linux 6.1.0-18-amd64 x86_64" */

#endif
