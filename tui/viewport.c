/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/viewport.h"

/* Moves the cursor into the list, and the visible part to the cursor. */
static void settle_cursor(struct viewport *p)
{
	size_t rows = p->rows > 0 ? p->rows : 1;

	if (p->cursor >= p->n)
		p->cursor = p->n > 0 ? p->n - 1 : 0;
	if (p->cursor < p->top)
		p->top = p->cursor;
	if (p->cursor >= p->top + rows)
		p->top = p->cursor - rows + 1;
	if (p->top + rows > p->n)
		p->top = p->n > rows ? p->n - rows : 0;
}

void viewport_resize(struct viewport *p, size_t n, unsigned rows)
{
	p->n = n;
	p->rows = rows;
	settle_cursor(p);
}

void viewport_go(struct viewport *p, size_t cursor)
{
	p->cursor = cursor;
	settle_cursor(p);
}

bool viewport_act(struct viewport *p, enum action a)
{
	size_t page = p->rows > 1 ? p->rows - 1 : 1, at = p->cursor;

	switch (a) {
	case ACT_DOWN:
		at++;
		break;
	case ACT_UP:
		at -= at > 0;
		break;
	case ACT_PAGE_DOWN:
		at += page;
		break;
	case ACT_PAGE_UP:
		at -= at < page ? at : page;
		break;
	case ACT_FIRST:
		at = 0;
		break;
	case ACT_LAST:
		at = p->n;
		break;
	default:
		return false;
	}
	viewport_go(p, at);
	return true;
}

bool viewport_scroll(struct viewport *p, enum action a)
{
	size_t page = p->rows > 1 ? p->rows - 1 : 1, last = p->n > p->rows ? p->n - p->rows : 0;

	switch (a) {
	case ACT_DOWN:
		p->top++;
		break;
	case ACT_UP:
		p->top -= p->top > 0;
		break;
	case ACT_PAGE_DOWN:
		p->top += page;
		break;
	case ACT_PAGE_UP:
		p->top -= p->top < page ? p->top : page;
		break;
	case ACT_FIRST:
		p->top = 0;
		break;
	case ACT_LAST:
		p->top = last;
		break;
	default:
		return false;
	}
	p->top = p->top < last ? p->top : last;
	return true;
}
