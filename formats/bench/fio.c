/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio: output of fio --output-format=json+, and of json, which has no buckets.
 *
 *	{
 *	  "fio version" : "fio-3.33",
 *	  "timestamp_ms" : 1795181314152,
 *	  "jobs" : [ { "jobname" : "mail",
 *	      "read" : { "clat_ns" : { "min" : 612, "max" : 40511, "mean" : 8125.5, "N" : 3,
 *	          "bins" : { "612" : 1, "40192" : 2 } } } } ]
 *	}
 *
 * A key of "bins" is the middle of a bucket.  An operation is "mail/read", the clat of job "mail";
 * lat and slat, if they have buckets, are layers of these names.  Jobs of the same name are added
 * up.  --status-interval writes a cumulative document each time.  There may be text around
 * documents, as with --output-format=normal,json+.
 *
 * Seen: 3.33, 3.41, and the source at f534438; before 3.0, latencies are in us ("clat").  Without
 * buckets there are summary statistics; percentiles are left out.  Not read: per-priority
 * statistics, and "All clients", which repeats the clients.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/tables/hash.h"
#include "formats/bench/fio_bins.h"
#include "formats/bucket_sums.h"
#include "formats/lines.h"
#include "formats/measure.h"

/* --- recognising ------------------------------------------------------------- */

/* Moves the cursor to the next line that consists of a brace. */
static bool find_document(struct cursor *c)
{
	struct cursor line, ahead = *c;

	while (scan_line(&ahead, &line)) {
		struct str text = cursor_rest(&line);

		if (text.n == 1 && text.p[0] == '{') {
			c->at = line.at;
			return true;
		}
	}
	return false;
}

static bool is_fio_document(struct cursor c)
{
	c.at++;
	return str_has_prefix(json_without_space(cursor_rest(&c)), STR("\"fio version\""));
}

static enum probe probe_fio(struct str head, struct clue *clue)
{
	struct input in = { .bytes = head };
	struct cursor c = cursor_on(&in);

	while (find_document(&c)) {
		if (is_fio_document(c))
			return PROBE_MAGIC;
		c.at++;
	}
	/* A short document may be on one line. */
	c = cursor_on(&in);
	if (head.n > 0 && head.p[0] == '{' && is_fio_document(c))
		return PROBE_MAGIC;
	(void)clue;
	return PROBE_NO;
}

/* --- one document ---------------------------------------------------------------- */

/* One operation in one document. */
struct tally {
	struct str key; /* layer, NUL, name */
	struct str layer, name;
	struct str where;
	enum unit unit;
	bool has_bins, fixed_duration;
	struct bucket_sums bins;
	uint64_t count;
	struct decimal total;
	double min, max;
	UT_hash_handle hh;
};

/* The contents of "clat_ns". */
struct summary {
	uint64_t count;
	struct decimal mean;
	bool has_mean, has_min, has_max, has_bins, has_percentiles;
	double min, max;
};

/* The duration of a job in "global options" or "job options". */
struct limit {
	bool time_based;
	double runtime; /* maximum in seconds; 0: not stated */
};

struct reader {
	struct lines lines;
	struct json j;
	struct tally *tallies;	     /* operations of the current document, in file order */
	struct bucket_sums bins;     /* scratch: bins of the current kind */
	int n_bins;		     /* number of bins of this fio version */
	bool percentiles;	     /* some latencies have percentiles but no buckets */
	double stamp, first, before; /* ms; times of a clock that went back are not used */
	bool several;		     /* several documents */
	struct limit global, job;
	bool fixed_duration; /* the current job ran until its time was over */
	double elapsed;	     /* seconds: longest direction in the document */
};

static bool report_overflow(struct reader *r, struct str where)
{
	return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, where,
			  "the sum of a bucket passes 2^64-1");
}

