/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/table/csv_columns.h"

#include <string.h>

#include "base/out.h"
#include "base/scan.h"

enum unit_rule { WITHOUT_UNIT, MAY_HAVE_UNIT, NEEDS_UNIT };

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Usual names, the most specific of each role first.  Roles are filled in the order of this table,
 * each column once: `time_ms` is a latency unless there is another latency column; then it is the
 * start. */
static const struct alias {
	enum role role;
	enum unit_rule rule;
	const char *const *names;
} aliases[] = {
	{ .role = ROLE_OPERATION,
	  .names = NAMES("operation", "op", "syscall", "function", "name") },
	{ .role = ROLE_LAYER, .names = NAMES("layer") },
	{ .role = ROLE_LATENCY,
	  .rule = MAY_HAVE_UNIT,
	  .names = NAMES("latency", "lat", "duration") },
	{ .role = ROLE_LATENCY, .rule = NEEDS_UNIT, .names = NAMES("time") },
	{ .role = ROLE_LOW,
	  .rule = MAY_HAVE_UNIT,
	  .names = NAMES("low", "lo", "lower", "bucket_low", "interval_start", "from", "min") },
	{ .role = ROLE_HIGH,
	  .rule = MAY_HAVE_UNIT,
	  .names = NAMES("high", "hi", "upper", "bucket_high", "interval_end", "to", "max") },
	{ .role = ROLE_COUNT, .names = NAMES("count", "calls", "freq", "n") },
	{ .role = ROLE_TOTAL, .rule = MAY_HAVE_UNIT, .names = NAMES("total") },
	{ .role = ROLE_STATED_COUNT, .names = NAMES("stated_count") },
	{ .role = ROLE_UNIT, .names = NAMES("unit") },
	{ .role = ROLE_START, .rule = MAY_HAVE_UNIT, .names = NAMES("start", "timestamp", "time") },
	{ .role = ROLE_END, .rule = MAY_HAVE_UNIT, .names = NAMES("end") },
	{ .role = ROLE_INTERVAL, .names = NAMES("interval") },
};

/* A header's name, normalised for comparison. */
struct spelling {
	char text[64];
	struct str whole; /* "latency_us" */
	struct str base;  /* "latency"; the whole name if it has no unit */
	enum unit unit;
};

static char plain_letter(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c + ('a' - 'A'));
	return c != '\0' && strchr(" \t-_.([", c) != NULL ? '_' : c;
}

/* Makes "Latency (us)", "latency-us" and "LATENCY_US" equal.  False when the name is too long to be
 * any that is searched for. */
static bool spell_name(struct str name, struct spelling *ret)
{
	size_t n = 0;

	if (name.n >= sizeof(ret->text))
		return false;
	for (size_t i = 0; i < name.n; i++) {
		char c = plain_letter(name.p[i]);

		if (c == ')' || c == ']' || (c == '_' && (n == 0 || ret->text[n - 1] == '_')))
			continue;
		ret->text[n++] = c;
	}
	while (n > 0 && ret->text[n - 1] == '_')
		n--;
	ret->whole = ret->base = (struct str){ ret->text, n };
	ret->unit = unit_in_name(ret->whole);
	if (ret->unit == UNIT_UNKNOWN)
		return true;
	while (ret->base.n > 0 && ret->text[--ret->base.n] != '_')
		;
	return true;
}

static bool is_called(const struct spelling *s, enum unit_rule rule, struct str name)
{
	if (rule != NEEDS_UNIT && str_eq(s->whole, name))
		return true;
	return rule != WITHOUT_UNIT && s->unit != UNIT_UNKNOWN && str_eq(s->base, name);
}

static void assign_role(struct columns *c, enum role role, size_t at, struct str name)
{
	struct spelling s;

	c->has[role] = true;
	c->at[role] = at;
	c->unit[role] = spell_name(name, &s) ? s.unit : UNIT_UNKNOWN;
}

static bool is_taken(const struct columns *c, size_t at)
{
	for (size_t role = 0; role < ROLE_N; role++) {
		if (c->has[role] && c->at[role] == at)
			return true;
	}
	return false;
}

/* Columns after this one are not searched. */
enum { MAX_COLUMNS = 1000 };

static void assign_name(struct columns *c, const struct table *t, const struct alias *a,
			struct str name)
{
	for (size_t i = 0; i < t->n_fields && i < MAX_COLUMNS && !c->has[a->role]; i++) {
		struct spelling s;

		if (!is_taken(c, i) && spell_name(t->field[i], &s) && is_called(&s, a->rule, name))
			assign_role(c, a->role, i, t->field[i]);
	}
}

