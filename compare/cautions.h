/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warns when the sides of a comparison do not belong together, or when its gate cannot see effects
 * as small as it should. */
#ifndef COMPARE_CAUTIONS_H
#define COMPARE_CAUTIONS_H

struct compared;
struct diag;

/* Fills c->caution of a comparison that is judged. */
void find_cautions(struct compared *c);
/* Reports them as diagnostics, if no text report shows them. */
void report_cautions(const struct compared *c, struct diag *diag);

#endif
