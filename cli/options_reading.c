/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of how files are read. */
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/scan.h"
#include "cli/options_taken.h"
#include "cli/settings.h"
#include "profile/syscalls.h"

/* --- formats -------------------------------------------------------------------------------- */

static void list_formats(struct out *o, bool written)
{
	const struct format *f;

	for (size_t i = 0; (f = format_at(i)) != NULL; i++) {
		if (!written || f->write != NULL)
			out_printf(o, " %s", f->name);
	}
}

void list_readable_formats(struct out *o)
{
	list_formats(o, false);
}

void list_writable_formats(struct out *o)
{
	list_formats(o, true);
}

static bool is_no_format(const struct option_row *row, const char *arg, bool written,
			 struct diag *diag)
{
	struct out *expected = out_to_memory();
	const char *near = nearest_format(arg);

	if (written) {
		out_text(expected, "a format that is written:");
		list_formats(expected, true);
	} else {
		out_text(expected, "a name that `osprof formats` lists");
		if (near != NULL)
			out_printf(expected, " (did you mean %s?)", near);
	}
	out_char(expected, '\0');
	(void)option_is_bad(row, arg, out_memory(expected).p, diag);
	out_free(expected);
	return false;
}

bool take_from(struct settings *s, const struct option_row *row, const char *arg, struct diag *diag)
{
	s->request.from = format_by_name(str_from(arg));
	if (s->request.from == NULL)
		s->request.from = plugins_format(&s->request.plugins, str_from(arg));
	return s->request.from != NULL || is_no_format(row, arg, false, diag);
}

bool take_to(struct settings *s, const struct option_row *row, const char *arg, struct diag *diag)
{
	s->to = format_by_name(str_from(arg));
	return (s->to != NULL && s->to->write != NULL) || is_no_format(row, arg, true, diag);
}

bool take_plugin(struct settings *s, const struct option_row *row, const char *arg,
		 struct diag *diag)
{
	(void)row;
	return plugins_add(&s->request.plugins, arg, OSPROF_PLUGINS, diag);
}

/* --- what files do not state ---------------------------------------------------------------- */

void take_unit(struct settings *s, int which)
{
	static const enum unit units[] = { UNIT_NS, UNIT_US,	 UNIT_MS,
					   UNIT_S,  UNIT_CYCLES, UNIT_PLAIN };

	s->request.read.build.unit = units[which];
}

void take_snapshots(struct settings *s, int which)
{
	s->request.read.build.snapshots = which == 0 ? SNAPSHOTS_DELTA : SNAPSHOTS_CUMULATIVE;
}

void take_numbering(struct settings *s, int which)
{
	s->request.read.numbering = which == 0 ? NUMBERING_OSPROF : NUMBERING_FSPROF;
}

const char *take_column(struct settings *s, const char *arg)
{
	struct table_columns *to = &s->request.read.columns;
	const struct {
		const char *name;
		struct str *column;
	} known[] = {
		{ "operation", &to->operation }, { "latency", &to->latency },
		{ "start", &to->start },	 { "low", &to->low },
		{ "high", &to->high },		 { "count", &to->count },
		{ "layer", &to->layer },	 { "total", &to->total },
	};
	struct str rest = str_from(arg), one, role, column;

	while (rest.n > 0) {
		bool found = false;

		if (!str_cut(rest, ',', &one, &rest)) {
			one = rest;
			rest.n = 0;
		}
		if (!str_cut(one, '=', &role, &column) || column.n == 0)
			return "ROLE=COLUMN[,ROLE=COLUMN...]";
		for (size_t i = 0; i < COUNT_OF(known); i++) {
			if (str_eq(role, str_from(known[i].name))) {
				*known[i].column = column;
				found = true;
			}
		}
		if (!found)
			return "a role: operation latency start low high count layer total";
	}
	return NULL;
}

const char *take_separator(struct settings *s, const char *arg)
{
	if (strcmp(arg, "\\t") == 0 || strcmp(arg, "tab") == 0)
		arg = "\t";
	if (strlen(arg) != 1 || *arg == '"' || *arg == '\n' || *arg == '\r')
		return "one character, or tab";
	s->request.read.separator = *arg;
	return NULL;
}

const char *take_resolution(struct settings *s, const char *arg)
{
	uint64_t r;

	if (number_u64(str_from(arg), &r) != NUMBER_OK || r < 1 || r > BUCKET_MAX_RESOLUTION)
		return "a whole number from 1 to 4096";
	s->request.read.resolution = (unsigned)r;
	s->request.rebin = true;
	return NULL;
}

const char *take_max_input(struct settings *s, const char *arg)
{
	double bytes;

	if (number_f64(str_from(arg), &bytes) != NUMBER_OK || !(bytes >= 1) || isinf(bytes))
		return "a number above 0";
	s->request.max_input = bytes < 1e18 ? (size_t)bytes : (size_t)1e18;
	return NULL;
}

const char *take_part(struct settings *s, const char *arg)
{
	struct str k, n;
	uint64_t part, parts;

	if (!str_cut(str_from(arg), '/', &k, &n) || number_u64(k, &part) != NUMBER_OK ||
	    number_u64(n, &parts) != NUMBER_OK || part < 1 || part > parts || parts > UINT32_MAX)
		return "K/N, K from 1 to N";
	s->request.read.part = (size_t)part - 1;
	s->request.read.n_parts = (size_t)parts;
	return NULL;
}

void list_architectures(struct out *o)
{
	for (size_t i = 0; syscall_architectures[i] != NULL; i++)
		out_printf(o, " %s", syscall_architectures[i]);
}

/* --- options of runs ------------------------------------------------------------------------ */

const char *take_nest(struct settings *s, const char *arg)
{
	return nest_option_take(&s->request.nest, arg);
}

const char *take_machine(struct settings *s, const char *arg)
{
	s->request.machine = arg;
	return *arg != '\0' ? NULL : "a name";
}

/* One time for the runs of both sides, or one for each side. */
const char *take_elapsed(struct settings *s, const char *arg)
{
	struct str before = str_from(arg), after = before;
	double b, a;

	(void)str_cut(before, ',', &before, &after);
	if (number_f64(before, &b) != NUMBER_OK || number_f64(after, &a) != NUMBER_OK ||
	    !(b > 0 && a > 0) || isinf(b) || isinf(a))
		return "seconds, or SECONDS,SECONDS";
	s->request.elapsed_before = b;
	s->request.elapsed_after = a;
	return NULL;
}
