/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hosts that a merge should hold: --expect, and those whose input was left out. */
#ifndef COMPARE_EXPECTED_H
#define COMPARE_EXPECTED_H

#include "base/attr.h"
#include "base/str.h"

struct arena;
struct diag;
struct profile;
struct request;

/* The hosts that a sum has to hold; expected_release() frees the names. */
struct expected {
	bool given;  /* --expect */
	bool naming; /* every profile has to be of a host */

	/* Its own. */
	struct arena *arena;
	struct str *name;
	size_t n, cap;
};

/* Reads the list of --expect, if there is one; false when an error was reported. */
MUST_CHECK bool expected_read(struct expected *e, const struct request *q, struct diag *diag);
/* Frees the list. */
void expected_release(struct expected *e);
/* The input of this host was left out. */
void expected_skipped(struct expected *e, struct str host);
/* Where hosts are expected, or hosts kept apart, a profile that does not say whose it is is that of
 * its file's name. Any thread, each with its own profile. */
void expected_name(const struct expected *e, struct profile *p, struct str host);
/* Those that are not there are the profile's missing ones. */
void expected_add(const struct expected *e, struct profile *p);
/* Tells which are missing. */
void expected_report(const struct profile *p, struct diag *diag);

#endif
