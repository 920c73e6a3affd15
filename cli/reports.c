/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/reports.h"

#include "base/out.h"
#include "program/environment.h"
#include "report/page/document.h"

/* Only reports on standard output are wrapped to the terminal, and coloured unless the user wants
 * colours everywhere. */
static struct style style_of(const struct command *c, const struct settings *s,
			     const struct requested *r)
{
	bool shown = r->path == NULL && r->format == OUTPUT_FORMAT_TEXT;

	return (struct style){
		.output_format = r->format,
		.color = wants_color(s) && (r->path == NULL || s->color == COLOR_ALWAYS),
		.unicode = wants_unicode(s),
		.width = c->output_formats != 0 && shown ? wants_width() : 0,
	};
}

/* Whether a command has no pages of its own. */
static bool is_page_of_markdown(const struct command *c, enum output_format f)
{
	return f == OUTPUT_FORMAT_HTML && (c->output_formats & 1U << OUTPUT_FORMAT_HTML) == 0;
}

static bool open_one(struct reports *to, const struct command *c, const struct settings *s,
		     const struct requested *r, struct context *cx)
{
	struct report_file *f = &to->file[to->n];
	struct output *o = &to->output[to->n];

	*f = (struct report_file){ 0 };
	if (!outfile_open(&f->file, r->path, s->force, cx->out, cx->diag))
		return false;
	*o = (struct output){ f->file.out, style_of(c, s, r) };
	if (is_page_of_markdown(c, r->format)) {
		o->out = f->markdown = out_to_memory();
		o->style.output_format = OUTPUT_FORMAT_MARKDOWN;
	}
	to->n++;
	return true;
}

bool reports_open(struct reports *ret, const struct command *c, const struct settings *s,
		  struct context *cx)
{
	ret->n = 0;
	for (size_t i = 0; i < s->n_reports; i++) {
		if (!open_one(ret, c, s, &s->report[i], cx)) {
			reports_discard(ret);
			return false;
		}
	}
	cx->output = ret->output;
	cx->n_outputs = ret->n;
	return true;
}

static void write_page(const struct report_file *f, const struct command *c,
		       const struct settings *s)
{
	struct out *title = out_to_memory();

	out_printf(title, "osprof %s", c->name);
	for (size_t i = 0; i < s->options.load.n_operands; i++)
		out_printf(title, " %s", s->options.load.operand[i]);
	document_html(f->file.out, out_memory(title), out_memory(f->markdown));
	out_free(title);
}

static void release(struct reports *r, size_t from)
{
	for (size_t i = 0; i < r->n; i++) {
		if (r->file[i].markdown != NULL)
			out_free(r->file[i].markdown);
		if (i >= from)
			outfile_discard(&r->file[i].file);
	}
	r->n = 0;
}

bool reports_commit(struct reports *r, const struct command *c, const struct settings *s,
		    struct diag *diag)
{
	size_t done = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (r->file[i].markdown != NULL)
			write_page(&r->file[i], c, s);
	}
	while (done < r->n && outfile_commit(&r->file[done].file, diag))
		done++;
	if (done < r->n) {
		release(r, done + 1);
		return false;
	}
	release(r, done);
	return true;
}

void reports_discard(struct reports *r)
{
	release(r, 0);
}
