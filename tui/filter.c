/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/filter.h"

#include <stdlib.h>

#include "base/glob.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "tui/column.h"

static bool parse_state(struct str s, enum filter_state *ret)
{
	static const char *const names[] = { "reported", "marked", "noted", "expected" };

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (str_eq_nocase(s, str_from(names[i]))) {
			*ret = (enum filter_state)i;
			return true;
		}
	}
	return false;
}

/* Parses "share>1%". */
static bool parse_comparison(struct str s, char sign, struct filter_word *ret)
{
	struct str name, number;
	bool percent;

	if (!str_cut(s, sign, &name, &number))
		return false;
	percent = str_has_suffix(number, STR("%"));
	number.n -= percent;
	if (number_f64(number, &ret->limit) != NUMBER_OK)
		return false;
	ret->limit /= percent ? 100 : 1;
	ret->kind = sign == '>' ? FILTER_ABOVE : FILTER_BELOW;
	for (ret->column = 0; ret->column < N_COLUMNS; ret->column++) {
		if (str_eq_nocase(name, str_from(column_name(ret->column))))
			return true;
	}
	return false;
}

static bool parse_word(struct str s, struct filter_word *ret)
{
	struct str key, value;

	*ret = (struct filter_word){ .not = str_has_prefix(s, STR("!")) };
	s = str_skip(s, ret->not );
	if (s.n == 0)
		return false;
	if (parse_comparison(s, '>', ret) || parse_comparison(s, '<', ret))
		return true;
	ret->kind = FILTER_NAME;
	if (str_cut(s, ':', &key, &value)) {
		if (str_eq_nocase(key, STR("is"))) {
			ret->kind = FILTER_IS;
			return parse_state(value, &ret->state);
		}
		if (str_eq_nocase(key, STR("layer")) || str_eq_nocase(key, STR("verdict"))) {
			ret->kind =
				str_eq_nocase(key, STR("layer")) ? FILTER_LAYER : FILTER_VERDICT;
			s = value;
		}
	}
	ret->text = xmemdup(s.p, s.n);
	return true;
}

static struct str next_word(struct str *rest)
{
	struct str word;

	*rest = str_trim(*rest);
	word = (struct str){ rest->p, 0 };
	while (word.n < rest->n && rest->p[word.n] != ' ')
		word.n++;
	*rest = str_skip(*rest, word.n);
	return word;
}

bool filter_parse(struct filter *f, struct str text, struct str *ret_wrong)
{
	const struct str name = str_trim(text);
	struct filter made = { .text = name.n > 0 ? xmemdup(name.p, name.n) : NULL };
	struct str rest = text, word;

	while ((word = next_word(&rest)).n > 0) {
		if (made.n == FILTER_MAX_WORDS || !parse_word(word, &made.word[made.n])) {
			*ret_wrong = word;
			filter_release(&made);
			return false;
		}
		made.n++;
	}
	filter_release(f);
	*f = made;
	return true;
}

void filter_release(struct filter *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->word[i].text);
	free(f->text);
	*f = (struct filter){ .n = 0 };
}

/* A pattern without wildcards matches any part of the name. */
static bool name_matches(const char *pattern, struct str name)
{
	return strpbrk(pattern, "*?[") == NULL ? str_contains(name, str_from(pattern))
					       : glob_matches(pattern, name);
}

static bool is_in_state(enum filter_state state, const struct item *i)
{
	switch (state) {
	case IS_REPORTED:
		return i->ranked != NULL && i->ranked->reported;
	case IS_MARKED:
		return i->annotation != NULL && i->annotation->marked;
	case IS_NOTED:
		return i->annotation != NULL && i->annotation->note.n > 0;
	case IS_EXPECTED:
		return i->ranked != NULL && annotation_expects(i->annotation, i->ranked->verdict);
	}
	return false;
}

static bool word_holds(const struct filter_word *w, const struct study *s, const struct item *i)
{
	const struct operation *op = item_operation(i);

	switch (w->kind) {
	case FILTER_NAME:
		return name_matches(w->text, op->name);
	case FILTER_LAYER:
		return str_eq(op->layer, str_from(w->text));
	case FILTER_VERDICT:
		return i->ranked != NULL &&
		       str_has_prefix(str_from(verdict_name(i->ranked->verdict)),
				      str_from(w->text));
	case FILTER_IS:
		return is_in_state(w->state, i);
	case FILTER_ABOVE:
		return column_value(s, w->column, i) > w->limit;
	case FILTER_BELOW:
		return column_value(s, w->column, i) < w->limit;
	}
	return false;
}

bool filter_holds(const struct filter *f, const struct study *s, const struct item *i)
{
	for (size_t k = 0; k < f->n; k++) {
		if (word_holds(&f->word[k], s, i) == f->word[k].not )
			return false;
	}
	return true;
}
