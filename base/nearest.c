/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/nearest.h"

#include <string.h>

enum { LONGEST_NAME = 40 };

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t min = a < b ? a : b;

	return min < c ? min : c;
}

/* Returns the Levenshtein distance. */
static size_t edits_between(const char *a, const char *b)
{
	size_t row[LONGEST_NAME + 1], na = strlen(a), nb = strlen(b);

	if (na > LONGEST_NAME || nb > LONGEST_NAME)
		return LONGEST_NAME;
	for (size_t k = 0; k <= nb; k++)
		row[k] = k;
	for (size_t i = 1; i <= na; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t k = 1; k <= nb; k++) {
			size_t above = row[k];

			row[k] = smallest(above + 1, row[k - 1] + 1,
					  diagonal + (a[i - 1] != b[k - 1]));
			diagonal = above;
		}
	}
	return row[nb];
}

const char *nearest_name(const char *typed, const char *const *names, size_t n)
{
	const char *best = NULL;
	size_t min = strlen(typed) / 3 + 1;

	for (size_t i = 0; i < n; i++) {
		size_t edits = edits_between(typed, names[i]);

		if (edits <= min && (best == NULL || edits < min)) {
			best = names[i];
			min = edits;
		}
	}
	return best;
}
