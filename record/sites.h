/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes call sites as text. */
#ifndef RECORD_SITES_H
#define RECORD_SITES_H

#include <stdint.h>

struct diag;
struct ring;
struct sites;

/* Reports if sites cannot be named, because this osprof was built without libdw. */
void sites_check(struct diag *diag);

struct sites *sites_new(const struct ring *r); /* borrows r */
void sites_free(struct sites *s);

/* Returns the site of a record as in osprof-calls(5); "": not known. Each is looked up once. The
 * same site has the same text in every run. */
const char *site_text(struct sites *s, uint32_t site);

#endif
