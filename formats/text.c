/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/text.h"

struct str text_without_bom(struct str s)
{
	return str_has_prefix(s, STR("\xef\xbb\xbf")) ? str_skip(s, 3) : s;
}

struct str text_expanded_name(struct str path)
{
	if (str_has_suffix(path, STR(".gz")))
		path.n -= 3;
	else if (str_has_suffix(path, STR(".zst")))
		path.n -= 4;
	return path;
}

bool text_has(struct str text, bool (*is_one)(struct str line))
{
	struct str line;

	while (text_line(&text, &line)) {
		if (is_one(line))
			return true;
	}
	return false;
}
