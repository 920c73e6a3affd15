/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/keymap.h"

#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "base/xalloc.h"

static const struct {
	const char *name, *help;
} actions[] = {
#define ACTION(id, name, help) { name, help },
#include "tui/actions.def"
#undef ACTION
};

const char *action_name(enum action a)
{
	return actions[a].name;
}

const char *action_help(enum action a)
{
	return actions[a].help;
}

bool action_by_name(struct str name, enum action *ret)
{
	for (size_t i = 0; i < COUNT_OF(actions); i++) {
		if (str_eq(name, str_from(actions[i].name))) {
			*ret = (enum action)i;
			return true;
		}
	}
	return false;
}

void keymap_bind(struct keymap *m, const char *where, keycode key, enum action action)
{
	m->v = xgrow(m->v, &m->cap, m->n + 1, sizeof(*m->v));
	m->v[m->n++] = (struct binding){ where, key, action };
}

static void bind_default(struct keymap *m, const char *where, const char *name, enum action action)
{
	keycode key;

	if (keycode_parse(str_from(name), &key))
		keymap_bind(m, where, key, action);
}

void keymap_init(struct keymap *m)
{
	*m = (struct keymap){ 0 };
#define KEY(where, name, action) bind_default(m, where, name, ACT_##action);
#include "tui/keys.def"
#undef KEY
}

void keymap_release(struct keymap *m)
{
	free(m->v);
}

/* Returns the last binding of a key whose `where` equals this one; NULL when there is none. */
static const struct binding *last_for(const struct keymap *m, const char *where, keycode key)
{
	for (size_t i = m->n; i-- > 0;) {
		if (m->v[i].key == key && strcmp(m->v[i].where, where) == 0)
			return &m->v[i];
	}
	return NULL;
}

enum action keymap_find(const struct keymap *m, const char *view, keycode key)
{
	const struct binding *b = last_for(m, view, key);

	if (b == NULL)
		b = last_for(m, "all", key);
	return b != NULL ? b->action : ACT_NONE;
}

void keymap_keys(const struct keymap *m, const char *view, enum action action, struct out *o)
{
	bool first = true;

	for (size_t i = 0; i < m->n; i++) {
		const struct binding *b = &m->v[i];
		bool ours = strcmp(b->where, view) == 0 || strcmp(b->where, "all") == 0;

		if (!ours || b->action != action || keymap_find(m, view, b->key) != action)
			continue;
		if (b != last_for(m, b->where, b->key))
			continue;
		if (!first)
			out_char(o, ' ');
		keycode_name(o, b->key);
		first = false;
	}
}
