/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/report/report_kinds.h"

#include "base/arena.h"

struct report_kinds report_kinds_of(struct arena *a, const struct report_format *f)
{
	struct report_kinds kinds = { .line = f->line, .grouped = f->grouped };
	size_t n = 0;

	while (f->line[n].text != NULL)
		n++;
	kinds.word = arena_make(a, struct str, n);
	for (size_t i = 0; i < n; i++)
		kinds.word[i] = template_word(f->line[i].text);
	return kinds;
}

bool report_kind_matches(const struct report_kinds *kinds, size_t i, unsigned section,
			 struct str text, struct captures *ret)
{
	const struct report_line *line = &kinds->line[i];

	return (line->in == 0 || line->in == section) && str_contains(text, kinds->word[i]) &&
	       template_match(line->text, text, kinds->grouped, ret);
}

size_t report_kinds_captured(const struct report_kinds *kinds, unsigned section, struct str text,
			     bool *ret_any)
{
	const struct report_line *line = kinds->line;
	struct captures c;
	size_t n = 0;

	*ret_any = false;
	for (bool more = true; more && line->text != NULL; line++) {
		if (!report_kind_matches(kinds, (size_t)(line - kinds->line), section, text, &c))
			continue;
		*ret_any = line->in == 0 || line->refuse == NULL;
		more = line->also;
		n += c.n;
	}
	return n;
}
