/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/out.h"
#include "cli/command.h"
#include "cli/groups.h"
#include "report/jout.h"
#include "report/table.h"

static void print_json(struct out *o)
{
	struct jout j = jout_on(o);
	const struct format *f;

	jout_object(&j, NULL);
	jout_text(&j, "schema", "osprof.formats/1");
	jout_array(&j, "formats");
	for (size_t i = 0; (f = format_at(i)) != NULL; i++) {
		jout_object(&j, NULL);
		jout_text(&j, "name", f->name);
		jout_text(&j, "title", f->title);
		jout_text(&j, "versions", f->versions);
		jout_bool(&j, "reads", f->read != NULL);
		jout_bool(&j, "writes", f->write != NULL);
		jout_text(&j, "unit", f->unit);
		jout_text(&j, "totals", f->totals);
		jout_end_object(&j);
	}
	jout_end_array(&j);
	jout_end_object(&j);
	jout_finish(&j);
}

static enum exit_status run_formats(struct context *cx, const struct settings *s)
{
	static const struct column columns[] = {
		{ "name", "format", ALIGN_LEFT, false },
		{ "reads", "reads", ALIGN_LEFT, false },
		{ "writes", "writes", ALIGN_LEFT, false },
		{ "title", "what it is", ALIGN_LEFT, false },
		{ "versions", "versions seen", ALIGN_LEFT, false },
		{ "unit", "unit", ALIGN_LEFT, false },
		{ "totals", "totals", ALIGN_LEFT, false },
	};
	const struct format *f;
	struct table *t;

	(void)s;
	if (cx->style.dress == DRESS_JSON) {
		print_json(cx->out);
		return EXIT_FINE;
	}
	t = table_begin(columns, COUNT_OF(columns), &cx->style, cx->out);
	for (size_t i = 0; (f = format_at(i)) != NULL; i++) {
		table_name(t, str_from(f->name));
		table_text(t, f->read != NULL ? "yes" : "no", TONE_PLAIN);
		table_text(t, f->write != NULL ? "yes" : "no", TONE_PLAIN);
		table_name(t, str_from(f->title));
		table_name(t, str_from(f->versions));
		table_name(t, str_from(f->unit));
		table_name(t, str_from(f->totals));
	}
	table_end(t);
	return EXIT_FINE;
}

static const enum option_id options[] = { OPTIONS_PRINTING };

const struct command command_formats = {
	.name = "formats",
	.operands = "",
	.summary = "What can be read and written",
	.options = options,
	.n_options = COUNT_OF(options),
	.dresses = DRESSES_TABLE,
	.run = run_formats,
};
