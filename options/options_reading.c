/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of how files are read. */
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/scan.h"
#include "options/options_taken.h"
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

bool option_is_no_format(const struct option_row *row, const char *arg, bool written,
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

bool take_from(struct options *o, const struct option_row *row, const char *arg, struct diag *diag)
{
	o->load.from = format_by_name(str_from(arg));
	if (o->load.from == NULL)
		o->load.from = plugins_format(&o->load.plugins, str_from(arg));
	return o->load.from != NULL || option_is_no_format(row, arg, false, diag);
}

bool take_plugin(struct options *o, const struct option_row *row, const char *arg,
		 struct diag *diag)
{
	(void)row;
	return plugins_add(&o->load.plugins, arg, OSPROF_PLUGINS, diag);
}

/* --- what files do not state ---------------------------------------------------------------- */

void take_unit(struct options *o, int which)
{
	static const enum unit units[] = { UNIT_NS, UNIT_US,	 UNIT_MS,
					   UNIT_S,  UNIT_CYCLES, UNIT_PLAIN };

	o->load.read.build.unit = units[which];
}

void take_snapshots(struct options *o, int which)
{
	o->load.read.build.snapshots = which == 0 ? SNAPSHOTS_DELTA : SNAPSHOTS_CUMULATIVE;
}

void take_numbering(struct options *o, int which)
{
	o->load.read.numbering = which == 0 ? NUMBERING_OSPROF : NUMBERING_FSPROF;
}

const char *take_column(struct options *o, const char *arg)
{
	struct table_columns *to = &o->load.read.columns;
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

const char *take_separator(struct options *o, const char *arg)
{
	if (strcmp(arg, "\\t") == 0 || strcmp(arg, "tab") == 0)
		arg = "\t";
	if (strlen(arg) != 1 || *arg == '"' || *arg == '\n' || *arg == '\r')
		return "one character, or tab";
	o->load.read.separator = *arg;
	return NULL;
}

const char *take_resolution(struct options *o, const char *arg)
{
	uint64_t r;

	if (number_u64(str_from(arg), &r) != NUMBER_OK || r < 1 || r > BUCKET_MAX_RESOLUTION)
		return "a whole number from 1 to 4096";
	o->load.read.resolution = (unsigned)r;
	o->load.rebin = true;
	return NULL;
}

const char *take_max_input(struct options *o, const char *arg)
{
	double bytes;

	if (number_f64(str_from(arg), &bytes) != NUMBER_OK || !(bytes >= 1) || isinf(bytes))
		return "a number above 0";
	o->load.max_input = bytes < 1e18 ? (size_t)bytes : (size_t)1e18;
	return NULL;
}

const char *take_part(struct options *o, const char *arg)
{
	struct str k, n;
	uint64_t part, parts;

	if (!str_cut(str_from(arg), '/', &k, &n) || number_u64(k, &part) != NUMBER_OK ||
	    number_u64(n, &parts) != NUMBER_OK || part < 1 || part > parts || parts > UINT32_MAX)
		return "K/N, K from 1 to N";
	o->load.read.part = (size_t)part - 1;
	o->load.read.n_parts = (size_t)parts;
	return NULL;
}

void list_architectures(struct out *o)
{
	for (size_t i = 0; syscall_architectures[i] != NULL; i++)
		out_printf(o, " %s", syscall_architectures[i]);
}

/* --- options of runs ------------------------------------------------------------------------ */

const char *take_nest(struct options *o, const char *arg)
{
	return nest_option_take(&o->load.nest, arg);
}

const char *take_machine(struct options *o, const char *arg)
{
	o->load.machine = arg;
	return *arg != '\0' ? NULL : "a name";
}

/* One time for the runs of both sides, or one for each side. */
const char *take_elapsed(struct options *o, const char *arg)
{
	struct str before = str_from(arg), after = before;
	double b, a;

	(void)str_cut(before, ',', &before, &after);
	if (number_f64(before, &b) != NUMBER_OK || number_f64(after, &a) != NUMBER_OK ||
	    !(b > 0 && a > 0) || isinf(b) || isinf(a))
		return "seconds, or SECONDS,SECONDS";
	o->load.elapsed_before = b;
	o->load.elapsed_after = a;
	return NULL;
}
