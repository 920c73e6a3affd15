/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/samples.h"

#include "base/json.h"
#include "profile/variables.h"

const struct accumulator_options samples_ns = { .unit = UNIT_NS,
						.unit_source = UNIT_STATED,
						.start_rate = 1e9 };

struct accumulator_options samples_options(const struct accumulator_options *kind,
					   const struct read_options *options)
{
	struct accumulator_options sampling = *kind;

	sampling.resolution = options->resolution > 0 ? options->resolution : SAMPLES_RESOLUTION;
	sampling.interval = options->build.interval;
	sampling.utc = options->utc;
	sampling.tap = options->tap;
	return sampling;
}

void samples_start(struct samples *s, struct input *in, const struct read_options *options,
		   const struct accumulator_options *kind, struct diag *diag)
{
	struct accumulator_options sampling = samples_options(kind, options);

	*s = (struct samples){ .in = in,
			       .diag = diag,
			       .accumulator = accumulator_new(&sampling),
			       .variables = options->variables,
			       .timed = options->build.interval > 0 };
	if (s->variables != NULL)
		s->variables->unit = kind->unit;
}

void samples_release(struct samples *s)
{
	accumulator_free(s->accumulator);
}

struct input *samples_source(const struct samples *s)
{
	return s->in->passing ? s->in : NULL;
}

static bool report_sample(struct samples *s, enum sampled why, struct str latency_at,
			  struct str start_at)
{
	if (why == SAMPLED_TOTAL_OVERFLOW)
		return format_fail(s->in, s->diag, DIAG_TOTAL_OVERFLOW, latency_at,
				   "the sum passes 1.7e29 here");
	return format_fail(s->in, s->diag, DIAG_INTERVAL_BAD, start_at,
			   "more than %d intervals up to here", ACCUMULATOR_MAX_INTERVALS);
}

bool samples_add(struct samples *s, struct sample *sample, struct str latency_at,
		 struct str start_at)
{
	struct sample missed;
	enum sampled what;

	sample->of = samples_source(s);
	what = accumulator_add(s->accumulator, sample);
	if (what == SAMPLED && s->variables != NULL)
		variables_call(s->variables, sample->layer, sample->name,
			       decimal_f64(sample->latency));
	if (what == SAMPLED || what == SAMPLED_IMPOSSIBLE)
		return true;
	if (!s->in_worker_pool)
		return report_sample(s, what, latency_at, start_at);
	missed = *sample;
	if (what == SAMPLED_TOO_MANY_INTERVALS)
		missed.where = start_at;
	accumulator_miss(s->accumulator, what, &missed);
	return true;
}

void samples_repeat(struct samples *s, struct builder *to, const struct sample *sample, size_t k)
{
	struct accumulator *alone = accumulator_new(accumulator_options_of(s->accumulator));

	bool ok = accumulator_add(alone, sample) == SAMPLED &&
		  accumulator_push(alone, build_replicate(to, k));

	(void)ok; /* a builder that failed has no profile: then there are no replicates */
	accumulator_free(alone);
}

bool samples_read_json(struct samples *s, struct json *j, uint64_t ns, struct sample *to)
{
	struct decimal value;

	if (!json_number(j, &to->where))
		return false;
	return (number_decimal(to->where, &value) == NUMBER_OK && value.billionths >= 0 &&
		decimal_times(value, ns, &to->latency)) ||
	       format_fail(s->in, s->diag, DIAG_NUMBER_RANGE, to->where,
			   "expected a time from 0 on");
}

bool samples_add_json(struct samples *s, struct json *j, struct str layer, struct str name,
		      uint64_t ns)
{
	struct sample sample = { .layer = layer, .name = name };

	return samples_read_json(s, j, ns, &sample) &&
	       samples_add(s, &sample, sample.where, sample.where);
}

bool samples_repeat_json(struct samples *s, struct builder *to, struct json *j, struct str layer,
			 struct str name, uint64_t ns, size_t k)
{
	struct sample sample = { .layer = layer, .name = name };

	if (!samples_read_json(s, j, ns, &sample) ||
	    !samples_add(s, &sample, sample.where, sample.where))
		return false;
	samples_repeat(s, to, &sample, k);
	return true;
}
