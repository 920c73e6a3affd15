/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of formats. */
#include "formats/format.h"

#include <stdlib.h>

#include "base/nearest.h"
#include "base/xalloc.h"

#define FORMAT(family, name) extern const struct format format_##name;
#include "formats/list.def"
#undef FORMAT

static const struct format *const formats[] = {
#define FORMAT(family, name) &format_##name,
#include "formats/list.def"
#undef FORMAT
};

static const char *const families[] = {
#define FORMAT(family, name) #family,
#include "formats/list.def"
#undef FORMAT
};

const char *format_family_at(size_t i)
{
	return families[i];
}

const struct format *format_at(size_t i)
{
	return i < COUNT_OF(formats) ? formats[i] : NULL;
}

const struct format *format_by_name(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		if (str_eq(str_from(formats[i]->name), name))
			return formats[i];
	}
	return NULL;
}

bool format_has_suffix(const struct format *f, struct str path)
{
	for (size_t i = 0; f->suffix != NULL && f->suffix[i] != NULL; i++) {
		if (str_has_suffix(path, str_from(f->suffix[i])))
			return true;
	}
	return false;
}

const struct format *format_for_output(struct str path)
{
	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		if (formats[i]->write != NULL && format_has_suffix(formats[i], path))
			return formats[i];
	}
	return NULL;
}

const char *nearest_format(const char *typed)
{
	const char **names, *near;
	const struct format *f;
	size_t n = 0;

	while (format_at(n) != NULL)
		n++;
	names = xcalloc(n, sizeof(*names));
	for (size_t i = 0; (f = format_at(i)) != NULL; i++)
		names[i] = f->name;
	near = nearest_name(typed, names, n);
	free(names);
	return near;
}
