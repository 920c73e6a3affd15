/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof distance: every distance for every operation, or between those of one run. */
#include "analyze/distance.h"

#include <math.h>

#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/table.h"

enum { COLUMNS_BEFORE_METRICS = 3 };

static void distance_json(struct out *o, const struct comparison *c)
{
	struct jout j = jout_on(o);

	jout_object(&j, NULL);
	jout_text(&j, "schema", "osprof.distance/1");
	jout_files(&j, "before", &c->before);
	jout_files(&j, "after", &c->after);
	jout_text(&j, "metric", distance_at(c->metric)->name);
	jout_array(&j, "operations");
	for (size_t i = 0; i < c->ranking->n; i++) {
		const struct ranked *r = &c->ranking->v[i];
		const struct operation *op = r->before != NULL ? r->before : r->after;

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
		{ "operation", "operation", ALIGN_LEFT, false },
		{ "layer", NULL, ALIGN_LEFT, false },
		{ "approximated", NULL, ALIGN_LEFT, false },
	};
	struct table *t;

	if (s->dress == DRESS_JSON) {
		distance_json(o, c);
		return;
	}
	for (int m = 0; m < N_METRICS; m++) {
		const char *name = distance_at(m)->name;

		column[COLUMNS_BEFORE_METRICS + m] =
			(struct column){ name, name, ALIGN_RIGHT, false };
	}
	t = table_begin(column, COUNT_OF(column), s, o);
	for (size_t i = 0; i < c->ranking->n; i++) {
		const struct ranked *r = &c->ranking->v[i];
		const struct operation *op = r->before != NULL ? r->before : r->after;

		operation_cell(t, s, op);
		table_name(t, op->layer);
		table_text(t, r->approximated ? "yes" : "no", TONE_PLAIN);
		for (int m = 0; m < N_METRICS; m++)
			table_number(t, r->metric[m]);
	}
	table_end(t);
}

static void within_json(struct out *o, const struct within *w)
{
	struct jout j = jout_on(o);

	jout_object(&j, NULL);
	jout_text(&j, "schema", "osprof.within/1");
	jout_text(&j, "path", w->run.path);
	jout_text(&j, "metric", distance_at(w->metric)->name);
	jout_array(&j, "operations");
	for (size_t i = 0; i < w->n; i++) {
		jout_object(&j, NULL);
		jout_str(&j, "name", w->op[i]->name);
		jout_str(&j, "layer", w->op[i]->layer);
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

/* One row for each pair: a matrix of many operations would not fit any page. */
void report_within(struct out *o, const struct style *s, const struct within *w)
{
	static const struct column columns[] = {
		{ "operation", "operation", ALIGN_LEFT, false },
		{ "layer", NULL, ALIGN_LEFT, false },
		{ "other", "other", ALIGN_LEFT, false },
		{ "other_layer", NULL, ALIGN_LEFT, false },
		{ "distance", "distance", ALIGN_RIGHT, false },
	};
	struct table *t;

	if (s->dress == DRESS_JSON) {
		within_json(o, w);
		return;
	}
	t = table_begin(columns, COUNT_OF(columns), s, o);
	for (size_t i = 0; i < w->n; i++) {
		for (size_t k = 0; k < w->n; k++) {
			if (k == i)
				continue;
			operation_cell(t, s, w->op[i]);
			table_name(t, w->op[i]->layer);
			operation_cell(t, s, w->op[k]);
			table_name(t, w->op[k]->layer);
			table_number(t, w->distance[i * w->n + k]);
		}
	}
	table_end(t);
}
