/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/general/plain_item.h"

size_t plain_words(const char *p, size_t from, size_t end, struct plain_item *ret)
{
	size_t to = from;

	while (!plain_item_ends(p, to, end))
		to++;
	*ret = (struct plain_item){ .text = { p + from, to - from } };
	ret->is_pair = str_cut(ret->text, ':', &ret->left, &ret->right) ||
		       str_cut(ret->text, '=', &ret->left, &ret->right);
	return to;
}

enum plain_field plain_field(struct str word)
{
	if (str_eq(word, STR("total")))
		return FIELD_TOTAL;
	if (str_eq(word, STR("count")) || str_eq(word, STR("ops")) || str_eq(word, STR("checksum")))
		return FIELD_COUNT;
	return FIELD_NONE;
}