static bool read_bins(void *reader)
{
	struct reader *r = reader;
	struct str key;
	size_t from;

	bucket_sums_clear(&r->bins);
	if (!json_open(&r->j, '{'))
		return false;
	for (from = r->j.c.at; json_key(&r->j, &key); from = r->j.c.at) {
		uint64_t middle, count;
		int index;

		if (number_u64(key, &middle) != NUMBER_OK || !fio_bin(middle, r->n_bins, &index))
			return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, json_since(&r->j, from),
					  "%.*s is not the middle of a bucket of fio",
					  STR_ARG(key));
		if (!json_u64(&r->j, &count))
			return false;
		if (!bucket_sums_add(&r->bins, index, count))
			return report_overflow(r, json_since(&r->j, from));
	}
	return !r->j.failed;
}

static bool read_summary(struct reader *r, int n_bins, struct summary *m)
{
	struct json ignored;
	const struct json_member members[] = {
		JSON_U64("N", &m->count),
		JSON_DECIMAL("mean", &m->mean, &m->has_mean),
		JSON_F64("min", &m->min, &m->has_min),
		JSON_F64("max", &m->max, &m->has_max),
		JSON_READ("bins", read_bins, r, &m->has_bins),
		JSON_MARK("percentile", &ignored, &m->has_percentiles),
	};

	*m = (struct summary){ 0 };
	r->n_bins = n_bins;
	bucket_sums_clear(&r->bins);
	return json_members(&r->j, members, COUNT_OF(members));
}

static struct tally *find_tally(struct reader *r, struct str layer, struct str name,
				struct str where)
{
	struct str key =
		arena_printf(r->lines.arena, "%.*s%c%.*s", STR_ARG(layer), '\0', STR_ARG(name));
	struct tally *t;

	HASH_FIND(hh, r->tallies, key.p, key.n, t);
	if (t != NULL)
		return t;
	t = arena_make(r->lines.arena, struct tally, 1);
	*t = (struct tally){ .key = key,
			     .layer = layer,
			     .name = str_skip(key, layer.n + 1),
			     .where = where,
			     .min = HUGE_VAL,
			     .max = -HUGE_VAL };
	HASH_ADD_KEYPTR(hh, r->tallies, t->key.p, t->key.n, t);
	return t;
}

/* Computes the sum, an integer number of ns, from the mean, which has six decimals. */
static bool sum_of(const struct summary *m, struct decimal *ret)
{
	enum { HALF = 500000000 };
	struct decimal sum;

	if (!decimal_times(m->mean, m->count, &sum) ||
	    !decimal_add(sum, (struct decimal){ HALF }, &sum))
		return false;
	sum.billionths -= sum.billionths % (2 * (decimal_int)HALF);
	*ret = sum;
	return true;
}

/* Adds the summary that was just read. */
static bool add_summary(struct reader *r, struct tally *t, const struct summary *m)
{
	struct decimal sum = { 0 };

	if (__builtin_add_overflow(t->count, m->count, &t->count))
		return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, t->where,
				  "the sum of jobs of one name passes 2^64-1");
	if (m->has_mean && (!sum_of(m, &sum) || !decimal_add(t->total, sum, &t->total)))
		return lines_fail(&r->lines, DIAG_TOTAL_OVERFLOW, t->where, "mean x N");
	if (m->has_min)
		t->min = fmin(t->min, m->min);
	if (m->has_max)
		t->max = fmax(t->max, m->max);
	t->has_bins |= m->has_bins;
	r->percentiles |= m->has_percentiles && !m->has_bins;
	for (size_t i = 0; i < r->bins.n; i++) {
		if (!bucket_sums_add(&t->bins, r->bins.at[i].index, r->bins.at[i].count))
			return report_overflow(r, t->where);
	}
	return true;
}

static const struct kind {
	const char *key;
	const char *layer;
	enum unit unit;
	int n_bins;
} kinds[] = {
	{ "clat_ns", "", UNIT_NS, FIO_BINS },	  { "lat_ns", "lat", UNIT_NS, FIO_BINS },
	{ "slat_ns", "slat", UNIT_NS, FIO_BINS }, { "clat", "", UNIT_US, FIO_BINS_OLD },
	{ "lat", "lat", UNIT_US, FIO_BINS_OLD },  { "slat", "slat", UNIT_US, FIO_BINS_OLD },
};

static const struct kind *kind_of(struct str key)
{
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (str_eq(key, str_from(kinds[i].key)))
			return &kinds[i];
	}
	return NULL;
}

