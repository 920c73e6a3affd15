/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user's configuration: keys, colours and a few settings, one per line.
 *
 *	bind all Ctrl-n down		view or all, key, action
 *	color before 39 bold		face, number or name of a colour, attributes
 *	set mouse on			also: ascii, band, linear
 */
#ifndef TUI_CONFIG_H
#define TUI_CONFIG_H

#include "base/attr.h"
#include "canvas/canvas.h"
#include "tui/keymap.h"

struct diag;
struct input;

enum { COLOR_OWN = -1, COLOR_UNSET = -2 };

/* The configured look of a face. */
struct face_choice {
	short color; /* 0 to 255; COLOR_OWN: the terminal's; COLOR_UNSET: the default */
	bool bold, underline, reverse;
};

/* A parsed configuration; config_release() frees what it owns. */
struct config {
	struct binding *binding; /* on the heap */
	size_t n_bindings, cap_bindings;
	struct face_choice face[N_FACES];
	bool mouse, ascii, no_band, linear;
};

/* Sets the defaults. */
void config_init(struct config *c);
/* Frees what was read. */
void config_release(struct config *c);
/* Adds the settings of a file; false, after reporting the line, when one is invalid. */
MUST_CHECK bool config_read(struct config *c, struct input *in, struct diag *diag);
void config_bind(const struct config *c, struct keymap *m);

#endif
