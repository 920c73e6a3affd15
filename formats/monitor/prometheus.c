/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prometheus: classic histograms in Prometheus' text exposition format and in its successor
 * OpenMetrics.
 *
 *	# TYPE fs_seconds histogram
 *	fs_seconds_bucket{op="read",le="0.001"} 24054
 *	fs_seconds_bucket{op="read",le="+Inf"} 33444
 *	fs_seconds_sum{op="read"} 12.7
 *	fs_seconds_count{op="read"} 33444
 *
 * Counts are cumulative: over all values up to le, and since the start.  Each further scrape in a
 * file is another snapshot.  An operation is the metric with all labels but le:
 * fs_seconds{op="read"}.  A bucket includes le, but values equal to it are shown at the beginning
 * of the next bucket.  The first bucket begins at 0.  A histogram of one bucket has summary
 * statistics only.  For files that osprof wrote, the original names are restored.
 *
 * Seen: text 0.0.4 and OpenMetrics 1.0 of the Python client 0.16, the examples of the
 * specification.  Not read: summaries, which have only percentiles; native histograms, which
 * have no text format.
 */
#include <math.h>

#include "base/arena.h"
#include "base/out.h"
#include "base/tables/hash.h"
#include "formats/lines.h"
#include "formats/monitor/prometheus_line.h"
#include "formats/monitor/prometheus_series.h"
#include "formats/monitor/prometheus_write.h"
#include "formats/text.h"

/* --- recognising ------------------------------------------------------------- */

/* "# TYPE name histogram"; `ret_name` may be NULL. */
static bool is_type(struct str line, struct str *ret_name, struct str *ret_type)
{
	static const char *const types[] = { "counter", "gauge",    "histogram",
					     "summary", "untyped",  "gaugehistogram",
					     "info",	"stateset", "unknown" };
	struct str name, type;

	if (!str_has_prefix(line, STR("# TYPE ")) ||
	    !str_cut(str_trim(str_skip(line, 7)), ' ', &name, &type))
		return false;
	type = str_trim(type);
	for (size_t i = 0; i < COUNT_OF(types); i++) {
		if (!str_eq(type, str_from(types[i])))
			continue;
		*ret_name = name;
		*ret_type = type;
		return true;
	}
	return false;
}

static enum probe probe_prometheus(struct str head, struct clue *clue)
{
	struct str line, rest = head, name, type;
	struct prometheus_sample s;
	const char *where;

	(void)clue;
	while (text_line(&rest, &line)) {
		if (is_type(line, &name, &type))
			return PROBE_MAGIC;
		if (line.n == 0 || line.p[0] == '#')
			continue;
		if (prometheus_scan(line, &s, &where) != NULL)
			return PROBE_NO;
		if (str_eq(s.value, STR("=>"))) /* promtool's output */
			return PROBE_NO;
		if (s.part == PART_BUCKET && s.le.p != NULL)
			return PROBE_MARKS;
	}
	return PROBE_NO;
}

/* --- series ---------------------------------------------------------------------- */

struct row {
	double le;
	uint64_t upto;
	struct str where;
};

/* One operation in the current scrape. */
struct series {
	struct str key; /* base{labels} */
	struct str base, where;
	struct row *row;
	size_t n, cap;
	bool claimed; /* it is known to be a histogram; its sum and count may precede its buckets */
	struct str sum_at, count_at; /* as printed; p NULL: none */
	bool has_sum;
	struct decimal sum;
	uint64_t count;
	UT_hash_handle hh;
};

struct reader {
	struct lines lines;
	struct builder *to;
	struct arena *arena;
	struct series *all, *current;
	struct prometheus_sample last; /* sample for which the current series was found */
	struct out *key;	       /* scratch */
	struct str histogram;	       /* metric declared as a histogram by # TYPE */
	struct str unit_of, unit;      /* metric and unit of the last # UNIT */
	double stamp, before; /* times of this and the previous scrape, in seconds; NAN: none */
	bool several;	      /* several scrapes */
	bool summaries;
};

/* Finds the series of a sample, or adds it. */
static struct series *find_series(struct reader *r, const struct prometheus_sample *s,
				  struct str where)
{
	struct series *e;
	struct str key;

	out_reset(r->key);
	prometheus_sample_series(s, r->key);
	key = out_memory(r->key);
	HASH_FIND(hh, r->all, key.p, key.n, e);
	if (e == NULL) {
		e = arena_make(r->arena, struct series, 1);
		e->key = arena_str(r->arena, key);
		e->base = (struct str){ e->key.p, s->base.n };
		e->where = where;
		HASH_ADD_KEYPTR(hh, r->all, e->key.p, e->key.n, e);
	}
	r->current = e;
	r->last = *s;
	return e;
}

