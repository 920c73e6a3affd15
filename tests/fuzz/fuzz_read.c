/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading: any bytes, by detection and by every format.
 *
 * What could be read is written in osprof's own format, which has to read back the
 * same, compared with itself, which must not differ, and printed in every dress.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/out.h"
#include "formats/format.h"
#include "profile/merge.h"
#include "profile/profile.h"
#include "report/report.h"
#include "tests/fuzz/fuzz.h"

static void emit(void *ctx, const struct diag_msg *msg)
{
	struct out *o = ctx;

	out_reset(o);
	diag_render(o, msg);
}

static void require(bool holds)
{
	if (!holds)
		abort();
}

static struct profile *read_bytes(const struct format *f, const void *bytes, size_t n,
				  struct diag *diag)
{
	/* Options that keep readers from refusing for want of them. */
	struct read_options options = { .numbering = NUMBERING_OSPROF };
	struct profile *p;
	struct input in;

	input_borrow(&in, "fuzz", bytes, n);
	p = format_read(f, &in, &options, diag);
	input_release(&in);
	return p;
}

static void reads_back_the_same(const struct profile *p, struct diag *diag)
{
	const struct format *own = format_by_name(STR("osprof"));
	struct out *once = out_to_memory(), *again = out_to_memory();
	struct profile *q;

	require(own->write(p, once, diag));
	q = read_bytes(own, out_memory(once).p, out_memory(once).n, diag);
	require(q != NULL && own->write(q, again, diag));
	require(str_eq(out_memory(once), out_memory(again)));
	profile_free(q);
	out_free(once);
	out_free(again);
}

static void print_all(const struct profile *p, struct ranking *all)
{
	static char name[] = "fuzz";
	static char *const file[] = { name };
	struct run run = { name, p, totals_of(p), 1, file };
	struct comparison c = {
		.before = run,
		.after = run,
		.ranking = all,
		.metric = METRIC_EMD,
		.all = true,
	};
	struct out *o = out_to_memory();

	for (int dress = DRESS_TEXT; dress <= DRESS_JUNIT; dress++) {
		struct style s = { (enum dress)dress, true, dress % 2 == 0 };

		report_rank(o, &s, &c);
		if (dress == DRESS_JUNIT)
			continue;
		report_show(o, &s, &run, 1);
		report_peaks(o, &s, &run);
		report_distance(o, &s, &c);
	}
	out_free(o);
}

static void same_as_itself(const struct profile *p, struct diag *diag)
{
	struct rank_side side = { p, totals_of(p), 1 };
	struct arena *a = arena_new();
	struct ranking all;

	require(rank(a, &side, &side, &rank_rules_default, &all, diag));
	require(all.n_reported == 0 && all.n == p->n_ops);
	print_all(p, &all);
	arena_free(a);
}

static void try_format(const struct format *f, const uint8_t *data, size_t size,
		       struct out *messages)
{
	struct diag diag = { .emit = emit, .ctx = messages };
	struct profile *p = read_bytes(f, data, size, &diag);

	require((p == NULL) == (diag.seen[SEV_ERROR] > 0));
	if (p == NULL)
		return;
	reads_back_the_same(p, &diag);
	same_as_itself(p, &diag);
	profile_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct out *messages = out_to_memory();
	const struct format *f;

	try_format(NULL, data, size, messages);
	for (size_t i = 0; (f = format_at(i)) != NULL; i++)
		try_format(f, data, size, messages);
	out_free(messages);
	return 0;
}
