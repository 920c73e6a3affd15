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

struct roster *roster_new(const struct sampler_options *options, size_t n_threads);
void roster_free(struct roster *r); /* NULL is fine */

/* It is one of those that the roster takes. */
void roster_enrol(struct roster *r, struct sampler *s);
/* The operation of this sample, which may be its first.  Nothing is counted.  Any thread. */
struct entry *roster_meet(struct roster *r, const struct sample *sample);

/* When all threads are done.  Adds what one's sampler took and missed, of the same options and
 * the same first start; the roster frees it. */
void roster_take(struct roster *r, struct sampler *s);
/* All latencies are whole multiples of this, as the whole file has shown; 0: not known. */
void roster_granularity(struct roster *r, double granularity);
/* See sampler_push(). */
MUST_CHECK bool roster_push(struct roster *r, struct builder *b);

#endif
