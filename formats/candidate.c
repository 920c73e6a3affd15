/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/candidate.h"

#include "base/json.h"
#include "formats/report/template.h"
#include "formats/text.h"

bool format_has_marks(struct str head, const char *const *marks)
{
	bool has = str_has_prefix(json_without_space(head), str_from(*marks));

	while (has && *++marks != NULL)
		has = str_contains(head, str_from(*marks));
	return has;
}

static bool is_line_of(const struct line_mark *m, struct str line)
{
	struct captures ignored;

	if (m->line != NULL)
		return template_match(m->line, line, false, &ignored);
	return m->is != NULL ? m->is(line) : format_has_marks(line, m->has);
}

static bool is_mark(const struct line_mark *m)
{
	return m->is != NULL || m->line != NULL || m->has != NULL;
}

/* Returns a bit for each kind of line that the text may have: of most formats it has none of the
 * words. */
static size_t marks_possible(const struct line_mark *m, struct str head)
{
	size_t possible = 0;

	for (size_t i = 0; is_mark(&m[i]); i++) {
		if (m[i].line == NULL || str_contains(head, template_longest_word(m[i].line)))
			possible |= (size_t)1 << i;
	}
	return possible;
}

/* Returns the kind of a line; `above`: the kind of the previous line; `met`, `possible`: a bit for
 * each kind so far, and that may occur. */
static const struct line_mark *line_mark_of(const struct line_mark *m, struct str line,
					    const struct line_mark *above, size_t met,
					    size_t possible)
{
	for (size_t i = 0; is_mark(&m[i]); i++) {
		/* Most lines begin with another character. */
		if ((possible >> i & 1) == 0 || (m[i].has != NULL && line.p[0] != m[i].has[0][0]) ||
		    (m[i].place == LINE_BELOW && above != &m[i - 1]) ||
		    (m[i].place == LINE_AFTER && (met >> (i - 1) & 1) == 0))
			continue;
		if (is_line_of(&m[i], line))
			return &m[i];
	}
	return NULL;
}

static enum probe probe_lines(const struct line_mark *marks, struct str head, struct clue *clue)
{
	const struct line_mark *m = NULL;
	enum probe score = PROBE_NO;
	struct str line, rest = head;
	size_t met = 0, possible = marks_possible(marks, head);

	while (possible != 0 && score < PROBE_MAGIC && text_line(&rest, &line)) {
		m = line.n > 0 ? line_mark_of(marks, line, m, met, possible) : NULL;
		if (m == NULL)
			continue;
		met |= (size_t)1 << (m - marks);
		score = m->score > score ? m->score : score;
		if (m->why != NULL && (!m->first || clue->why == NULL))
			probe_near(clue, head, line, m->why);
	}
	return score;
}

enum probe candidate_probe(const struct format *f, struct str head, struct clue *clue)
{
	bool is_one;

	*clue = (struct clue){ 0, NULL };
	if (f->probe != NULL)
		return f->probe(head, clue);
	if (f->line_marks != NULL)
		return probe_lines(f->line_marks, head, clue);
	is_one = f->is_one != NULL     ? f->is_one(head)
		 : f->has_line != NULL ? text_has(head, f->has_line)
				       : format_has_marks(head, f->marks);
	return is_one ? PROBE_MAGIC : PROBE_NO;
}

void candidate_consider(struct candidate *c, const struct format *f, struct str head,
			struct str path)
{
	bool mine, theirs;
	struct clue clue;
	enum probe score = candidate_probe(f, head, &clue);

	if (score == PROBE_NO || score < c->score)
		return;
	if (score > c->score) {
		*c = (struct candidate){ .best = f, .score = score };
		return;
	}
	mine = format_has_suffix(c->best, path);
	theirs = format_has_suffix(f, path);
	c->rival = mine == theirs ? f : NULL;
	c->best = theirs && !mine ? f : c->best;
}

struct candidate candidate_of_text(struct str head, struct str path)
{
	struct candidate c = { .score = PROBE_NO };
	const struct format *f;

	for (size_t i = 0; (f = format_at(i)) != NULL; i++)
		candidate_consider(&c, f, head, path);
	return c;
}
