/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the command line into options and operands. */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/nearest.h"
#include "base/platform.h"
#include "base/xalloc.h"
#include "program/command.h"
#include "program/examples.h"

enum {
	FIRST_LONG = 256,
	A_WEEK_OF_NIGHTS = 7,
	USUAL_ROWS = 20,
};

enum { MAX_OPTIONS = 100 };

/* The tables for getopt, made from the command's options. */
struct getopt_tables {
	struct option longs[MAX_OPTIONS + 1];
	char letters[2 * MAX_OPTIONS + 3];
	const struct option_row *row[MAX_OPTIONS];
	size_t n;
};

static void fill_tables(struct getopt_tables *t, const struct command *c)
{
	const struct option_row *row;
	size_t n = 0;

	memset(t, 0, sizeof(*t));
	/* '-' returns operands in order, '+' stops at the first; ':' leaves errors to us. */
	t->letters[n++] = c->takes_command ? '+' : '-';
	t->letters[n++] = ':';
	for (size_t i = 0; (row = option_at(i)) != NULL && t->n < MAX_OPTIONS; i++) {
		if (!option_is_of(row, c->id))
			continue;
		t->longs[t->n].name = row->name;
		t->longs[t->n].has_arg = row->arg == NULL     ? no_argument
					 : row->arg[0] == '[' ? optional_argument
							      : required_argument;
		t->longs[t->n].val = FIRST_LONG + (int)t->n;
		t->row[t->n++] = row;
		if (row->letter != 0)
			t->letters[n++] = row->letter;
		if (row->letter != 0 && row->arg != NULL)
			t->letters[n++] = ':';
	}
}

/* Whether c is a program of its own, not a command of osprof. */
static bool is_program(const struct command *c)
{
	return str_has_prefix(str_from(c->name), STR("osprof-"));
}

static const char *called_by(const struct command *c)
{
	return is_program(c) ? "" : "osprof ";
}

static bool unknown_option(const struct getopt_tables *t, const struct command *c,
			   const char *typed, struct diag *diag)
{
	const char *names[MAX_OPTIONS], *near;
	const char *bare = typed + strspn(typed, "-");

	for (size_t i = 0; i < t->n; i++)
		names[i] = t->row[i]->name;
	near = nearest_name(bare, names, t->n);
	diag_plain(diag, DIAG_USAGE, "%s%s has no option %s%s%s%s; `%s%s%s` lists them",
		   called_by(c), c->name, typed, near != NULL ? " (did you mean --" : "",
		   near != NULL ? near : "", near != NULL ? "?)" : "",
		   is_program(c) ? "" : "osprof help ", c->name, is_program(c) ? " --help" : "");
	return false;
}

static const struct option_row *option_got(const struct getopt_tables *t, int got)
{
	if (got >= FIRST_LONG)
		return t->row[got - FIRST_LONG];
	for (size_t i = 0; i < t->n; i++) {
		if (t->row[i]->letter == got)
			return t->row[i];
	}
	return NULL;
}

static void add_operand(struct settings *s, char *operand)
{
	s->options.load.operand[s->options.load.n_operands++] = operand;
	if (!s->options.load.separated)
		s->options.load.n_before = s->options.load.n_operands;
}

/* Whether the word is an option of the command, and no file has that name. */
static bool is_option(const struct getopt_tables *t, const char *word)
{
	const char *name = word + 2;
	size_t n = strcspn(word, "=");

	if (word[0] != '-' || word[1] == '\0' || access(word, F_OK) == 0)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		if (word[1] == '-' && strlen(t->row[i]->name) + 2 == n &&
		    strncmp(t->row[i]->name, name, n - 2) == 0)
			return true;
		if (word[1] != '-' && word[1] == t->row[i]->letter)
			return true;
	}
	return false;
}

/* Takes the words after "--", none of which is an option. */
static bool add_rest(struct settings *s, const struct command *c, const struct getopt_tables *t,
		     int argc, char **argv, struct diag *diag)
{
	for (; optind < argc; optind++) {
		if (!s->options.load.separated && !c->takes_command &&
		    strcmp(argv[optind], "--") == 0) {
			s->options.load.separated = true;
		} else if (!c->takes_command && is_option(t, argv[optind])) {
			diag_plain(diag, DIAG_USAGE,
				   "%s follows `--`, after which only files are allowed; options "
				   "go before it",
				   argv[optind]);
			return false;
		} else {
			add_operand(s, argv[optind]);
		}
	}
	return true;
}

/* Options of reports may be repeated: the first -o gets the format of the first -f, and so on. */
static bool note_report(struct settings *s, const struct option_row *row, const char *arg,
			struct diag *diag)
{
	bool format = strcmp(row->name, "format") == 0;
	bool path = strcmp(row->name, "output") == 0 && s->report_path != NULL;
	size_t *n = format ? &s->n_formats : &s->n_report_paths;

	if (!format && !path)
		return true;
	/* The last -f without a file is that of standard output. */
	if (format && s->n_formats == MAX_REPORTS)
		s->n_formats--;
	if (*n == MAX_REPORTS) {
		diag_plain(diag, DIAG_USAGE, "at most %d times --output", MAX_REPORTS);
		return false;
	}
	if (format)
		s->report[(*n)++].format = s->output_format;
	else
		s->report[(*n)++].path = arg;
	return true;
}

