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

static void note_captures(struct report_match *m, struct str text, const struct captures *c)
{
	struct str last;

	if (c->n == 0)
		return;
	last = c->of[c->n - 1].text;
	m->n += c->n;
	m->last = (size_t)(last.p - text.p);
	m->to_end = m->last + last.n == text.n;
}

struct report_match report_kinds_match(const struct report_kinds *kinds, unsigned section,
				       struct str text)
{
	const struct report_line *line = kinds->line;
	struct report_match m = { .line = NULL };
	struct captures c;

	for (bool more = true; more && line->text != NULL; line++) {
		if (!report_kind_matches(kinds, (size_t)(line - kinds->line), section, text, &c))
			continue;
		if (m.line == NULL && (line->in == 0 || line->refuse == NULL))
			m.line = line;
		more = line->also;
		note_captures(&m, text, &c);
	}
	return m;
}
