/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hosts that a merge should hold: those of --expect, and those whose input was left out. */
#ifndef LOAD_EXPECTED_H
#define LOAD_EXPECTED_H

#include "base/attr.h"
#include "base/str.h"

struct arena;
struct diag;
struct profile;
struct load_options;

/* The hosts that a sum should hold; expected_release() frees the names. */
struct expected {
	bool given;  /* --expect was given */
	bool naming; /* every profile needs a host */

	/* Private. */
	struct arena *arena;
	struct str *name;
	size_t n, cap;
};

/* Reads the list of --expect, if there is one; false when an error was reported. */
MUST_CHECK bool expected_read(struct expected *e, const struct load_options *q, struct diag *diag);
/* Frees the list. */
void expected_release(struct expected *e);
/* Adds a host whose input was left out. */
void expected_skipped(struct expected *e, struct str host);
/* Sets the host of a profile that states none, `host` from its file's name, if hosts are expected
 * or kept apart.  Thread-safe for different profiles. */
void expected_name(const struct expected *e, struct profile *p, struct str host);
/* Adds expected hosts that are not there to the profile's missing ones. */
void expected_add(const struct expected *e, struct profile *p);
/* Reports which hosts are missing. */
void expected_report(const struct profile *p, struct diag *diag);

#endif