static void count_reports(struct settings *s)
{
	s->n_reports = s->n_report_paths;
	if (s->n_formats <= s->n_report_paths && s->n_report_paths > 0)
		return;
	if (s->n_reports == MAX_REPORTS)
		s->n_reports--;
	s->report[s->n_reports++].format = s->output_format;
}

bool settings_print(const struct settings *s, enum output_format format)
{
	for (size_t i = 0; i < s->n_reports; i++) {
		if (s->report[i].format == format)
			return true;
	}
	return false;
}

static void note_option(struct settings *s, const struct option_row *row, const char *arg)
{
	s->given = xgrow(s->given, &s->given_cap, s->n_given + 1, sizeof(*s->given));
	s->given[s->n_given++] = (struct given_option){ row, arg };
}

bool settings_has(const struct settings *s, const char *option)
{
	for (size_t i = 0; i < s->n_given; i++) {
		if (strcmp(s->given[i].row->name, option) == 0)
			return true;
	}
	return false;
}

static bool parse_options(struct settings *s, const struct command *c, int argc, char **argv,
			  struct diag *diag)
{
	struct getopt_tables t;
	int got, at;

	fill_tables(&t, c);
	platform_restart_options();
	for (at = 1; (got = platform_next_option(argc, argv, t.letters, t.longs)) != -1;
	     at = optind) {
		if (got == 1) {
			add_operand(s, optarg);
			continue;
		}
		if (got == '?')
			return unknown_option(&t, c, argv[at], diag);
		if (got == ':') {
			diag_plain(diag, DIAG_USAGE, "%s needs an argument", argv[at]);
			return false;
		}
		if (!option_take(option_got(&t, got), &s->options, optarg, diag))
			return false;
		note_option(s, option_got(&t, got), optarg);
		if (!note_report(s, option_got(&t, got), optarg, diag))
			return false;
	}
	count_reports(s);
	/* A "--" after operands separates two sides; otherwise it only ends the options. */
	s->options.load.separated = !c->takes_command && s->options.load.n_operands > 0 &&
				    optind > 1 && strcmp(argv[optind - 1], "--") == 0;
	return add_rest(s, c, &t, argc, argv, diag);
}

static bool check_operands(const struct settings *s, const struct command *c, struct diag *diag)
{
	if (s->options.load.separated && !c->sides) {
		diag_plain(diag, DIAG_USAGE, "%s%s compares nothing: no `--` between operands",
			   called_by(c), c->name);
		return false;
	}
	if (s->options.load.separated && s->options.load.n_before > 0 &&
	    s->options.load.n_operands > s->options.load.n_before)
		return true;
	if (!s->options.load.separated && s->options.load.n_operands >= c->min_operands &&
	    s->options.load.n_operands <= c->max_operands)
		return true;
	diag_plain(diag, DIAG_USAGE, "expected %s%s [options] %s%s", command_prefix(c), c->name,
		   c->operands,
		   c->sides && s->options.load.n_operands > c->max_operands
			   ? "; repeated runs are given as A... -- B..."
			   : "");
	return false;
}

static bool check_pairs(const struct settings *s, struct diag *diag)
{
	if (s->options.load.pairs && !s->options.load.by_host)
		diag_plain(diag, DIAG_USAGE, "--pairs needs --by host");
	return !s->options.load.pairs || s->options.load.by_host;
}

static bool check_strict(const struct settings *s, struct diag *diag)
{
	if (s->strict && s->options.compare.gate == GATE_OFF) {
		diag_plain(diag, DIAG_USAGE, "--strict needs --exit-code");
		return false;
	}
	return true;
}

static bool check_output_format(const struct settings *s, const struct command *c,
				struct diag *diag)
{
	for (size_t i = 0; i < s->n_reports; i++) {
		enum output_format f = s->report[i].format;

		if (f == OUTPUT_FORMAT_TEXT || command_prints(c, f))
			continue;
		diag_plain(diag, DIAG_USAGE, "%s%s does not print %s", called_by(c), c->name,
			   option_of(c->id, "format")->words[f]);
		return false;
	}
	return true;
}

bool settings_parse(struct settings *ret, const struct command *c, int argc, char **argv,
		    struct diag *diag)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	*ret = (struct settings){ .options = options_default(),
				  .similar = NAN,
				  .figure = plot_options_none,
				  .preempt = preempting_none,
				  .watch = watching_default,
				  .recent = A_WEEK_OF_NIGHTS,
				  .top = USUAL_ROWS };
	ret->options.load.threads = processors > 0 ? (size_t)processors : 1;
	ret->options.compare.rules.threads = ret->options.load.threads;
	ret->options.load.operand = xcalloc((size_t)argc + 1, sizeof(*ret->options.load.operand));
	return parse_options(ret, c, argc, argv, diag) &&
	       (ret->help || (check_operands(ret, c, diag) && check_output_format(ret, c, diag) &&
			      check_strict(ret, diag) && check_pairs(ret, diag) &&
			      (c->takes_command || examples_resolve(ret, diag))));
}

void settings_release(struct settings *s)
{
	free(s->options.load.operand);
	examples_release(s);
	free(s->given);
	options_release(&s->options);
}
