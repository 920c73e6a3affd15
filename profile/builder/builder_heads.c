/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file states of the whole profile, and what baselines and merges state of operations. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "profile/builder/builder.h"
#include "profile/builder/builder_parts.h"
#include "profile/spread.h"
#include "profile/syscalls.h"

void build_hz(struct builder *b, double hz)
{
	b->profile->hz = hz;
}

void build_elapsed(struct builder *b, double seconds)
{
	build_elapsed_from(b, seconds, ELAPSED_STATED);
}

void build_elapsed_from(struct builder *b, double seconds, enum elapsed_source source)
{
	struct profile *p = b->profile;

	if (b->elapsed_unknown || !(seconds > 0) || !isfinite(seconds) ||
	    (p->elapsed > 0 && p->elapsed_source < source))
		return;
	p->elapsed = seconds;
	p->elapsed_source = source;
}

void build_concurrency(struct builder *b, uint64_t n)
{
	b->profile->concurrency = (double)n;
}

void build_run_fixed_duration(struct builder *b)
{
	b->profile->fixed_duration = true;
}

void build_started(struct builder *b, double seconds)
{
	static const double year_10000 = 253402300800; /* no clock shows that */

	if (seconds > 0 && seconds < year_10000)
		b->profile->started = seconds;
}

void build_cpu_speed(struct builder *b, double steps)
{
	b->profile->cpu_speed = steps;
}

void build_contention(struct builder *b, const struct contention *c)
{
	contention_add(&b->profile->contention, c);
}

void build_cpu_time(struct builder *b)
{
	b->profile->cpu_time = true;
}

void build_elapsed_unknown(struct builder *b)
{
	b->profile->elapsed = 0;
	b->profile->elapsed_source = ELAPSED_UNKNOWN;
	b->elapsed_unknown = true;
}

void build_profile_unit(struct builder *b, enum unit unit)
{
	b->profile->unit = unit;
	b->unit_given = true;
}

void build_epoch(struct builder *b)
{
	b->profile->epoch = true;
}

void build_host(struct builder *b, struct str name, bool missing)
{
	struct profile *p = b->profile;
	struct str **list = missing ? &p->missing : &p->host;
	size_t *n = missing ? &p->n_missing : &p->n_hosts;
	size_t *cap = missing ? &b->cap_missing : &b->cap_hosts;

	*list = arena_grow(b->arena, *list, cap, *n + 1, sizeof(**list));
	(*list)[(*n)++] = arena_str(b->arena, name);
}

void build_nest(struct builder *b, const struct nest *nest)
{
	struct profile *p = b->profile;

	p->nest = arena_grow(b->arena, p->nest, &b->cap_nests, p->n_nests + 1, sizeof(*p->nest));
	nest_copy(b->arena, nest, &p->nest[p->n_nests++]);
}

void build_by_host(struct builder *b)
{
	b->profile->by_host = true;
}

struct str build_host_at(const struct builder *b, size_t i)
{
	return b->profile->host[i];
}

void build_part(struct builder *b)
{
	b->is_part = b->may_be_empty = true;
}

bool builder_is_part(const struct builder *b)
{
	return b->is_part;
}

void build_may_be_empty(struct builder *b)
{
	b->may_be_empty = true;
}

void build_keep_zeros(struct builder *b)
{
	b->keep_zeros = true;
}

void build_duet(struct builder *b, struct str id)
{
	b->profile->duet = arena_str(b->arena, id);
}

void build_machine(struct builder *b, struct str machine)
{
	b->profile->machine = arena_str(b->arena, machine);
}

void build_kernel(struct builder *b, struct str kernel)
{
	size_t n = kernel.n;

	b->profile->kernel = kernel = arena_str(b->arena, kernel);
	while (n > 0 && kernel.p[n - 1] != ' ')
		n--;
	if (syscall_architecture_is_known(str_skip(kernel, n)))
		b->options.architecture = str_skip(kernel, n);
}

void build_baseline(struct builder *b, size_t n_runs)
{
	b->profile->baseline.n_runs = n_runs;
	b->profile->untimed = true;
}

void build_alarms(struct builder *b, size_t alarms, size_t replays)
{
	b->profile->baseline.alarms = alarms;
	b->profile->baseline.replays = replays;
}

void build_floor(struct builder *b, const struct noise_floor *floor)
{
	struct noise_floor *copy;

	if (b->failed)
		return;
	copy = arena_make(b->arena, struct noise_floor, 1);
	*copy = *floor;
	b->op->floor = copy;
}

void build_spread(struct builder *b, int feature, const struct host_spread *spread)
{
	struct extreme *copy;

	if (b->failed)
		return;
	if (b->op->spreads == NULL) {
		b->op->spreads = arena_make(b->arena, struct host_spreads, 1);
		*b->op->spreads = (struct host_spreads){ 0 };
	}
	copy = arena_make(b->arena, struct extreme, spread->n_extremes);
	if (spread->n_extremes > 0)
		memcpy(copy, spread->extreme, spread->n_extremes * sizeof(*copy));
	b->op->spreads->of[feature] = *spread;
	b->op->spreads->of[feature].extreme = copy;
}
