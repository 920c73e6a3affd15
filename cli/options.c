/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options.h"

#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/scan.h"
#include "cli/options_taken.h"
#include "cli/settings.h"
#include "profile/amount.h"
#include "report/calls.h"
#include "report/timeline.h"

enum { MAX_SPLITS = 100000, MAX_RUNS = 100000, MAX_LEVELS = 1000000 };

static const char *const units[] = { "ns", "us", "ms", "s", "cycles", "plain", NULL };
/* Each in the order of its enum. */
static const char *const snapshots[] = { [SNAPSHOTS_DELTA - 1] = "delta",
					 [SNAPSHOTS_CUMULATIVE - 1] = "cumulative",
					 NULL };
static const char *const numberings[] = { "osprof", "fsprof", NULL };
static const char *const output_formats[] = { "text",  "json", "csv", "markdown",
					      "junit", "html", NULL };
static const char *const rank_formats[] = { "text", "json",   "csv", "markdown",	 "junit",
					    "html", "github", "bmf", "benchmark-action", NULL };
static const char *const cause_formats[] = { "text",   "json", "csv", "markdown",
					     "folded", "html", NULL };
static const char *const colors[] = { "auto", "always", "never", NULL };
static const char *const replicates[] = { "host", NULL };
static const char *const clocks[] = { "counter", "ns", NULL };
static const char *const layers_by[] = { "program", "process", "thread", NULL };
static const char *const gates[] = { "any", NULL };
static const char *const figure_styles[] = { "screen", "paper", "slides", NULL };
static const char *const palettes[] = { "safe", "grey", "paper", NULL };
static const char *const axis_units[] = { "auto", "ns", "us", "ms", "s", "cycles", NULL };
static const char *const terminals[] = { "png", "svg", "pdf", "eps", "tikz", "dumb", NULL };

/* Bits of commands, followed by those of groups. */
#define C(command)    ((uint64_t)1 << COMMAND_##command)
#define GROUP(i)      ((uint64_t)1 << (N_COMMANDS + (i)))
#define NONE	      0
#define READERS	      GROUP(0)
#define CHOOSERS      GROUP(1)
#define RULED	      GROUP(2)
#define PRINTERS      GROUP(3)
#define WRITERS	      GROUP(4)
#define TREES	      GROUP(5)
#define EVERY_COMMAND UINT64_MAX
#define TO(field)                                                                                  \
	.target = offsetof(struct settings, field), .size = sizeof(((struct settings *)0)->field)
#define ALSO(field)	      .also = offsetof(struct settings, field)
#define FLAG(field)	      .kind = OPTION_FLAG, TO(field)
#define TEXT(field)	      .kind = OPTION_TEXT, TO(field)
#define FILE_NAME(field)      TEXT(field), .file = true
#define CHOICE(field, list)   .kind = OPTION_CHOICE, TO(field), .words = list
#define SECTIONS(field, list) .kind = OPTION_SECTIONS, TO(field), .words = list
#define COUNT(field, from, to, what)                                                               \
	.kind = OPTION_COUNT, TO(field), .least = from, .most = (double)(to), .expected = what
#define NUMBER(field, from) .kind = OPTION_NUMBER, TO(field), .least = from
#define PERCENT(field)	    .kind = OPTION_PERCENT, TO(field)
#define OCTAVES(field)	    .kind = OPTION_OCTAVES, TO(field)
#define SECONDS(field)	    .kind = OPTION_SECONDS, TO(field)
#define CHOSEN(by, list)    .kind = OPTION_CHOSEN, .choose = by, .words = list
#define TAKEN(by)	    .kind = OPTION_TAKEN, .take = by
#define REPORTED(by)	    .kind = OPTION_REPORTED, .report = by

static const struct option_row rows[] = {
#define OPTION(letter, name, arg, commands, help, ...)                                             \
	{ letter, name, arg, help, commands, __VA_ARGS__ },
#include "cli/options.def"
#undef OPTION
};

/* For each command, its bit and those of its groups. */
static const uint64_t takers[] = {
#define COMMAND(name, groups) [COMMAND_##name] = C(name) | (groups),
#define PROGRAM(name, groups) [COMMAND_##name] = C(name) | (groups),
#include "cli/commands.def"
};

const struct option_row *option_at(size_t i)
{
	return i < COUNT_OF(rows) ? &rows[i] : NULL;
}

bool option_is_of(const struct option_row *row, enum command_id command)
{
	return (row->commands & takers[command]) != 0;
}

const struct option_row *option_of(enum command_id command, const char *name)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		if (option_is_of(&rows[i], command) && strcmp(rows[i].name, name) == 0)
			return &rows[i];
	}
	return NULL;
}

/* --- arguments ------------------------------------------------------------------------------ */

