/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Within tui/: actions that prompt the user, or that work on the list or through the host. */
#ifndef TUI_ASK_H
#define TUI_ASK_H

#include "tui/state.h"

bool ask_act(struct tui *t, enum action a); /* false: not one of these actions */
/* Handles a key while the prompt is open; true when a command was entered, which the prompt
 * holds. */
bool ask_key(struct tui *t, keycode key);

void ask_filter(struct tui *t, struct str text);
bool ask_unfilter(struct tui *t); /* shows all operations; false when none was hidden */
void ask_sort(struct tui *t, size_t column);
/* Writes the listed operations, or a figure, in the format of the path's suffix. */
void ask_write(struct tui *t, const char *path);

/* What export and copy can write. */
enum export {
	EXPORT_SCREEN,
	EXPORT_TEXT,
	EXPORT_CSV,
	EXPORT_JSON,
	EXPORT_MARKDOWN,
	EXPORT_HTML,
	EXPORT_FIGURE,
};
/* Writes the listed operations as a report in the format `what`, in the order of the list. */
void export_table(struct out *o, const struct tui *t, enum export what);
void export_screen(struct out *o, struct tui *t);
/* Writes the command line that prints what the view shows. */
void export_command(struct out *o, const struct tui *t);

#endif