static void assign_usual(struct columns *c, const struct table *t)
{
	for (size_t a = 0; a < COUNT_OF(aliases); a++) {
		for (const char *const *name = aliases[a].names; *name != NULL; name++)
			assign_name(c, t, &aliases[a], str_from(*name));
	}
}

/* --- columns the user names --------------------------------------------------- */

static struct str given_for(const struct table_columns *g, enum role role)
{
	switch (role) {
	case ROLE_OPERATION:
		return g->operation;
	case ROLE_LAYER:
		return g->layer;
	case ROLE_LATENCY:
		return g->latency;
	case ROLE_LOW:
		return g->low;
	case ROLE_HIGH:
		return g->high;
	case ROLE_COUNT:
		return g->count;
	case ROLE_TOTAL:
		return g->total;
	case ROLE_START:
		return g->start;
	case ROLE_STATED_COUNT:
	case ROLE_UNIT:
	case ROLE_END:
	case ROLE_INTERVAL:
		break;
	}
	return (struct str){ NULL, 0 };
}

/* Finds a column by its number, from 1, or by its name. */
static bool find_given(const struct table *t, struct str given, size_t *ret)
{
	struct spelling wanted, s;
	uint64_t number;

	if (number_u64(given, &number) == NUMBER_OK) {
		*ret = (size_t)number - 1;
		return number >= 1 && number <= t->n_fields;
	}
	for (size_t i = 0; i < t->n_fields; i++) {
		if (str_eq(t->field[i], given)) {
			*ret = i;
			return true;
		}
	}
	for (size_t i = 0; i < t->n_fields && spell_name(given, &wanted); i++) {
		if (spell_name(t->field[i], &s) && str_eq(s.whole, wanted.whole)) {
			*ret = i;
			return true;
		}
	}
	return false;
}

static bool assign_given(struct columns *c, const struct table *t,
			 const struct table_columns *given)
{
	for (int role = 0; role < ROLE_N; role++) {
		struct str name = given_for(given, (enum role)role);
		size_t at;

		if (name.n == 0)
			continue;
		if (!find_given(t, name, &at)) {
			c->why = "no such column";
			c->sought = name;
			return false;
		}
		assign_role(c, (enum role)role, at, t->field[at]);
	}
	return true;
}

/* --- headers -------------------------------------------------------------------- */

/* Returns whether there is a column that only tables with one row per operation have. */
static bool is_summary(const struct table *t)
{
	static const char *const telling[] = { "mean", "avg", "average", "median", "stddev",
					       "p50",  "p90", "p95",	 "p99" };

	for (size_t i = 0; i < t->n_fields && i < MAX_COLUMNS; i++) {
		struct spelling s;

		for (size_t k = 0; k < COUNT_OF(telling) && spell_name(t->field[i], &s); k++) {
			if (str_eq(s.base, str_from(telling[k])) ||
			    str_eq(s.whole, str_from(telling[k])))
				return true;
		}
	}
	return false;
}

static bool is_given(const struct table_columns *g)
{
	return g->latency.n > 0 || g->low.n > 0 || g->high.n > 0 || g->count.n > 0;
}

/* Whether rows of individual samples need no operation: no column is left that could have it, or
 * the user said which columns count. */
static bool is_unnamed(const struct columns *c, const struct table *t,
		       const struct table_columns *given)
{
	size_t n = 0;

	for (size_t role = 0; role < ROLE_N; role++)
		n += c->has[role];
	return c->has[ROLE_LATENCY] && !c->has[ROLE_LOW] && !c->has[ROLE_COUNT] &&
	       (given->latency.n > 0 || (n > 1 && n == t->n_fields));
}

static void find_kind(struct columns *c, const struct table *t, const struct table_columns *given)
{
	bool buckets = c->has[ROLE_LOW] && c->has[ROLE_HIGH] && c->has[ROLE_COUNT];

	if (is_unnamed(c, t, given) && !c->has[ROLE_OPERATION])
		c->kind = KIND_SAMPLES;
	else if (!c->has[ROLE_OPERATION])
		c->why = "no column for the operation: use --column to choose it";
	else if (!buckets && !c->has[ROLE_LATENCY])
		c->why = "neither a column of latencies nor low, high and count";
	else if (!is_given(given) && (is_summary(t) || (!buckets && c->has[ROLE_COUNT])))
		c->why = "a summary, neither buckets nor individual samples";
	else
		c->kind = buckets && given->latency.n == 0 ? KIND_BUCKETS : KIND_SAMPLES;
}

