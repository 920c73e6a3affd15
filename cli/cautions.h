/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the sides of a comparison belong together, and whether its gate can see what
 * it asks for. */
#ifndef CLI_CAUTIONS_H
#define CLI_CAUTIONS_H

struct compared;
struct diag;
struct settings;

/* Fills c->caution of a comparison that is judged.  Text reports print them; other
 * dresses hold them, and then they are said as diagnostics, too. */
void find_cautions(struct compared *c, const struct settings *s, struct diag *diag);

#endif
