/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate's policy: which operations matter, by which rules, and what fails.
 *
 * A policy has a general part and sections, each for the operations that its
 * pattern matches.  Of the sections the first that matches an operation holds;
 * what it does not say is as in the general part, and what that does not say
 * is as the caller's rules and verdicts have it.
 */
#ifndef ANALYZE_POLICY_H
#define ANALYZE_POLICY_H

#include "analyze/quantiles.h"
#include "analyze/ranked.h"

struct diag;
struct input;

/* The name that a rule has in policies and, after two dashes, as an option. */
const char *rank_rule_name(enum rank_rule rule);

/* Sets of verdicts, as bits 1U << VERDICT_X. */
enum {
	VERDICTS_REGRESSED = 1 << VERDICT_REGRESSED,
	VERDICTS_ANY = 1 << VERDICT_REGRESSED | 1 << VERDICT_IMPROVED | 1 << VERDICT_CHANGED_SHAPE |
		       1 << VERDICT_NEW | 1 << VERDICT_GONE,
};

/* Lines count from 1; 0: not said. */
struct policy_part {
	const char *pattern; /* NULL in the general part */
	size_t line;	     /* of the pattern */
	size_t at, len;	     /* the pattern's bytes in the input */
	double value[N_RANK_RULES];
	size_t value_line[N_RANK_RULES];
	struct quantile_limit limit[MAX_QUANTILES];
	size_t n_limits;
	unsigned fails;
	size_t fails_line, ignore_line;
};

/* How much a whole run may be slower; lines of 0: not said. */
struct run_limits {
	double factor;	 /* above 1: 0.1 allows 10 % */
	double per_call; /* seconds */
	size_t factor_line, per_call_line;
};

/* A policy as read from its file; policy_free() frees it. */
struct policy {
	struct arena *arena;
	struct policy_part general;
	struct run_limits run;
	struct policy_part *section;
	size_t n;
};

/* The syntax is that of section POLICIES in osprof(1).  NULL when an error was
 * reported. */
struct policy *policy_read(struct input *in, struct diag *diag);
void policy_free(struct policy *p); /* NULL is fine */

/* Whether the patterns of a section match the operation. */
bool policy_matches(const struct policy_part *section, const struct operation *op);
/* The section that holds for an operation, or NULL. */
const struct policy_part *policy_section(const struct policy *p, const struct operation *op);

/* `usual` with what the policy says about op. */
struct rank_rules policy_rules(const struct policy *p, const struct rank_rules *usual,
			       const struct operation *op);
/* The line that sets a rule for op; 0: none. */
size_t policy_rule_line(const struct policy *p, const struct operation *op, enum rank_rule rule);

/* What a part says of a quantile, in percent; NULL: nothing.  part may be NULL. */
const struct quantile_limit *policy_limit(const struct policy_part *part, double percent);

/* The line of the limit that the effects on the whole run exceed; 0: none.  `seconds` is the
 * unit of per_call, 0 where it is no time.  p may be NULL. */
size_t policy_run_ruling(const struct policy *p, const struct run_effects *effects, double seconds);

/* What the gate says about one operation. */
struct ruling {
	bool failed;
	bool ignored;
	bool expected; /* it would fail, but somebody expects this verdict */
	size_t line;   /* that says so; 0: none does, or there is no policy */
	/* What failed beyond any verdict; NULL: none did. */
	const struct quantile_limit *limit;
};

/* Whether an operation fails.  p may be NULL; `fails` is what fails where it says
 * nothing. */
struct ruling policy_ruling(const struct policy *p, unsigned fails, const struct ranked *r);

#endif
