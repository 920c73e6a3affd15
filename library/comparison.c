/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons: their gate, their operations, and reports about them. */
#include <math.h>
#include <string.h>

#include "analyze/rank/facts.h"
#include "analyze/rank/run_verdict.h"
#include "base/arena.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "compare/causes_found.h"
#include "compare/cautions.h"
#include "compare/compare.h"
#include "library/context.h"
#include "report/jout.h"
#include "report/rank/rank_output.h"
#include "report/rank/statements.h"

/* What is handed out of an operation; made when it is first asked for. */
struct operation_view {
	bool made;
	struct osc_operation operation;
	struct osc_fact *fact;
};

/* Lies in its own pool, as all that it has. */
struct osc_comparison {
	struct pool *pool;
	struct options options;
	struct compared compared;
	struct arena *arena;
	struct operation_view *view;
	const char *headline;
};

static const struct comparison *comparison_in(const struct osc_comparison *c)
{
	return &c->compared.comparison;
}

/* --- comparing ------------------------------------------------------------------------------------ */

struct comparing {
	const struct osc_context *context;
	struct pool *pool;
	struct osc_comparison *ret;
	int status;
};

static int set_up(struct comparing *call, struct osc_comparison *c, struct diag *diag)
{
	if (!context_set_options(call->context, &c->options, diag))
		return OSC_OPTION;
	if (c->options.load.pairs && !c->options.load.by_host) {
		diag_plain(diag, DIAG_USAGE, "the option pairs needs by=host");
		return OSC_OPTION;
	}
	return context_set_inputs(call->context, true, &c->options.load, diag) ? OSC_OK : OSC_INPUT;
}

static void compare_inputs(void *arg)
{
	struct comparing *call = arg;
	struct osc_comparison *c = xcalloc(1, sizeof(*c));
	struct diag diag = context_diag(call->context);
	const struct load_options *load = &c->options.load;

	call->status = set_up(call, c, &diag);
	if (call->status != OSC_OK)
		return;
	call->status = OSC_INPUT;
	if (!compare_runs(&c->compared, load, &c->options.compare, &diag) ||
	    (!c->options.compare.ignore_annotations &&
	     !compare_annotations(&c->compared, load, &diag)))
		return;
	report_cautions(&c->compared, &diag);
	c->compared.comparison.show = c->options.show;
	c->pool = call->pool;
	c->arena = arena_new();
	c->view = arena_alloc(c->arena, c->compared.ranking.n + 1, sizeof(*c->view));
	call->ret = c;
	call->status = OSC_OK;
}

int osc_compare(osc_context *context, osc_comparison **ret)
{
	struct comparing call = { .context = context };
	int status;

	if (context == NULL || ret == NULL)
		return OSC_INVALID;
	call.pool = pool_new();
	status = call.pool != NULL ? call_run(call.pool, compare_inputs, &call) : OSC_NO_MEMORY;
	if (status == OSC_OK)
		status = call.status;
	if (status == OSC_OK)
		*ret = call.ret;
	else
		pool_free(call.pool);
	return status;
}

void osc_comparison_free(osc_comparison *comparison)
{
	if (comparison != NULL)
		pool_free(comparison->pool);
}

/* --- the whole ------------------------------------------------------------------------------------ */

static int gate_status(enum gate_result result)
{
	return result == GATE_PASSED   ? OSC_GATE_PASSED
	       : result == GATE_FAILED ? OSC_GATE_FAILED
				       : OSC_GATE_INCONCLUSIVE;
}

int osc_comparison_gate(const osc_comparison *comparison, struct osc_gate *ret)
{
	struct osc_gate r = { 0 };
	struct gate gate;
	size_t line;

	if (comparison == NULL || ret == NULL)
		return OSC_INVALID;
	gate = comparison_gate(comparison_in(comparison));
	r.status = gate_status(gate_result(gate, true));
	r.run_failed = gate_run_fails(gate, &line);
	r.n_failed = gate_failures(gate);
	r.n_expected = gate_expected(gate);
	return copy_sized(ret, ret->size, &r, sizeof(r), sizeof(r)) ? OSC_OK : OSC_INVALID;
}

static int verdict_number(enum verdict v)
{
	static const int numbers[] = {
		[VERDICT_REGRESSED] = OSC_REGRESSED,
		[VERDICT_IMPROVED] = OSC_IMPROVED,
		[VERDICT_CHANGED_SHAPE] = OSC_CHANGED_SHAPE,
		[VERDICT_SAME] = OSC_SAME,
		[VERDICT_INCONCLUSIVE] = OSC_INCONCLUSIVE,
		[VERDICT_NEW] = OSC_NEW,
		[VERDICT_GONE] = OSC_GONE,
	};

	return numbers[v];
}

