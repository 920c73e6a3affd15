/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a profile of what was pushed: decides whether snapshots are cumulative, adds up whole
 * runs, and compares what the collector states with the buckets.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "profile/builder/builder_parts.h"

enum {
	SECONDS_A_DAY = 86400,
	SCORE_COMPARISONS = 8, /* buckets none of which decreases: by chance 1 in 2^8 */
};

/* --- several snapshots of one histogram ------------------------------------- */

/* Compares each snapshot with the one before; sets *ret_shrinks if a count decreases.  Returns the
 * number of buckets compared. */
static size_t compare_snapshots(const struct series *s, bool *ret_shrinks)
{
	const struct histogram *earlier = NULL;
	size_t compared = 0;

	for (size_t k = 0; k < series_n_to_read(s); k++) {
		const struct histogram *h = &s->interval[k].hist;

		if (!s->snapshot[k].marks.has_hist)
			continue;
		if (earlier != NULL) {
			compared += earlier->n;
			*ret_shrinks |= !histogram_contains(h, earlier);
		}
		earlier = h;
	}
	return compared;
}

/* Adds what the snapshots of one operation tell of its layer; their buckets are compared only
 * where neither the format nor the user says whether they are cumulative. */
static void look_at_snapshots(const struct builder *b, const struct op_builder *d,
			      const struct operation *op)
{
	const struct series *s = d->series;
	struct layer_builder *l = d->layer;
	int last = s != NULL ? s->snapshot[s->n - 1].interval : d->interval;
	uint64_t calls = s != NULL ? s->interval[s->n - 1].hist.count : op->hist.count;

	if (!d->has_snapshot)
		return;
	l->several |= s != NULL;
	if (s != NULL && b->options.snapshots == SNAPSHOTS_AUTO)
		l->compared += compare_snapshots(s, &l->shrinks);
	l->last = last > l->last ? last : l->last;
	if (calls > 0 && last < l->first_end)
		l->first_end = last;
}

static const char *quoted_layer(const struct layer_builder *l)
{
	return l->name.n > 0 ? l->name.p : "the histogram";
}

static void report_snapshots(struct builder *b, const struct layer_builder *l)
{
	enum diag_code code = l->cumulative ? DIAG_INTERVALS_CUMULATIVE : DIAG_INTERVALS_DELTA;
	const struct str nowhere = { NULL, 0 };

	if (b->options.snapshots != SNAPSHOTS_AUTO)
		return;
	if (!l->shrinks && l->compared < SCORE_COMPARISONS)
		build_warn(b, DIAG_INTERVALS_AMBIGUOUS, nowhere,
			   "%s: printed again with no smaller count, in only %zu buckets; taken as "
			   "cumulative; use --snapshots to override it",
			   quoted_layer(l), l->compared);
	else
		build_warn(b, code, nowhere,
			   l->cumulative ? "%s: %ld snapshots, no count ever decreases; use "
					   "--snapshots to override it"
					 : "%s: %ld snapshots, counts decrease; use --snapshots to "
					   "override it",
			   quoted_layer(l), (long)b->n_spans);
}

static void decide_snapshots(struct builder *b, struct layer_builder *l)
{
	l->shrinks |= l->first_end < l->last; /* an operation that vanished was cleared */
	l->cumulative = b->options.snapshots == SNAPSHOTS_AUTO
				? l->several && !l->shrinks
				: b->options.snapshots == SNAPSHOTS_CUMULATIVE;
	if (l->several)
		report_snapshots(b, l);
}

/* --- times of intervals ----------------------------------------------------- */

static void number_spans(struct builder *b, double length)
{
	for (size_t i = 0; i < b->n_spans; i++)
		b->span[i] = (struct span){ (double)i * length, (double)(i + 1) * length };
}

/* Stamps are times of day: one that is earlier than its predecessor is of the next day. */
static void pass_midnights(struct builder *b, size_t n_stamps)
{
	double days = 0;

	for (size_t i = 1; i < n_stamps; i++) {
		b->span[i].end += days;
		if (b->span[i].end < b->span[i - 1].end) {
			days += SECONDS_A_DAY;
			b->span[i].end += SECONDS_A_DAY;
		}
	}
}

