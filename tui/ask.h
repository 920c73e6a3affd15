/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: actions that ask for something, or do it with the list or the host. */
#ifndef TUI_ASK_H
#define TUI_ASK_H

#include "tui/state.h"

bool ask_act(struct tui *t, enum action a); /* false: not one of them */
void ask_key(struct tui *t, keycode key);   /* while something is asked */

/* What export and copy write. */
enum export {
	EXPORT_SCREEN,
	EXPORT_TEXT,
	EXPORT_CSV,
	EXPORT_JSON,
	EXPORT_MARKDOWN,
	EXPORT_FIGURE,
};
/* The listed operations in a report's output format, in the list's order. */
void export_table(struct out *o, const struct tui *t, enum export what);
void export_screen(struct out *o, struct tui *t);
/* The command line that prints what the view shows. */
void export_command(struct out *o, const struct tui *t);

#endif
