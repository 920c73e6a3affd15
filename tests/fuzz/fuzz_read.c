/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading: any bytes, by detection, by every format as they are, and by a format with what
 * surrounds the text stripped, another one for each size.
 *
 * What could be read is written in osprof's own format, which has to read back the
 * same, compared with itself, which must not differ, and printed in every output format.
 */
#include <stdbool.h>
#include <stdint.h>

#include "analyze/rank/noise.h"
#include "analyze/rank/policy.h"
#include "analyze/times.h"
#include "base/arena.h"
#include "base/out.h"
#include "formats/format.h"
#include "profile/merge.h"
#include "profile/repeats.h"
#include "report/report.h"
#include "tests/fuzz/fuzz.h"

/* Strips what surrounds the text if wanted, for which the format need not be known. */
static struct profile *read_bytes(const struct format *f, const void *bytes, size_t n, bool strip,
				  struct diag *diag)
{
	/* Options that keep readers from refusing for want of them. */
	struct read_options options = { .numbering = NUMBERING_OSPROF };
	struct profile *p;
	struct input in;

	input_borrow(&in, "fuzz", bytes, n);
	p = strip ? format_read(f, &in, &options, diag) : format_read_bare(f, &in, &options, diag);
	input_release(&in);
	return p;
}

static void reads_back_the_same(const struct profile *p, struct diag *diag)
{
	const struct format *own = format_by_name(STR("osprof"));
	struct out *once = out_to_memory(), *again = out_to_memory();
	struct profile *q;

	fuzz_require(own->write(p, once, diag));
	q = read_bytes(own, out_memory(once).p, out_memory(once).n, false, diag);
	fuzz_require(q != NULL && own->write(q, again, diag));
	fuzz_require(str_eq(out_memory(once), out_memory(again)));
	profile_free(q);
	out_free(once);
	out_free(again);
}

static void print_all(const struct profile *p, struct ranking *all)
{
	static char name[] = "fuzz";
	static char *const file[] = { name };
	struct run run = { name, 0, p, totals_of(p), 1, file, 1, name, run_account_of(p) };
	struct comparison c = { .before = run,
				.after = run,
				.ranking = all,
				.metric = METRIC_EMD,
				.rules = &rank_rules_default,
				.fails = VERDICTS_REGRESSED,
				.gated = true,
				.show = { .all = true } };
	struct out *o = out_to_memory();

	for (int output_format = OUTPUT_FORMAT_TEXT; output_format <= OUTPUT_FORMAT_HTML;
	     output_format++) {
		struct style s = { .output_format = (enum output_format)output_format,
				   .color = true,
				   .unicode = output_format % 2 == 0,
				   .width = output_format % 3 == 0 ? 60 : 0 };

		report_rank(o, &s, &c);
		if (output_format >= OUTPUT_FORMAT_JUNIT)
			continue;
		report_show(o, &s, &run, 1, NULL);
		report_peaks(o, &s, &run);
		report_distance(o, &s, &c);
	}
	out_free(o);
}

/* The stories of a few operations; what is known to last as long is any bytes, too. */
static void report(const struct profile *p, struct ranking *all, struct str bytes,
		   struct diag *diag)
{
	enum { FEW = 8 };
	static char name[] = "fuzz";
	static char *const file[] = { name };
	struct run run = { name, 0, p, totals_of(p), 1, file, 1, name, run_account_of(p) };
	struct comparison c = {
		.before = run, .after = run, .ranking = all, .show = { .all = true }
	};
	struct arena *a = arena_new();
	struct known_times ours = times_built_in(a), theirs = { .n = 0 }, times;
	const struct ranked *chosen[FEW];
	struct story story = { &c, &times, chosen, 0, true, true, 1, 2, false };
	struct out *o = out_to_memory();
	struct diag other = { .emit = diag->emit, .ctx = diag->ctx };
	struct input in;

	input_borrow(&in, "times", bytes.p, bytes.n);
	fuzz_require(times_read(a, &in, &theirs, &other) == (other.seen[SEV_ERROR] == 0));
	input_release(&in);
	times = times_joined(a, &theirs, &ours);
	for (; story.n < FEW && story.n < all->n; story.n++)
		chosen[story.n] = &all->v[story.n];
	report_story(o, &(struct style){ .output_format = OUTPUT_FORMAT_TEXT }, &story);
	report_story(o, &(struct style){ .output_format = OUTPUT_FORMAT_JSON }, &story);
	out_free(o);
	arena_free(a);
}

static void same_as_itself(const struct profile *p, struct str bytes, struct diag *diag)
{
	struct rank_side side = { p, totals_of(p), 1 };
	struct arena *a = arena_new();
	struct ranking all;

	fuzz_require(rank(a, &side, &side, &rank_rules_default, &all, diag));
	fuzz_require(all.n_reported == 0 && all.n == p->n_ops);
	print_all(p, &all);
	report(p, &all, bytes, diag);
	arena_free(a);
}

/* The runs of a baseline are profiles like others, and fit together again. */
static void part_and_join(const struct profile *p)
{
	enum { MANY = 64 };
	struct profile *run[MANY], *sum, *again;
	size_t n = p->baseline.n_runs;
	struct diag diag = { .emit = NULL };
	struct runs_side side = { (const struct profile *const *)run, n, false };
	struct arena *a;
	struct noise noise;

	if (n == 0)
		return;
	fuzz_require(n <= MANY);
	profile_part(p, run);
	sum = profile_merge(side.run, n, &diag);
	again = profile_of_runs(side.run, n, &diag);
	fuzz_require((sum == NULL) == (again == NULL));
	if (sum != NULL) {
		a = arena_new();
		fuzz_require(noise_measure(a, &side, sum, &rank_rules_default, &runs_rules_default,
					   2, &noise, &diag) ||
			     diag.seen[SEV_ERROR] > 0);
		arena_free(a);
	}
	for (size_t k = 0; k < n; k++)
		profile_free(run[k]);
	profile_free(sum);
	profile_free(again);
}

static void try_format(const struct format *f, const uint8_t *data, size_t size, bool strip,
		       struct out *messages)
{
	struct diag diag = { .emit = fuzz_emit, .ctx = messages };
	struct profile *p = read_bytes(f, data, size, strip, &diag);

	fuzz_require((p == NULL) == (diag.seen[SEV_ERROR] > 0));
	if (p == NULL)
		return;
	reads_back_the_same(p, &diag);
	same_as_itself(p, (struct str){ (const char *)data, size }, &diag);
	part_and_join(p);
	profile_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct out *messages = out_to_memory();
	const struct format *f;
	size_t n_formats = 0;

	try_format(NULL, data, size, true, messages);
	for (; (f = format_at(n_formats)) != NULL; n_formats++)
		try_format(f, data, size, false, messages);
	try_format(format_at(size % n_formats), data, size, true, messages);
	out_free(messages);
	return 0;
}
