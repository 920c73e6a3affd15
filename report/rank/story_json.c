/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/rank/story_json.h"

#include <math.h>

#include "analyze/rank/story.h"
#include "base/arena.h"
#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/rank/statements.h"
#include "report/report.h"

double story_seconds(struct scale scale)
{
	double seconds;

	return unit_seconds(scale.unit, scale.hz, &seconds) ? seconds : NAN;
}

const char *story_lacks(const struct profile *p)
{
	double seconds;

	if (unit_seconds(p->unit, p->hz, &seconds) || p->unit == UNIT_PLAIN)
		return NULL;
	return p->unit == UNIT_CYCLES ? "--hz" : "--unit";
}

static void write_hints(struct jout *j, const char *key, const struct time_hint *hint, size_t n)
{
	jout_array(j, key);
	for (size_t i = 0; i < n; i++) {
		jout_flat_object(j, NULL);
		jout_str(j, "name", hint[i].time->name);
		jout_f64(j, "log2_ratio", hint[i].octaves);
		jout_f64(j, "low", hint[i].time->low);
		jout_f64(j, "high", hint[i].time->high);
		jout_str(j, "source", hint[i].time->source);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void write_likes(struct jout *j, const struct story_peak *k)
{
	jout_array(j, "resembles");
	for (size_t i = 0; i < k->n_like; i++) {
		const struct like_peak *l = &k->like[i];

		jout_flat_object(j, NULL);
		jout_str(j, "name", l->op->name);
		jout_str(j, "layer", l->op->layer);
		jout_u64(j, "peak", l->number);
		jout_u64(j, "last_peak", l->last);
		jout_u64(j, "own_first_peak", l->own_first);
		jout_u64(j, "own_last_peak", l->own_last);
		jout_u64(j, "count", l->peak.count);
		jout_text(j, "counts", counts_name(l->counts));
		jout_f64(j, "log2_ratio", l->apart);
		jout_f64(j, "emd", l->emd);
		jout_end_object(j);
	}
	jout_end_array(j);
}

/* A peak of a single run has no change. */
static void one_peak(struct jout *j, const struct story_peak *k, bool single)
{
	jout_object(j, NULL);
	jout_u64(j, "number", k->number);
	jout_text(j, "change", single ? NULL : peak_change_name(k->pair.change));
	jout_peak(j, "before", single ? NULL : k->pair.before);
	jout_peak(j, "after", k->pair.after);
	jout_f64(j, "added", single ? NAN : k->added);
	jout_f64(j, "part", single ? NAN : k->part);
	write_likes(j, k);
	write_hints(j, "as_long_as", k->hint, k->n_hints);
	jout_f64(j, "period", k->period);
	write_hints(j, "as_often_as", k->period_hint, k->n_period_hints);
	jout_end_object(j);
}

static void write_sums(struct jout *j, const struct op_story *op_story)
{
	jout_array(j, "sums");
	for (size_t i = 0; i < op_story->n_sums; i++) {
		const struct like_sum *s = &op_story->sum[i];

		jout_flat_object(j, NULL);
		jout_u64(j, "first", s->first + 1);
		jout_u64(j, "last", s->last + 1);
		jout_u64(j, "count", s->count);
		jout_str(j, "name", s->op->name);
		jout_str(j, "layer", s->op->layer);
		jout_u64(j, "calls", operation_count(s->op));
		jout_text(j, "counts", counts_name(s->counts));
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void write_relatives(struct jout *j, const struct op_story *op_story)
{
	jout_array(j, "called_similar");
	for (size_t i = 0; i < op_story->n_relatives; i++) {
		const struct resemble_calls *l = &op_story->relatives[i];

		jout_flat_object(j, NULL);
		jout_str(j, "name", l->op->name);
		jout_str(j, "layer", l->op->layer);
		jout_u64(j, "calls", operation_count(l->op));
		jout_text(j, "counts", counts_name(l->counts));
		jout_u64(j, "peaks_similar", l->n_matching);
		jout_u64(j, "peaks", l->n_peaks);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void write_explanation(struct jout *j, const struct comparison *c, const struct ranked *r)
{
	struct out *o = out_to_memory();

	explain(o, c, r);
	jout_str(j, "explanation", out_memory(o));
	out_free(o);
}

static void own_explanation(struct jout *j, const struct run *run, const struct operation *op)
{
	struct arena *a = arena_new();
	struct statements s = statements_of_operation(a, run, op);
	struct out *o = out_to_memory();

	say_statements(o, &s);
	jout_str(j, "explanation", out_memory(o));
	out_free(o);
	arena_free(a);
}

static void one_operation(struct jout *j, const struct story *story, const struct story_context *t,
			  const struct ranked *r)
{
	const struct operation *op = r->after != NULL ? r->after : r->before;
	struct arena *a = arena_new();
	double seconds = story_seconds(scale_of_ranked(story->comparison, r));
	struct op_story op_story = story_of(a, t, r, seconds);

	jout_object(j, NULL);
	jout_str(j, "name", op->name);
	jout_str(j, "layer", op->layer);
	jout_bool(j, "reported", r->reported);
	jout_text(j, "verdict", story->single ? NULL : verdict_name(r->verdict));
	if (story->single)
		own_explanation(j, &story->comparison->after, op);
	else
		write_explanation(j, story->comparison, r);
	jout_f64(j, "added", story->single ? NAN : op_story.added);
	jout_f64(j, "saved", story->single ? NAN : op_story.saved);
	jout_array(j, "peaks");
	for (size_t i = 0; i < op_story.n_peaks; i++)
		one_peak(j, &op_story.peak[i], story->single);
	jout_end_array(j);
	write_sums(j, &op_story);
	write_relatives(j, &op_story);
	jout_end_object(j);
	arena_free(a);
}

void story_json(struct out *o, const struct story *story, const struct story_context *t)
{
	const struct comparison *c = story->comparison;
	struct jout j = jout_on(o);

	jout_document(&j, "osprof.explain/1");
	if (story->single)
		jout_null(&j, "before");
	else
		jout_files(&j, "before", &c->before);
	jout_files(&j, "after", &c->after);
	jout_unit(&j, "unit", c->before.profile->unit);
	jout_text(&j, "lacks", story_lacks(c->before.profile));
	jout_f64(&j, "elapsed_before",
		 t->elapsed_before > 0 && !story->single ? t->elapsed_before : NAN);
	jout_f64(&j, "elapsed_after", t->elapsed_after > 0 ? t->elapsed_after : NAN);
	jout_cautions(&j, c);
	jout_array(&j, "operations");
	for (size_t i = 0; i < story->n; i++)
		one_operation(&j, story, t, story->chosen[i]);
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}
