/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/diag.h"
#include "base/outfile.h"
#include "compare/causes_found.h"
#include "formats/general/osprof_tree.h"
#include "load/load.h"
#include "program/command.h"

static void report_found(struct context *cx, const struct settings *s, struct causes_found *f)
{
	struct causes_report r = causes_found_report(f, &s->options.show);
	struct meanwhile_calls *meanwhile = NULL;

	if (r.sections & 1U << CAUSES_SECTION_MEANWHILE)
		r.n_meanwhile = causes_meanwhile(&f->after, &f->causes, f->load, f->options,
						 f->arena, &meanwhile);
	r.meanwhile = meanwhile;
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_causes(cx->output[k].out, &cx->output[k].style, &r);
}

/* Writes the file of -o. */
static bool keep_tree(struct context *cx, const struct settings *s,
		      const struct causes_found *found)
{
	struct outfile f;

	if (s->output == NULL)
		return true;
	if (found->pair) {
		diag_plain(cx->diag, DIAG_USAGE, "--output keeps one tree, not two sides");
		return false;
	}
	if (!outfile_open(&f, s->output, s->force, cx->out, cx->diag))
		return false;
	osprof_tree_write(found->after.tree, f.out);
	return outfile_commit(&f, cx->diag);
}

static bool shows_one_function(enum output_format f)
{
	return f == OUTPUT_FORMAT_FOLDED || f == OUTPUT_FORMAT_HTML || f == OUTPUT_FORMAT_SVG;
}

/* Without --function, lists the functions to choose from. */
static enum exit_status list_functions(struct context *cx, const struct settings *s)
{
	struct loaded l;

	if (shows_one_function(s->output_format) || s->output != NULL) {
		diag_plain(cx->diag, DIAG_USAGE, "use --function to choose the function");
		return EXIT_ERROR;
	}
	if (!causes_functions_load(&l, s->options.load.operand, s->options.load.n_operands,
				   &s->options.load, cx->diag))
		return EXIT_ERROR;
	for (size_t k = 0; k < cx->n_outputs; k++)
		report_functions(cx->output[k].out, &cx->output[k].style, &l.run,
				 s->options.show.all ? SIZE_MAX : s->top);
	loaded_release(&l);
	return EXIT_OK;
}

/* CSV can hold only one table. */
static bool check_sections(const struct settings *s, struct diag *diag)
{
	unsigned sections = s->options.show.causes_sections;

	if (!settings_print(s, OUTPUT_FORMAT_CSV) || (sections & (sections - 1)) == 0)
		return true;
	diag_plain(
		diag, DIAG_USAGE,
		"CSV is one table: use --section to choose it (causes, tree, values or meanwhile)");
	return false;
}

/* Whether maximum counts are shown: with their own method, in files, and in structured formats. */
static bool shows_maxcounts(const struct settings *s)
{
	return s->options.causes.question.method == CAUSES_MAXCOUNT || s->output != NULL ||
	       !(s->output_format == OUTPUT_FORMAT_TEXT ||
		 s->output_format == OUTPUT_FORMAT_MARKDOWN ||
		 s->output_format == OUTPUT_FORMAT_FOLDED);
}

static enum exit_status run_causes(struct context *cx, const struct settings *s)
{
	struct causes_options q = s->options.causes;
	struct causes_found f;
	bool ok;

	if (!check_sections(s, cx->diag))
		return EXIT_ERROR;
	if (s->options.causes.function == NULL && !causes_are_kept(&s->options.load))
		return list_functions(cx, s);
	q.no_maxcounts = !shows_maxcounts(s);
	ok = causes_found_load(&f, &s->options.load, &q, cx->diag) && keep_tree(cx, s, &f) &&
	     causes_found_find(&f);
	if (ok)
		report_found(cx, s, &f);
	causes_found_release(&f);
	return ok ? EXIT_OK : EXIT_ERROR;
}

const struct command command_causes = {
	.id = COMMAND_causes,
	.name = "causes",
	.operands = "TRACE | BEFORE AFTER",
	.summary = "Find the call paths that make some calls of a function slow",
	.min_operands = 1,
	.max_operands = 2,
	.sides = true,
	.output_formats = OUTPUT_FORMATS_TABLE | 1U << OUTPUT_FORMAT_HTML |
			  1U << OUTPUT_FORMAT_FOLDED | 1U << OUTPUT_FORMAT_SVG,
	.run = run_causes,
};