/* Each interval starts at the stamp before its own and ends at its own.  The first is assumed to
 * be as long as the second, and a last snapshot without a stamp, at the collector's end, as long
 * as the one before it. */
static void span_stamps(struct builder *b, size_t n_stamps)
{
	double origin;

	pass_midnights(b, n_stamps);
	for (size_t i = 1; i < b->n_spans; i++)
		b->span[i].start = b->span[i - 1].end;
	b->span[0].start = 2 * b->span[0].end - b->span[1].end;
	if (n_stamps < b->n_spans)
		b->span[n_stamps].end = 2 * b->span[n_stamps].start - b->span[n_stamps - 1].start;
	origin = b->span[0].start;
	for (size_t i = 0; i < b->n_spans; i++) {
		b->span[i].start -= origin;
		b->span[i].end -= origin;
	}
}

/* Whether the stamps make valid, distinct intervals.  They do not where a clock of seconds stands
 * still between snapshots, or where stamps are not times of day and run backwards. */
static bool has_valid_stamps(const struct builder *b)
{
	for (size_t i = 0; i < b->n_spans; i++) {
		const struct span *s = &b->span[i];

		if (!(s->start >= 0 && s->end >= s->start && s->end < HUGE_VAL))
			return false;
		if (i > 0 && s[-1].start == s->start && s[-1].end == s->end)
			return false;
	}
	return true;
}

/* Sets the times of intervals: from --interval if given, else from stamps, else by number. */
static void place_spans(struct builder *b)
{
	double length = b->options.interval;
	size_t n_stamps = 0;

	if (b->spans_given || b->n_spans == 0)
		return;
	while (n_stamps < b->n_spans && !isnan(b->span[n_stamps].end))
		n_stamps++;
	if (length > 0) {
		number_spans(b, length);
		return;
	}
	if (n_stamps >= 2 && n_stamps + 1 >= b->n_spans) {
		span_stamps(b, n_stamps);
		if (has_valid_stamps(b))
			return;
	}
	b->profile->untimed = true;
	number_spans(b, 1);
}

/* --- adding snapshots up ----------------------------------------------------- */

/* Adds up the snapshots of all intervals; false when an error was reported. */
static bool sum_snapshots(struct builder *b, const struct series *s, struct operation *op)
{
	struct histogram sum = { .scheme = &bucket_octaves, .granularity = op->hist.granularity };
	bool first = true;

	for (size_t k = 0; k < series_n_to_read(s); k++) {
		const struct histogram *h = &s->interval[k].hist;

		if (!series_has_part(s, k))
			continue;
		if (first)
			sum.scheme = h->scheme;
		first = false;
		if (!bucket_scheme_eq(sum.scheme, h->scheme))
			return build_fail(b, DIAG_SCHEME_MIXED, s->snapshot[k].where,
					  "the intervals of %.*s have different buckets; put each "
					  "into a file of its own",
					  STR_ARG(op->name));
		if (__builtin_add_overflow(sum.count, h->count, &sum.count))
			return build_fail(b, DIAG_COUNT_OVERFLOW, s->snapshot[k].where,
					  "the sum of the intervals of %.*s passes 2^64-1",
					  STR_ARG(op->name));
		sum.n += h->n;
		sum.approximate |= h->approximate;
	}
	if (sum.n > 0)
		series_add_buckets(b, s, &sum);
	op->hist = sum;
	return true;
}

static bool add_stated(struct builder *b, const struct op_builder *d, const struct operation *op,
		       const struct stated *from, struct stated *to)
{
	switch (stated_add(to, from)) {
	case STATED_COUNT_OVERFLOW:
		return build_fail(b, DIAG_COUNT_OVERFLOW, d->where, "stated counts of %.*s",
				  STR_ARG(op->name));
	case STATED_TOTAL_OVERFLOW:
		return build_fail(b, DIAG_TOTAL_OVERFLOW, d->where, "stated totals of %.*s",
				  STR_ARG(op->name));
	case STATED_ADDED:
		break;
	}
	return true;
}

/* Adds up what is stated; the sum has a total or a count only if every interval has. */
static bool sum_stated(struct builder *b, const struct op_builder *d, struct operation *op)
{
	struct stated sum = d->series->past;

	for (size_t k = 0; k < d->series->n; k++) {
		if (!add_stated(b, d, op, &d->series->interval[k].stated, &sum))
			return false;
	}
	op->stated = sum;
	return true;
}

