/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/calls_load.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/glob.h"
#include "base/input/input_file.h"
#include "base/xalloc.h"
#include "formats/general/call_rows.h"
#include "load/file_list.h"
#include "load/load_options.h"
#include "load/reading.h"

static bool read_begun(struct calls *to, struct input *in, size_t max_bytes, struct diag *diag)
{
	struct str version;

	if (call_signature(in->bytes, &version))
		return call_records_read(to, in, max_bytes, diag);
	diag_file(diag, DIAG_FORMAT_UNKNOWN, in,
		  "no per-call records; `osprof record --calls` writes them");
	return false;
}

static bool read_file(struct calls *to, const char *path, const struct load_options *q,
		      struct diag *diag)
{
	struct reading reading;
	struct input in;
	bool ok;

	reading_begin(q->observer, &reading, path);
	ok = input_begin(&in, path, INPUT_HEAD, q->max_input, &reading.watch, diag);
	if (ok) {
		ok = read_begun(to, &in, q->max_input, diag);
		input_release(&in);
	}
	reading_end(q->observer, &reading);
	return ok;
}

static void choose_matching(struct calls *c, const char *pattern, struct diag *diag)
{
	bool *wanted = xcalloc(c->operations.n, sizeof(*wanted));

	for (size_t i = 0; i < c->operations.n; i++)
		wanted[i] = glob_matches(pattern, c->operations.v[i]);
	calls_keep(c, wanted);
	free(wanted);
	if (c->n == 0)
		diag_plain(diag, DIAG_NOTHING_CHOSEN, "none has a name like %s", pattern);
}

struct calls *calls_load(char *const *operand, size_t n, const struct load_options *q,
			 struct diag *diag)
{
	struct calls *c = calls_new();
	struct file_list files;
	bool ok = file_list_of(&files, operand, n, diag);

	for (size_t i = 0; ok && i < files.n; i++)
		ok = read_file(c, files.v[i].path, q, diag);
	file_list_release(&files);
	if (!ok) {
		calls_free(c);
		return NULL;
	}
	if (q->op != NULL)
		choose_matching(c, q->op, diag);
	return c;
}
