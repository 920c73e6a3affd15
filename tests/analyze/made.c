/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/analyze/made.h"

#include "base/out.h"
#include "formats/format.h"

struct profile *made_profile(const char *text)
{
	struct out *o = out_to_memory();
	struct read_options options = { .resolution = 0 };
	struct diag diag = { .emit = NULL };
	struct profile *p;
	struct input in;

	out_text(o, "osprof 1\n");
	out_text(o, text);
	input_borrow(&in, "made", out_memory(o).p, out_memory(o).n);
	p = format_read(format_by_name(STR("osprof")), &in, &options, &diag);
	assert_non_null(p);
	input_release(&in);
	out_free(o);
	return p;
}
