/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spdk: histograms of block devices, from SPDK's bdev_get_histogram.
 *
 *	{ "histogram": "AAAAAAAAAAAAAAAAAAAAAA==", "bucket_shift": 7, "tsc_rate": 2300000000 }
 *
 * The counts are 64-bit numbers, low byte first, in base64.  There are 2^bucket_shift buckets a
 * range: those of the first are one cycle wide, those of range r from 1 on 2^(r-1) cycles.  The
 * operation is "io"; tsc_rate is the number of cycles a second.
 *
 * Seen: the source of 21.01 to 23.09.  Not supported: histograms with min_nsec and max_nsec.
 */
#include <math.h>

#include "base/json.h"
#include "formats/lines.h"

enum { MAX_SHIFT = 20, COUNT_BITS = 64 };

struct reader {
	struct lines lines;
	struct json j;
	struct str payload; /* base64 */
	uint64_t shift, hz;
	size_t n; /* counts so far */
};

/* Returns the value of a base64 character; -1: it has none. */
static int digit_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (is_digit(c))
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Returns the lower edge of bucket i in cycles. */
static double edge_of(const struct reader *r, size_t i)
{
	size_t range = i >> r->shift, index = i & (((size_t)1 << r->shift) - 1);

	if (range == 0)
		return (double)index;
	return ldexp((double)index + ldexp(1, (int)r->shift), (int)range - 1);
}

static bool push_count(struct reader *r, uint64_t count)
{
	size_t i = r->n++;

	return count == 0 ||
	       build_range(r->lines.to, edge_of(r, i), edge_of(r, i + 1), count, r->payload);
}

/* Decodes the payload, a count at a time. */
static bool push_payload(struct reader *r)
{
	size_t n_ranges = COUNT_BITS - r->shift;
	uint64_t count = 0, bits = 0;
	unsigned n_bits = 0, bytes = 0;

	for (size_t i = 0; i < r->payload.n && r->payload.p[i] != '='; i++) {
		int digit = digit_of(r->payload.p[i]);

		if (digit < 0)
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->payload,
					  "not base64");
		bits = bits << 6 | (unsigned)digit;
		n_bits += 6;
		if (n_bits < 8)
			continue;
		n_bits -= 8;
		count |= (bits >> n_bits & 0xff) << (8 * bytes++);
		if (bytes < sizeof(count))
			continue;
		if (r->n >> r->shift >= n_ranges)
			return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->payload,
					  "more than %zu ranges of buckets", n_ranges);
		if (!push_count(r, count))
			return false;
		count = bytes = 0;
	}
	return true;
}

static bool push_histogram(struct reader *r)
{
	if (r->payload.n == 0 || r->shift == 0 || r->shift > MAX_SHIFT || r->hz == 0)
		return format_fail(
			r->lines.in, r->lines.diag, DIAG_COLUMN_MISSING, r->lines.in->bytes,
			"needs histogram, bucket_shift from 1 to %d, and tsc_rate", MAX_SHIFT);
	build_hz(r->lines.to, (double)r->hz);
	return build_operation_in(r->lines.to, UNIT_CYCLES, STR(""), STR("io"), r->payload) &&
	       build_histogram(r->lines.to, r->payload) && push_payload(r);
}

static bool spdk_text(void *ctx)
{
	struct reader *r = ctx;
	const struct json_member histogram[] = { JSON_TEXT_IN_PLACE("histogram", &r->payload),
						 JSON_U64("bucket_shift", &r->shift),
						 JSON_U64("tsc_rate", &r->hz) };
	const struct json_member members[] = { histogram[0], histogram[1], histogram[2],
					       JSON_OBJECT("result", histogram) };

	r->payload = STR("");
	lines_json(&r->lines, &r->j);
	return json_members(&r->j, members, COUNT_OF(members)) && json_end(&r->j) &&
	       push_histogram(r);
}

const struct format format_spdk = {
	.name = "spdk",
	.title = "SPDK's bdev_get_histogram",
	.versions = "21.01 to 23.09",
	.unit = "cycles; their rate is stated",
	.totals = "from buckets",
	.marks = MARKS("{", "\"histogram\"", "\"tsc_rate\""),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader), .end = spdk_text },
};