/* --- operations ------------------------------------------------------------- */

static bool total_agrees(const struct stated *s, const struct histogram *h)
{
	double total = decimal_f64(s->total), slack = 1e-9 * fabs(total);

	return total >= histogram_total_min(h) - slack && total <= histogram_total_max(h) + slack;
}

/* Self time and inclusive time cannot exceed the total: such a statement is not used. */
static void check_self(struct stated *s, const struct histogram *h)
{
	double total = s->has_total ? decimal_f64(s->total)
		       : h->n > 0   ? histogram_total_max(h)
				    : HUGE_VAL;
	double self = decimal_f64(s->self), inclusive = decimal_f64(s->inclusive);

	s->self_agrees =
		(!s->has_self || (self <= total && (self >= 0 || histogram_total_min(h) < 0))) &&
		(!s->has_inclusive || inclusive <= total);
	s->has_self &= s->self_agrees;
	s->has_inclusive &= s->self_agrees;
}

static void check_stated(struct stated *s, const struct histogram *h)
{
	s->self_agrees = true;
	if (s->has_self || s->has_inclusive)
		check_self(s, h);
	s->count_agrees = !s->has_count || h->n == 0 || s->count == h->count;
	s->total_agrees = !s->has_total || h->n == 0 || total_agrees(s, h);
}

static void position_interval(const struct builder *b, int number, struct interval *v)
{
	v->start = b->span[number].start;
	v->end = b->span[number].end;
}

/* Subtracts earlier statements; drops a count or total that only one of the two states, and
 * everything else. */
static void take_away(struct stated *later, const struct stated *earlier)
{
	later->has_count &= earlier->has_count && later->count >= earlier->count;
	later->has_total &= earlier->has_total;
	later->count = later->has_count ? later->count - earlier->count : 0;
	later->total =
		later->has_total
			? (struct decimal){ later->total.billionths - earlier->total.billionths }
			: (struct decimal){ 0 };
	later->has_min = later->has_max = later->has_self = later->has_inclusive = false;
	later->has_deviation = false;
}

