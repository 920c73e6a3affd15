/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Individual samples into a profile, with --resolution and --interval: for readers
 * of formats that hold one event after the other.
 */
#ifndef FORMATS_SAMPLES_H
#define FORMATS_SAMPLES_H

#include "formats/format.h"
#include "profile/accumulator.h"

struct json;

enum { SAMPLES_REASONS = 2 };

/* Where a reader's samples go. */
struct samples {
	struct input *in;
	struct diag *diag;
	struct accumulator *accumulator;
	struct variables *variables; /* of each sample that is added; NULL: nobody asks */
	bool timed;		     /* intervals are asked for */
	/* Records that are none, by the reasons that a worker pool's job has for it. */
	uint64_t skipped[SAMPLES_REASONS];
	bool in_worker_pool; /* what does not fit is reported when all have read
				(accumulator_miss()) */
};

/* Of samples in ns with starts in ns, as the file states. */
extern const struct accumulator_options samples_ns;

/* `kind`: all but resolution and interval, which the user chooses. */
struct accumulator_options samples_options(const struct accumulator_options *kind,
					   const struct read_options *options);
void samples_start(struct samples *s, struct input *in, const struct read_options *options,
		   const struct accumulator_options *kind, struct diag *diag);
void samples_release(struct samples *s);

/* What the `where` of samples is a part of. */
struct input *samples_source(const struct samples *s);
/* False when an error was reported, at the bytes of the latency or of the start; what does
 * not fit into an accumulator is one, unless the samples are those of a worker pool.
 * `sample`: all but what its `where` is a part of. */
MUST_CHECK bool samples_add(struct samples *s, struct sample *sample, struct str latency_at,
			    struct str start_at);
/* The next value of a JSON text as the latency of a sample of which only the names are given:
 * a number from 0 on, in units of `ns` nanoseconds, for samples in ns. */
MUST_CHECK bool samples_add_json(struct samples *s, struct json *j, struct str layer,
				 struct str name, uint64_t ns);

#endif
