/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exports what is shown as files and command lines. */
#include "base/arena.h"
#include "base/out.h"
#include "tui/ask.h"
#include "tui/screen.h"
#include "tui/studies/cause_study.h"

/* Returns the ranking as listed: filtered, in the order of the list. */
static struct ranking listed_ranking(struct arena *a, const struct tui *t)
{
	struct ranking r = *t->study->browsed.comparison->ranking;

	r.v = arena_make(a, struct ranked, t->list.n);
	r.n = r.n_reported = 0;
	for (size_t i = 0; i < t->list.n; i++) {
		r.v[r.n++] = *t->list.shown[i]->ranked;
		r.n_reported += t->list.shown[i]->ranked->reported;
	}
	return r;
}

static enum output_format output_format_of(enum export what)
{
	switch (what) {
	case EXPORT_CSV:
		return OUTPUT_FORMAT_CSV;
	case EXPORT_JSON:
		return OUTPUT_FORMAT_JSON;
	case EXPORT_MARKDOWN:
		return OUTPUT_FORMAT_MARKDOWN;
	case EXPORT_HTML:
		return OUTPUT_FORMAT_HTML;
	default:
		return OUTPUT_FORMAT_TEXT;
	}
}

static void export_run(struct out *o, const struct style *s, struct arena *a, const struct tui *t)
{
	struct run run = t->study->browsed.before;
	struct profile p = *run.profile;

	p.op = arena_make(a, struct operation, t->list.n);
	p.n_ops = 0;
	for (size_t i = 0; i < t->list.n; i++)
		p.op[p.n_ops++] = *t->list.shown[i]->before;
	run.profile = &p;
	report_show(o, s, &run, 1, NULL);
}

void export_table(struct out *o, const struct tui *t, enum export what)
{
	struct style style = { .output_format = output_format_of(what),
			       .unicode = t->glyphs->unicode };
	struct arena *a = arena_new();
	struct comparison c;
	struct ranking r;

	if (study_compares(t->study)) {
		c = *t->study->browsed.comparison;
		r = listed_ranking(a, t);
		c.ranking = &r;
		c.show.all = true;
		report_rank(o, &style, &c);
	} else {
		export_run(o, &style, a, t);
	}
	arena_free(a);
}

void export_screen(struct out *o, struct tui *t)
{
	struct canvas c;
	int asked = t->asked;

	canvas_init(&c, t->rows, t->cols, t->glyphs);
	t->asked = ASK_NOTHING;
	t->messages.fresh = false;
	tui_fit(t, c.rows, c.cols);
	(void)tui_draw(t, &c);
	t->asked = asked;
	canvas_dump(&c, o);
	canvas_release(&c);
}

/* --- the command line ---------------------------------------------------------------------- */

/* Writes a shell word that is a pattern matching exactly this name. */
static void quote_pattern(struct out *o, struct str name)
{
	out_char(o, '\'');
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];

		if (c == '\'')
			out_text(o, "'\\''");
		else if (c == '*' || c == '?' || c == '[' || c == '\\')
			out_printf(o, "\\%c", c);
		else
			out_char(o, c);
	}
	out_char(o, '\'');
}

static const char *command_of(const struct tui *t)
{
	const struct view_class *cls = t->visited[t->at].cls;
	bool compares = study_compares(t->study);

	if (cls == &view_histogram)
		return "plot";
	if (cls == &view_peaks)
		return compares ? "explain" : "peaks";
	if (cls == &view_distances || cls == &view_similar)
		return cls == &view_similar ? "distance --pairwise" : "distance";
	if (cls == &view_timeline)
		return "timeline";
	if (cls == &view_explain)
		return "explain";
	if (cls == &view_causes || cls == &view_functions)
		return "causes";
	if (cls == &view_values && !compares)
		return "values";
	if (cls == &view_by_run)
		return "plot history";
	if (cls == &view_runs)
		return "check";
	return compares ? "rank --all" : "show";
}

/* When the sides are swapped, --against names the other peak. */
static void say_peaks(struct out *o, const struct cause_study *s)
{
	const struct causes *c = &s->causes;

	if (c->chosen.number > 0)
		out_printf(o, " --peak %zu", c->chosen.number);
	if (s->turned && c->against.number > 0)
		out_printf(o, " --against %zu", c->against.number);
}

void export_command(struct out *o, const struct tui *t)
{
	const struct item *i = tui_item(t);

	out_printf(o, "osprof %s", command_of(t));
	if (t->list.sort >= COLUMN_METRICS && study_compares(t->study))
		out_printf(o, " --metric %s", column_name(t->list.sort));
	if (t->visited[t->at].cls->of_operation && t->visited[t->at].cls != &view_similar &&
	    i != NULL) {
		out_text(o, t->visited[t->at].cls == &view_causes ? " --function " : " --op ");
		quote_pattern(o, item_operation(i)->name);
	}
	if (t->visited[t->at].cls == &view_causes && t->causes.study != NULL)
		say_peaks(o, t->causes.study);
	out_printf(o, " %s", t->study->browsed.command != NULL ? t->study->browsed.command : "");
}
