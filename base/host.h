/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this machine is, in words that are the same for machines of its kind. */
#ifndef BASE_HOST_H
#define BASE_HOST_H

#include "base/str.h"

struct arena;

/* "Intel(R) Xeon(R) CPU @ 2.20GHz, 2 processors": no host name, which is another one on
 * every machine that a CI service rents. */
struct str host_machine(struct arena *a);
struct str host_kernel(struct arena *a); /* "Linux 6.1.0-18-amd64 x86_64" */

#endif
