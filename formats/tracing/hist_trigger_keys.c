/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/hist_trigger_keys.h"

#include "base/scan.h"
#include "profile/unit.h"

bool hist_is_latency(struct str name)
{
	static const char *const words[] = { "lat", "delta", "duration", "elapsed", "dur" };
	enum unit unit = unit_in_name(name);

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		struct str word = str_from(words[i]);
		size_t at = str_find(name, word);

		if (at < name.n && (at == 0 || name.p[at - 1] == '_' || i < 2))
			return true;
	}
	return unit_is_time(unit);
}

struct str hist_list(struct str spec, struct str what)
{
	size_t at = str_find(spec, what);
	struct str list = str_skip(spec, at + what.n);

	list.n = str_find(list, STR(":"));
	list.n = str_find(list, STR(" "));
	return list;
}

bool hist_next(struct str *list, struct str *ret)
{
	struct str tail = { list->p + list->n, 0 };

	if (list->n == 0)
		return false;
	*ret = *list;
	(void)str_cut(*list, ',', ret, &tail);
	*list = tail;
	return true;
}

void hist_parse_key(struct str s, struct hist_key *ret)
{
	struct str modifier = STR(""), width;

	ret->name = s;
	(void)str_cut(s, '.', &ret->name, &modifier);
	if (str_eq(modifier, STR("log2")))
		ret->shape = SHAPE_LOG2;
	ret->syscall = str_eq(modifier, STR("syscall"));
	ret->execname = str_eq(modifier, STR("execname"));
	if (str_cut(modifier, '=', &modifier, &width) && str_has_prefix(modifier, STR("bucket")) &&
	    number_u64(width, &ret->width) == NUMBER_OK && ret->width > 0)
		ret->shape = SHAPE_BUCKETS;
}
