/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof explain: the change of an operation, peak by peak, with the evidence. */
#include "analyze/rank/story.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "profile/quantity.h"
#include "report/parts.h"
#include "report/rank/statements.h"
#include "report/rank/story_json.h"
#include "report/rank/story_parts.h"
#include "report/report.h"

/* The state of printing one operation. */
struct telling {
	struct out *o;
	const struct style *style;
	const struct story *story;
	const struct op_story *op_story;
	struct scale scale;	/* scale of the comparison */
	struct scale own_scale; /* scale of the side whose similar peaks are listed */
	const struct operation *op;
	bool *said; /* which characteristic times were named */
};

static const struct scale in_seconds = { .unit = UNIT_S };

static void name(struct telling *t, const struct operation *op)
{
	say_operation(t->o, t->style, op);
}

/* The runs of the side of a peak, or of the operation. */
static double runs_of(const struct telling *t, bool after)
{
	const struct comparison *c = t->story->comparison;

	return (double)(after ? c->after.n_runs : c->before.n_runs);
}

static bool is_after(const struct story_peak *k)
{
	return k->pair.after != NULL;
}

static bool operation_is_after(const struct telling *t)
{
	return t->op_story->ranked->after != NULL;
}

/* "60000"; of one run. */
static void number_of_calls(struct telling *t, uint64_t n, bool after)
{
	quantity_calls(t->o, (double)n / runs_of(t, after));
}

/* "60000 calls a run". */
static void calls(struct telling *t, uint64_t n, bool after)
{
	number_of_calls(t, n, after);
	out_text(t->o, (double)n == runs_of(t, after) ? " call" : " calls");
	out_text(t->o, each_run(t->story->comparison));
}

static void factor(struct telling *t, double v)
{
	out_printf(t->o, "a factor of %.1f", exp2(v));
}

/* --- changes of a peak ------------------------------------------------------------------- */

static bool on_both_sides(const struct op_story *op_story)
{
	return op_story->ranked->before != NULL && op_story->ranked->after != NULL;
}

static bool is_compared(const struct telling *t)
{
	return !t->story->single && on_both_sides(t->op_story);
}

/* "grew from 50 % to 100 % of the calls". */
static void resized(struct telling *t, const struct peak *before, const struct peak *after)
{
	out_text(t->o, after->share > before->share ? "grew from " : "shrank from ");
	quantity_percent(t->o, before->share);
	out_text(t->o, " to ");
	quantity_percent(t->o, after->share);
	out_text(t->o, " of the calls");
}

static void moved(struct telling *t, const struct peak *before, const struct peak *after)
{
	out_text(t->o, "typical call moved from ");
	quantity_latency(t->o, before->typical, t->scale);
	out_text(t->o, " to ");
	quantity_latency(t->o, after->typical, t->scale);
	out_text(t->o, " (");
	say_higher(t->o, before->typical, after->typical);
	out_char(t->o, ')');
	if (fabs(after->share - before->share) >= match_rules_default.share_points) {
		out_text(t->o, " and ");
		resized(t, before, after);
	}
}

/* It stayed where it was; its share is said unless it prints alike. */
static void kept(struct telling *t, const struct peak *before, const struct peak *after)
{
	struct out *was = out_to_memory(), *now = out_to_memory();

	quantity_percent(was, before->share);
	quantity_percent(now, after->share);
	if (str_eq(out_memory(was), out_memory(now)))
		out_text(t->o, "unchanged");
	else
		resized(t, before, after);
	out_free(was);
	out_free(now);
}

static void say_peak_change(struct telling *t, const struct story_peak *k)
{
	out_text(t->o, ": ");
	switch (k->pair.change) {
	case PEAK_GAINED:
		out_text(t->o, "new");
		break;
	case PEAK_LOST:
		out_text(t->o, "gone");
		break;
	case PEAK_MOVED:
		moved(t, k->pair.before, k->pair.after);
		break;
	case PEAK_GREW:
	case PEAK_SHRANK:
		resized(t, k->pair.before, k->pair.after);
		break;
	case PEAK_KEPT:
		kept(t, k->pair.before, k->pair.after);
		break;
	}
}

