/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the sides of a comparison belong together, and whether its gate can see what
 * it asks for. */
#ifndef COMPARE_CAUTIONS_H
#define COMPARE_CAUTIONS_H

struct compared;
struct diag;

/* Fills c->caution of a comparison that is judged. */
void find_cautions(struct compared *c);
/* The same as diagnostics, where no text report has them. */
void report_cautions(const struct compared *c, struct diag *diag);

#endif
