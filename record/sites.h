/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where calls come from, in words. */
#ifndef RECORD_SITES_H
#define RECORD_SITES_H

#include <stdint.h>

struct ring;
struct sites;

struct sites *sites_new(const struct ring *r); /* borrows r */
void sites_free(struct sites *s);

/* The site of a record as osprof-calls(5) has it, "" when it is not known. Each is looked
 * up once; the text is that of the same place in any run. */
const char *site_text(struct sites *s, uint32_t site);

#endif