bool option_is_bad(const struct option_row *row, const char *arg, const char *expected,
		   struct diag *diag)
{
	diag_plain(diag, DIAG_USAGE, "--%s %s: expected %s", row->name, arg, expected);
	return false;
}

static bool is_no_word(const struct option_row *row, const char *arg, struct diag *diag)
{
	struct out *list = out_to_memory();

	for (size_t i = 0; row->words[i] != NULL; i++)
		out_printf(list, "%s%s",
			   i == 0		       ? ""
			   : row->words[i + 1] == NULL ? " or "
						       : ", ",
			   row->words[i]);
	out_char(list, '\0');
	(void)option_is_bad(row, arg, out_memory(list).p, diag);
	out_free(list);
	return false;
}

/* Returns the index of a word; -1: it is none of them. */
static int word_number(const struct option_row *row, struct str word)
{
	for (int i = 0; row->words[i] != NULL; i++) {
		if (str_eq(word, str_from(row->words[i])))
			return i;
	}
	return -1;
}

static bool take_choice(const struct option_row *row, const char *arg, int *ret, struct diag *diag)
{
	*ret = word_number(row, str_from(arg));
	return *ret >= 0 || is_no_word(row, arg, diag);
}

static bool take_sections(const struct option_row *row, const char *arg, unsigned *ret,
			  struct diag *diag)
{
	struct str rest = str_from(arg), one, after;
	bool more;

	do {
		int which;

		more = str_cut(rest, ',', &one, &after);
		which = word_number(row, more ? one : rest);
		if (which < 0)
			return is_no_word(row, arg, diag);
		*ret |= 1U << which;
		rest = after;
	} while (more && rest.n > 0);
	return true;
}

static const char *take_count(const struct option_row *row, const char *arg, void *to)
{
	uint64_t n;

	if (number_u64(str_from(arg), &n) != NUMBER_OK || (double)n < row->least ||
	    (double)n > row->most)
		return row->expected;
	if (row->size == sizeof(unsigned))
		*(unsigned *)to = (unsigned)n;
	else
		*(uint64_t *)to = n;
	return NULL;
}

static const char *take_number(const struct option_row *row, const char *arg, double *to)
{
	double v;

	if (number_f64(str_from(arg), &v) != NUMBER_OK || !(v >= row->least) || isinf(v))
		return row->least > 0 ? "a number above 0" : "a number";
	*to = row->kind == OPTION_PERCENT ? v / 100 : v;
	return NULL;
}

static const char *take_octaves(const struct option_row *row, const char *arg, double *to)
{
	struct str number = str_from(arg);
	double v;

	if (number.n == 0 || number.p[number.n - 1] != '%')
		return take_number(row, arg, to);
	number.n--;
	if (number_f64(number, &v) != NUMBER_OK || !(v >= 0) || isinf(v))
		return "a log2 ratio, or a percentage such as 5%";
	*to = log2(1 + v / 100);
	return NULL;
}

static const char *take_seconds(const char *arg, double *to)
{
	struct amount a;
	double v;

	if (!amount_parse(str_from(arg), &a) || !((v = amount_in(a, UNIT_S, 0)) >= 1e-9))
		return "a time above 0, such as 250ms, or seconds";
	*to = v;
	return NULL;
}

/* Stores a number; returns NULL, or what was expected. */
static const char *take_any_number(const struct option_row *row, struct settings *s,
				   const char *arg)
{
	double *to = (void *)((char *)s + row->target);
	const char *expected = row->kind == OPTION_OCTAVES   ? take_octaves(row, arg, to)
			       : row->kind == OPTION_SECONDS ? take_seconds(arg, to)
							     : take_number(row, arg, to);

	if (expected == NULL && row->also != 0)
		memcpy((char *)s + row->also, to, sizeof(*to));
	return expected;
}

bool option_take(const struct option_row *row, struct settings *s, const char *arg,
		 struct diag *diag)
{
	void *to = (char *)s + row->target;
	const char *expected = NULL;
	int which = -1;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)to = true;
		return true;
	case OPTION_TEXT:
		*(const char **)to = arg;
		return true;
	case OPTION_CHOICE:
		return take_choice(row, arg, to, diag);
	case OPTION_SECTIONS:
		return take_sections(row, arg, to, diag);
	case OPTION_CHOSEN:
		if (arg != NULL && !take_choice(row, arg, &which, diag))
			return false;
		row->choose(s, which);
		return true;
	case OPTION_REPORTED:
		return row->report(s, row, arg, diag);
	case OPTION_COUNT:
		expected = take_count(row, arg, to);
		break;
	case OPTION_NUMBER:
	case OPTION_PERCENT:
	case OPTION_OCTAVES:
	case OPTION_SECONDS:
		expected = take_any_number(row, s, arg);
		break;
	case OPTION_TAKEN:
		expected = row->take(s, arg);
		break;
	}
	return expected == NULL || option_is_bad(row, arg, expected, diag);
}
