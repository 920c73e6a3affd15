/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The locale in which a decimal point is a point, whatever the user's says. */
#ifndef BASE_C_LOCALE_H
#define BASE_C_LOCALE_H

#include <locale.h>

/* C libraries keep one object for "C": this neither allocates nor fails. */
static inline locale_t c_locale(void)
{
	return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

#endif
