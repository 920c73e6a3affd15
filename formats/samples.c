/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/samples.h"

struct sampler_options samples_options(const struct sampler_options *kind,
				       const struct read_options *options)
{
	struct sampler_options sampling = *kind;

	sampling.resolution = options->resolution;
	sampling.interval = options->build.interval;
	return sampling;
}

void samples_start(struct samples *s, struct input *in, const struct read_options *options,
		   const struct sampler_options *kind, struct diag *diag)
{
	struct sampler_options sampling = samples_options(kind, options);

	*s = (struct samples){ .in = in, .diag = diag, .sampler = sampler_new(&sampling) };
}

void samples_release(struct samples *s)
{
	sampler_free(s->sampler);
}

struct input *samples_source(const struct samples *s)
{
	return s->in->passing ? s->in : NULL;
}

bool samples_add(struct samples *s, struct sample *sample, struct str latency_at,
		 struct str start_at)
{
	sample->of = samples_source(s);
	switch (sampler_add(s->sampler, sample)) {
	case SAMPLED:
		return true;
	case SAMPLED_TOTAL_OVERFLOW:
		return format_fail(s->in, s->diag, DIAG_TOTAL_OVERFLOW, latency_at,
				   "the sum passes 1.7e29 here");
	case SAMPLED_TOO_MANY_INTERVALS:
		break;
	}
	return format_fail(s->in, s->diag, DIAG_INTERVAL_BAD, start_at,
			   "more than %d intervals up to here%s", SAMPLER_MAX_INTERVALS,
			   s->start_hint != NULL ? s->start_hint : "");
}
