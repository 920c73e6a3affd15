/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/merge_heads.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"

/* A profile without operations measured nothing: its unit, machine and the like do not count. */
static bool is_empty(const struct profile *p)
{
	return p->n_ops == 0;
}

static bool reconcile_heads(const struct profile *a, const struct profile *b, struct diag *diag)
{
	if (a->unit != b->unit) {
		diag_plain(diag, DIAG_UNIT_CLASH, "%.*s in %s, %.*s in %s", STR_ARG(a->source),
			   unit_name(a->unit), STR_ARG(b->source), unit_name(b->unit));
		return false;
	}
	if (a->hz != b->hz) {
		diag_plain(diag, DIAG_UNIT_CLASH, "%.*s at %.10g Hz, %.*s at %.10g Hz",
			   STR_ARG(a->source), a->hz, STR_ARG(b->source), b->hz);
		return false;
	}
	return true;
}

static bool has_intervals(const struct profile *p)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (p->op[i].n_intervals > 0)
			return true;
	}
	return false;
}

/* Intervals in seconds since a profile began do not fit those in seconds since 1970. */
static bool merge_clocks(struct profile *to, const struct profile *const *p, size_t n,
			 struct diag *diag)
{
	const struct profile *first = NULL;

	for (size_t i = 0; i < n; i++) {
		to->untimed |= p[i]->untimed && !is_empty(p[i]);
		if (!has_intervals(p[i]))
			continue;
		if (first == NULL)
			first = p[i];
		if (p[i]->epoch == first->epoch)
			continue;
		diag_plain(diag, DIAG_TIMES_CLASH, "only %.*s has `epoch`: %.*s, %.*s",
			   STR_ARG(first->epoch ? first->source : p[i]->source),
			   STR_ARG(first->source), STR_ARG(p[i]->source));
		return false;
	}
	to->epoch = first != NULL && first->epoch;
	return true;
}

static void merge_hosts(struct profile *to, const struct profile *const *p, size_t n)
{
	size_t n_hosts = 0, n_missing = 0;

	for (size_t i = 0; i < n; i++) {
		n_hosts += p[i]->n_hosts;
		n_missing += p[i]->n_missing;
	}
	to->host = arena_make(to->arena, struct str, n_hosts);
	to->missing = arena_make(to->arena, struct str, n_missing);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < p[i]->n_hosts; k++)
			to->host[to->n_hosts++] = p[i]->host[k];
		for (size_t k = 0; k < p[i]->n_missing; k++)
			to->missing[to->n_missing++] = p[i]->missing[k];
	}
	profile_sort_hosts(to);
	for (size_t i = 0; i < to->n_hosts; i++)
		to->host[i] = arena_str(to->arena, to->host[i]);
	for (size_t i = 0; i < to->n_missing; i++)
		to->missing[i] = arena_str(to->arena, to->missing[i]);
}

static int by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* A host may be in one sum only: its numbers in two sums cannot be combined. */
static bool hosts_differ(const struct profile *to, const struct profile *const *p, size_t n,
			 struct diag *diag)
{
	size_t n_hosts = 0, at = 0;
	bool differ = true;
	struct str *host;

	for (size_t i = 0; i < n; i++)
		n_hosts += p[i]->n_hosts;
	if (n_hosts == to->n_hosts)
		return true;
	host = xcalloc(n_hosts, sizeof(*host));
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < p[i]->n_hosts; k++)
			host[at++] = p[i]->host[k];
	}
	qsort(host, n_hosts, sizeof(*host), by_name);
	for (size_t i = 1; i < n_hosts && differ; i++) {
		differ = !str_eq(host[i - 1], host[i]);
		if (!differ)
			diag_plain(diag, DIAG_HOST_TWICE,
				   "%.*s: give all of its files to one `merge --by host`",
				   STR_ARG(host[i]));
	}
	free(host);
	return differ;
}

/* Sums by host cannot be merged with other profiles, except those without operations and hosts. */
static bool merge_by_host(struct profile *to, const struct profile *const *p, size_t n,
			  struct diag *diag)
{
	const struct profile *by_host = NULL, *other = NULL;

