/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/known_times.h"

#include "base/input/input.h"
#include "base/input/input_file.h"
#include "load/load_options.h"

bool load_known_times(struct arena *a, const struct load_options *q, struct known_times *ret,
		      struct diag *diag)
{
	struct known_times ours = times_built_in(a), theirs;
	struct input in;
	bool ok;

	*ret = ours;
	if (q->times_path == NULL)
		return true;
	if (!input_open(&in, q->times_path, q->max_input, diag))
		return false;
	ok = times_read(a, &in, &theirs, diag);
	input_release(&in);
	if (ok)
		*ret = times_joined(a, &theirs, &ours);
	return ok;
}
