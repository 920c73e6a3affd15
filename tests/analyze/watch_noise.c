/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/analyze/watch_noise.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/watch/watch_track.h"
#include "base/xalloc.h"

static double draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(draw(state)));

	return radius * cos(2 * M_PI * draw(state));
}

/* Normal, over the root of a third of a chi square of three. */
static double student(uint64_t *state)
{
	double z = normal(state), square = 0;

	for (int i = 0; i < 3; i++) {
		double v = normal(state);

		square += v * v;
	}
	return z / sqrt(square / 3);
}

struct series {
	struct track track;
	struct track_levels levels;
	double x, spread;
};

static double next_value(struct series *s, const struct noise_kind *k, size_t at, uint64_t *state)
{
	double day = (double)at / NOISE_DAY;

	if (k->spells && at % (NOISE_DAY / 12) == 0)
		s->spread = draw(state) < 0.25 ? 2 : 1;
	s->x = k->correlation * s->x + s->spread * (k->heavy ? student(state) : normal(state));
	return s->x + k->drift * day + k->cycle * sin(2 * M_PI * day);
}

size_t noise_alarms(const struct noise_kind *kind, double days, uint64_t seed)
{
	struct series *s = xcalloc(NOISE_SERIES, sizeof(*s));
	struct track_scores *scores = track_scores_new();
	const double threshold = (double)NOISE_SERIES * NOISE_DAY;
	size_t alarms = 0;

	for (size_t i = 0; i < NOISE_SERIES; i++) {
		track_start(&s[i].track, &track_of_intervals, &s[i].levels, seed + i);
		s[i].spread = 1;
	}
	for (size_t at = 0; at < (size_t)(days * NOISE_DAY); at++) {
		for (size_t i = 0; i < NOISE_SERIES; i++) {
			track_push(&s[i].track, scores, next_value(&s[i], kind, at, &seed));
			if (track_evidence(&s[i].track) < threshold)
				continue;
			alarms++;
			track_forget_evidence(&s[i].track);
		}
	}
	track_scores_free(scores);
	free(s);
	return alarms;
}

size_t noise_lasting_alarms(const struct noise_kind *kind, double days, uint64_t seed)
{
	enum { OPERATIONS = NOISE_SERIES / 3, MINUTE = 8 };
	struct series *s = xcalloc(OPERATIONS, sizeof(*s));
	struct track_scores *scores = track_scores_new();
	const double threshold = 16. * OPERATIONS * NOISE_DAY / MINUTE;
	size_t alarms = 0;

	for (size_t i = 0; i < OPERATIONS; i++) {
		track_start(&s[i].track, &track_of_minutes, &s[i].levels, seed + i);
		s[i].spread = 1;
	}
	for (size_t at = 0; at < (size_t)(days * NOISE_DAY); at += MINUTE) {
		for (size_t i = 0; i < OPERATIONS; i++) {
			struct track *t = &s[i].track;
			double sum = 0;

			for (size_t k = 0; k < MINUTE; k++)
				sum += next_value(&s[i], kind, at + k, &seed);
			track_push(t, scores, sum / MINUTE);
			if (track_evidence(t) < threshold)
				continue;
			if (!track_is_new_level(t, track_since(t), 0.5, threshold)) {
				track_hold_evidence(t, threshold);
				continue;
			}
			alarms++;
			track_forget_evidence(t);
		}
	}
	track_scores_free(scores);
	free(s);
	return alarms;
}

double noise_delay(double correlation, double step, double threshold, size_t trials,
		   size_t *ret_missed)
{
	enum { CALM = 800, LONGEST = 2000 };
	const struct noise_kind kind = { .correlation = correlation };
	struct track_scores *scores = track_scores_new();
	double deviation = 1 / sqrt(1 - correlation * correlation), sum = 0;
	uint64_t seed = 88172645463325252;

	*ret_missed = 0;
	for (size_t trial = 0; trial < trials; trial++) {
		struct series s = { .spread = 1 };
		size_t at;

		track_start(&s.track, &track_of_intervals, &s.levels, trial);
		for (at = 0; at < CALM; at++)
			track_push(&s.track, scores, next_value(&s, &kind, at, &seed));
		track_forget_evidence(&s.track);
		for (at = 0; at < LONGEST && track_evidence(&s.track) < threshold; at++)
			track_push(&s.track, scores,
				   next_value(&s, &kind, at, &seed) + step * deviation);
		*ret_missed += at == LONGEST;
		sum += at < LONGEST ? (double)at : 0;
	}
	track_scores_free(scores);
	return trials > *ret_missed ? sum / (double)(trials - *ret_missed) : NAN;
}
