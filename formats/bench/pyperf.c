/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pyperf: results of Python's benchmark library pyperf (pyperf timeit -o FILE, pyperformance run).
 *
 *	{"benchmarks": [{"metadata": {"name": "nbody"},
 *	    "runs": [{"metadata": {"date": "..."}, "values": [0.102, 0.103],
 *	        "warmups": [[1, 0.110]]}]}],
 *	 "metadata": {"unit": "second"}, "version": "1.0"}
 *
 * An operation is a benchmark; its name may be in the metadata of the file if there is one only.  A
 * value is the mean time of an iteration, in seconds, over the loops that pyperf made for it; each
 * counts as one call.  Each run is one for rank, too.  Warm-ups are left out, and benchmarks with other units with a note.
 *
 * Seen: version 1.0 of the format, in its documentation.
 */
#include "base/json.h"
#include "formats/lines.h"

struct benchmark {
	struct str name, unit;
	struct json runs; /* position at its beginning */
	bool has_runs;
};

struct reader {
	struct lines lines;
	struct json j, benchmarks;
	struct benchmark file;	 /* what is stated for all */
	struct str name;	 /* of the current benchmark */
	struct accumulator *run; /* its values in the current run */
	size_t n_runs;		 /* with values */
};

static bool pyperf_read_value(void *ctx)
{
	struct reader *r = ctx;
	struct sample sample = { .name = r->name };
	bool ok = samples_read_json(&r->lines.samples, &r->j, 1000000000, &sample) &&
		  samples_add(&r->lines.samples, &sample, sample.where, sample.where);

	return ok && accumulator_add(r->run, &sample) == SAMPLED;
}

/* A run is a process: its values are not independent of each other, but of other runs. */
static bool pyperf_read_run(void *ctx)
{
	struct reader *r = ctx;
	bool any = false, ok;
	const struct json_member members[] = { JSON_EACH("values", pyperf_read_value, r, &any) };

	r->run = accumulator_new(accumulator_options_of(r->lines.samples.accumulator));
	ok = json_members(&r->j, members, COUNT_OF(members));
	if (ok && any)
		(void)!accumulator_push(r->run, build_replicate(r->lines.to, r->n_runs++));
	accumulator_free(r->run);
	return ok;
}

static bool pyperf_read_benchmark(void *ctx)
{
	struct reader *r = ctx;
	struct benchmark b = r->file;
	const struct json_member metadata[] = { JSON_STRING("name", &b.name),
						JSON_STRING("unit", &b.unit) };
	const struct json_member members[] = { JSON_OBJECT("metadata", metadata),
					       JSON_MARK("runs", &b.runs, &b.has_runs) };
	struct json after;
	bool ok;

	b.has_runs = false;
	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	if (!b.has_runs || !str_eq(b.unit, STR("second"))) {
		r->lines.left_out++;
		return true;
	}
	after = r->j;
	r->j = b.runs;
	r->name = b.name;
	r->n_runs = 0;
	ok = json_each(&r->j, pyperf_read_run, r);
	r->j = after;
	return ok;
}

static bool pyperf_text(void *ctx)
{
	struct reader *r = ctx;
	bool any = false;
	const struct json_member metadata[] = { JSON_STRING("name", &r->file.name),
						JSON_STRING("unit", &r->file.unit) };
	const struct json_member members[] = { JSON_OBJECT("metadata", metadata),
					       JSON_MARK("benchmarks", &r->benchmarks, &any) };

	r->file = (struct benchmark){ .name = STR("benchmark"), .unit = STR("second") };
	lines_json(&r->lines, &r->j);
	if (!json_members(&r->j, members, COUNT_OF(members)) || !json_end(&r->j))
		return false;
	r->j = r->benchmarks;
	return !any || json_each(&r->j, pyperf_read_benchmark, r);
}

static const struct accumulator_options sampling = { .unit = UNIT_NS,
						     .unit_source = UNIT_STATED,
						     .fixed_duration = true };

const struct format format_pyperf = {
	.name = "pyperf",
	.title = "pyperf and pyperformance: values of benchmarks, as JSON",
	.versions = "1.0 of the format",
	.unit = "s, always",
	.totals = "exact",
	.marks = MARKS("{", "\"benchmarks\"", "\"runs\"", "\"values\""),
	.read = lines_read,
	.spec =
		&(const struct line_format){
			.size = sizeof(struct reader),
			.end = pyperf_text,
			.sampling = &sampling,
			.no_intervals = "intervals need the time of each call; pyperf has none",
			.left_out = "benchmarks without values in seconds" },
};
