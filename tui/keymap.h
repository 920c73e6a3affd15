/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Maps keys to actions.
 *
 * The bindings are one list: the defaults of tui/keys.def, then those of the user's
 * configuration.  A later binding overrides an earlier one, and a binding for a view overrides
 * one for all.
 */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include <stddef.h>

#include "tui/key.h"

/* The actions of tui/actions.def. */
enum action {
#define ACTION(id, name, help) ACT_##id,
#include "tui/actions.def"
#undef ACTION
};
enum { N_ACTIONS = ACT_CANCEL + 1 };

/* The name of an action in the configuration. */
const char *action_name(enum action a);
/* The description of an action in the help view. */
const char *action_help(enum action a);
/* False when no action has this name. */
MUST_CHECK bool action_by_name(struct str name, enum action *ret);

/* The action of one key in a view. */
struct binding {
	const char *where; /* a view's name, or "all"; static */
	keycode key;
	enum action action;
};

/* All bindings; later ones take precedence.  keymap_release() frees them. */
struct keymap {
	struct binding *v; /* on the heap */
	size_t n, cap;
};

void keymap_init(struct keymap *m); /* with the defaults */
void keymap_release(struct keymap *m);
void keymap_bind(struct keymap *m, const char *where, keycode key, enum action action);
enum action keymap_find(const struct keymap *m, const char *view, keycode key);

/* Prints the keys of an action in a view, "j Down"; nothing when there are none. */
void keymap_keys(const struct keymap *m, const char *view, enum action action, struct out *o);

#endif