/* --- to the builder ---------------------------------------------------------------- */

/* # UNIT takes precedence over the name, except in files that osprof wrote. */
static void set_unit(struct reader *r, const struct series *e,
		     const struct prometheus_operation *op)
{
	enum unit unit;

	if (op->unit_source == UNIT_GUESSED && str_eq(e->base, r->unit_of) &&
	    unit_parse(r->unit, &unit) && unit != UNIT_PLAIN)
		build_unit(r->to, unit, UNIT_STATED);
	else
		build_unit(r->to, op->unit, op->unit_source);
}

static bool open_operation(struct reader *r, const struct series *e)
{
	struct prometheus_operation op = prometheus_operation(e->key, e->base.n, r->arena);

	if (!build_operation(r->to, op.layer, op.name, e->where))
		return false;
	set_unit(r, e, &op);
	return true;
}

/* Values are not negative, so those up to le="0" are 0 and belong to the next bucket. */
static bool prometheus_push_rows(struct reader *r, const struct series *e)
{
	double low = e->row[0].le < 0 ? -HUGE_VAL : 0;
	size_t first = e->row[0].le == 0 && e->n > 1;
	uint64_t before = 0;

	if (!build_histogram(r->to, e->where))
		return false;
	for (size_t i = first; i < e->n; i++) {
		const struct row *row = &e->row[i];

		if (!build_range(r->to, low, row->le, row->upto - before, row->where))
			return false;
		low = row->le;
		before = row->upto;
	}
	if (low < HUGE_VAL && e->count_at.p != NULL && e->count > before)
		return build_range(r->to, low, HUGE_VAL, e->count - before, e->count_at);
	return true;
}

static bool parse_statements(const struct reader *r, struct series *e)
{
	e->has_sum = false;
	return (e->count_at.p == NULL ||
		prometheus_count(r->lines.in, r->lines.diag, e->count_at, &e->count)) &&
	       (e->sum_at.p == NULL ||
		prometheus_sum(r->lines.in, r->lines.diag, e->sum_at, &e->has_sum, &e->sum));
}

static bool push_series(struct reader *r, struct series *e)
{
	bool bare = e->n == 0 || (e->n == 1 && isinf(e->row[0].le));
	bool has_count = e->count_at.p != NULL;

	if (!parse_statements(r, e))
		return false;
	if (!open_operation(r, e) || (!bare && !prometheus_push_rows(r, e)))
		return false;
	if (bare && e->n == 1 && !has_count && !build_count(r->to, e->row[0].upto, e->where))
		return false;
	if (has_count && !build_count(r->to, e->count, e->count_at))
		return false;
	return !e->has_sum || build_total(r->to, e->sum, e->where);
}

/* Pushes all series that have a value in the current scrape. */
static bool push_scrape(struct reader *r)
{
	if (r->several)
		build_next_interval(r->to, r->stamp > r->before ? r->stamp : NAN);
	r->before = r->stamp;
	r->stamp = NAN;
	for (struct series *e = r->all; e != NULL; e = e->hh.next) {
		if (e->claimed && (e->n > 0 || e->count_at.p != NULL) && !push_series(r, e))
			return false;
		e->n = 0;
		e->sum_at.p = e->count_at.p = NULL;
	}
	return true;
}

/* Begins the next scrape: called when a series occurs again. */
static bool next_scrape(struct reader *r)
{
	r->several = true;
	return push_scrape(r);
}

/* --- samples -------------------------------------------------------------------------- */

/* `e` is the sample's series, or NULL if it is not known yet. */
static bool add_bucket(struct reader *r, struct series *e, const struct prometheus_sample *s,
		       struct str line)
{
	struct row row = { .where = s->value };

