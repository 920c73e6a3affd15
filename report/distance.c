/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof distance: every distance of every operation, or pairwise within one run. */
#include "analyze/distance.h"

#include <math.h>

#include "analyze/cluster.h"
#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/table.h"

enum { COLUMNS_BEFORE_METRICS = 3 };

static void distance_json(struct out *o, const struct comparison *c)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.distance/1");
	jout_files(&j, "before", &c->before);
	jout_files(&j, "after", &c->after);
	jout_text(&j, "metric", distance_at(c->metric)->name);
	jout_array(&j, "operations");
	for (size_t i = 0; i < c->ranking->n; i++) {
		const struct ranked *r = &c->ranking->v[i];
		const struct operation *op = ranked_operation(r);

		jout_object(&j, NULL);
		jout_str(&j, "name", op->name);
		jout_str(&j, "layer", op->layer);
		jout_bool(&j, "approximated", r->approximated);
		jout_metrics(&j, r->metric);
		jout_end_object(&j);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

void report_distance(struct out *o, const struct style *s, const struct comparison *c)
{
	struct column column[COLUMNS_BEFORE_METRICS + N_METRICS] = {
		{ "operation", "operation", ALIGN_LEFT },
		{ "layer", NULL, ALIGN_LEFT },
		{ "approximated", NULL, ALIGN_LEFT },
	};
	struct table *t;

	if (s->output_format == OUTPUT_FORMAT_JSON) {
		distance_json(o, c);
		return;
	}
	for (int m = 0; m < N_METRICS; m++) {
		const char *name = distance_at(m)->name;

		column[COLUMNS_BEFORE_METRICS + m] = (struct column){ name, name, ALIGN_RIGHT };
	}
	t = table_begin(column, COUNT_OF(column), s, o);
	for (size_t i = 0; i < c->ranking->n; i++) {
		const struct ranked *r = &c->ranking->v[i];
		const struct operation *op = ranked_operation(r);

		operation_cell(t, s, op);
		table_name(t, op->layer);
		table_text(t, r->approximated ? "yes" : "no", TONE_PLAIN);
		for (int m = 0; m < N_METRICS; m++)
			table_number(t, r->metric[m]);
	}
	table_end(t);
}

/* --- between the operations of one run --------------------------------------------------- */

static void clusters_json(struct jout *j, const struct within *w)
{
	jout_f64(j, "similar", w->similar);
	jout_array(j, "clusters");
	for (size_t c = 0; c < w->n_clusters; c++) {
		jout_flat_array(j, NULL);
		for (size_t i = 0; i < w->n; i++) {
			if (w->cluster[i] == c)
				jout_str(j, NULL, w->op[i]->name);
		}
		jout_end_array(j);
	}
	jout_end_array(j);
}

static void pairwise_json(struct out *o, const struct within *w)
{
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.within/1");
	jout_text(&j, "path", w->run.path);
	jout_text(&j, "metric", distance_at(w->metric)->name);
	jout_u64(&j, "left_out", w->n_left_out);
	clusters_json(&j, w);
	jout_array(&j, "operations");
	for (size_t i = 0; i < w->n; i++) {
		jout_object(&j, NULL);
		jout_str(&j, "name", w->op[i]->name);
		jout_str(&j, "layer", w->op[i]->layer);
		if (w->cluster[i] == CLUSTER_NONE)
			jout_null(&j, "cluster");
		else
			jout_u64(&j, "cluster", w->cluster[i]);
		jout_flat_array(&j, "distance");
		for (size_t k = 0; k < w->n; k++)
			jout_f64(&j, NULL, w->distance[i * w->n + k]);
		jout_end_array(&j);
		jout_end_object(&j);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

/* One row for each pair. */
static void pairwise_csv(struct out *o, const struct style *s, const struct within *w)
{
	static const struct column columns[] = {
		{ "operation", "operation", ALIGN_LEFT }, { "layer", NULL, ALIGN_LEFT },
		{ "other", "other", ALIGN_LEFT },	  { "other_layer", NULL, ALIGN_LEFT },
		{ "distance", "distance", ALIGN_RIGHT },
	};
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < w->n; i++) {
		for (size_t k = 0; k < w->n; k++) {
			if (k == i)
				continue;
			table_name(t, w->op[i]->name);
			table_name(t, w->op[i]->layer);
			table_name(t, w->op[k]->name);
			table_name(t, w->op[k]->layer);
			table_number(t, w->distance[i * w->n + k]);
		}
	}
	table_end(t);
}

enum { MAX_IN_MATRIX = 12 };

/* Prints a square matrix; columns are headed by row numbers. */
static void write_matrix(struct out *o, const struct style *s, const struct within *w)
{
	static const char *const number[MAX_IN_MATRIX] = { "1", "2", "3", "4",	"5",  "6",
							   "7", "8", "9", "10", "11", "12" };
	struct column column[MAX_IN_MATRIX + 2] = {
		{ NULL, "", ALIGN_RIGHT },
		{ "operation", "operation", ALIGN_LEFT },
	};
	struct table *t;

	for (size_t i = 0; i < w->n; i++)
		column[i + 2] = (struct column){ number[i], number[i], ALIGN_RIGHT };
	t = table_begin(column, w->n + 2, s, o);
	for (size_t i = 0; i < w->n; i++) {
		table_count(t, i + 1);
		operation_cell(t, s, w->op[i]);
		for (size_t k = 0; k < w->n; k++) {
			if (k == i)
				table_text(t, "-", TONE_DIM);
			else
				table_number(t, w->distance[i * w->n + k]);
		}
	}
	table_end(t);
}

/* Returns the operation at the smallest distance; n when there is none. */
static size_t nearest_to(const struct within *w, size_t i)
{
	const double *d = &w->distance[i * w->n];
	size_t best = w->n;

	for (size_t k = 0; k < w->n; k++) {
		if (k != i && !isnan(d[k]) && (best == w->n || fabs(d[k]) < fabs(d[best])))
			best = k;
	}
	return best;
}

/* Replaces the matrix when there are too many operations for it to fit on a page. */
static void write_neighbours(struct out *o, const struct style *s, const struct within *w)
{
	static const struct column columns[] = {
		{ "operation", "operation", ALIGN_LEFT },
		{ "nearest", "nearest", ALIGN_LEFT },
		{ "distance", "distance", ALIGN_RIGHT },
		{ "group", "group", ALIGN_RIGHT },
	};
	struct table *t = table_begin(columns, COUNT_OF(columns), s, o);

	for (size_t i = 0; i < w->n; i++) {
		size_t k = nearest_to(w, i);

		operation_cell(t, s, w->op[i]);
		if (k < w->n)
			operation_cell(t, s, w->op[k]);
		else
			table_empty(t);
		table_number(t, k < w->n ? w->distance[i * w->n + k] : NAN);
		if (w->cluster[i] != CLUSTER_NONE)
			table_count(t, w->cluster[i] + 1);
		else
			table_empty(t);
	}
	table_end(t);
}

static void group_line(struct out *o, const struct style *s, const struct within *w, size_t number)
{
	bool first = true;

	out_printf(o,
		   s->output_format == OUTPUT_FORMAT_MARKDOWN ? "- group %zu: " : "  group %zu: ",
		   number + 1);
	for (size_t i = 0; i < w->n; i++) {
		if (w->cluster[i] != number)
			continue;
		out_text(o, first ? "" : ", ");
		first = false;
		say_operation(o, s, w->op[i]);
	}
	out_char(o, '\n');
}

static void write_groups(struct out *o, const struct style *s, const struct within *w)
{
	bool markdown = s->output_format == OUTPUT_FORMAT_MARKDOWN;

	out_char(o, '\n');
	if (isnan(w->similar)) {
		out_printf(o,
			   "Use --cluster-distance to set how far apart similar operations may be "
			   "under %s.\n",
			   distance_at(w->metric)->name);
		return;
	}
	out_text(o, w->n_clusters > 0 ? "Alike" : "No two operations are similar");
	out_printf(o, " (%s up to %.6g on average)%s\n", distance_at(w->metric)->name, w->similar,
		   w->n_clusters > 0 ? ":" : ".");
	if (markdown && w->n_clusters > 0)
		out_char(o, '\n');
	for (size_t c = 0; c < w->n_clusters; c++)
		group_line(o, s, w, c);
}

void report_pairwise(struct out *o, const struct style *s, const struct within *w)
{
	switch (s->output_format) {
	case OUTPUT_FORMAT_JSON:
		pairwise_json(o, w);
		return;
	case OUTPUT_FORMAT_CSV:
		pairwise_csv(o, s, w);
		return;
	default:
		break;
	}
	part_heading(o, s->output_format == OUTPUT_FORMAT_MARKDOWN ? "### " : "", &w->run);
	out_char(o, '\n');
	if (w->n <= MAX_IN_MATRIX)
		write_matrix(o, s, w);
	else
		write_neighbours(o, s, w);
	write_groups(o, s, w);
}
