/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracer_lines.h"

#include <string.h>

#include "base/scan.h"
#include "formats/text.h"

/* Whether s begins with "13:19:35", with nothing that continues it except a fraction. */
static bool is_clock(struct str s, double *ret_seconds)
{
	size_t n = text_clock(s, ret_seconds);

	return n > 0 && (n == s.n || (!is_digit(s.p[n]) && s.p[n] != ':'));
}

/* A word of a date: "2024-05-01", "05/01/24", "Wed", "May", "1". */
static bool is_date_word(struct str word)
{
	bool letters = word.n == 3;

	for (size_t i = 0; i < word.n; i++)
		letters &= is_letter(word.p[i]);
	if (letters)
		return true;
	for (size_t i = 0; i < word.n; i++) {
		if (!is_digit(word.p[i]) && strchr("-/.", word.p[i]) == NULL)
			return false;
	}
	return word.n > 0;
}

bool is_time_line(struct str line, double *ret_seconds)
{
	enum { DATE_WORDS = 3, DATE_LENGTH = 10 };
	struct str word, rest = text_content(line);

	for (size_t i = 0; i <= DATE_WORDS; i++) {
		if (rest.n > 0 && rest.p[0] == '[')
			rest = str_skip(rest, 1);
		if (is_clock(rest, ret_seconds))
			return true;
		if (rest.n > DATE_LENGTH && rest.p[DATE_LENGTH] == 'T' &&
		    is_date_word((struct str){ rest.p, DATE_LENGTH }))
			return is_clock(str_skip(rest, DATE_LENGTH + 1), ret_seconds);
		if (!str_cut(rest, ' ', &word, &rest) || !is_date_word(word))
			return false;
		rest = str_trim(rest);
	}
	return false;
}

bool is_collector_error(struct str line, struct str *ret_text)
{
	static const struct str word[] = { STR_INIT("WARNING: "), STR_INIT("ERROR: ") };

	line = text_content(line);
	*ret_text = line;
	if (str_has_prefix(line, STR("Failed to map_update_elem")))
		return true;
	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
		const char *at = line.n > 0 ? memmem(line.p, line.n, word[i].p, word[i].n) : NULL;
		size_t before = at != NULL ? (size_t)(at - line.p) : 0;

		if (at == NULL || (before > 0 && (before < 2 || at[-1] != ' ' || at[-2] != ':')))
			continue;
		*ret_text = str_skip(line, before + word[i].n);
		return true;
	}
	return false;
}

bool is_loss(struct str line, uint64_t *ret_events)
{
	struct str head, tail;

	line = text_content(line);
	if (!str_has_prefix(line, STR("Lost ")) || !str_cut(str_skip(line, 5), ' ', &head, &tail) ||
	    !str_has_prefix(tail, STR("event")))
		return false;
	return number_u64(head, ret_events) == NUMBER_OK;
}
