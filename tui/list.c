/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/list.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

/* An item with what it is sorted by, computed once for each. */
struct sorted {
	const struct item *item;
	double order;
	struct str text; /* of columns of text */
};

struct order {
	size_t column;
	bool inverted;
};

static int compare_items(const void *pa, const void *pb, void *ctx)
{
	const struct sorted *a = pa, *b = pb;
	const struct order *o = ctx;
	int order;

	if (column_is_text(o->column))
		order = str_cmp(a->text, b->text);
	else if (isnan(a->order) || isnan(b->order)) /* last in either direction */
		return isnan(a->order) - isnan(b->order);
	else
		order = (a->order > b->order) - (a->order < b->order);
	if (order == 0)
		order = (a->item->index > b->item->index) - (a->item->index < b->item->index);
	return o->inverted ? -order : order;
}

static void sort_items(struct list *l)
{
	struct order order = { l->sort, l->inverted };
	struct sorted *v = xcalloc(l->n + 1, sizeof(*v));

	for (size_t i = 0; i < l->n; i++) {
		v[i].item = l->shown[i];
		if (column_is_text(l->sort))
			v[i].text = column_text(l->sort, l->shown[i]);
		else
			v[i].order = column_order(l->study, l->sort, l->shown[i]);
	}
	qsort_r(v, l->n, sizeof(*v), compare_items, &order);
	for (size_t i = 0; i < l->n; i++)
		l->shown[i] = v[i].item;
	free(v);
}

/* Filters and sorts the items again, and puts the cursor on `on` if it is listed. */
static void arrange_items(struct list *l, const struct item *on)
{
	l->n = 0;
	for (size_t i = 0; i < l->study->n; i++) {
		const struct item *item = &l->study->item[i];

		if (l->only_reported && item->ranked != NULL && !item->ranked->reported)
			continue;
		if (filter_holds(&l->filter, l->study, item))
			l->shown[l->n++] = item;
	}
	if (l->sort != COLUMN_RANK || l->inverted) /* items are stored in order of rank */
		sort_items(l);
	viewport_resize(&l->viewport, l->n, l->viewport.rows);
	list_go_to(l, on);
}

static void study_this(struct list *l, const struct study *s)
{
	l->study = s;
	l->shown = xreallocarray(l->shown, s->n + 1, sizeof(struct item *));
	if (!column_applies(s, l->sort))
		l->sort = COLUMN_RANK;
}

void list_init(struct list *l, const struct study *s)
{
	*l = (struct list){ .sort = COLUMN_RANK };
	study_this(l, s);
	arrange_items(l, NULL);
}

void list_release(struct list *l)
{
	free(l->shown);
	filter_release(&l->filter);
}

void list_restudy(struct list *l, const struct study *s)
{
	const struct item *on = list_current(l);
	size_t i = 0;

	while (on != NULL && i < s->n &&
	       operation_cmp_key(item_operation(&s->item[i]), item_operation(on)) != 0)
		i++;
	study_this(l, s);
	arrange_items(l, on != NULL && i < s->n ? &s->item[i] : NULL);
}

void list_sort_by(struct list *l, size_t column)
{
	l->inverted = column == l->sort && !l->inverted;
	l->sort = column;
	arrange_items(l, list_current(l));
}

void list_invert(struct list *l)
{
	l->inverted = !l->inverted;
	arrange_items(l, list_current(l));
}

void list_show_only_reported(struct list *l, bool only)
{
	l->only_reported = only;
	arrange_items(l, list_current(l));
}

bool list_filter(struct list *l, struct str text, struct str *ret_wrong)
{
	const struct item *on = list_current(l);

	if (!filter_parse(&l->filter, text, ret_wrong))
		return false;
	arrange_items(l, on);
	return true;
}

const struct item *list_current(const struct list *l)
{
	return l->n > 0 ? l->shown[l->viewport.cursor] : NULL;
}

void list_go_to(struct list *l, const struct item *item)
{
	for (size_t i = 0; i < l->n && item != NULL; i++) {
		if (l->shown[i] == item) {
			viewport_go(&l->viewport, i);
			return;
		}
	}
}

bool list_search(struct list *l, struct str text, bool forward, bool here)
{
	size_t step = forward ? 1 : l->n - 1, at = l->viewport.cursor;

	if (l->n == 0)
		return false;
	if (!here)
		at = (at + step) % l->n;
	for (size_t tried = 0; tried < l->n; tried++, at = (at + step) % l->n) {
		if (str_contains(item_operation(l->shown[at])->name, text)) {
			viewport_go(&l->viewport, at);
			return true;
		}
	}
	return false;
}
