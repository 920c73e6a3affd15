/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/storage/statement.h"

/* Skips what may precede the first word; false at the end of the line. */
static bool pass_over(struct statement *s, struct str *line)
{
	while (line->n > 0) {
		size_t n = 1;

		if (s->in_comment) {
			n = str_find(*line, STR("*/"));
			s->in_comment = n == line->n;
			n += 2;
		} else if (str_has_prefix(*line, STR("/*"))) {
			s->in_comment = true;
			n = 2;
		} else if (str_has_prefix(*line, STR("--"))) {
			n = s->in_json ? str_find(*line, STR("\\n")) : line->n;
		} else if (s->in_json && line->p[0] == '\\') {
			n = 2;
		} else if (!is_gap(line->p[0]) && line->p[0] != '(' && line->p[0] != ';') {
			return true;
		}
		*line = str_skip(*line, n);
	}
	return false;
}

enum statement_next statement_seek(struct statement *s, struct str line, struct str *ret_word,
				   struct str *ret_where)
{
	size_t n = 0;

	if (!pass_over(s, &line))
		return STATEMENT_MORE;
	while (n < line.n && n < STATEMENT_WORD && is_letter(line.p[n])) {
		s->word[n] = (char)(line.p[n] & ~0x20);
		n++;
	}
	*ret_word = (struct str){ s->word, n };
	*ret_where = (struct str){ line.p, n };
	return n > 0 ? STATEMENT_WORD_FOUND : STATEMENT_NONE;
}
