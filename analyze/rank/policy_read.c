/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the text of a policy. */
#include <math.h>
#include <string.h>

#include "analyze/rank/policy.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "profile/unit.h"

struct reader {
	struct policy *policy;
	size_t cap;
	struct input *in;
	size_t line;
	struct diag *diag;
};

static size_t offset_of(const struct reader *r, struct str part)
{
	return (size_t)(part.p - r->in->bytes.p);
}

static bool report_wrong(struct reader *r, struct str where, enum diag_code code, const char *what)
{
	diag_at(r->diag, code, r->in, offset_of(r, where), where.n, "%s", what);
	return false;
}

static bool said_twice(struct reader *r, struct str word, size_t line)
{
	diag_at(r->diag, DIAG_POLICY_BAD, r->in, offset_of(r, word), word.n,
		"line %zu already states it for the same operations", line);
	return false;
}

static bool nothing_after(struct reader *r, struct cursor *c)
{
	struct str word;

	return !scan_word(c, &word) ||
	       report_wrong(r, word, DIAG_POLICY_BAD, "expected nothing after this");
}

/* Effects are in octaves, or percentages of growth. */
static bool is_effect(enum rank_rule rule)
{
	return rule == RULE_MIN_EFFECT || rule == RULE_MIN_CALLS || rule == RULE_MIN_SLOW;
}

static bool is_percentage(enum rank_rule rule)
{
	return rule == RULE_MIN_SHARE || rule == RULE_MIN_OPS || rule == RULE_MIN_DIFFERENCE;
}

static bool read_rule(struct reader *r, struct policy_part *to, struct str word, struct cursor *c,
		      enum rank_rule rule)
{
	struct str number = { word.p + word.n, 0 };
	double value;

	if (to->value_line[rule] > 0)
		return said_twice(r, word, to->value_line[rule]);
	bool percent;

	if (!scan_word(c, &number))
		return report_wrong(r, number, DIAG_NUMBER_BAD, "expected a number, 0 or more");
	percent = is_effect(rule) && number.n > 1 && number.p[number.n - 1] == '%';
	if (number_f64((struct str){ number.p, number.n - percent }, &value) != NUMBER_OK ||
	    !(value >= 0) || isinf(value))
		return report_wrong(r, number, DIAG_NUMBER_BAD, "expected a number, 0 or more");
	if (percent)
		to->value[rule] = log2(1 + value / 100);
	else
		to->value[rule] = is_percentage(rule) ? value / 100 : value;
	to->value_line[rule] = r->line;
	return nothing_after(r, c);
}

/* Reads "max-p99 10%". */
static bool read_limit(struct reader *r, struct policy_part *to, struct str word, struct cursor *c)
{
	struct str number = { word.p + word.n, 0 }, share = number;
	struct quantile_limit limit = { .line = r->line };

	if (!quantile_parse(str_skip(word, 5), &limit.percent))
		return report_wrong(r, word, DIAG_NUMBER_BAD,
				    "expected max-p and a number from 0 to 100");
	if (policy_limit(to, limit.percent) != NULL)
		return said_twice(r, word, policy_limit(to, limit.percent)->line);
	if (to->n_limits == MAX_QUANTILES)
		return report_wrong(r, word, DIAG_POLICY_BAD, "too many quantiles with limits");
	if (scan_word(c, &number))
		share = number;
	if (share.n > 1 && share.p[share.n - 1] == '%')
		share.n--;
	if (number_f64(share, &limit.growth) != NUMBER_OK || !(limit.growth >= 0) ||
	    isinf(limit.growth))
		return report_wrong(r, number, DIAG_NUMBER_BAD, "expected a percentage, 0 or more");
	limit.growth /= 100;
	to->limit[to->n_limits++] = limit;
	return nothing_after(r, c);
}

static bool verdicts_named(struct str word, unsigned *ret)
{
	if (str_eq(word, STR("any")) || str_eq(word, STR("none"))) {
		*ret = word.p[0] == 'a' ? VERDICTS_ANY : 0;
		return true;
	}
	for (int v = 0; v <= VERDICT_GONE; v++) {
		if (v != VERDICT_SAME && str_eq(word, str_from(verdict_name((enum verdict)v)))) {
			*ret = 1U << v;
			return true;
		}
	}
	return false;
}

static bool read_fail(struct reader *r, struct policy_part *to, struct str word, struct cursor *c)
{
	struct str verdict;
	unsigned one;

	if (to->fails_line > 0 || to->ignore_line > 0)
		return said_twice(r, word, to->fails_line + to->ignore_line);
	to->fails_line = r->line;
	if (cursor_done(c))
		return report_wrong(r, word, DIAG_POLICY_BAD,
				    "expected what fails: a verdict, any or none");
	while (scan_word(c, &verdict)) {
		if (!verdicts_named(verdict, &one))
			return report_wrong(
				r, verdict, DIAG_POLICY_BAD,
				"expected regressed, improved, changed-shape, inconclusive, "
				"new, gone, any or none");
		to->fails |= one;
	}
	return true;
}

static bool read_ignore(struct reader *r, struct policy_part *to, struct str word, struct cursor *c)
{
	if (to->pattern == NULL)
		return report_wrong(r, word, DIAG_POLICY_BAD,
				    "it belongs below an operation, indented");
	if (to->fails_line > 0 || to->ignore_line > 0)
		return said_twice(r, word, to->fails_line + to->ignore_line);
	to->ignore_line = r->line;
	return nothing_after(r, c);
}