/* Interprets the current record as a header; KIND_NONE when it is none. */
static struct columns columns_of_header(const struct table *t, const struct table_columns *given)
{
	struct columns c = { .n = t->n_fields };

	if (!assign_given(&c, t, given))
		return c;
	assign_usual(&c, t);
	find_kind(&c, t, given);
	return c;
}

/* --- tables without a header ------------------------------------------------------ */

/* Returns whether the required columns are given by number, and the current record already has a
 * number where one has to be. */
static bool is_headless(const struct table *t, const struct table_columns *g)
{
	bool samples = g->latency.n > 0;
	struct str needed[] = { g->operation, samples ? g->latency : g->count,
				samples ? g->latency : g->low, samples ? g->latency : g->high };
	uint64_t number = 0;

	for (size_t i = 0; i < COUNT_OF(needed); i++) {
		bool may_be_missing = i == 0 && samples && g->start.n > 0;

		if (number_u64(needed[i], &number) != NUMBER_OK &&
		    !(may_be_missing && needed[i].n == 0))
			return false;
	}
	return number_u64(needed[1], &number) == NUMBER_OK && number >= 1 &&
	       number <= t->n_fields && t->field[number - 1].n > 0 &&
	       strchr("0123456789.+-", t->field[number - 1].p[0]) != NULL;
}

static struct columns columns_of_data(const struct table *t, const struct table_columns *given)
{
	struct columns c = { .n = t->n_fields, .headless = true };

	if (!assign_given(&c, t, given))
		return c;
	for (size_t role = 0; role < ROLE_N; role++)
		c.unit[role] = UNIT_UNKNOWN; /* the first record is not a header */
	c.kind = given->latency.n > 0 ? KIND_SAMPLES : KIND_BUCKETS;
	return c;
}

/* --- finding the table ----------------------------------------------------------------- */

static enum table_next read_header(struct table *t, const struct read_options *options,
				   struct columns *ret)
{
	enum table_next what;

	t->comments = true;
	what = table_next(t);
	t->comments = false;
	*ret = (struct columns){ 0 };
	if (what == TABLE_RECORD)
		*ret = is_headless(t, &options->columns) ? columns_of_data(t, &options->columns)
							 : columns_of_header(t, &options->columns);
	return what;
}

/* Chooses the separator with which the header is understood, else the one that gives the most
 * fields.  False when no separator gives a record, so that there is no table. */
static bool find_table(struct input *in, const struct read_options *options, struct table *ret,
		       struct columns *ret_columns)
{
	static const char separators[] = { ',', ';', '\t', '|' };
	struct diag ignored = { 0 };
	size_t max = 0;

	for (size_t i = 0; i < COUNT_OF(separators); i++) {
		struct columns c;
		struct table t;
		size_t score = 0;

		table_start(&t, in, separators[i], &ignored);
		if (read_header(&t, options, &c) == TABLE_RECORD)
			score = c.n + (c.kind != KIND_NONE ? in->bytes.n : 0);
		if (score <= max) {
			table_release(&t);
			continue;
		}
		if (max > 0)
			table_release(ret);
		max = score;
		*ret = t;
		*ret_columns = c;
	}
	return max > 0;
}

/* Lists all column names, as far as they fit into a message. */
static bool report_missing(const struct table *t, struct diag *diag, const struct columns *c)
{
	struct out *o = out_to_memory();

	for (size_t i = 0; i < t->n_fields && out_listed(o, t->field[i]); i++)
		;
	(void)format_fail(
		t->in, diag, DIAG_COLUMN_MISSING, t->record,
		"%s%s%.*s, among: %.*s; --column operation=NAME,latency=NAME (or low=, high=, "
		"count=) says which, by name or number",
		c->why, c->sought.n > 0 ? " " : "", STR_ARG(c->sought), STR_ARG(out_memory(o)));
	out_free(o);
	return false;
}

bool columns_find(struct input *in, const struct read_options *options, struct diag *diag,
		  struct table *ret, struct columns *ret_columns)
{
	enum table_next what = TABLE_RECORD;

	if (options->separator == 0 && find_table(in, options, ret, ret_columns)) {
		ret->diag = diag;
	} else {
		table_start(ret, in, options->separator != 0 ? options->separator : ',', diag);
		what = read_header(ret, options, ret_columns);
	}
	if (what == TABLE_END)
		return format_fail(in, diag, DIAG_INPUT_EMPTY, in->bytes, "expected a table");
	if (what == TABLE_BAD)
		return false;
	if (ret_columns->kind == KIND_NONE)
		return report_missing(ret, diag, ret_columns);
	if (ret_columns->headless)
		table_again(ret);
	return true;
}