static void make_headline(void *arg)
{
	const struct style plain = { .output_format = OUTPUT_FORMAT_TEXT };
	struct osc_comparison *c = arg;
	struct out *o = out_to_memory();

	rank_headline(o, &plain, comparison_in(c));
	c->headline = arena_str(c->arena, out_memory(o)).p;
	out_free(o);
}

int osc_comparison_run(osc_comparison *comparison, struct osc_run *ret)
{
	const struct comparison *c;
	struct osc_run r = { 0 };

	if (comparison == NULL || ret == NULL || ret->size < sizeof(r))
		return OSC_INVALID;
	if (comparison->headline == NULL &&
	    call_run(comparison->pool, make_headline, comparison) != OSC_OK)
		return OSC_NO_MEMORY;
	c = comparison_in(comparison);
	r.verdict = c->ranking->run.verdict == VERDICT_CHANGED_SHAPE
			    ? OSC_CHANGED
			    : verdict_number(c->ranking->run.verdict);
	r.replicated = c->runs != NULL && c->runs->n_after > 1;
	r.headline = comparison->headline;
	r.elapsed_before = c->ranking->elapsed.before.elapsed;
	r.elapsed_after = c->ranking->elapsed.after.elapsed;
	r.shared_factor = exp2(c->ranking->run.shared.value);
	r.n_operations = c->ranking->n;
	r.n_runs_before = c->before.n_runs;
	r.n_runs_after = c->after.n_runs;
	return copy_sized(ret, ret->size, &r, sizeof(r), sizeof(r)) ? OSC_OK : OSC_INVALID;
}

/* --- operations ----------------------------------------------------------------------------------- */

struct viewing {
	struct osc_comparison *comparison;
	size_t i;
};

static const struct ranked *ranked_at(const struct osc_comparison *c, size_t i)
{
	return &c->compared.ranking.v[i];
}

static struct osc_fact fact_of(struct arena *a, const struct comparison *c, const struct ranked *r,
			       const struct fact *f)
{
	struct out *o = out_to_memory();
	struct jout j = jout_on(o);
	struct osc_fact ret = { .kind = fact_kind_name(f->kind),
				.before = f->before.value,
				.after = f->after.value,
				.change_low = f->change_low,
				.change_high = f->change_high,
				.p_value = f->p,
				.at = f->kind == FACT_QUANTILE ? f->quantile : f->low };

	if (f->kind == FACT_STATES || f->kind == FACT_SAME || f->kind == FACT_WAIT)
		ret.before = ret.after = NAN;
	if (f->kind != FACT_QUANTILE && f->kind != FACT_RANGE && f->kind != FACT_SLOW)
		ret.at = NAN;
	jout_fact(&j, c, r, f);
	ret.json = arena_str(a, out_memory(o)).p;
	out_free(o);
	return ret;
}

static void set_facts(struct osc_comparison *c, struct operation_view *v, const struct ranked *r)
{
	const struct comparison *all = comparison_in(c);
	struct facts facts = facts_of(c->arena, all->ranking, r, all->runs, all->rules);

	v->fact = arena_alloc(c->arena, facts.n + 1, sizeof(*v->fact));
	for (size_t i = 0; i < facts.n; i++)
		v->fact[i] = fact_of(c->arena, all, r, &facts.v[i]);
	v->operation.n_facts = facts.n;
}

static void set_sides(struct osc_operation *o, const struct ranked *r)
{
	const double mean = NAN;

	o->calls_before = r->before != NULL ? operation_count(r->before) : 0;
	o->calls_after = r->after != NULL ? operation_count(r->after) : 0;
	o->total_before = r->total_before;
	o->total_after = r->total_after;
	o->mean_before = o->calls_before > 0 ? r->total_before / (double)o->calls_before : mean;
	o->mean_after = o->calls_after > 0 ? r->total_after / (double)o->calls_after : mean;
	o->n_buckets_before = r->before != NULL ? r->before->hist.n : 0;
	o->n_buckets_after = r->after != NULL ? r->after->hist.n : 0;
}

static const char *text_of(struct arena *a, const struct comparison *c, const struct ranked *r)
{
	struct statements all = statements_of(a, c, r);
	struct out *o = out_to_memory();
	struct str text;

	say_statements(o, &all);
	text = arena_str(a, out_memory(o));
	out_free(o);
	return text.p;
}

static void make_view(void *arg)
{
	const struct viewing *call = arg;
	struct osc_comparison *c = call->comparison;
	struct operation_view *v = &c->view[call->i];
	const struct ranked *r = ranked_at(c, call->i);
	const struct operation *op = ranked_operation(r);
	struct osc_operation *o = &v->operation;

	o->name = arena_str(c->arena, op->name).p;
	o->name_bytes = op->name.n;
	o->layer = arena_str(c->arena, op->layer).p;
	o->layer_bytes = op->layer.n;
	o->verdict = verdict_number(r->verdict);
	o->reported = r->reported;
	o->failed = gate_ruling(comparison_gate(comparison_in(c)), r).failed;
	o->score = r->score;
	set_sides(o, r);
	o->text = text_of(c->arena, comparison_in(c), r);
	set_facts(c, v, r);
	v->made = true;
}