/* ", +24.3 s a run". */
static void contribution(struct telling *t, const struct story_peak *k)
{
	const struct comparison *c = t->story->comparison;
	double added = k->added / (double)c->before.n_runs;

	if (isnan(k->part) || fabs(k->added) < story_rules_default.min_part *
						       (t->op_story->added + t->op_story->saved))
		return;
	out_text(t->o, added > 0 ? ", +" : ", -");
	quantity_latency(t->o, fabs(added), t->scale);
	if (c->before.n_runs > 1 || c->after.n_runs > 1)
		out_text(t->o, " a run");
}

/* --- evidence -------------------------------------------------------------------------- */

/* Returns the calls of the operation's own peaks own_first to own_last that were compared with
 * the other operation. */
static uint64_t own_count(const struct telling *t, const struct story_peak *k,
			  const struct like_peak *l)
{
	uint64_t sum = 0;

	if (l->own_first == l->own_last)
		return (k->pair.after != NULL ? k->pair.after : k->pair.before)->count;
	for (size_t i = 0; i < t->op_story->n_peaks; i++) {
		const struct story_peak *other = &t->op_story->peak[i];

		if ((other->pair.after == NULL) == (k->pair.after == NULL) &&
		    other->number >= l->own_first && other->number <= l->own_last)
			sum += (k->pair.after != NULL ? other->pair.after : other->pair.before)
				       ->count;
	}
	return sum;
}

static void say_like_peak(struct telling *t, const struct story_peak *k, const struct like_peak *l)
{
	static const char *const how[] = { "match", "match but for one", "nearly match" };
	uint64_t mine = own_count(t, k, l);
	bool layers = !str_eq(l->op->layer, t->op->layer);

	out_text(t->o, "      ");
	if (l->own_last > l->own_first)
		out_printf(t->o, "peaks %zu to %zu as one: ", l->own_first, l->own_last);
	if (l->counts != COUNTS_APART) {
		out_text(t->o, "its ");
		calls(t, mine, is_after(k));
		out_printf(t->o, " %s those in ", how[l->counts]);
	} else {
		out_text(t->o, "it looks like ");
	}
	if (l->last > l->number)
		out_printf(t->o, "peaks %zu to %zu of ", l->number, l->last);
	else
		out_printf(t->o, "peak %zu of ", l->number);
	name(t, l->op);
	out_text(t->o, " at ");
	quantity_range(t->o, l->peak.core_low, l->peak.core_high, t->own_scale);
	out_text(t->o, " (");
	calls(t, l->peak.count, is_after(k));
	if (l->counts == COUNTS_APART) {
		out_text(t->o, " against ");
		number_of_calls(t, mine, is_after(k));
	}
	out_text(t->o, ", ");
	factor(t, l->apart);
	out_text(t->o, " apart): suggests that ");
	if (layers)
		out_text(t->o, "one waits for the other\n");
	else if (l->counts == COUNTS_APART)
		out_text(t->o, "one waits for the other, or both for the same\n");
	else
		out_text(t->o, "one calls the other or waits for it, or both are called in turn\n");
}

enum { MAX_HINTS_SAID = 2 }; /* nobody weighs more of them */

/* "as long as NVMe read (60-120 us) or ..., (a factor of 1.2 away)"; sources() is printed last. */
static void hints(struct telling *t, const char *as, const struct time_hint *hint, size_t n)
{
	for (size_t i = 0; i < n && i < MAX_HINTS_SAID; i++) {
		const struct known_time *k = hint[i].time;

		out_printf(t->o, i == 0 ? "      %s: " : "; ", as);
		escape_terminal(t->o, k->name);
		out_text(t->o, ", ");
		if (k->low == k->high)
			quantity_latency(t->o, k->low, in_seconds);
		else
			quantity_range(t->o, k->low, k->high, in_seconds);
		if (hint[i].octaves >= 0.05) {
			out_text(t->o, " (");
			factor(t, hint[i].octaves);
			out_text(t->o, " away)");
		}
		t->said[k - t->story->times->v] = true;
	}
	out_text(t->o, n > 0 ? "\n" : "");
}

