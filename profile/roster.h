/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operations of a file that several threads sample: each of them once, whichever thread
 * meets it first, and in the end all that was counted of it.
 *
 * A thread adds to a sampler of its own, which the roster takes when all are done.  What
 * counts faster (profile/bulk.h) meets its operations here and adds to them itself.
 */
#ifndef PROFILE_ROSTER_H
#define PROFILE_ROSTER_H

#include "profile/sampler.h"

struct entry;
struct roster;

struct roster *roster_new(const struct sampler_options *options);
void roster_free(struct roster *r); /* NULL is fine */

/* It is one of those that the roster takes. */
void roster_enrol(struct roster *r, struct sampler *s);

/* The operation of this sample, which may be its first.  Nothing is counted.  Any thread. */
struct entry *roster_meet(struct roster *r, const struct sample *sample);
/* All operations, for this thread alone until it gives them back. */
struct sampler *roster_borrow(struct roster *r);
void roster_give_back(struct roster *r);

/* When all threads are done.  Adds what one's sampler took, of the same options and the same
 * first start; the roster frees it.  On failure part of it was added. */
MUST_CHECK enum sampled roster_take(struct roster *r, struct sampler *s);
struct sampler *roster_sum(const struct roster *r);

#endif
