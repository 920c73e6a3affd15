/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/roster.h"

#include <pthread.h>
#include <stdlib.h>

#include "profile/sampler_parts.h"

struct roster {
	struct sampler *sum;
	pthread_mutex_t lock; /* of it, while threads are at work */
};

/* It is held for less than a microsecond: waiting for it is cheaper than sleeping. */
static void init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;

	(void)pthread_mutexattr_init(&attr);
#ifdef __GLIBC__
	(void)pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
	(void)pthread_mutex_init(lock, &attr);
	(void)pthread_mutexattr_destroy(&attr);
}

struct roster *roster_new(const struct sampler_options *options)
{
	struct roster *r = xcalloc(1, sizeof(*r));

	r->sum = sampler_new(options);
	init_lock(&r->lock);
	return r;
}

void roster_free(struct roster *r)
{
	if (r == NULL)
		return;
	sampler_free(r->sum);
	(void)pthread_mutex_destroy(&r->lock);
	free(r);
}

void roster_enrol(struct roster *r, struct sampler *s)
{
	s->roster = r;
}

struct entry *roster_meet(struct roster *r, const struct sample *sample)
{
	struct entry *e = sampler_entry(roster_borrow(r), sample);

	roster_give_back(r);
	return e;
}

struct sampler *roster_borrow(struct roster *r)
{
	(void)pthread_mutex_lock(&r->lock);
	return r->sum;
}

void roster_give_back(struct roster *r)
{
	(void)pthread_mutex_unlock(&r->lock);
}

enum sampled roster_take(struct roster *r, struct sampler *s)
{
	enum sampled what = SAMPLED;

	if (r->sum->keys.n > 0) {
		what = sampler_merge(r->sum, s);
		sampler_free(s);
	} else {
		sampler_free(r->sum);
		r->sum = s;
	}
	return what;
}

struct sampler *roster_sum(const struct roster *r)
{
	return r->sum;
}
