/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of options, and what their arguments can be. */
#include "cli/option_value.h"

#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/scan.h"
#include "cli/amount.h"
#include "report/calls.h"
#include "report/timeline.h"

static const struct option_row rows[] = {
#define OPTION(id, letter, name, arg, help) { letter, name, arg, help },
#include "cli/options.def"
#undef OPTION
};

static const char *const units[] = { "ns", "us", "ms", "s", "cycles", "plain", NULL };
static const char *const snapshots[] = { "delta", "cumulative", NULL };
static const char *const numberings[] = { "osprof", "fsprof", NULL };
static const char *const output_formats[] = { "text",  "json", "csv", "markdown",
					      "junit", "html", NULL };
/* In the order of enum output format; those that are not printed have no name. */
static const char *const cause_output_formats[] = { "text",   "json", "csv", "markdown",
						    "folded", "html", NULL };
static const char *const colors[] = { "auto", "always", "never", NULL };
static const char *const replicates[] = { "host", NULL };
static const char *const clocks[] = { "counter", "ns", NULL };
static const char *const gates[] = { "any", NULL };
static const char *const palettes[] = { "safe", "grey", "paper", NULL };
static const char *const axis_units[] = { "auto", "ns", "us", "ms", "s", "cycles", NULL };
static const char *const terminals[] = { "png", "svg", "pdf", "eps", "tikz", "dumb", NULL };

const struct option_row *option_row(enum option_id id)
{
	return &rows[id];
}

const char *const *option_choices(enum option_id id)
{
	switch (id) {
	case OPT_UNIT:
		return units;
	case OPT_SNAPSHOTS:
		return snapshots;
	case OPT_NUMBERING:
		return numberings;
	case OPT_FORMAT:
		return output_formats;
	case OPT_CAUSES_FORMAT:
		return cause_output_formats;
	case OPT_CAUSES_SECTION:
		return causes_sections;
	case OPT_METHOD:
		return cause_methods;
	case OPT_COLOR:
		return colors;
	case OPT_EXIT_CODE:
		return gates;
	case OPT_BY:
		return recording_bys;
	case OPT_BY_HOST:
		return replicates;
	case OPT_CLOCK:
		return clocks;
	case OPT_PALETTE:
		return palettes;
	case OPT_AXIS_UNIT:
		return axis_units;
	case OPT_TERMINAL:
		return terminals;
	case OPT_SORT:
		return rank_sort_names;
	case OPT_SECTION:
		return calls_sections;
	case OPT_TIMELINE_SECTION:
		return timeline_sections;
	default:
		return NULL;
	}
}

/* --- arguments of options --------------------------------------------------------- */

bool bad_argument(enum option_id id, const char *arg, const char *expected, struct diag *diag)
{
	diag_plain(diag, DIAG_USAGE, "--%s %s: expected %s", rows[id].name, arg, expected);
	return false;
}

bool bad_choice(enum option_id id, const char *arg, struct diag *diag)
{
	const char *const *choices = option_choices(id);
	struct out *list = out_to_memory();

	for (size_t i = 0; choices[i] != NULL; i++)
		out_printf(list, "%s%s",
			   i == 0		    ? ""
			   : choices[i + 1] == NULL ? " or "
						    : ", ",
			   choices[i]);
	out_char(list, '\0');
	(void)bad_argument(id, arg, out_memory(list).p, diag);
	out_free(list);
	return false;
}

bool take_choice(enum option_id id, const char *arg, int *ret, struct diag *diag)
{
	const char *const *choices = option_choices(id);

	for (int i = 0; choices[i] != NULL; i++) {
		if (strcmp(choices[i], arg) == 0) {
			*ret = i;
			return true;
		}
	}
	return bad_choice(id, arg, diag);
}

bool take_number(enum option_id id, const char *arg, double least, double *ret, struct diag *diag)
{
	double v;

	if (number_f64(str_from(arg), &v) != NUMBER_OK || !(v >= least) || isinf(v))
		return bad_argument(id, arg, least > 0 ? "a number above 0" : "a number", diag);
	*ret = v;
	return true;
}

/* Seconds, or a time with its unit. */
bool take_seconds(enum option_id id, const char *arg, double *ret, struct diag *diag)
{
	struct amount a;
	double v;

	if (!amount_parse(str_from(arg), &a) || !((v = amount_in(a, UNIT_S, 0)) >= 1e-9))
		return bad_argument(id, arg, "a time above 0, such as 250ms, or seconds", diag);
	*ret = v;
	return true;
}

bool take_percent(enum option_id id, const char *arg, double *ret, struct diag *diag)
{
	if (!take_number(id, arg, 0, ret, diag))
		return false;
	*ret /= 100;
	return true;
}

/* A factor as its log2, or as the percentage by which it is above 1. */
bool take_octaves(enum option_id id, const char *arg, double *ret, struct diag *diag)
{
	struct str number = str_from(arg);
	double v;

	if (number.n == 0 || number.p[number.n - 1] != '%')
		return take_number(id, arg, 0, ret, diag);
	number.n--;
	if (number_f64(number, &v) != NUMBER_OK || !(v >= 0) || isinf(v))
		return bad_argument(id, arg, "a log2 ratio, or a percentage such as 5%", diag);
	*ret = log2(1 + v / 100);
	return true;
}
