/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bench/ycsb_metrics.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/tables/hash.h"

/* A measurement whose name is a number. */
struct row {
	uint64_t key;
	double value;
	struct str where;
};

struct metric {
	struct str name, where;
	bool has_count, has_mean, has_min, has_max;
	bool variance, percentiles; /* which only some measurement types print */
	bool over;		    /* ">1000", the last row of milliseconds */
	uint64_t count;
	double mean, min, max; /* us */
	struct row *row;
	size_t n, cap;
	UT_hash_handle hh;
};

struct ycsb_metrics {
	struct input *in;
	struct diag *diag;
	struct arena *arena;
	struct metric *metrics; /* in file order */
	double elapsed;		/* ms; 0: not stated */
	double limit;		/* maximum duration in ms; 0: not stated */
	bool percentiles;	/* some metric has percentiles but no rows */
};

struct ycsb_metrics *ycsb_metrics_new(struct input *in, struct diag *diag)
{
	struct ycsb_metrics *m = xcalloc(1, sizeof(*m));

	m->in = in;
	m->diag = diag;
	m->arena = arena_new();
	return m;
}

void ycsb_metrics_free(struct ycsb_metrics *m)
{
	if (m == NULL)
		return;
	for (struct metric *k = m->metrics; k != NULL; k = k->hh.next)
		free(k->row);
	HASH_CLEAR(hh, m->metrics);
	arena_free(m->arena);
	free(m);
}

/* --- taking in -------------------------------------------------------------------- */

static struct metric *find_metric(struct ycsb_metrics *m, struct str name, struct str where)
{
	struct metric *k;

	HASH_FIND(hh, m->metrics, name.p, name.n, k);
	if (k != NULL)
		return k;
	k = arena_make(m->arena, struct metric, 1);
	k->name = arena_str(m->arena, name);
	k->where = where;
	HASH_ADD_KEYPTR(hh, m->metrics, k->name.p, k->name.n, k);
	return k;
}

static bool bad_number(const struct ycsb_metrics *m, struct str where)
{
	return format_fail(m->in, m->diag, DIAG_NUMBER_BAD, where, "expected a number");
}

static bool take_f64(const struct ycsb_metrics *m, struct str s, struct str where, double factor,
		     double *ret, bool *ret_has)
{
	double v;

	if (str_eq(s, STR("NaN"))) /* no calls */
		return true;
	if (number_f64(s, &v) != NUMBER_OK || !isfinite(v))
		return bad_number(m, where);
	*ret = v * factor;
	*ret_has = true;
	return true;
}

static bool ycsb_metrics_add_row(struct ycsb_metrics *m, struct metric *k, struct str key,
				 struct str value, struct str where)
{
	struct row row = { .where = where };
	bool has = false;

	if (str_has_prefix(key, STR(">"))) {
		k->over = true;
		key = str_skip(key, 1);
	}
	if (number_u64(key, &row.key) != NUMBER_OK)
		return bad_number(m, where);
	if (!take_f64(m, value, where, 1, &row.value, &has))
		return false;
	k->row = xgrow(k->row, &k->cap, k->n + 1, sizeof(*k->row));
	k->row[k->n++] = row;
	return true;
}

/* Recognizes "AverageLatency(us)" and, for raw data, "Average". */
static bool is_named(struct str measurement, const char *name, double *ret_factor)
{
	struct str rest;

	if (!str_has_prefix(measurement, str_from(name)))
		return false;
	rest = str_skip(measurement, strlen(name));
	*ret_factor = str_eq(rest, STR("Latency(ms)")) ? 1e3 : 1;
	return rest.n == 0 || *ret_factor > 1 || str_eq(rest, STR("Latency(us)"));
}

static bool is_row(struct str measurement)
{
	char c = measurement.n > 0 ? measurement.p[0] : '\0';

	if (c == '>')
		return true;
	for (size_t i = 0; i < measurement.n; i++) {
		if (measurement.p[i] < '0' || measurement.p[i] > '9')
			return false;
	}
	return measurement.n > 0;
}

bool ycsb_metrics_add(struct ycsb_metrics *m, struct str metric, struct str measurement,
		      struct str value, struct str where)
{
	struct metric *k = find_metric(m, metric, where);
	double factor;
	bool ignored;

	if (is_row(measurement))
		return ycsb_metrics_add_row(m, k, measurement, value, where);
	if (str_eq(measurement, STR("Operations")) || str_eq(measurement, STR("Total Operations")))
		return (k->has_count = number_u64(value, &k->count) == NUMBER_OK) ||
		       bad_number(m, where);
	if (is_named(measurement, "Average", &factor))
		return take_f64(m, value, where, factor, &k->mean, &k->has_mean);
	if (is_named(measurement, "Min", &factor))
		return take_f64(m, value, where, factor, &k->min, &k->has_min);
	if (is_named(measurement, "Max", &factor))
		return take_f64(m, value, where, factor, &k->max, &k->has_max);
	if (str_eq(metric, STR("OVERALL")) && str_eq(measurement, STR("RunTime(ms)")))
		return take_f64(m, value, where, 1, &m->elapsed, &ignored);
	k->variance |= str_has_prefix(measurement, STR("LatencyVariance"));
	k->percentiles |= str_contains(measurement, STR("PercentileLatency"));
	return true;
}

/* --- what rows mean ------------------------------------------------------------------- */

