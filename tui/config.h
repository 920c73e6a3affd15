/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user's configuration: keys, colours and a few settings, one a line.
 *
 *	bind all Ctrl-n down		view or all, key, action
 *	color before 39 bold		face, number or name of a colour, attributes
 *	set mouse on			also: ascii, band, linear
 */
#ifndef TUI_CONFIG_H
#define TUI_CONFIG_H

#include "base/attr.h"
#include "tui/canvas.h"
#include "tui/keymap.h"

struct diag;
struct input;

enum { COLOR_OWN = -1, COLOR_UNSET = -2 };

/* How a face is to be shown instead. */
struct face_choice {
	short color; /* 0 to 255, COLOR_OWN: the terminal's, COLOR_UNSET: as it is */
	bool bold, underline, reverse;
};

/* What the configuration file says; config_release() frees what it owns. */
struct config {
	struct binding *binding; /* on the heap */
	size_t n_bindings, cap_bindings;
	struct face_choice face[N_FACES];
	bool mouse, ascii, no_band, linear;
};

/* The defaults. */
void config_init(struct config *c);
/* Frees what was read. */
void config_release(struct config *c);
/* Adds what the file says; false when a line is not understood, which has been said. */
MUST_CHECK bool config_read(struct config *c, struct input *in, struct diag *diag);
void config_bind(const struct config *c, struct keymap *m);

#endif
