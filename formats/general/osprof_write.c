/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes osprof's own format, described in formats/general/osprof.c. */
#include "formats/general/osprof_write.h"

#include <math.h>
#include <stdlib.h>

#include "base/out.h"
#include "base/quoted.h"
#include "profile/profile.h"
#include "profile/spread.h"

enum { FLOOR_PARTS = 10000 }; /* of an octave, to which floors are rounded */

static void write_number(struct out *o, const char *keyword, double v)
{
	out_printf(o, "%s ", keyword);
	out_f64(o, v);
	out_char(o, '\n');
}

static bool is_default(const struct bucket_scheme *s)
{
	struct bucket_scheme usual = bucket_log2(1);

	return bucket_scheme_eq(s, &usual);
}

static void write_scheme(struct out *o, const struct bucket_scheme *s)
{
	if (is_default(s))
		return;
	out_text(o, "buckets ");
	switch (s->kind) {
	case BUCKET_LOG2:
		out_printf(o, "log2 %u", s->resolution);
		break;
	case BUCKET_LINEAR:
		out_text(o, "linear ");
		out_f64(o, s->origin + 0.0); /* -0 is 0 */
		out_char(o, ' ');
		out_f64(o, s->step);
		break;
	case BUCKET_LOG_LINEAR:
		out_printf(o, "loglinear %u ", s->resolution);
		out_f64(o, s->step);
		break;
	case BUCKET_EDGES:
		out_text(o, "edges");
		for (size_t i = 0; i < s->n_edges; i++) {
			out_char(o, ' ');
			out_f64(o, s->edge[i] + 0.0);
		}
		break;
	}
	if (s->kind != BUCKET_EDGES) {
		int usual = s->kind == BUCKET_LOG2     ? 0
			    : s->kind == BUCKET_LINEAR ? BUCKET_NO_FIRST
						       : 1;

		if (s->first != usual)
			out_printf(o, " from %d", s->first);
		if (s->limit != BUCKET_NO_LIMIT)
			out_printf(o, " open %d", s->limit);
	}
	out_char(o, '\n');
}

static void write_index(struct out *o, const struct bucket_scheme *s, int index)
{
	if (index == bucket_lowest(s))
		out_text(o, "under");
	else if (index == s->first - 1)
		out_text(o, "zero");
	else if (index == s->limit)
		out_text(o, "over");
	else if (index < 0)
		out_printf(o, "%d", index);
	else
		out_u64(o, (uint64_t)index);
}

static void write_rows(struct out *o, const struct histogram *h)
{
	for (size_t i = 0; i < h->n; i++) {
		write_index(o, h->scheme, h->bucket[i].edges->index);
		out_char(o, ' ');
		out_u64(o, h->bucket[i].count);
		out_char(o, '\n');
	}
}

/* Writes a run on one line, `run` and all that follows it. */
static void write_run(struct out *o, size_t number, const struct interval *run)
{
	const struct stated *s = &run->stated;
	const struct histogram *h = &run->hist;

	out_printf(o, "run %zu", number);
	if (s->has_count)
		out_printf(o, " count %llu", (unsigned long long)s->count);
	if (s->has_total) {
		out_text(o, " total ");
		decimal_print(o, s->total);
	}
	if (s->has_self) {
		out_text(o, " self ");
		decimal_print(o, s->self);
	}
	if (s->has_inclusive) {
		out_text(o, " inclusive ");
		decimal_print(o, s->inclusive);
	}
	if (s->has_min) {
		out_text(o, " min ");
		out_f64(o, s->min);
	}
	if (s->has_max) {
		out_text(o, " max ");
		out_f64(o, s->max);
	}
	for (size_t i = 0; i < h->n; i++) {
		out_char(o, ' ');
		write_index(o, h->scheme, h->bucket[i].edges->index);
		out_char(o, ':');
		out_u64(o, h->bucket[i].count);
	}
	out_char(o, '\n');
}

static void write_floor(struct out *o, const struct noise_floor *f)
{
	const double v[] = { f->shift, f->mean, f->tail, f->calls };

	out_text(o, "floor");
	for (size_t i = 0; i < COUNT_OF(v); i++) {
		if (isnan(v[i])) {
			out_text(o, " unknown");
		} else {
			out_char(o, ' ');
			out_f64(o, round(v[i] * FLOOR_PARTS) / FLOOR_PARTS);
		}
	}
	out_char(o, '\n');
}

