/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: how far each quantile of an operation moved. */
#ifndef TUI_QUANTILES_H
#define TUI_QUANTILES_H

#include "tui/state.h"

/* Draws a bar for the shift of each quantile. */
void quantiles_draw(struct canvas *c, const struct tui *t, const struct item *i);

#endif
