/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/scan.h"
#include "options/options_taken.h"
#include "profile/amount.h"

#define OPTION_TARGET options
#include "options/option_rows.h"

struct options options_default(void)
{
	return (struct options){ .load = load_options_default(),
				 .compare = compare_options_default(),
				 .causes = causing_none,
				 .show = show_options_default() };
}

void options_release(struct options *o)
{
	free(o->rename);
	load_options_release(&o->load);
}

/* --- the table ------------------------------------------------------------------------------ */

enum { MAX_SPLITS = 100000, MAX_LEVELS = 1000000 };

/* Each in the order of its enum. */
static const char *const units[] = { "ns", "us", "ms", "s", "cycles", "plain", NULL };
static const char *const snapshots[] = { [SNAPSHOTS_DELTA - 1] = "delta",
					 [SNAPSHOTS_CUMULATIVE - 1] = "cumulative",
					 NULL };
static const char *const numberings[] = { "osprof", "fsprof", NULL };
static const char *const replicates[] = { "host", NULL };
static const char *const gates[] = { "any", NULL };

static const struct option_row rows[] = {
#define OPTION(letter, name, arg, commands, help, ...)                                             \
	{ letter, name, arg, help, commands, __VA_ARGS__ },
#define PROGRAM_OPTION(...)
#include "options/options.def"
#undef OPTION
#undef PROGRAM_OPTION
};

/* For each command, its bit and those of its groups. */
static const uint64_t takers[] = {
#define COMMAND(name, groups) [COMMAND_##name] = C(name) | (groups),
#define PROGRAM(name, groups) [COMMAND_##name] = C(name) | (groups),
#include "options/commands.def"
};

const struct option_row *run_option_at(size_t i)
{
	return i < COUNT_OF(rows) ? &rows[i] : NULL;
}

const struct option_row *run_option_of(enum command_id command, const char *name)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		if (option_is_of(&rows[i], command) && strcmp(rows[i].name, name) == 0)
			return &rows[i];
	}
	return NULL;
}

bool option_is_of(const struct option_row *row, enum command_id command)
{
	return (row->commands & takers[command]) != 0;
}

/* --- arguments ------------------------------------------------------------------------------ */

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

	if (number_u64(str_from(arg), &n) != NUMBER_OK || (double)n < row->min ||
	    (double)n > row->max)
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

	if (number_f64(str_from(arg), &v) != NUMBER_OK || !(v >= row->min) || isinf(v))
		return row->min > 0 ? "a number above 0" : "a number";
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
static const char *take_any_number(const struct option_row *row, struct options *o, const char *arg)
{
	double *to = (void *)((char *)o + row->target);
	const char *expected = row->kind == OPTION_OCTAVES   ? take_octaves(row, arg, to)
			       : row->kind == OPTION_SECONDS ? take_seconds(arg, to)
							     : take_number(row, arg, to);

	if (expected == NULL && row->also != 0)
		memcpy((char *)o + row->also, to, sizeof(*to));
	return expected;
}

bool option_take(const struct option_row *row, struct options *o, const char *arg,
		 struct diag *diag)
{
	void *to = (char *)o + row->target;
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
		row->choose(o, which);
		return true;
	case OPTION_REPORTED:
		return row->report(o, row, arg, diag);
	case OPTION_COUNT:
		expected = take_count(row, arg, to);
		break;
	case OPTION_NUMBER:
	case OPTION_PERCENT:
	case OPTION_OCTAVES:
	case OPTION_SECONDS:
		expected = take_any_number(row, o, arg);
		break;
	case OPTION_TAKEN:
		expected = row->take(o, arg);
		break;
	}
	return expected == NULL || option_is_bad(row, arg, expected, diag);
}
