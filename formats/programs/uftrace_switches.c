/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/programs/uftrace_switches.h"

#include <stdlib.h>

#include "base/xalloc.h"

void uftrace_switch_add(struct uftrace_switches *s, struct uftrace_switch one)
{
	s->v = xgrow(s->v, &s->cap, s->n + 1, sizeof(*s->v));
	s->v[s->n++] = one;
}

static int by_thread(const void *a, const void *b)
{
	const struct uftrace_switch *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->back - y->back;
}

uint64_t uftrace_switches_push(struct uftrace_switches *s, struct call_sink *to)
{
	const struct uftrace_switch *left = NULL;
	uint64_t alone = 0;

	if (s->n > 0)
		qsort(s->v, s->n, sizeof(*s->v), by_thread);
	for (size_t i = 0; i < s->n; i++) {
		const struct uftrace_switch *one = &s->v[i];

		if (left != NULL && left->tid != one->tid)
			left = NULL;
		alone += i > 0 && one[-1].tid == one->tid && one[-1].back == one->back;
		if (!one->back) {
			left = one;
		} else if (left != NULL) {
			struct call_wait w = { .thread = { one->tid, 0 },
					       .start = (int64_t)left->ns,
					       .end = (int64_t)one->ns,
					       .kind = left->preempted ? CALL_IS_PREEMPTED
								       : CALL_IS_BLOCKED };

			to->class->wait(to, &w);
			left = NULL;
		}
	}
	return alone;
}

void uftrace_switches_release(struct uftrace_switches *s)
{
	free(s->v);
}
