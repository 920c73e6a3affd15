/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a name in a script for gnuplot: one string expression on one line, of
 * nothing but literals, in which nothing is run. */
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/out.h"
#include "tests/fuzz/fuzz.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* A literal as gnuplot 5.4 reads it: in single quotes a doubled one only after something
 * else; in double ones nothing but single ones, so neither escapes nor commands. */
static size_t literal(struct str s)
{
	bool single = s.p[0] == '\'';

	require(single || s.p[0] == '"');
	for (size_t i = 1; i < s.n; i++) {
		if (s.p[i] == s.p[0] && (!single || i + 1 == s.n || s.p[i + 1] != '\''))
			return i + 1;
		require(single || s.p[i] == '\'');
		if (s.p[i] == '\'' && single) {
			require(i > 1 && s.p[i - 1] != '\'');
			i++;
		}
	}
	require(false);
	return 0;
}

static void check_gnuplot(struct str s)
{
	while (s.n > 0) {
		size_t n = literal(s);

		require(n == s.n || (s.p[n] == '.' && n + 1 < s.n));
		s = str_skip(s, n < s.n ? n + 1 : n);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct out *o = out_to_memory(), *latex = out_to_memory();
	struct str name = { (const char *)data, size };

	escape_gnuplot(o, name);
	require(memchr(out_memory(o).p, '\n', out_memory(o).n) == NULL);
	check_gnuplot(out_memory(o));
	/* What a figure for LaTeX holds goes through both. */
	escape_latex(latex, name);
	out_reset(o);
	escape_gnuplot(o, out_memory(latex));
	check_gnuplot(out_memory(o));
	out_free(o);
	out_free(latex);
	return 0;
}