/* Reads { "time_based" : "1", "runtime" : "5" }.  Command-line options without a value, such as
 * --time_based, are missing. */
static bool read_options_of(struct reader *r, struct limit *limit)
{
	struct str based, runtime = STR("");
	bool has_based = false;
	const struct json_member members[] = {
		JSON_STRING("time_based", &based, &has_based, .only = '"'),
		JSON_STRING("runtime", &runtime, .only = '"'),
		JSON_STRING("timeout", &runtime, .only = '"'),
	};

	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	if (has_based)
		limit->time_based = !str_eq(based, STR("0"));
	/* "30", "2m", "500ms": without a unit, seconds. */
	if (runtime.n > 0 && !measure_seconds(runtime, &limit->runtime) &&
	    (number_f64(runtime, &limit->runtime) != NUMBER_OK || !(limit->runtime > 0) ||
	     !isfinite(limit->runtime)))
		limit->runtime = 0;
	return true;
}

static bool read_global_options(void *reader)
{
	struct reader *r = reader;

	return read_options_of(r, &r->global);
}

/* Reads the duration of a direction in ms, and finds whether the job ran for a fixed time. */
static bool read_time_taken(struct reader *r)
{
	double ms;

	if (!json_f64(&r->j, &ms))
		return false;
	r->elapsed = fmax(r->elapsed, ms / 1e3);
	r->fixed_duration |=
		r->job.time_based || (r->job.runtime > 0 && ms / 1e3 >= r->job.runtime);
	return true;
}

/* Reads {"io_bytes": 4096, "clat_ns": {...}}, the value of "read", "sync" etc. */
static bool read_direction(struct reader *r, struct str job, struct str direction)
{
	bool is_sync = str_eq(direction, STR("sync"));
	struct str name =
		arena_printf(r->lines.arena, "%.*s/%.*s", STR_ARG(job), STR_ARG(direction));
	struct str key;
	size_t from;

	if (!json_open(&r->j, '{'))
		return false;
	for (from = r->j.c.at; json_key(&r->j, &key); from = r->j.c.at) {
		const struct kind *k = kind_of(key);
		struct summary m;
		struct tally *t;
		/* sync has only one kind of latency. */
		bool main_kind = k != NULL && (k->layer[0] == '\0' || is_sync);

		if (str_eq(key, STR("runtime"))) {
			if (!read_time_taken(r))
				return false;
			continue;
		}
		if (k == NULL || json_peek(&r->j) != '{') {
			if (!json_skip(&r->j))
				return false;
			continue;
		}
		if (!read_summary(r, k->n_bins, &m))
			return false;
		if (m.count == 0 || (!main_kind && !m.has_bins))
			continue;
		t = find_tally(r, is_sync ? STR("") : str_from(k->layer), name,
			       json_since(&r->j, from));
		t->unit = k->unit;
		t->fixed_duration |= r->fixed_duration;
		if (!add_summary(r, t, &m))
			return false;
	}
	return !r->j.failed;
}

static bool is_direction(struct str key)
{
	return str_eq(key, STR("read")) || str_eq(key, STR("write")) || str_eq(key, STR("trim")) ||
	       str_eq(key, STR("sync"));
}

/* With unified_rw_reporting=both, "mixed" repeats the other directions. */
static bool read_job(void *ctx)
{
	struct reader *r = ctx;
	struct str job = STR(""), key;
	bool apart = false;
	bool done = true;

	r->job = r->global;
	r->fixed_duration = false;
	for (json_object(&r->j); done && json_key(&r->j, &key);) {
		if (str_eq(key, STR("jobname")))
			done = json_string(&r->j, &job);
		else if (str_eq(key, STR("job options")) && json_peek(&r->j) == '{')
			done = read_options_of(r, &r->job);
		else if (str_eq(job, STR("All clients")))
			done = json_skip(&r->j);
		else if (is_direction(key))
			done = apart = read_direction(r, job, key);
		else if (str_eq(key, STR("mixed")) && !apart)
			done = read_direction(r, job, key);
		else
			done = json_skip(&r->j);
	}
	return done && !r->j.failed;
}

