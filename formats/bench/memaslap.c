/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memaslap: the final statistics of the memcached load generator memaslap, also known as memcaslap
 * and memslap.
 *
 *	Get Statistics (184667 events)
 *	   Min:         7
 *	   Max:     24217
 *	   Avg:       155
 *	   Geo:     78.41
 *	   Std:    498.96
 *	   Log2 Dist:
 *	       0:        0        0        0        7
 *	       4:     4102    16512    53163    74376
 *
 * Whole us.  A row has four buckets, beginning with the numbered one; bucket i is (2^(i-1), 2^i]
 * us, but values equal to 2^i are shown at the beginning of the next bucket.  The operation is the
 * text before "Statistics"; Total, the sum, is left out.  Tables of periods (-S) have no
 * histograms.
 *
 * Seen: libmemcached 1.1.4, and its source as memaslap 1.0.
 */

#include "formats/lines.h"
#include "formats/text.h"

enum { BUCKETS = 65 };

/* Parses "Get Statistics (184667 events)". */
static bool memaslap_is_head(struct str line, struct str *ret_name, struct str *ret_events)
{
	struct str mark = STR(" Statistics ("), end = STR(" events)");
	size_t at = str_find(line, mark);

	if (at == 0 || at == line.n || !str_has_suffix(line, end))
		return false;
	*ret_name = (struct str){ line.p, at };
	*ret_events = str_skip(line, at + mark.n);
	ret_events->n -= ret_events->n < end.n ? ret_events->n : end.n;
	return true;
}

static enum probe probe_memaslap(struct str head, struct clue *clue)
{
	struct str line, name, events, rest = head;
	bool any = false;

	while (text_line(&rest, &line)) {
		if (any && str_eq(line, STR("Log2 Dist:")))
			return PROBE_MAGIC;
		if (!any && memaslap_is_head(line, &name, &events)) {
			any = true;
			probe_near(clue, head, line, "no Log2 Dist after it");
		}
	}
	return PROBE_NO;
}

struct reader {
	struct lines lines;
	/* The current statistics. */
	bool wanted;
	struct str head;
	uint64_t events, average;
	bool has_average;
};

/* Reads the value of "Min:         7". */
static bool read_moment(struct reader *r, struct str digits, uint64_t *ret)
{
	return lines_count(&r->lines, str_trim(digits), ret, "expected a time in us");
}

static bool begin_statistics(struct reader *r, struct str name, struct str events)
{
	r->wanted = !str_eq(name, STR("Total"));
	r->head = r->lines.text;
	r->has_average = false;
	if (!lines_count(&r->lines, events, &r->events, "expected how many events"))
		return false;
	if (!r->wanted)
		return true;
	return build_operation_in(r->lines.to, UNIT_US, STR(""), name, r->head);
}

/* Reads "4:     4102    16512    53163    74376".  *index is the expected first bucket, which the
 * first row chooses. */
static bool memaslap_read_row(struct reader *r, uint64_t *index, uint64_t *sum)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	uint64_t first, count;
	enum line_count more;

	if (!scan_u64(&c, &first) || !scan_char(&c, ':') || first >= BUCKETS)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "expected the number of a bucket, a colon and counts");
	if (*index != UINT64_MAX && first != *index)
		return lines_fail(&r->lines, DIAG_BUCKET_ORDER, r->lines.text,
				  "expected bucket %llu", (unsigned long long)*index);
	*index = first;
	while ((more = lines_next_count(&r->lines, &c, &count)) == COUNT_READ) {
		if (*index >= BUCKETS)
			return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, r->lines.text,
					  "more than %d buckets", BUCKETS);
		if (!build_bucket(r->lines.to, (int)*index - 1, count, r->lines.text))
			return false;
		*sum += count; /* the builder checks for overflow */
		(*index)++;
	}
	return more == COUNT_MISSING;
}

/* Reads up to an empty line, or to the end of the input if all events are there. */
static bool read_distribution(struct reader *r)
{
	uint64_t index = UINT64_MAX, sum = 0;
	struct decimal total;
	bool more;

	if (!build_scheme(r->lines.to, &bucket_octaves, r->lines.text))
		return false;
	while ((more = lines_next(&r->lines)) && r->lines.text.n > 0) {
		if (!memaslap_read_row(r, &index, &sum))
			return false;
	}
	if (!more && sum < r->events)
		return lines_fail(&r->lines, DIAG_INPUT_TRUNCATED, r->lines.text,
				  "%llu of %llu events are there", (unsigned long long)sum,
				  (unsigned long long)r->events);
	r->wanted = false;
	if (!build_count(r->lines.to, r->events, r->head) || !r->has_average)
		return !builder_failed(r->lines.to);
	build_rounded_totals(r->lines.to);
	return decimal_times(decimal_from_u64(r->average), r->events, &total)
		       ? build_total(r->lines.to, total, r->head)
		       : format_fail(r->lines.in, r->lines.diag, DIAG_TOTAL_OVERFLOW, r->head,
				     "average times events");
}

/* Reads "3.0s Ops: 394022 TPS: 131309 Net_rate: 146.9M/s", the text after "Run time:". */
static void memaslap_read_duration(struct reader *r, struct str text)
{
	struct cursor c = cursor_at(r->lines.in, text);
	struct str time;

	if (scan_word(&c, &time))
		lines_took(&r->lines, time);
}

static bool memaslap_line(void *reader)
{
	struct reader *r = reader;
	struct str line = r->lines.text;
	struct str name, rest;
	uint64_t us;

	if (memaslap_is_head(line, &name, &rest))
		return begin_statistics(r, name, rest);
	if (str_has_prefix(line, STR("run time:")))
		build_run_fixed_duration(
			r->lines.to); /* of --time; --execute_number says so itself */
	if (text_value(line, STR("Run time:"), &rest))
		memaslap_read_duration(r, rest);
	if (!r->wanted || !str_cut(line, ':', &name, &rest))
		return true;
	if (str_eq(name, STR("Log2 Dist")))
		return read_distribution(r);
	if (str_eq(name, STR("Avg")))
		return r->has_average = read_moment(r, rest, &r->average);
	if (!str_eq(name, STR("Min")) && !str_eq(name, STR("Max")))
		return true;
	if (!read_moment(r, rest, &us))
		return false;
	if (str_eq(name, STR("Min")))
		build_min(r->lines.to, (double)us);
	else
		build_max(r->lines.to, (double)us);
	return true;
}

const struct format format_memaslap = {
	.name = "memaslap",
	.title = "statistics of memaslap, memcaslap: Log2 Dist",
	.versions = "1.0; libmemcached 1.1.4",
	.unit = "us, always",
	.totals = "average times events",
	.probe = probe_memaslap,
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = memaslap_line,
					     .snapshots = SNAPSHOTS_DELTA },
};
