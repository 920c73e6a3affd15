/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libFuzzer calls; tests/fuzz/replay.c calls it for kept inputs. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/out.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Messages are rendered, too: `ctx` is the out that holds the last one. */
static inline void fuzz_emit(void *ctx, const struct diag_msg *msg)
{
	struct out *o = ctx;

	out_reset(o);
	diag_render(o, msg);
}

static inline void fuzz_require(bool holds)
{
	if (!holds)
		abort();
}

#endif
