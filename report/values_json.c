/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "base/out.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/values_parts.h"

static void json_counts(struct jout *j, const char *key, const uint64_t *n, size_t n_groups)
{
	jout_flat_array(j, key);
	for (size_t g = 0; g < n_groups; g++)
		jout_u64(j, NULL, n[g]);
	jout_end_array(j);
}

static void json_groups(struct jout *j, const struct operation_values *o)
{
	jout_array(j, "peaks");
	for (size_t g = 0; g < o->n_groups; g++) {
		const struct value_group *v = &o->group[g];

		jout_flat_object(j, NULL);
		if (v->name.n > 0) {
			jout_str(j, "name", v->name);
		} else {
			jout_f64(j, "low", v->low);
			jout_f64(j, "high", v->high);
			jout_f64(j, "core_low", v->core_low);
			jout_f64(j, "core_high", v->core_high);
		}
		jout_u64(j, "count", v->calls);
		jout_end_object(j);
	}
	jout_end_array(j);
}

static void json_class(struct jout *j, const struct value_class *c, size_t n_groups)
{
	static const char *const kinds[] = { "range", "text", "others", "missing" };

	jout_flat_object(j, NULL);
	jout_text(j, "kind", kinds[c->kind]);
	if (c->kind == CLASS_RANGE) {
		jout_f64(j, "low", c->low);
		jout_f64(j, "high", c->high);
	} else if (c->kind == CLASS_TEXT) {
		jout_str(j, "text", c->text);
	}
	jout_u64(j, "count", c->calls);
	json_counts(j, "in_peak", c->of_group, n_groups);
	jout_end_object(j);
}

static void json_split(struct jout *j, const struct separation *s, size_t n_groups)
{
	struct out *o;

	if (!s->split.found) {
		jout_null(j, "split");
		return;
	}
	o = out_to_memory();
	jout_flat_object(j, "split");
	put_side(o, s, true, true);
	jout_str(j, "first", out_memory(o));
	out_reset(o);
	put_side(o, s, false, true);
	jout_str(j, "rest", out_memory(o));
	jout_f64(j, "most", s->split.ordered ? s->split.max : NAN);
	jout_f64(j, "least", s->split.ordered ? s->split.min : NAN);
	jout_f64(j, "share", s->split.share);
	json_counts(j, "first_in_peak", s->split.first, n_groups);
	json_counts(j, "rest_in_peak", s->split.rest, n_groups);
	jout_end_object(j);
	out_free(o);
}

static void json_variable(struct jout *j, const struct separation *s, size_t n_groups)
{
	bool tested = s->verdict == VALUE_SEPARATES || s->verdict == VALUE_DOES_NOT;

	jout_object(j, NULL);
	jout_str(j, "name", s->name);
	jout_bool(j, "derived", s->derived);
	jout_text(j, "verdict", value_verdict_name(s->verdict));
	jout_f64(j, "information", tested ? s->information : NAN);
	jout_f64(j, "share", tested ? s->share : NAN);
	jout_u64(j, "cut_after_peak", s->cut);
	jout_f64(j, "cut_share", tested && s->cut > 0 ? s->cut_share : NAN);
	jout_f64(j, "p", s->p);
	jout_f64(j, "q", s->q);
	jout_u64(j, "values", s->n_values);
	jout_u64(j, "missing", s->n_missing);
	json_split(j, s, n_groups);
	jout_array(j, "classes");
	for (size_t i = 0; tested && i < s->n; i++)
		json_class(j, &s->class[i], n_groups);
	jout_end_array(j);
	jout_end_object(j);
}

void values_json(struct out *out, const struct values_report *r)
{
	struct jout j = jout_on(out);

	jout_document(&j, "osprof.values/1");
	jout_text(&j, "path", r->run.path);
	jout_text(&j, "format", r->run.profile->format);
	jout_unit(&j, "unit", r->run.profile->unit);
	jout_u64(&j, "seed", r->rules->seed);
	jout_u64(&j, "permutations", r->rules->permutations);
	jout_u64(&j, "small_sample", r->values->n_few);
	jout_array(&j, "operations");
	for (size_t i = 0; i < r->values->n; i++) {
		const struct operation_values *o = &r->values->v[i];

		jout_object(&j, NULL);
		jout_str(&j, "name", o->name);
		jout_str(&j, "layer", o->layer);
		jout_u64(&j, "count", o->calls);
		jout_f64(&j, "entropy", o->entropy);
		json_groups(&j, o);
		jout_array(&j, "variables");
		for (size_t k = 0; k < o->n; k++)
			json_variable(&j, &o->v[k], o->n_groups);
		jout_end_array(&j);
		jout_end_object(&j);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}