	for (size_t i = 0; i < n; i++) {
		if (p[i]->by_host)
			by_host = p[i];
		else if (!is_empty(p[i]) || p[i]->n_hosts > 0)
			other = p[i];
	}
	to->by_host = by_host != NULL;
	if (by_host == NULL)
		return true;
	if (other == NULL)
		return hosts_differ(to, p, n, diag);
	diag_plain(diag, DIAG_HOSTS_MIXED, "%.*s is, %.*s is not", STR_ARG(by_host->source),
		   STR_ARG(other->source));
	return false;
}

static void add_elapsed(struct profile *to, const struct profile *p)
{
	if (!(p->elapsed > 0) || p->elapsed < to->elapsed)
		return;
	if (p->elapsed > to->elapsed || p->elapsed_source < to->elapsed_source)
		to->elapsed_source = p->elapsed_source;
	to->elapsed = p->elapsed;
}

/* The calls of all runs fill the time of the longest, as if they had run side by side: so the
 * number of clients is the sum, and what fills no time stays as much as in the runs. */
static void merge_clients(struct profile *to, const struct profile *const *p, size_t n)
{
	bool any = false, all_known = true, all_fixed = true;

	for (size_t i = 0; i < n; i++) {
		if (is_empty(p[i]))
			continue;
		any = true;
		all_known &= p[i]->concurrency > 0;
		all_fixed &= p[i]->fixed_duration;
		to->concurrency += p[i]->concurrency;
	}
	if (!all_known)
		to->concurrency = 0;
	to->fixed_duration = any && all_fixed;
}

/* Adds what p states; `first` is the first profile that is not empty. */
static bool add_head(struct profile *to, const struct profile *first, const struct profile *p,
		     struct diag *diag)
{
	add_elapsed(to, p);
	if (p->started > 0 && !(to->started > 0 && to->started <= p->started))
		to->started = p->started;
	if (p->cpu_speed > 0 && !(to->cpu_speed > 0 && to->cpu_speed <= p->cpu_speed))
		to->cpu_speed = p->cpu_speed;
	contention_add(&to->contention, &p->contention);
	if (__builtin_add_overflow(to->lost, p->lost, &to->lost))
		to->lost = UINT64_MAX; /* it is a warning, not a measurement */
	if (strcmp(p->format, to->format) != 0)
		to->format = "mixed";
	if (is_empty(p))
		return true;
	if (!str_eq(to->machine, p->machine))
		to->machine = STR("");
	if (!str_eq(to->kernel, p->kernel))
		to->kernel = STR("");
	if (!str_eq(to->duet, p->duet))
		to->duet = STR("");
	return reconcile_heads(first, p, diag);
}

/* A statement of nesting in one profile holds for the sum. */
static bool merge_nests(struct profile *to, const struct profile *const *p, size_t n,
			struct diag *diag)
{
	size_t n_nests = 0;

	for (size_t i = 0; i < n; i++)
		n_nests += p[i]->n_nests;
	to->nest = arena_make(to->arena, struct nest, n_nests);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < p[i]->n_nests; k++)
			to->nest[to->n_nests++] = p[i]->nest[k];
	}
	if (!nests_sort(to->nest, &to->n_nests)) {
		diag_plain(diag, DIAG_COUNT_OVERFLOW, "nesting: the sum passes 2^64-1");
		return false;
	}
	for (size_t i = 0; i < to->n_nests; i++)
		nest_copy(to->arena, &to->nest[i], &to->nest[i]);
	return true;
}

bool merge_heads(struct profile *to, const struct profile *const *p, size_t n, struct diag *diag)
{
	const struct profile *first = NULL;
	bool ok = true;

	for (size_t i = 0; i < n && first == NULL; i++)
		first = is_empty(p[i]) ? NULL : p[i];
	if (first != NULL) {
		to->unit = first->unit;
		to->hz = first->hz;
		to->machine = arena_str(to->arena, first->machine);
		to->kernel = arena_str(to->arena, first->kernel);
		to->duet = arena_str(to->arena, first->duet);
	}
	for (size_t i = 0; i < n && ok; i++)
		ok = add_head(to, first, p[i], diag);
	merge_hosts(to, p, n);
	merge_clients(to, p, n);
	return ok && merge_by_host(to, p, n, diag) && merge_clocks(to, p, n, diag) &&
	       merge_nests(to, p, n, diag);
}
