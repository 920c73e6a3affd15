/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What actions do: the view's own first, then those that work everywhere. */
#include "tui/ask.h"

static bool open_by_action(struct tui *t, enum action a)
{
	for (size_t i = 0; view_class_at(i) != NULL; i++) {
		if (view_class_at(i)->opens == a) {
			tui_open(t, view_class_at(i));
			return true;
		}
	}
	return false;
}

/* Closes the help view, but no other; else leaves the words, or shows what a filter hid. */
static void cancel_view(struct tui *t)
{
	if (tui_view(t)->cls == &view_help && t->at > 0)
		t->at--;
	else if (t->words.focused)
		t->words.focused = false;
	else
		(void)ask_unfilter(t);
}

static bool go_to(struct tui *t, enum action a)
{
	switch (a) {
	case ACT_QUIT:
		t->done = t->at == 0;
		t->at -= t->at > 0;
		return true;
	case ACT_BACK:
		t->at -= t->at > 0;
		return true;
	case ACT_FORWARD:
		t->at += t->at + 1 < t->n_visited;
		return true;
	case ACT_CANCEL:
		cancel_view(t);
		return true;
	case ACT_LEAVE:
		t->done = true;
		return true;
	default:
		return open_by_action(t, a);
	}
}

static bool step_operation(struct tui *t, enum action a)
{
	if (a != ACT_PREVIOUS_OPERATION && a != ACT_NEXT_OPERATION)
		return false;
	viewport_act(&t->list.viewport, a == ACT_NEXT_OPERATION ? ACT_DOWN : ACT_UP);
	t->zoom = (struct zoom){ 0 };
	return true;
}

bool tui_act(struct tui *t, enum action a)
{
	struct view *v = tui_view(t);

	t->messages.fresh = false;
	if (v->cls->act != NULL && v->cls->act(v, t, a))
		return !t->done;
	if (v->cls->write != NULL && viewport_scroll(&v->viewport, a))
		return !t->done;
	if (!step_operation(t, a) && !go_to(t, a) && !ask_act(t, a))
		tui_say(t, SEV_NOTE, "%s: not in this view; ? shows its keys", action_name(a));
	return !t->done;
}