static void write_decimal(struct out *o, const char *keyword, struct decimal v)
{
	out_printf(o, "%s ", keyword);
	decimal_print(o, v);
	out_char(o, '\n');
}

static void write_stated(struct out *o, const struct stated *s)
{
	if (s->has_count)
		out_printf(o, "count %llu\n", (unsigned long long)s->count);
	if (s->has_total)
		write_decimal(o, "total", s->total);
	if (s->has_self)
		write_decimal(o, "self", s->self);
	if (s->has_inclusive)
		write_decimal(o, "inclusive", s->inclusive);
	if (s->has_min)
		write_number(o, "min", s->min);
	if (s->has_max)
		write_number(o, "max", s->max);
	if (s->has_deviation)
		write_number(o, "deviation", s->deviation);
}

static void write_intervals(struct out *o, const struct operation *op)
{
	for (size_t i = 0; i < op->n_intervals; i++) {
		out_text(o, "interval ");
		out_f64(o, op->interval[i].start);
		out_char(o, ' ');
		out_f64(o, op->interval[i].end);
		out_char(o, '\n');
		write_stated(o, &op->interval[i].stated);
		write_rows(o, &op->interval[i].hist);
	}
}

static void write_runs(struct out *o, const struct operation *op)
{
	if (op->floor != NULL)
		write_floor(o, op->floor);
	write_scheme(o, op->hist.scheme);
	for (size_t i = 0; i < op->n_intervals; i++)
		write_run(o, (size_t)op->interval[i].end, &op->interval[i]);
}

/* Without any row, a reader would take the sum of the intervals: write a row with count 0. */
static void write_whole_run(struct out *o, const struct operation *op)
{
	write_rows(o, &op->hist);
	for (size_t i = 0; op->hist.n == 0 && i < op->n_intervals; i++) {
		if (op->interval[i].hist.n > 0) {
			write_index(o, op->hist.scheme, bucket_find(op->hist.scheme, 1));
			out_text(o, " 0\n");
			return;
		}
	}
}

static int by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Writes hosts by their numbers among the `host` statements. */
static void write_spread(struct out *o, const struct profile *p, const char *feature,
			 const struct host_spread *s)
{
	out_printf(o, "spread %s ", feature);
	out_u64(o, s->n);
	out_char(o, ' ');
	decimal_print(o, s->sum);
	out_char(o, ' ');
	decimal_print(o, s->squares);
	out_text(o, " extreme");
	for (size_t i = 0; i < s->n_extremes; i++) {
		const struct str *host = bsearch(&s->extreme[i].host, p->host, p->n_hosts,
						 sizeof(*p->host), by_name);

		out_printf(o, " %zu:%lld", (size_t)(host - p->host) + 1,
			   (long long)s->extreme[i].value);
	}
	out_char(o, '\n');
}

static void write_spreads(struct out *o, const struct profile *p, const struct operation *op)
{
	for (int f = 0; f < N_SPREADS && op->spreads != NULL; f++) {
		if (op->spreads->of[f].n > 0)
			write_spread(o, p, spread_names[f], &op->spreads->of[f]);
	}
}

static void write_operation(struct out *o, const struct profile *p, const struct operation *op)
{
	out_text(o, "op ");
	quoted_write(o, op->name);
	out_char(o, '\n');
	if (op->unit != p->unit)
		out_printf(o, "unit %s\n", unit_name(op->unit));
	if (op->lost > 0)
		out_printf(o, "lost %llu\n", (unsigned long long)op->lost);
	if (op->threshold > 0)
		write_number(o, "threshold", op->threshold);
	if (op->hist.granularity > 0)
		write_number(o, "granularity", op->hist.granularity);
	if (op->rounded_totals)
		out_text(o, "rounded-totals\n");
	if (op->fixed_duration && !p->fixed_duration)
		out_text(o, "fixed-duration\n");
	if (op->hist.approximate)
		out_text(o, "approximate\n");
	if (p->baseline.n_runs > 0) {
		write_runs(o, op);
		return;
	}
	write_stated(o, &op->stated);
	write_spreads(o, p, op);
	write_scheme(o, op->hist.scheme);
	write_whole_run(o, op);
	write_intervals(o, op);
}

static void write_name(struct out *o, const char *keyword, struct str name)
{
	out_printf(o, "%s ", keyword);
	quoted_write(o, name);
	out_char(o, '\n');
}

