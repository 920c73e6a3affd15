// SPDX-License-Identifier: GPL-3.0-or-later
// The header and its macros from C++.
#include "collect/osprof.h"

#include <cstdio>
#include <cstring>

static int square(int n)
{
	OSPROF_PRE(square);
	int result = n * n;
	OSPROF_POST(square);
	return result;
}

int main()
{
	struct osprof_options options = {};
	options.resolution = 2;
	struct osprof *p = osprof_new(&options);
	if (p == nullptr)
		return 1;
	int op = osprof_op(p, "layer", "op");
	uint64_t start = osprof_start(p);
	osprof_stop(p, op, start);
	if (osprof_count(p) != 1 || osprof_print(p, stdout) != 0)
		return 1;
	osprof_free(p);
	int n = OSPROF_CALL(call, square(3));
	return n == 9 && osprof_count(osprof_default()) == 2 ? 0 : 1;
}
