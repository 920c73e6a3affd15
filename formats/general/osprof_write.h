/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writing half of formats/general/osprof.c. */
#ifndef FORMATS_GENERAL_OSPROF_WRITE_H
#define FORMATS_GENERAL_OSPROF_WRITE_H

#include <stdbool.h>

struct diag;
struct out;
struct profile;

/* Writes each operation's whole run, then its intervals; never fails. */
bool osprof_write(const struct profile *p, struct out *o, struct diag *diag);

#endif