	if (s->le.p == NULL)
		return true; /* a counter with such a name */
	if (!prometheus_le(r->lines.in, r->lines.diag, s->le, &row.le) ||
	    !prometheus_count(r->lines.in, r->lines.diag, s->value, &row.upto))
		return false;
	if (e == NULL)
		e = find_series(r, s, line);
	e->claimed = true;
	if (e->n > 0 && row.le <= e->row[0].le && !next_scrape(r))
		return false;
	if (e->n > 0 && row.le <= e->row[e->n - 1].le)
		return format_fail(r->lines.in, r->lines.diag, DIAG_BUCKET_ORDER, s->le,
				   "up to %.12g after up to %.12g", row.le, e->row[e->n - 1].le);
	if (e->n > 0 && row.upto < e->row[e->n - 1].upto)
		return format_fail(r->lines.in, r->lines.diag, DIAG_BUCKET_ORDER, s->value,
				   "counts are cumulative, and this is less than %llu before it",
				   (unsigned long long)e->row[e->n - 1].upto);
	e->row = xgrow(e->row, &e->cap, e->n + 1, sizeof(*e->row));
	e->row[e->n++] = row;
	return true;
}

/* The value is parsed when it is known that it belongs to a histogram: others have such names, too.
 */
static bool add_statement(struct reader *r, const struct prometheus_sample *s, struct str line)
{
	struct series *e = find_series(r, s, line);

	e->claimed |= str_eq(s->base, r->histogram);
	if ((s->part == PART_COUNT ? e->count_at : e->sum_at).p != NULL && !next_scrape(r))
		return false;
	*(s->part == PART_COUNT ? &e->count_at : &e->sum_at) = s->value;
	return true;
}

/* Time stamps are in ms, or in s in OpenMetrics; large values must be ms. */
static void take_stamp(struct reader *r, struct str s)
{
	const double milliseconds = 1e11;
	double v;

	if (s.n > 0 && isnan(r->stamp) && number_f64(s, &v) == NUMBER_OK && isfinite(v))
		r->stamp = fabs(v) > milliseconds ? v / 1e3 : v;
}

static bool read_sample(struct reader *r, struct str line)
{
	struct prometheus_sample s;
	bool similar = r->last.part == PART_BUCKET && prometheus_scan_similar(line, &r->last, &s);
	const char *at, *why = similar ? NULL : prometheus_scan(line, &s, &at);
	bool ok;

	if (s.part == PART_OTHER && s.base.n > 0)
		return true; /* not part of a histogram */
	if (why != NULL)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED,
				  (struct str){ at, (size_t)(line.p + line.n - at) }, "%s", why);
	if (s.part == PART_OTHER)
		return true;
	ok = s.part == PART_BUCKET ? add_bucket(r, similar ? r->current : NULL, &s, line)
				   : add_statement(r, &s, line);
	if (ok)
		take_stamp(r, s.stamp);
	return ok;
}

static void read_comment(struct reader *r, struct str line)
{
	struct str name, type;

	if (is_type(line, &name, &type)) {
		r->histogram = str_eq(type, STR("histogram")) ? name : STR("");
		r->summaries |= str_eq(type, STR("summary"));
	} else if (str_has_prefix(line, STR("# UNIT ")) &&
		   str_cut(str_skip(line, 7), ' ', &name, &type)) {
		r->unit_of = name;
		r->unit = str_trim(type);
	}
}

static bool prometheus_read_lines(struct reader *r)
{
	while (lines_next(&r->lines)) {
		struct str line = r->lines.text;

		if (line.n > 0 && line.p[0] == '#')
			read_comment(r, line);
		else if (line.n > 0 && !read_sample(r, line))
			return false;
	}
	return push_scrape(r);
}

static bool read_prometheus(const struct read_task *task)
{
	struct reader r = { .to = task->to,
			    .arena = arena_new(),
			    .key = out_to_memory(),
			    .histogram = STR(""),
			    .unit_of = STR(""),
			    .stamp = NAN,
			    .before = -HUGE_VAL };
	bool ok;

	lines_start(&r.lines, task->in, task->diag);
	build_snapshots(task->to, SNAPSHOTS_CUMULATIVE);
	ok = prometheus_read_lines(&r);
	if (ok && r.summaries)
		diag_file(task->diag, DIAG_NOT_A_HISTOGRAM, task->in,
			  "summaries, which have percentiles only");
	for (struct series *e = r.all; e != NULL; e = e->hh.next)
		free(e->row);
	HASH_CLEAR(hh, r.all);
	out_free(r.key);
	arena_free(r.arena);
	return ok;
}

const struct format format_prometheus = {
	.name = "prometheus",
	.title = "classic histograms in Prometheus' text format, OpenMetrics",
	.versions = "0.0.4; OpenMetrics 1.0",
	.unit = "from the name of the metric, or # UNIT",
	.totals = "exact, where there is a _sum",
	.suffix = SUFFIXES(".prom"),
	.probe = probe_prometheus,
	.read = read_prometheus,
	.write = prometheus_write,
};
