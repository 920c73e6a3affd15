/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The "C" locale, in which the decimal point is a point, whatever the user's locale. */
#ifndef BASE_C_LOCALE_H
#define BASE_C_LOCALE_H

#include <locale.h>

/* Neither allocates nor fails: C libraries have a static object for "C". */
static inline locale_t c_locale(void)
{
	return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

#endif
