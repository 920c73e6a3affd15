/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantiles of histograms vary as much as is stated, whatever their buckets. */
#include "tests/analyze/made.h"

#include <math.h>

#include "analyze/body.h"
#include "analyze/stats/random.h"
#include "base/attr.h"
#include "base/out.h"

enum { CALLS = 200, SAMPLES = 400, CELLS = 64 * 32 };

static double normal(uint64_t *seed)
{
	double r = sqrt(-2 * log(1 - random_share(seed)));

	return r * cos(6.283185307179586 * random_share(seed));
}

/* A sample of latencies around 2^16, by a clock that ticks every 2^12, in `resolution` buckets for
 * each octave. */
static struct profile *sample_of(unsigned resolution, uint64_t *seed)
{
	unsigned count[CELLS] = { 0 };
	struct out *o = out_to_memory();
	struct profile *p;

	for (int i = 0; i < CALLS; i++) {
		double latency = fmax(1, floor(exp2(4 + normal(seed)))) * 0x1p12;

		count[(unsigned)floor(log2(latency) * resolution + 1e-9)]++;
	}
	out_printf(o, "op x\nbuckets log2 %u\n", resolution);
	for (int i = 0; i < CELLS; i++) {
		if (count[i] > 0)
			out_printf(o, "%d %u\n", i, count[i]);
	}
	out_char(o, '\0');
	p = made_profile(out_memory(o).p);
	out_free(o);
	return p;
}

/* Returns the stated variance of a quantile by that of many samples. */
static double stated_by_true(unsigned resolution, double q)
{
	double sum = 0, squares = 0, stated = 0, n = SAMPLES;
	uint64_t seed = 20061106;

	for (int i = 0; i < SAMPLES; i++) {
		struct profile *p = sample_of(resolution, &seed);
		double at = body_quantile(&p->op[0].hist, q);

		sum += at;
		squares += at * at;
		stated += body_quantile_noise(&p->op[0].hist, q);
		profile_free(p);
	}
	return stated / n / ((squares - sum * sum / n) / (n - 1));
}

static void noise_of_quantiles(void **state)
{
	static const unsigned resolutions[] = { 1, 2, 8, 32 };
	static const double q[] = { 0.5, 0.9 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(resolutions); i++) {
		for (size_t k = 0; k < COUNT_OF(q); k++) {
			double ratio = stated_by_true(resolutions[i], q[k]);

			if (!(ratio > 0.5 && ratio < 2))
				fail_msg("resolution %u, p%g: %g times the true variance",
					 resolutions[i], 100 * q[k], ratio);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(noise_of_quantiles) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
