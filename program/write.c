/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/write.h"

#include "base/diag.h"
#include "base/outfile.h"
#include "formats/format.h"

static const struct format *format_to_write(const struct settings *s)
{
	const struct format *f = s->to;

	if (f == NULL && s->output != NULL)
		f = format_for_output(str_from(s->output));
	return f != NULL ? f : format_by_name(STR("osprof"));
}

enum exit_status write_profile(struct context *cx, const struct settings *s,
			       const struct profile *p)
{
	struct outfile file;

	if (!outfile_open(&file, s->output, s->force, cx->out, cx->diag))
		return EXIT_ERROR;
	if (!format_to_write(s)->write(p, file.out, cx->diag)) {
		outfile_discard(&file);
		return EXIT_ERROR;
	}
	return outfile_commit(&file, cx->diag) ? EXIT_OK : EXIT_ERROR;
}