static void write_hosts(struct out *o, const struct profile *p)
{
	if (p->by_host)
		out_text(o, "by-host\n");
	for (size_t i = 0; i < p->n_hosts; i++)
		write_name(o, "host", p->host[i]);
	for (size_t i = 0; i < p->n_missing; i++)
		write_name(o, "missing", p->missing[i]);
	if (p->n_missing > 0 || p->n_hosts > 1)
		out_printf(o, "hosts %zu of %zu\n", p->n_hosts, p->n_hosts + p->n_missing);
}

static void write_nests(struct out *o, const struct profile *p)
{
	for (size_t i = 0; i < p->n_nests; i++) {
		const struct nest *n = &p->nest[i];

		out_text(o, "nest ");
		nest_write(o, n);
		out_char(o, '\n');
		if (!n->measured)
			continue;
		out_printf(o, "nested %llu %llu ", (unsigned long long)n->reached,
			   (unsigned long long)n->calls);
		decimal_print(o, n->total);
		out_char(o, '\n');
	}
}

/* Returns whether a reader would deduce the elapsed time from the ends of intervals. */
static bool implies_elapsed(const struct profile *p)
{
	const struct interval *first = NULL;

	for (size_t i = 0; i < p->n_ops && !p->untimed && !p->epoch; i++) {
		for (size_t k = 0; k < p->op[i].n_intervals; k++) {
			const struct interval *v = &p->op[i].interval[k];

			if (first == NULL)
				first = v;
			else if (v->start != first->start || v->end != first->end)
				return true;
		}
	}
	return false;
}

static void write_run_time(struct out *o, const struct profile *p)
{
	if (p->elapsed > 0) {
		out_text(o, "elapsed ");
		out_f64(o, p->elapsed);
		if (p->elapsed_source != ELAPSED_STATED)
			out_printf(o, " %s", elapsed_source_name(p->elapsed_source));
		out_char(o, '\n');
	} else if (implies_elapsed(p)) {
		out_text(o, "elapsed unknown\n");
	}
	if (p->concurrency > 0)
		write_number(o, "concurrency", p->concurrency);
	if (p->fixed_duration)
		out_text(o, "fixed-duration\n");
}

static void write_contention(struct out *o, const struct contention *c)
{
	out_printf(o, "contention %llu %llu %llu %llu\n", (unsigned long long)c->others,
		   (unsigned long long)c->capacity, (unsigned long long)c->waited,
		   (unsigned long long)c->waits);
}

static void write_head(struct out *o, const struct profile *p)
{
	const struct baseline *b = &p->baseline;

	if (b->n_runs == 0)
		out_text(o, "ends\n");
	if (b->n_runs > 0)
		out_printf(o, "baseline %zu\n", b->n_runs);
	if (b->replays > 0)
		out_printf(o, "alarms %zu %zu\n", b->alarms, b->replays);
	write_hosts(o, p);
	if (p->machine.n > 0)
		write_name(o, "machine", p->machine);
	if (p->kernel.n > 0)
		write_name(o, "kernel", p->kernel);
	if (p->unit != UNIT_UNKNOWN)
		out_printf(o, "unit %s\n", unit_name(p->unit));
	if (p->hz > 0)
		write_number(o, "hz", p->hz);
	if (p->n_ops > 0 && p->op[0].unit != p->unit)
		out_printf(o, "profile-unit %s\n", unit_name(p->unit));
	if (p->started > 0)
		write_number(o, "started", p->started);
	if (p->duet.n > 0)
		write_name(o, "duet", p->duet);
	if (p->cpu_speed > 0)
		write_number(o, "cpu-speed", p->cpu_speed);
	if (contention_is_known(&p->contention))
		write_contention(o, &p->contention);
	write_run_time(o, p);
	if (p->untimed && b->n_runs == 0)
		out_text(o, "untimed\n");
	if (p->epoch)
		out_text(o, "epoch\n");
	if (p->lost > 0)
		out_printf(o, "lost %llu\n", (unsigned long long)p->lost);
	write_nests(o, p);
}

bool osprof_write(const struct profile *p, struct out *o, struct diag *diag)
{
	struct str layer = STR("");

	(void)diag;
	out_text(o, "osprof 1\n");
	write_head(o, p);
	for (size_t i = 0; i < p->n_ops; i++) {
		if (!str_eq(p->op[i].layer, layer)) {
			layer = p->op[i].layer;
			out_text(o, "layer ");
			quoted_write(o, layer);
			out_char(o, '\n');
		}
		write_operation(o, p, &p->op[i]);
	}
	if (p->baseline.n_runs > 0)
		out_text(o, "end\n");
	else
		out_printf(o, "end %zu\n", p->n_ops);
	return true;
}
