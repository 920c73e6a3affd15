/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys to actions.
 *
 * One list of bindings: the defaults of tui/keys.def, then what the user's
 * configuration adds.  A later binding wins over an earlier one, and one for a view
 * over one for all.
 */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include <stddef.h>

#include "tui/key.h"

/* What a key can do: the lines of tui/actions.def. */
enum action {
#define ACTION(id, name, help) ACT_##id,
#include "tui/actions.def"
#undef ACTION
};
enum { N_ACTIONS = ACT_CANCEL + 1 };

/* The name of an action in the configuration. */
const char *action_name(enum action a);
/* What an action does, as the help view says it. */
const char *action_help(enum action a);
/* False when no action has this name. */
MUST_CHECK bool action_by_name(struct str name, enum action *ret);

/* One key's action in a view. */
struct binding {
	const char *where; /* a view's name, or "all"; static */
	keycode key;
	enum action action;
};

/* All bindings, the later ones first in effect; keymap_release() frees them. */
struct keymap {
	struct binding *v; /* on the heap */
	size_t n, cap;
};

void keymap_init(struct keymap *m); /* with the defaults */
void keymap_release(struct keymap *m);
void keymap_bind(struct keymap *m, const char *where, keycode key, enum action action);
enum action keymap_find(const struct keymap *m, const char *view, keycode key);

/* The keys of an action in a view, "j Down"; nothing when there is none. */
void keymap_keys(const struct keymap *m, const char *view, enum action action, struct out *o);

#endif