static int by_time(const void *pa, const void *pb)
{
	const struct interval *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

/* Intervals of build_interval() may come in any order. */
static void sort_intervals(struct operation *op)
{
	size_t i = 1;

	while (i < op->n_intervals && by_time(&op->interval[i - 1], &op->interval[i]) <= 0)
		i++;
	if (i < op->n_intervals)
		qsort(op->interval, op->n_intervals, sizeof(*op->interval), by_time);
}

/* Subtracts from each cumulative snapshot the one before, last first, so that what is subtracted
 * is still as printed.  A snapshot that holds less than the one before follows a counter reset:
 * *ret_reset counts these, and what the snapshot before a reset states is added to `stated`. */
static bool take_differences(struct builder *b, const struct op_builder *d,
			     const struct operation *op, struct stated *stated, size_t *ret_reset)
{
	const struct series *s = d->series;
	struct interval *later = NULL;

	*ret_reset = 0;
	for (size_t k = series_n_to_read(s); k-- > 0;) {
		struct interval *earlier = &s->interval[k];

		if (!series_has_part(s, k))
			continue;
		if (later != NULL && histogram_contains(&later->hist, &earlier->hist)) {
			histogram_subtract(&later->hist, &earlier->hist);
			take_away(&later->stated, &earlier->stated);
		} else if (later != NULL) {
			++*ret_reset;
			if (!add_stated(b, d, op, &earlier->stated, stated))
				return false;
		}
		later = earlier;
	}
	return true;
}

/* Turns the snapshots that hold a part of the run into intervals, in place. */
static void make_intervals(struct builder *b, const struct op_builder *d, struct operation *op)
{
	const struct series *s = d->series;

	op->interval = s->interval;
	for (size_t k = 0; k < s->n; k++) {
		struct interval *to = &op->interval[op->n_intervals];

		if (!series_has_part(s, k))
			continue;
		if (to != &s->interval[k])
			*to = s->interval[k];
		position_interval(b, s->snapshot[k].interval, to);
		check_stated(&to->stated, &to->hist);
		op->n_intervals++;
	}
	if (b->spans_given)
		sort_intervals(op);
}

/* Takes the last cumulative snapshot, which holds everything; the last with a histogram may come
 * before it.  The buckets are copied, as the snapshot becomes an interval. */
static void take_last(struct builder *b, const struct series *s, struct operation *op)
{
	struct histogram *h = &op->hist;

	for (size_t k = 0; k < series_n_to_read(s); k++)
		*h = s->snapshot[k].marks.has_hist ? s->interval[k].hist : *h;
	h->bucket = arena_copy(b->arena, h->bucket, h->n, sizeof(*h->bucket));
	op->stated = s->interval[s->n - 1].stated;
}

static bool has_intervals(const struct builder *b)
{
	return b->spans_given || b->n_spans > 1;
}

/* The single snapshot is in the operation already; makes its interval, if there are any. */
static void finish_single(struct builder *b, const struct op_builder *d, struct operation *op)
{
	if (!d->marks.has_hist || d->interval == WHOLE_RUN || !has_intervals(b))
		return;
	op->n_intervals = 1;
	op->interval = arena_make(b->arena, struct interval, 1);
	op->interval->hist = op->hist;
	op->interval->stated = op->stated;
	position_interval(b, d->interval, op->interval);
	check_stated(&op->interval->stated, &op->interval->hist);
}

/* Prefers the snapshot of the whole run to the sum of the intervals. */
static bool take_whole(struct builder *b, const struct series *s, size_t n_parts,
		       struct operation *op)
{
	const struct interval *whole = &s->interval[s->whole];

	op->stated = whole->stated;
	if (s->snapshot[s->whole].marks.has_hist)
		op->hist = whole->hist;
	else if (n_parts > 0)
		return sum_snapshots(b, s, op);
	return true;
}

/* The last snapshot holds everything, unless counts were reset: earlier counts are then missing
 * from it, and all are added up.  If the user says that snapshots are cumulative, the last one is
 * taken whatever it holds. */
static bool take_cumulative(struct builder *b, const struct op_builder *d, struct operation *op)
{
	struct stated stated;
	size_t n_reset;

	take_last(b, d->series, op);
	stated = op->stated;
	if (!take_differences(b, d, op, &stated, &n_reset))
		return false;
	if (n_reset == 0 || b->snapshots_settled)
		return true;
	if (b->n_reset++ == 0) {
		b->first_reset = (size_t)(op - b->profile->op);
		b->times_reset = n_reset;
	}
	op->stated = stated;
	return sum_snapshots(b, d->series, op);
}

static bool add_up(struct builder *b, const struct op_builder *d, struct operation *op,
		   size_t n_parts)
{
	const struct series *s = d->series;

	if (d->layer->cumulative && !take_cumulative(b, d, op))
		return false;
	if (s->whole != NO_SNAPSHOT)
		return take_whole(b, s, n_parts, op);
	return d->layer->cumulative || (sum_snapshots(b, s, op) && sum_stated(b, d, op));
}

static bool finish_series(struct builder *b, const struct op_builder *d, struct operation *op)
{
	size_t n_parts = 0;

	for (size_t k = 0; k < series_n_to_read(d->series); k++)
		n_parts += series_has_part(d->series, k);
	if (!add_up(b, d, op, n_parts))
		return false;
	if (n_parts > 0 && has_intervals(b))
		make_intervals(b, d, op);
	return true;
}

static bool finish_operation(struct builder *b, const struct op_builder *d, struct operation *op)
{
	if (b->options.unit != UNIT_UNKNOWN && (op->unit == UNIT_UNKNOWN || d->unit_guessed))
		op->unit = b->options.unit;
	if (d->series == NULL)
		finish_single(b, d, op);
	else if (!finish_series(b, d, op))
		return false;
	op->fixed_duration |= b->profile->fixed_duration;
	take_out_impossible(b, op);
	check_stated(&op->stated, &op->hist);
	if (b->drop_single_layer && b->layer_names.n == 1)
		op->layer = STR("");
	return true;
}

/* --- the profile ------------------------------------------------------------ */

static void settle_unit(struct builder *b)
{
	const struct str nowhere = { NULL, 0 };
	struct profile *p = b->profile;

	if (!b->unit_given && p->n_ops > 0)
		p->unit = p->op[0].unit;
	if (p->unit == UNIT_UNKNOWN && b->unit_given)
		p->unit = b->options.unit;
	if (p->unit == UNIT_UNKNOWN && p->n_ops > 0)
		build_warn(b, DIAG_UNIT_UNKNOWN, nowhere, "use --unit to set it");
	else if (p->n_ops > 0 && b->op_builder[0].unit_guessed && b->options.unit == UNIT_UNKNOWN)
		build_warn(b, DIAG_UNIT_GUESSED, nowhere, "%s; use --unit to override it",
			   unit_name(p->unit));
	if (p->lost > 0)
		build_warn(b, DIAG_EVENTS_LOST, nowhere, "%llu; the profile is incomplete",
			   (unsigned long long)p->lost);
}

static bool is_system_call_number(struct str name, uint64_t *ret)
{
	enum { MAX_NUMBER = 600 }; /* of any architecture, above the highest of Linux 6 */

	return number_u64(name, ret) == NUMBER_OK && *ret < MAX_NUMBER;
}

/* Suggests --names where all operations look like system calls by number: not like processors,
 * which count from 0, nor like processes. */
static void suggest_names(struct builder *b)
{
	enum { MIN_NAMES = 3 };
	const struct profile *p = b->profile;
	uint64_t number, sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		if (str_eq(p->op[i].name, STR("-1"))) /* a call that was not entered */
			continue;
		if (!is_system_call_number(p->op[i].name, &number))
			return;
		sum += number;
		n++;
	}
	if (n >= MIN_NAMES && sum > (uint64_t)n * (n - 1) / 2 && b->options.names == NULL)
		build_warn(b, DIAG_NAMES_NUMERIC, (struct str){ NULL, 0 },
			   "if these are system calls, --names x86_64 or another architecture "
			   "names them");
}