/* Returns the view of an operation; NULL: there is none, or no memory (*ret_status). */
static struct operation_view *view_at(osc_comparison *c, size_t i, int *ret_status)
{
	struct viewing call = { c, i };

	*ret_status = OSC_INVALID;
	if (c == NULL || i >= c->compared.ranking.n)
		return NULL;
	*ret_status = c->view[i].made ? OSC_OK : call_run(c->pool, make_view, &call);
	return *ret_status == OSC_OK ? &c->view[i] : NULL;
}

int osc_comparison_operation(osc_comparison *comparison, size_t i, struct osc_operation *ret)
{
	struct operation_view *v;
	int status;

	if (ret == NULL || ret->size < sizeof(*ret))
		return OSC_INVALID;
	v = view_at(comparison, i, &status);
	if (v != NULL)
		(void)copy_sized(ret, ret->size, &v->operation, sizeof(*ret), sizeof(*ret));
	return status;
}

int osc_comparison_fact(osc_comparison *comparison, size_t operation, size_t i,
			struct osc_fact *ret)
{
	struct operation_view *v;
	int status;

	if (ret == NULL || ret->size < sizeof(*ret))
		return OSC_INVALID;
	v = view_at(comparison, operation, &status);
	if (v == NULL)
		return status;
	if (i >= v->operation.n_facts)
		return OSC_INVALID;
	(void)copy_sized(ret, ret->size, &v->fact[i], sizeof(*ret), sizeof(*ret));
	return OSC_OK;
}

int osc_comparison_bucket(const osc_comparison *comparison, size_t operation, int side, size_t i,
			  struct osc_bucket *ret)
{
	const struct operation *op;
	struct osc_bucket b = { 0 };
	double scale = 1;

	if (comparison == NULL || ret == NULL || operation >= comparison->compared.ranking.n ||
	    (side != OSC_BEFORE && side != OSC_AFTER))
		return OSC_INVALID;
	op = side == OSC_BEFORE ? ranked_at(comparison, operation)->before
				: ranked_at(comparison, operation)->after;
	if (op == NULL || i >= op->hist.n)
		return OSC_INVALID;
	if (side == OSC_AFTER)
		scale = comparison->compared.ranking.scale_after;
	b.low = op->hist.bucket[i].edges->low * scale;
	b.high = op->hist.bucket[i].edges->high * scale;
	b.calls = op->hist.bucket[i].count;
	return copy_sized(ret, ret->size, &b, sizeof(b), sizeof(b)) ? OSC_OK : OSC_INVALID;
}

/* --- reports -------------------------------------------------------------------------------------- */

struct reporting {
	const struct osc_comparison *comparison;
	enum output_format format;
	struct rendering to;
};

static void report_comparison(void *arg)
{
	struct reporting *call = arg;
	struct comparison c = *comparison_in(call->comparison);
	const struct options *o = &call->comparison->options;
	struct style style = { .output_format = call->format, .unicode = true };
	struct causes_page *page = NULL;
	struct out *out = out_to_memory();

	if (call->format == OUTPUT_FORMAT_HTML)
		page = causes_page_new(&c, &o->load, &o->causes);
	report_rank(out, &style, &c);
	causes_page_free(page);
	rendering_pass(&call->to, out);
}

int osc_comparison_render(const osc_comparison *comparison, const char *format, osc_write_fn *write,
			  void *arg)
{
	static const char *const names[] = { [OUTPUT_FORMAT_TEXT] = "text",
					     [OUTPUT_FORMAT_JSON] = "json",
					     [OUTPUT_FORMAT_CSV] = "csv",
					     [OUTPUT_FORMAT_MARKDOWN] = "markdown",
					     [OUTPUT_FORMAT_JUNIT] = "junit",
					     [OUTPUT_FORMAT_HTML] = "html",
					     [OUTPUT_FORMAT_GITHUB] = "github",
					     [OUTPUT_FORMAT_BMF] = "bmf",
					     [OUTPUT_FORMAT_BENCHMARK_ACTION] =
						     "benchmark-action" };
	struct reporting call = { .comparison = comparison, .to = { write, arg, OSC_OK } };

	if (comparison == NULL || format == NULL || write == NULL)
		return OSC_INVALID;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (strcmp(names[i], format) != 0)
			continue;
		call.format = (enum output_format)i;
		return rendering_run(&call.to, report_comparison, &call);
	}
	return OSC_OPTION;
}
