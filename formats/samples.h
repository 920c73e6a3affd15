/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Individual samples into a profile, with --resolution and --interval: for readers of formats with
 * one event per record.
 */
#ifndef FORMATS_SAMPLES_H
#define FORMATS_SAMPLES_H

#include "formats/format.h"
#include "profile/accumulator/accumulator.h"

struct builder;
struct json;

enum {
	SAMPLES_REASONS = 3,
	SAMPLES_RESOLUTION = 8, /* buckets in each octave, unless the user chooses */
};

/* Where a reader's samples go. */
struct samples {
	struct input *in;
	struct diag *diag;
	struct accumulator *accumulator;
	struct variables *variables; /* of each sample added; NULL: not wanted */
	bool timed;		     /* intervals are wanted */
	/* number of records that are not samples, by the reasons of worker_pool_job.skipped */
	uint64_t skipped[SAMPLES_REASONS];
	bool in_worker_pool; /* errors about samples that do not fit are reported after all members
				have read (accumulator_miss()) */
};

/* Latencies and starts in ns, as the file states. */
extern const struct accumulator_options samples_ns;

/* Returns `kind` with what the user chooses: resolution, intervals, tap. */
struct accumulator_options samples_options(const struct accumulator_options *kind,
					   const struct read_options *options);
void samples_start(struct samples *s, struct input *in, const struct read_options *options,
		   const struct accumulator_options *kind, struct diag *diag);
void samples_release(struct samples *s);

/* Returns the input to store in sample.of, whose bytes `sample.where` points into. */
struct input *samples_source(const struct samples *s);
/* Adds a sample and sets its `of`.  False when an error was reported, at the latency's or the
 * start's bytes.  A sample that does not fit into the accumulator is an error; a worker pool
 * reports it later. */
MUST_CHECK bool samples_add(struct samples *s, struct sample *sample, struct str latency_at,
			    struct str start_at);
/* Makes a sample, which was added, also repetition k of its operation: a run of its own. */
void samples_repeat(struct samples *s, struct builder *to, const struct sample *sample, size_t k);
/* Reads the next value of a JSON text as the latency of a sample, without adding it. */
MUST_CHECK bool samples_read_json(struct samples *s, struct json *j, uint64_t ns,
				  struct sample *ret);
/* Adds the next value of a JSON text as a latency: a number from 0 on, in units of `ns`
 * nanoseconds.  For accumulators in ns.  False when an error was reported. */
MUST_CHECK bool samples_add_json(struct samples *s, struct json *j, struct str layer,
				 struct str name, uint64_t ns);
/* The same, and makes it repetition k. */
MUST_CHECK bool samples_repeat_json(struct samples *s, struct builder *to, struct json *j,
				    struct str layer, struct str name, uint64_t ns, size_t k);

#endif