static void period(struct telling *t, const struct story_peak *k)
{
	if (isnan(k->period))
		return;
	out_text(t->o, "      every ");
	quantity_latency(t->o, k->period, in_seconds);
	out_text(t->o, " if periodic\n");
	hints(t, "as often as", k->period_hint, k->n_period_hints);
}

/* Prints the sources of the characteristic times that were named. */
static void sources(struct out *o, const struct known_times *times, const bool *said)
{
	bool first = true;

	for (size_t i = 0; i < times->n; i++) {
		if (!said[i])
			continue;
		out_text(o, first ? "Characteristic times are hints; sources:\n" : "");
		first = false;
		out_text(o, "  ");
		escape_terminal(o, times->v[i].name);
		out_text(o, ": ");
		escape_terminal(o, times->v[i].source);
		out_char(o, '\n');
	}
}

static bool is_reported(const struct telling *t, const struct story_peak *k)
{
	bool changed = k->pair.change != PEAK_KEPT || k->part >= story_rules_default.min_part;

	return (k->weighty && (changed || t->story->named || t->story->single)) ||
	       !isnan(k->period);
}

static void one_peak(struct telling *t, const struct story_peak *k)
{
	const struct peak *p = k->pair.after != NULL ? k->pair.after : k->pair.before;

	out_printf(t->o, "  peak %zu%s, core range ", k->number,
		   k->pair.after == NULL && is_compared(t) ? " before" : "");
	quantity_range(t->o, p->core_low, p->core_high, t->scale);
	out_text(t->o, ", ");
	quantity_percent(t->o, p->share);
	out_text(t->o, " of the calls (");
	number_of_calls(t, p->count, is_after(k));
	out_text(t->o, each_run(t->story->comparison));
	out_char(t->o, ')');
	if (is_compared(t)) {
		say_peak_change(t, k);
		contribution(t, k);
	}
	out_char(t->o, '\n');
	for (size_t i = 0; i < k->n_like; i++)
		say_like_peak(t, k, &k->like[i]);
	hints(t, "as long as", k->hint, k->n_hints);
	period(t, k);
}

static void say_like_sum(struct telling *t, const struct like_sum *s)
{
	static const char *const how[] = { "as many as", "one more or less than",
					   "nearly as many as" };

	if (s->first == s->last)
		out_printf(t->o, "  peak %zu holds ", s->first + 1);
	else
		out_printf(t->o, "  peaks %zu to %zu hold ", s->first + 1, s->last + 1);
	calls(t, s->count, operation_is_after(t));
	out_printf(t->o, ", %s ", how[s->counts]);
	name(t, s->op);
	out_text(t->o, " in all (");
	calls(t, operation_count(s->op), operation_is_after(t));
	if (!str_eq(s->op->layer, t->op->layer))
		out_text(t->o, "): suggests that these wait for it\n");
	else if (s->mean >= operation_mean(s->op))
		out_text(t->o, "): suggests that these call it\n");
	else
		out_text(t->o, "): suggests that it calls these\n");
}

static void say_like_calls(struct telling *t, const struct resemble_calls *l)
{
	bool fewer = operation_count(t->op) < operation_count(l->op);

	out_text(t->o, l->counts == COUNTS_EQUAL ? "  called as often as "
		       : fewer			 ? "  called once less than "
						 : "  called once more than ");
	name(t, l->op);
	out_text(t->o, " (");
	if (l->counts != COUNTS_EQUAL) {
		number_of_calls(t, operation_count(t->op), operation_is_after(t));
		out_text(t->o, " against ");
	}
	calls(t, operation_count(l->op), operation_is_after(t));
	out_char(t->o, ')');
	if (l->n_matching > 0)
		out_printf(t->o,
			   ", and %zu of its %zu peak%s ha%s a match there: suggests that one "
			   "calls the other",
			   l->n_matching, l->n_peaks, l->n_peaks == 1 ? "" : "s",
			   l->n_matching == 1 ? "s" : "ve");
	out_char(t->o, '\n');
}

