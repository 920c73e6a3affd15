/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/formats/parts.h"

#include "base/diag_kept.h"
#include "base/input/input_file.h"
#include "base/out.h"
#include "profile/profile.h"

static struct out *consider(struct diag_kept *kept, const struct profile *p)
{
	struct out *out = out_to_memory();
	struct diag ignored = { 0 };

	for (size_t i = 0; i < kept->n; i++)
		out_text(out, kept->msg[i].rendered);
	if (p != NULL && !format_by_name(STR("osprof"))->write(p, out, &ignored))
		out_text(out, "not written\n");
	diag_kept_release(kept);
	return out;
}

static struct out *read_reported(const struct format *f, struct input *in,
				 const struct read_options *o)
{
	struct diag_kept kept = { NULL, 0, 0 };
	struct diag diag = { .emit = diag_keep, .ctx = &kept };
	struct profile *p = format_read_bare(f, in, o, &diag);
	struct out *out = consider(&kept, p);

	profile_free(p);
	return out;
}

struct out *parts_reported_whole(const struct format *f, const char *name, struct str text,
				 const struct read_options *o)
{
	struct out *out;
	struct input in;

	input_borrow(&in, name, text.p, text.n);
	in.block = text.n + 1;
	out = read_reported(f, &in, o);
	input_release(&in);
	return out;
}

struct out *parts_reported(const struct format *f, const char *path, const struct parts *parts,
			   const struct read_options *o)
{
	struct diag_kept kept = { NULL, 0, 0 };
	struct diag diag = { .emit = diag_keep, .ctx = &kept };
	struct out *out;
	struct input in;

	if (!input_begin(&in, path, parts->head, PARTS_LARGE, NULL, &diag))
		return consider(&kept, NULL);
	in.block = parts->block;
	out = read_reported(f, &in, o);
	input_release(&in);
	return out;
}

bool parts_depend_on_threads(struct str reported)
{
	return str_contains(reported, STR("[total-overflow]")) ||
	       str_contains(reported, STR("more than 1048576 intervals"));
}
