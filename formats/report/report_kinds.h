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

/* What kinds of lines have of a text. */
struct report_match {
	const struct report_line *line; /* the first that matches; NULL: none does */
	size_t n;			/* values that they capture */
	size_t last;			/* where the last of them begins */
	bool to_end;			/* the text ends with it */
};

/* What is refused in a section is whatever has no other kind: it may be a part of a line, and is not
 * returned. */
struct report_match report_kinds_match(const struct report_kinds *kinds, unsigned section,
				       struct str text);

#endif