static void note_printing(const struct builder *b)
{
	struct printing *to = &b->profile->printing;

	to->several = !b->spans_given && b->n_spans > 1;
	if (b->drop_single_layer && b->layer_names.n == 1 && b->profile->n_ops > 0)
		to->lone_layer = b->profile->op[0].layer;
}

/* Without a better source, intervals tell how long the run took, unless its beginning is not
 * known, as that of times since 1970. */
static void find_elapsed(struct builder *b)
{
	const struct profile *p = b->profile;
	double end = 0;

	for (size_t i = 0; b->n_spans > 1 && !p->untimed && !p->epoch && i < b->n_spans; i++)
		end = fmax(end, b->span[i].end);
	if (p->elapsed == 0)
		build_elapsed_from(b, end, ELAPSED_TIMESTAMPS);
}

bool assemble(struct builder *b)
{
	struct profile *p = b->profile;

	if (p->n_ops == 0 && !b->may_be_empty)
		return build_fail(b, DIAG_NO_OPERATIONS, (struct str){ NULL, 0 }, "read as %s",
				  p->format);
	find_schemes(b);
	for (size_t i = 0; i < p->n_ops; i++) {
		if (!settle_operation(b, i))
			return false;
		if (!b->spans_given)
			look_at_snapshots(b, &b->op_builder[i], &p->op[i]);
	}
	raise_zeros(b);
	for (size_t i = 0; i < b->layer_names.n && !b->spans_given; i++)
		decide_snapshots(b, b->layer[i]);
	place_spans(b);
	note_printing(b);
	for (size_t i = 0; i < p->n_ops; i++) {
		if (!finish_operation(b, &b->op_builder[i], &p->op[i]))
			return false;
	}
	find_elapsed(b);
	profile_sort_hosts(p);
	if (!nests_sort(p->nest, &p->n_nests))
		return build_fail(b, DIAG_TOTAL_OVERFLOW, (struct str){ NULL, 0 },
				  "in statements of nesting");
	report_impossible(b);
	report_disagreements(b);
	settle_unit(b);
	report_limits(b);
	if (b->syscalls != NULL && b->name_used)
		build_warn(b, DIAG_NAMES_BUILT_IN, (struct str){ NULL, 0 },
			   "by the numbers of %.*s, which the file names; use --names to override "
			   "them",
			   STR_ARG(b->options.architecture));
	suggest_names(b);
	if (b->options.names != NULL && !b->name_used)
		build_warn(b, DIAG_NAMES_UNUSED, (struct str){ NULL, 0 }, "keys stay as they are");
	return true;
}