/* --- to the builder ------------------------------------------------------------ */

static bool push_bins(struct reader *r, struct tally *t)
{
	struct bucket_scheme s = fio_scheme(t->unit == UNIT_NS ? FIO_BINS : FIO_BINS_OLD, 0);

	if (!build_scheme(r->lines.to, &s, t->where))
		return false;
	if (!bucket_sums_settle(&t->bins))
		return report_overflow(r, t->where);
	for (size_t i = 0; i < t->bins.n; i++) {
		if (!build_bucket(r->lines.to, t->bins.at[i].index, t->bins.at[i].count, t->where))
			return false;
	}
	return true;
}

static bool push_tally(struct reader *r, struct tally *t)
{
	if (!build_operation(r->lines.to, t->layer, t->name, t->where))
		return false;
	if (t->has_bins && !push_bins(r, t))
		return false;
	build_unit(r->lines.to, t->unit, UNIT_STATED);
	if (t->min <= t->max) {
		build_min(r->lines.to, t->min);
		build_max(r->lines.to, t->max);
	}
	if (t->fixed_duration)
		build_fixed_duration(r->lines.to);
	build_rounded_totals(r->lines.to);
	return build_count(r->lines.to, t->count, t->where) &&
	       build_total(r->lines.to, t->total, t->where);
}

static bool push_document(struct reader *r)
{
	if (r->several)
		build_next_interval(r->lines.to,
				    r->stamp > r->before ? (r->stamp - r->first) / 1e3 : NAN);
	r->before = r->stamp;
	if (r->elapsed > 0)
		build_elapsed(r->lines.to, r->elapsed);
	if (r->elapsed > 0 && !r->several && r->stamp > 0) /* it was printed at the end */
		build_started(r->lines.to, r->stamp / 1e3 - r->elapsed);
	for (struct tally *t = r->tallies; t != NULL; t = t->hh.next) {
		if (!push_tally(r, t))
			return false;
	}
	return true;
}

static void drop_tallies(struct reader *r)
{
	for (struct tally *t = r->tallies; t != NULL; t = t->hh.next)
		bucket_sums_release(&t->bins);
	HASH_CLEAR(hh, r->tallies);
	r->tallies = NULL;
}

static bool fio_read_document(struct reader *r)
{
	const struct json_member members[] = {
		JSON_EACH("jobs", read_job, r),
		JSON_EACH("client_stats", read_job, r),
		JSON_READ("global options", read_global_options, r, .only = '{'),
		JSON_F64("timestamp_ms", &r->stamp),
	};

	r->stamp = NAN;
	r->elapsed = 0;
	r->global = (struct limit){ 0 };
	if (!json_members(&r->j, members, COUNT_OF(members)))
		return false;
	if (!r->several)
		r->first = r->stamp;
	return true;
}

static bool fio_text(void *reader)
{
	struct reader *r = reader;
	struct cursor c = r->lines.rest;
	bool ok, more;

	r->before = -HUGE_VAL;
	(void)find_document(&c); /* otherwise the document is at the cursor */
	do {
		json_start(&r->j, c, r->lines.arena, r->lines.diag);
		ok = fio_read_document(r);
		c = r->j.c;
		more = ok && find_document(&c);
		r->several |= more;
		ok = ok && push_document(r);
		drop_tallies(r);
	} while (ok && more);
	if (ok && r->percentiles)
		diag_file(r->lines.diag, DIAG_NOT_A_HISTOGRAM, r->lines.in,
			  "percentiles of fio's json; its json+ has buckets");
	bucket_sums_release(&r->bins);
	return ok;
}

const struct format format_fio = {
	.name = "fio",
	.title = "fio --output-format=json+: buckets of jobs; json: summary statistics",
	.versions = "3.33, 3.41",
	.unit = "ns; us before fio 3",
	.totals = "mean times calls, rounded to the unit",
	.probe = probe_fio,
	.parts = MARKS("fio-report"),
	.read = lines_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .end = fio_text,
					     .snapshots = SNAPSHOTS_CUMULATIVE },
};
