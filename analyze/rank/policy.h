/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate's policy: which operations matter, by which rules, and what fails.
 *
 * A policy has a general part and sections, each for the operations that its pattern
 * matches.  The first section that matches an operation applies.  What it does not set
 * comes from the general part, and what that does not set comes from the caller's rules
 * and verdicts.
 */
#ifndef ANALYZE_RANK_POLICY_H
#define ANALYZE_RANK_POLICY_H

#include "analyze/rank/quantiles.h"
#include "analyze/rank/ranked.h"

struct diag;
struct input;

/* Returns the name of a rule in policies, which is also that of its option. */
const char *rank_rule_name(enum rank_rule rule);

/* Sets of verdicts, as bits 1U << VERDICT_X. */
enum {
	VERDICTS_REGRESSED = 1 << VERDICT_REGRESSED,
	VERDICTS_ANY = 1 << VERDICT_REGRESSED | 1 << VERDICT_IMPROVED | 1 << VERDICT_CHANGED_SHAPE |
		       1 << VERDICT_NEW | 1 << VERDICT_GONE,
};

/* The general part or a section.  Lines count from 1; a line of 0 means not set. */
struct policy_part {
	const char *pattern; /* NULL in the general part */
	size_t line;	     /* line of the pattern */
	size_t at, len;	     /* offset and length of the pattern in the input */
	double value[N_RANK_RULES];
	size_t value_line[N_RANK_RULES];
	struct quantile_limit limit[MAX_QUANTILES];
	size_t n_limits;
	unsigned fails;
	size_t fails_line, ignore_line;
};

/* How much slower a whole run may be; a line of 0 means not set. */
struct run_limits {
	double factor;	 /* growth: 0.1 allows a factor of 1.1 */
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

/* Reads a policy; section POLICIES of osprof(1) describes the syntax.  Returns NULL when an error
 * was reported. */
struct policy *policy_read(struct input *in, struct diag *diag);
void policy_free(struct policy *p); /* NULL is fine */

/* Whether the pattern of a section matches an operation. */
bool policy_matches(const struct policy_part *section, const struct operation *op);
/* Returns the section that applies to an operation, or NULL. */
const struct policy_part *policy_section(const struct policy *p, const struct operation *op);

/* Returns `usual` with the policy's settings for op. */
struct rank_rules policy_rules(const struct policy *p, const struct rank_rules *usual,
			       const struct operation *op);
/* Returns the line that sets a rule for op; 0 when none does. */
size_t policy_rule_line(const struct policy *p, const struct operation *op, enum rank_rule rule);

/* Returns a part's limit of a quantile, which is given in percent, or NULL.  part may be NULL. */
const struct quantile_limit *policy_limit(const struct policy_part *part, double percent);

/* Returns the line of the run limit that the whole-run effects exceed, or 0.  `seconds` is one unit
 * of effects->per_call, 0 when that is not a time.  p may be NULL. */
size_t policy_run_ruling(const struct policy *p, const struct ranking *all);
/* Whether it limits the run as a whole. */
bool policy_limits_run(const struct policy *p);
/* Returns the verdicts that fail by its general part; `fails` where it does not say. */
unsigned policy_fails(const struct policy *p, unsigned fails);

/* The gate's ruling on one operation. */
struct ruling {
	bool failed;
	bool ignored;
	bool expected; /* its verdict is expected (annotated), so it does not fail */
	size_t line;   /* line of the policy that decided; 0: none */
	/* The quantile limit that is exceeded, whatever the verdict; NULL: none. */
	const struct quantile_limit *limit;
};

/* Whether an operation fails.  p may be NULL; `fails` are the verdicts that fail where the policy
 * does not set them. */
struct ruling policy_ruling(const struct policy *p, unsigned fails, const struct ranked *r);

#endif