/* --- the report -------------------------------------------------------------------------- */

/* "60000 calls a run, total 4.36 s, 45 % of the latency", and where in it. */
static void say_own(struct telling *t)
{
	const struct run *run = &t->story->comparison->after;
	double n = (double)run->n_runs;
	struct arena *a = arena_new();
	struct statements s = statements_of_operation(a, run, t->op);

	quantity_calls(t->o, (double)operation_count(t->op) / n);
	out_text(t->o, operation_count(t->op) == 1 ? " call" : " calls");
	out_text(t->o, each_run(t->story->comparison));
	out_text(t->o, ", total ");
	quantity_latency(t->o, operation_inclusive(t->op) / n, t->own_scale);
	if (operation_own(t->op) != operation_inclusive(t->op)) {
		out_text(t->o, ", self ");
		quantity_latency(t->o, operation_own(t->op) / n, t->own_scale);
	}
	if (!t->op->idle) {
		out_text(t->o, ", ");
		quantity_percent(t->o, share_of_latency(&run->totals, run->profile, t->op));
		out_text(t->o, " of the latency");
	}
	for (size_t i = 0; i < s.n; i++) {
		out_text(t->o, "\n  ");
		out_bytes(t->o, s.v[i]);
	}
	arena_free(a);
}

/* The statements, one on each line. */
static void say_changes(struct telling *t)
{
	const struct ranked *r = t->op_story->ranked;
	struct arena *a = arena_new();
	struct statements s = statements_of(a, t->story->comparison, r);

	for (size_t i = 0; i < s.n; i++) {
		out_text(t->o, i == 0 ? "" : "\n  ");
		out_bytes(t->o, s.v[i]);
	}
	arena_free(a);
}

static void operation_title(struct telling *t)
{
	tone_begin(t->o, t->style, TONE_STRONG);
	name(t, t->op);
	tone_end(t->o, t->style, TONE_STRONG);
	if (!t->story->single)
		out_printf(t->o, " (%s)", verdict_name(t->op_story->ranked->verdict));
}

static void operation_facts(struct telling *t)
{
	if (t->story->single)
		say_own(t);
	else
		say_changes(t);
	out_char(t->o, '\n');
	for (size_t i = 0; i < t->op_story->n_peaks; i++) {
		if (is_reported(t, &t->op_story->peak[i]))
			one_peak(t, &t->op_story->peak[i]);
	}
	for (size_t i = 0; i < t->op_story->n_sums; i++)
		say_like_sum(t, &t->op_story->sum[i]);
	for (size_t i = 0; i < t->op_story->n_relatives; i++)
		say_like_calls(t, &t->op_story->relatives[i]);
}

static void one_operation(struct telling *t)
{
	operation_title(t);
	out_text(t->o, ": ");
	operation_facts(t);
	out_char(t->o, '\n');
}

/* --- Markdown ---------------------------------------------------------------------------- */

/* An operation is a section; its name is a heading. */
static void operation_markdown(struct telling *t, struct out *o)
{
	out_text(o, "\n## ");
	operation_title(t);
	put_story_markdown(o, out_memory(t->o), "");
	out_reset(t->o);
	out_char(o, '\n');
	operation_facts(t);
	put_story_markdown(o, out_memory(t->o), "");
	out_reset(t->o);
}

static struct scale own_scale(const struct comparison *c, const struct ranked *r)
{
	return r->after != NULL ? scale_of_operation(c->after.profile, r->after)
				: scale_of_operation(c->before.profile, r->before);
}

static bool lacks_elapsed(const struct op_story *op_story)
{
	for (size_t i = 0; i < op_story->n_peaks; i++) {
		if (op_story->peak[i].rare && isnan(op_story->peak[i].period))
			return true;
	}
	return false;
}

static void say_head(struct out *o, const struct style *s, const struct story *story)
{
	if (!story->single)
		part_heading_per_run(o, "before  ", &story->comparison->before);
	part_heading_per_run(o, story->single ? "" : "after   ", &story->comparison->after);
	say_cautions(o, s, story->comparison);
}

