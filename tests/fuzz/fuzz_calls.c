/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as per-call records: they are read, or there is an error.
 *
 * What could be read is a profile of as many calls, too; its parts add up to it; and it is
 * printed in every output format and drawn in every kind.
 */
#include <math.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "formats/format.h"
#include "formats/general/call_rows.h"
#include "plotting/gnuplot.h"
#include "plotting/kind.h"
#include "profile/profile.h"
#include "profile/unit.h"
#include "report/calls.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_BYTES = 1 << 24 };

static struct calls *read_records(const uint8_t *data, size_t size, struct diag *diag)
{
	struct calls *c = calls_new();
	struct input in;
	bool ok;

	input_borrow(&in, "fuzz", data, size);
	ok = call_records_read(c, &in, MAX_BYTES, diag);
	input_release(&in);
	fuzz_require(ok == (diag->seen[SEV_ERROR] == 0));
	if (ok)
		return c;
	calls_free(c);
	return NULL;
}

/* Latencies that cannot be are lost events of a profile. */
static uint64_t possible_calls(const struct calls *c)
{
	uint64_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += (double)c->v[i].latency < unit_impossible_from(UNIT_NS);
	return n;
}

/* The format looks at fewer columns, so it reads what records were read from. */
static void as_a_profile(const struct calls *c, const uint8_t *data, size_t size,
			 struct out *messages)
{
	struct diag diag = { .emit = fuzz_emit, .ctx = messages };
	struct read_options options = { 0 };
	uint64_t n = 0;
	struct profile *p;
	struct input in;

	input_borrow(&in, "fuzz", data, size);
	p = format_read(format_by_name(STR("calls")), &in, &options, &diag);
	input_release(&in);
	fuzz_require((p != NULL) == (c->n > 0));
	for (size_t i = 0; p != NULL && i < p->n_ops; i++)
		n += operation_count(&p->op[i]);
	fuzz_require(n == possible_calls(c));
	profile_free(p);
}

static struct calls_run run_of(struct arena *a, const struct calls *c)
{
	struct calls_run run = { .path = "fuzz", .side = { .calls = c } };
	size_t calls = 0, blocked = 0;

	run.side.summary = calls_summary(c);
	run.side.blocking = blocking_of(a, c);
	run.side.sites = site_costs_of(a, c);
	run.trends = trends_of(a, c, &trend_rules_default);
	run.times = all_times_of(a, c);
	for (size_t i = 0; i < run.side.sites.n; i++)
		calls += run.side.sites.v[i].calls;
	for (size_t i = 0; i < run.side.blocking.n; i++)
		blocked += run.side.blocking.column[i].calls;
	fuzz_require(calls == c->n && blocked == run.side.summary.n_blocked);
	return run;
}

static void print_all(struct arena *a, const struct calls_run *run)
{
	struct calls_report r = { .before = run,
				  .sections = (1U << N_CALLS_SECTIONS) - 1,
				  .top = 9 };
	struct calls_run after = *run;
	struct out *o = out_to_memory();

	for (int side = 0; side < 2; side++) {
		for (int output_format = OUTPUT_FORMAT_TEXT;
		     output_format <= OUTPUT_FORMAT_MARKDOWN; output_format++)
			report_calls(
				o,
				&(struct style){ .output_format = (enum output_format)output_format,
						 .color = true,
						 .unicode = true },
				&r);
		for (unsigned section = 0; section < N_CALLS_SECTIONS; section++) {
			struct calls_report one = r;

			one.sections = 1U << section;
			report_calls(o, &(struct style){ .output_format = OUTPUT_FORMAT_CSV },
				     &one);
		}
		r.after = &after;
		r.sites = site_changes_of(a, &run->side, &run->side);
		r.blocking = blocking_changes_of(a, &run->side, &run->side);
		fuzz_require(r.sites.n == run->side.sites.n);
	}
	out_free(o);
}

static void draw_all(struct arena *a, const struct calls *c)
{
	struct call_subject s = { c, 2, NAN, NAN, NAN, NAN, UNIT_UNKNOWN };
	struct look look = { .terminal = terminal_at(0) };
	const struct figure_kind *kind;
	struct out *o = out_to_memory();
	struct figure f;

	for (size_t i = 0; (kind = figure_kind_at(i)) != NULL; i++) {
		if (kind->build_calls == NULL || !kind->build_calls(a, &s, &f))
			continue;
		out_reset(o);
		gnuplot_script(o, &f, &look, STR("fuzz.png"));
		fuzz_require(out_memory(o).n > 0);
	}
	out_free(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct out *messages = out_to_memory();
	struct diag diag = { .emit = fuzz_emit, .ctx = messages };
	struct calls *c = read_records(data, size, &diag);

	if (c != NULL) {
		struct arena *a = arena_new();
		struct calls_run run = run_of(a, c);

		as_a_profile(c, data, size, messages);
		print_all(a, &run);
		draw_all(a, c);
		arena_free(a);
	}
	calls_free(c);
	out_free(messages);
	return 0;
}
