/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a policy: it is read, or there is one error, with its place. */
#include <stdlib.h>

#include "analyze/rank/policy.h"
#include "base/diag.h"
#include "tests/fuzz/fuzz.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct operation op = { .name = STR_INIT("read"), .layer = STR_INIT("ext4") };
	struct ranked r = { .before = &op, .reported = true };
	struct diag diag = { .emit = NULL };
	struct policy *p;
	struct input in;

	input_borrow(&in, "fuzz", data, size);
	p = policy_read(&in, &diag);
	require((p == NULL) == (diag.seen[SEV_ERROR] == 1));
	if (p != NULL) {
		struct rank_rules rules = policy_rules(p, &rank_rules_default, &op);
		struct ruling ruling = policy_ruling(p, VERDICTS_REGRESSED, &r);

		require(rules.min_effect >= 0 && !(ruling.failed && ruling.ignored));
	}
	policy_free(p);
	input_release(&in);
	return 0;
}