/* Writes one operation after the other; returns whether a run's length would tell more. */
static bool say_operations(struct out *o, struct out *markdown, const struct style *s,
			   const struct story *story, const struct story_context *story_context,
			   bool *said)
{
	bool no_elapsed = false;

	for (size_t i = 0; i < story->n; i++) {
		const struct ranked *r = story->chosen[i];
		struct scale scale = scale_of_ranked(story->comparison, r);
		struct arena *a = arena_new();
		struct op_story op_story = story_of(a, story_context, r, story_seconds(scale));
		struct telling t = { .o = o,
				     .style = s,
				     .story = story,
				     .op_story = &op_story,
				     .scale = scale,
				     .own_scale = own_scale(story->comparison, r),
				     .op = r->after != NULL ? r->after : r->before,
				     .said = said };

		if (markdown != NULL)
			operation_markdown(&t, markdown);
		else
			one_operation(&t);
		no_elapsed |= lacks_elapsed(&op_story);
		arena_free(a);
	}
	return no_elapsed;
}

static void say_none(struct out *o, const struct story *story)
{
	if (story->n == 0)
		out_text(o, story->named || story->single
				    ? "No operation to describe.\n"
				    : "No operation is reported; use --op to describe any.\n");
}

static void story_text(struct out *o, const struct style *s, const struct story *story,
		       const struct story_context *story_context)
{
	bool *said = xcalloc(story->times->n + 1, sizeof(*said)), no_elapsed;

	say_head(o, s, story);
	out_char(o, '\n');
	say_none(o, story);
	no_elapsed = say_operations(o, NULL, s, story, story_context, said);
	if (story->sources)
		sources(o, story->times, said);
	say_lacks(o, story, no_elapsed);
	free(said);
}

/* The same sentences; every line is escaped when it is complete. */
static void story_markdown(struct out *o, const struct story *story,
			   const struct story_context *story_context)
{
	bool *said = xcalloc(story->times->n + 1, sizeof(*said)), no_elapsed;
	struct style plain = { .output_format = OUTPUT_FORMAT_TEXT };
	struct out *text = out_to_memory();

	say_head(text, &plain, story);
	say_none(text, story);
	put_story_markdown(o, out_memory(text), "- ");
	out_reset(text);
	no_elapsed = say_operations(text, o, &plain, story, story_context, said);
	out_char(o, '\n');
	if (story->sources)
		sources(text, story->times, said);
	say_lacks(text, story, no_elapsed);
	put_story_markdown(o, out_memory(text), "");
	out_free(text);
	free(said);
}

static double elapsed_of(const struct run *run, double otherwise)
{
	double each = run->profile->elapsed > 0 ? run->profile->elapsed : otherwise;

	return each * (double)run->n_runs;
}

struct story_context story_context_begin(struct arena *a, const struct story *story,
					 struct aligned *grid)
{
	const struct comparison *c = story->comparison;

	return (struct story_context){
		.ranking = c->ranking,
		.times = story->times,
		.before = peak_book_begin(a, c->before.profile, grid, &resemble_rules_default),
		.after = peak_book_begin(a, c->after.profile, grid, &resemble_rules_default),
		.elapsed_before = elapsed_of(&c->before, story->elapsed_before),
		.elapsed_after = elapsed_of(&c->after, story->elapsed_after),
	};
}

void report_story_of(struct out *o, const struct style *s, const struct story *story,
		     const struct story_context *t)
{
	if (s->output_format == OUTPUT_FORMAT_JSON)
		story_json(o, story, t);
	else if (s->output_format == OUTPUT_FORMAT_MARKDOWN)
		story_markdown(o, story, t);
	else
		story_text(o, s, story, t);
}

void report_story(struct out *o, const struct style *s, const struct story *story)
{
	struct arena *a = arena_new();
	struct aligned grid;
	struct story_context t;

	aligned_init(&grid);
	t = story_context_begin(a, story, &grid);
	(void)peak_book_add(&t.before, a, SIZE_MAX);
	(void)peak_book_add(&t.after, a, SIZE_MAX);
	report_story_of(o, s, story, &t);
	aligned_release(&grid);
	arena_free(a);
}
