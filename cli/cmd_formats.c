/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the formats that can be read and written, or describes the named ones in full. */
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/escape.h"
#include "base/glob.h"
#include "base/nearest.h"
#include "base/out.h"
#include "program/command.h"
#include "report/jout.h"
#include "report/table.h"

/* Returns osprof's formats, then those of --plugin; NULL past the last. */
static const struct format *listed_at(const struct settings *s, size_t number)
{
	size_t ours = 0;

	if (format_at(number) != NULL)
		return format_at(number);
	while (format_at(ours) != NULL)
		ours++;
	number -= ours;
	return number < s->options.load.plugins.n ? &s->options.load.plugins.v[number]->format
						  : NULL;
}

static const char *family_at(size_t number)
{
	return format_at(number) != NULL ? format_family_at(number) : "plug-in";
}

/* Whether a pattern matches a format's name or equals its family's. */
static bool is_meant(const struct settings *s, const char *pattern, size_t number)
{
	return glob_matches(pattern, str_from(listed_at(s, number)->name)) ||
	       strcmp(pattern, family_at(number)) == 0;
}

static bool is_chosen(const struct settings *s, size_t number)
{
	bool chosen = s->options.load.n_operands == 0;

	for (size_t i = 0; i < s->options.load.n_operands; i++)
		chosen |= is_meant(s, s->options.load.operand[i], number);
	return chosen;
}

/* Returns the first chosen format from number *at on; NULL past the last. */
static const struct format *next_chosen(const struct settings *s, size_t *at)
{
	const struct format *f;

	while ((f = listed_at(s, (*at)++)) != NULL) {
		if (is_chosen(s, *at - 1))
			break;
	}
	return f;
}

static bool is_known(const struct settings *s, const char *pattern, struct diag *diag)
{
	const char *near;

	for (size_t i = 0; listed_at(s, i) != NULL; i++) {
		if (is_meant(s, pattern, i))
			return true;
	}
	near = nearest_format(pattern);
	diag_plain(diag, DIAG_USAGE,
		   near != NULL ? "%s is no format (did you mean %s?)"
				: "%s is no format; `osprof formats` lists them",
		   pattern, near);
	return false;
}

static const char *yes_or_no(bool yes)
{
	return yes ? "yes" : "no";
}

/* --- text ------------------------------------------------------------------------------ */

static void print_list(const struct output *to, const struct settings *s)
{
	static const struct column columns[] = {
		{ "name", "format", ALIGN_LEFT },
		{ "title", "what it is", ALIGN_LEFT },
	};
	struct table *t = table_begin(columns, COUNT_OF(columns), &to->style, to->out);
	const char *family = "";
	const struct format *f;
	size_t n = 0;

	for (size_t i = 0; (f = listed_at(s, i)) != NULL; i++) {
		char indented[80];

		n += f->read != NULL;
		if (strcmp(family_at(i), family) != 0) {
			family = family_at(i);
			table_text(t, family, TONE_STRONG);
			table_text(t, "", TONE_PLAIN);
		}
		(void)snprintf(indented, sizeof(indented), "  %s", f->name);
		table_text(t, indented, TONE_PLAIN);
		table_name(t, str_from(f->title));
	}
	table_end(t);
	out_printf(to->out, "\n%zu are read.  Written are, too:", n);
	for (size_t i = 0; (f = format_at(i)) != NULL; i++) {
		if (f->write != NULL)
			out_printf(to->out, " %s", f->name);
	}
	out_text(to->out, ".\nRun `osprof formats NAME` for versions, units and totals.\n");
}

static void print_details(const struct output *to, const struct settings *s)
{
	const struct format *f;

	for (size_t at = 0, n = 0; (f = next_chosen(s, &at)) != NULL; n++) {
		out_text(to->out, n > 0 ? "\n" : "");
		tone_begin(to->out, &to->style, TONE_STRONG);
		out_text(to->out, f->name);
		tone_end(to->out, &to->style, TONE_STRONG);
		out_text(to->out, ": ");
		escape_terminal(to->out, str_from(f->title));
		out_printf(to->out,
			   "\n"
			   "    read      %s\n"
			   "    written   %s\n"
			   "    versions  %s\n"
			   "    unit      %s\n"
			   "    totals    %s\n",
			   yes_or_no(f->read != NULL), yes_or_no(f->write != NULL), f->versions,
			   f->unit, f->totals);
	}
}

/* --- JSON ------------------------------------------------------------------------------ */

static void print_json(struct out *o, const struct settings *s)
{
	struct jout j = jout_on(o);
	const struct format *f;

	jout_document(&j, "osprof.formats/1");
	jout_array(&j, "formats");
	for (size_t at = 0; (f = next_chosen(s, &at)) != NULL;) {
		jout_object(&j, NULL);
		jout_text(&j, "name", f->name);
		jout_text(&j, "family", family_at(at - 1));
		jout_str(&j, "title", str_from(f->title));
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

static void print_table(const struct output *to, const struct settings *s)
{
	static const struct column columns[] = {
		{ "name", "format", ALIGN_LEFT },
		{ "reads", "reads", ALIGN_LEFT },
		{ "writes", "writes", ALIGN_LEFT },
		{ "title", "what it is", ALIGN_LEFT },
		{ "versions", "versions seen", ALIGN_LEFT },
		{ "unit", "unit", ALIGN_LEFT },
		{ "totals", "totals", ALIGN_LEFT },
		{ "family", "family", ALIGN_LEFT },
	};
	struct table *t = table_begin(columns, COUNT_OF(columns), &to->style, to->out);
	const struct format *f;

	for (size_t at = 0; (f = next_chosen(s, &at)) != NULL;) {
		table_name(t, str_from(f->name));
		table_text(t, yes_or_no(f->read != NULL), TONE_PLAIN);
		table_text(t, yes_or_no(f->write != NULL), TONE_PLAIN);
		table_name(t, str_from(f->title));
		table_name(t, str_from(f->versions));
		table_name(t, str_from(f->unit));
		table_name(t, str_from(f->totals));
		table_text(t, family_at(at - 1), TONE_PLAIN);
	}
	table_end(t);
}

static void print_formats(const struct output *to, const struct settings *s)
{
	if (to->style.output_format == OUTPUT_FORMAT_JSON)
		print_json(to->out, s);
	else if (to->style.output_format != OUTPUT_FORMAT_TEXT)
		print_table(to, s);
	else if (s->options.load.n_operands > 0)
		print_details(to, s);
	else
		print_list(to, s);
}

static enum exit_status run_formats(struct context *cx, const struct settings *s)
{
	for (size_t i = 0; i < s->options.load.n_operands; i++) {
		if (!is_known(s, s->options.load.operand[i], cx->diag))
			return EXIT_ERROR;
	}
	for (size_t k = 0; k < cx->n_outputs; k++)
		print_formats(&cx->output[k], s);
	return EXIT_OK;
}

const struct command command_formats = {
	.id = COMMAND_formats,
	.name = "formats",
	.operands = "[NAME]...",
	.summary = "List the formats that can be read and written",
	.max_operands = MANY_OPERANDS,
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_formats,
};