static bool read_operation(struct reader *r, struct str word, struct cursor *c)
{
	struct policy *p = r->policy;
	struct str pattern = str_trim(cursor_rest(c));

	if (pattern.n == 0)
		return report_wrong(r, word, DIAG_POLICY_BAD, "its pattern is missing");
	if (memchr(pattern.p, '\0', pattern.n) != NULL)
		return report_wrong(r, pattern, DIAG_POLICY_BAD, "a pattern holds no NUL byte");
	if (p->n == r->cap) {
		struct policy_part *more = arena_make(p->arena, struct policy_part, 2 * p->n + 8);

		if (p->n > 0)
			memcpy(more, p->section, p->n * sizeof(*more));
		p->section = more;
		r->cap = 2 * p->n + 8;
	}
	p->section[p->n++] = (struct policy_part){
		.pattern = arena_str(p->arena, pattern).p,
		.line = r->line,
		.at = offset_of(r, pattern),
		.len = pattern.n,
	};
	return true;
}

/* Cuts off the comment of a line: a '#' at its beginning or after a blank, and what follows. */
static void cut_comment(struct cursor *c)
{
	const char *p = c->in->bytes.p;

	for (size_t i = c->at; i < c->end; i++) {
		if (p[i] == '#' && (i == c->at || is_gap(p[i - 1])))
			c->end = i;
	}
	while (c->end > c->at && is_gap(p[c->end - 1]))
		c->end--;
}

/* Reads a number with its unit: "10%", "500ns". */
static bool read_quantity(struct reader *r, struct str word, struct cursor *c, struct str *ret_unit,
			  double *ret)
{
	struct str number = { word.p + word.n, 0 };
	size_t n = 0;

	if (!scan_word(c, &number))
		return report_wrong(r, number, DIAG_NUMBER_BAD, "expected a number with its unit");
	while (n < number.n && (is_digit(number.p[n]) || number.p[n] == '.'))
		n++;
	*ret_unit = str_skip(number, n);
	if (number_f64((struct str){ number.p, n }, ret) != NUMBER_OK)
		return report_wrong(r, number, DIAG_NUMBER_BAD, "expected a number with its unit");
	return nothing_after(r, c);
}

/* Reads "max-factor 10%" or "max-per-call 500ns", which apply to the run, not to an operation. */
static bool read_run_limit(struct reader *r, struct policy_part *to, struct str word,
			   struct cursor *c)
{
	bool factor = str_eq(word, STR("max-factor"));
	struct run_limits *run = &r->policy->run;
	size_t *line = factor ? &run->factor_line : &run->per_call_line;
	struct str in;
	enum unit unit;
	double value, seconds;

	if (to->pattern != NULL)
		return report_wrong(r, word, DIAG_POLICY_BAD, "it belongs above all operations");
	if (*line > 0)
		return said_twice(r, word, *line);
	if (!read_quantity(r, word, c, &in, &value))
		return false;
	if (factor && !str_eq(in, STR("%")))
		return report_wrong(r, word, DIAG_NUMBER_BAD, "expected a percentage, such as 10%");
	if (!factor && (!unit_parse(in, &unit) || !unit_seconds(unit, 0, &seconds)))
		return report_wrong(r, word, DIAG_NUMBER_BAD, "expected a time, such as 500ns");
	if (factor)
		run->factor = value / 100;
	else
		run->per_call = value * seconds;
	*line = r->line;
	return true;
}

static bool read_setting(struct reader *r, struct policy_part *to, struct str word,
			 struct cursor *c)
{
	if (str_eq(word, STR("fail")))
		return read_fail(r, to, word, c);
	if (str_eq(word, STR("ignore")))
		return read_ignore(r, to, word, c);
	if (str_eq(word, STR("max-factor")) || str_eq(word, STR("max-per-call")))
		return read_run_limit(r, to, word, c);
	if (str_has_prefix(word, STR("max-p")))
		return read_limit(r, to, word, c);
	for (int rule = 0; rule < N_RANK_RULES; rule++) {
		if (str_eq(word, str_from(rank_rule_name((enum rank_rule)rule))))
			return read_rule(r, to, word, c, (enum rank_rule)rule);
	}
	return report_wrong(r, word, DIAG_POLICY_BAD,
			    "expected operation, fail, ignore, min-share, min-ops, min-difference, "
			    "min-effect, min-calls, min-shape, min-slow, small-sample-penalty, "
			    "bucket-margin, threshold, "
			    "max-p99, max-factor or max-per-call");
}

static bool read_line(struct reader *r, struct cursor c)
{
	struct policy *p = r->policy;
	size_t start = c.at;
	bool indented;
	struct str word;

	cut_comment(&c);
	if (!scan_word(&c, &word))
		return true;
	indented = offset_of(r, word) > start;
	if (str_eq(word, STR("operation")))
		return indented ? report_wrong(r, word, DIAG_POLICY_BAD,
					       "unexpected blanks before it")
				: read_operation(r, word, &c);
	if (indented && p->n == 0)
		return report_wrong(r, word, DIAG_POLICY_BAD,
				    "indented, but no operation is above it");
	return read_setting(r, indented ? &p->section[p->n - 1] : &p->general, word, &c);
}

struct policy *policy_read(struct input *in, struct diag *diag)
{
	struct reader r = { .policy = xcalloc(1, sizeof(*r.policy)), .in = in, .diag = diag };
	struct cursor c = cursor_on(in), line;

	r.policy->arena = arena_new();
	while (scan_line(&c, &line)) {
		r.line++;
		if (!read_line(&r, line)) {
			policy_free(r.policy);
			return NULL;
		}
	}
	return r.policy;
}
