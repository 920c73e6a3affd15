/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/diag_kept.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "base/xalloc.h"

void diag_keep(void *kept, const struct diag_msg *msg)
{
	struct diag_kept *k = kept;
	struct out *o = out_to_memory();

	diag_render(o, msg);
	k->msg = xgrow(k->msg, &k->cap, k->n + 1, sizeof(*k->msg));
	k->msg[k->n++] = (struct diag_msg){
		.code = msg->code,
		.severity = msg->severity,
		.detail = msg->detail != NULL ? xstrdup(msg->detail) : NULL,
		.line = diag_line(msg),
		.rendered = xmemdup(out_memory(o).p, out_memory(o).n),
	};
	out_free(o);
}

void diag_forward(struct diag_kept *k, struct diag *diag)
{
	for (size_t i = 0; i < k->n; i++) {
		diag->seen[k->msg[i].severity]++;
		diag->truncated |= diag->lenient && k->msg[i].code == DIAG_INPUT_TRUNCATED;
		if (diag->emit != NULL)
			diag->emit(diag->ctx, &k->msg[i]);
	}
	diag_kept_release(k);
}

void diag_kept_release(struct diag_kept *k)
{
	for (size_t i = 0; i < k->n; i++) {
		free((void *)(uintptr_t)k->msg[i].detail);
		free((void *)(uintptr_t)k->msg[i].rendered);
	}
	free(k->msg);
	*k = (struct diag_kept){ NULL, 0, 0 };
}
