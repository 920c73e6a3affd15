/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kinds of lines of a report a text is of. */
#ifndef FORMATS_REPORT_REPORT_KINDS_H
#define FORMATS_REPORT_REPORT_KINDS_H

#include "formats/report/report.h"
#include "formats/report/template.h"

struct arena;

struct report_kinds {
	const struct report_line *line; /* of the format */
	struct str *word;		/* of each: template_word() */
	bool grouped;
};

struct report_kinds report_kinds_of(struct arena *a, const struct report_format *f);
/* Whether the text is of kind i, where the report is in the section. */
MUST_CHECK bool report_kind_matches(const struct report_kinds *kinds, size_t i, unsigned section,
				    struct str text, struct captures *ret);
/* Returns how many values of the text kinds of lines capture; *ret_any: one of them matches.  What
 * is refused in a section is whatever has no other kind: it may be a part of a line. */
size_t report_kinds_captured(const struct report_kinds *kinds, unsigned section, struct str text,
			     bool *ret_any);

#endif