enum meaning {
	MEANS_NOTHING,
	MEANS_MILLISECONDS, /* calls in [key, key + 1) ms: measurementtype=histogram */
	MEANS_HIGHEST,	    /* calls in the bucket up to key us: hdrhistogram */
	MEANS_AVERAGE,	    /* mean in us of a window that begins at key ms: timeseries */
};

static enum meaning meaning_of(const struct metric *k)
{
	if (k->n == 0)
		return MEANS_NOTHING;
	if (k->variance || k->over)
		return MEANS_MILLISECONDS;
	return k->percentiles ? MEANS_HIGHEST : MEANS_AVERAGE;
}

static bool count_of(const struct ycsb_metrics *m, const struct row *row, uint64_t *ret)
{
	if (!(row->value >= 0 && row->value < 0x1p63 && row->value == floor(row->value)))
		return format_fail(m->in, m->diag, DIAG_NUMBER_BAD, row->where,
				   "expected a whole number of calls");
	*ret = (uint64_t)row->value;
	return true;
}

/* Pushes rows of whole milliseconds, in us; the last one is open. */
static bool push_milliseconds(const struct ycsb_metrics *m, const struct metric *k,
			      struct builder *to)
{
	struct bucket_scheme s = bucket_linear(0, 1e3);
	uint64_t count = 0;

	s.first = 0;
	for (size_t i = 0; i < k->n; i++) {
		if (k->row[i].key >= 1U << 24)
			return format_fail(m->in, m->diag, DIAG_NUMBER_RANGE, k->row[i].where,
					   "a row of more than four hours");
	}
	if (k->over)
		s.limit = (int)k->row[k->n - 1].key;
	if (!build_scheme(to, &s, k->where))
		return false;
	for (size_t i = 0; i < k->n; i++) {
		if (!count_of(m, &k->row[i], &count) ||
		    !build_bucket(to, (int)k->row[i].key, count, k->row[i].where))
			return false;
	}
	return true;
}

/* A row is a bucket of an HdrHistogram with three digits, named by its highest value. */
static bool push_highest(const struct ycsb_metrics *m, const struct metric *k, struct builder *to)
{
	enum { BUCKETS_AN_OCTAVE = 1024 };
	struct bucket_scheme s = bucket_log_linear(BUCKETS_AN_OCTAVE, 1);
	uint64_t count = 0;

	if (!build_scheme(to, &s, k->where))
		return false;
	for (size_t i = 0; i < k->n; i++) {
		const struct row *row = &k->row[i];
		int index = bucket_find(&s, (double)row->key);

		if (bucket_high(&s, index) != (double)row->key + 1)
			return format_fail(m->in, m->diag, DIAG_BUCKET_BOUNDS, row->where,
					   "not the highest value of a bucket of an HdrHistogram "
					   "of three digits");
		if (!count_of(m, row, &count) || !build_bucket(to, index, count, row->where))
			return false;
	}
	return true;
}

/* --- to the builder ---------------------------------------------------------------- */

static bool ycsb_metrics_push_summary(const struct ycsb_metrics *m, const struct metric *k,
				      struct builder *to)
{
	struct decimal total;

	if (k->has_min)
		build_min(to, k->min);
	if (k->has_max)
		build_max(to, k->max);
	if (!k->has_count)
		return true;
	if (!build_count(to, k->count, k->where))
		return false;
	if (!k->has_mean)
		return true;
	if (!decimal_from_f64(k->mean * (double)k->count, &total))
		return format_fail(m->in, m->diag, DIAG_TOTAL_OVERFLOW, k->where,
				   "average times operations");
	build_rounded_totals(to);
	return build_total(to, total, k->where);
}

static bool push_metric(const struct ycsb_metrics *m, const struct metric *k, struct builder *to)
{
	enum meaning meaning = meaning_of(k);

	if (!build_operation_in(to, UNIT_US, STR(""), k->name, k->where))
		return false;
	if (meaning == MEANS_MILLISECONDS && !push_milliseconds(m, k, to))
		return false;
	if (meaning == MEANS_HIGHEST && !push_highest(m, k, to))
		return false;
	return ycsb_metrics_push_summary(m, k, to);
}

/* Garbage collections etc. are not operations. */
static bool is_operation(const struct metric *k)
{
	return k->has_count || (k->n > 0 && meaning_of(k) != MEANS_AVERAGE);
}

void ycsb_metrics_limit(struct ycsb_metrics *m, double seconds)
{
	m->limit = seconds * 1e3;
}

bool ycsb_metrics_push(const struct ycsb_metrics *m, double *elapsed, struct builder *to)
{
	bool averages = false, percentiles = false;

	*elapsed += m->elapsed;
	if (*elapsed > 0)
		build_elapsed(to, *elapsed / 1e3);
	if (m->limit > 0 && m->elapsed >= m->limit)
		build_run_fixed_duration(to);
	for (const struct metric *k = m->metrics; k != NULL; k = k->hh.next) {
		enum meaning meaning = meaning_of(k);

		if (!is_operation(k))
			continue;
		averages |= meaning == MEANS_AVERAGE;
		percentiles |= meaning == MEANS_NOTHING && k->percentiles;
		if (!push_metric(m, k, to))
			return false;
	}
	if (averages)
		diag_file(m->diag, DIAG_NOT_A_HISTOGRAM, m->in,
			  "averages over time (measurementtype=timeseries)");
	if (percentiles)
		diag_file(m->diag, DIAG_NOT_A_HISTOGRAM, m->in,
			  "percentiles; measurement.histogram.verbose=true prints buckets");
	return true;
}
