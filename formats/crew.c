/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/crew.h"

#include <sched.h>
#include <stdlib.h>

#include "base/diag_kept.h"
#include "base/xalloc.h"
#include "profile/roster.h"

enum { MOST_MEMBERS = 8 }; /* one thread reads for that many, and memory stays small */

struct member {
	const struct crew_job *job;
	struct blocks *blocks;
	struct samples samples;
	void *own;
	struct diag diag;
	struct diag_kept kept;
	bool failed;
	uint64_t failed_in; /* the number of the block */
};

static bool read_block(struct member *m, struct block *block)
{
	m->samples.in = &block->part;
	return (!block->has_nul || format_is_text(&block->part, m->samples.diag)) &&
	       m->job->read(m->own, block, &m->samples);
}

static void *work(void *arg)
{
	struct member *m = arg;
	struct block block = { .room = NULL };
	enum block_next what;

	while ((what = blocks_next(m->blocks, &block, m->samples.diag)) == BLOCK_TAKEN) {
		if (!read_block(m, &block)) {
			blocks_stop(m->blocks);
			what = BLOCK_FAILED;
			break;
		}
	}
	m->failed = what == BLOCK_FAILED;
	m->failed_in = block.number;
	if (!m->failed && m->job->finish != NULL)
		m->job->finish(m->own);
	block_release(&block);
	return NULL;
}

static void hire(struct member *m, const struct crew_job *job, struct blocks *blocks,
		 struct roster *roster, struct diag *diag)
{
	*m = (struct member){ .job = job, .blocks = blocks };
	m->diag = (struct diag){ .emit = diag_keep, .ctx = &m->kept };
	samples_start(&m->samples, job->in, job->options, job->sampling, diag);
	roster_enrol(roster, m->samples.sampler);
	m->samples.in_crew = true;
	if (job->first != NULL)
		sampler_begin(m->samples.sampler, *job->first);
	m->own = job->hire(job->ctx, m->samples.sampler);
}

/* Once, however often it is called. */
static void dismiss(struct member *m)
{
	if (m->job == NULL)
		return;
	m->job->dismiss(m->own);
	m->job = NULL;
	samples_release(&m->samples);
	diag_kept_release(&m->kept);
}

/* What is recorded of calls is kept in their order. */
static bool is_alone(const struct crew_job *job)
{
	return job->alone || job->options->variables != NULL;
}

static size_t count_processors(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;

	return n < MOST_MEMBERS ? (size_t)n : MOST_MEMBERS;
}

/* Blocks are handed out in order: nothing before the first failure was left undone. */
static bool tell_failure(struct member *member, size_t n, struct diag *diag)
{
	struct member *first = NULL;

	for (size_t i = 0; i < n; i++) {
		if (member[i].failed && (first == NULL || member[i].failed_in < first->failed_in))
			first = &member[i];
	}
	if (first == NULL)
		return true;
	diag_hand_on(&first->kept, diag);
	return false;
}

/* What all counted is put together in the roster, what they know beside in the first; the
 * memory of the others is free for what comes then. */
static bool merge(struct roster *roster, struct member *member, size_t n, struct diag *diag)
{
	const struct crew_job *job = member->job;

	for (size_t i = 1; i < n && job->join != NULL; i++)
		job->join(member->own, member[i].own);
	member->samples.in = job->in;
	member->samples.diag = diag;
	if (job->complete != NULL && !job->complete(member->own, &member->samples))
		return false;
	for (size_t i = 0; i < n; i++) {
		roster_take(roster, member[i].samples.sampler);
		member[i].samples.sampler = NULL;
		if (i > 0)
			dismiss(&member[i]);
	}
	if (job->conclude != NULL)
		job->conclude(member->own, roster, job->in, diag);
	return true;
}

static void work_together(struct member *member, size_t n)
{
	pthread_t *thread = xcalloc(n, sizeof(*thread));
	bool *beside = xcalloc(n, sizeof(*beside));

	for (size_t i = 1; i < n; i++) {
		/* Messages wait until all are done. */
		member[i].samples.diag = &member[i].diag;
		beside[i] = pthread_create(&thread[i], NULL, work, &member[i]) == 0;
	}
	if (n > 1)
		member->samples.diag = &member->diag;
	(void)work(member);
	for (size_t i = 1; i < n; i++) {
		if (beside[i])
			(void)pthread_join(thread[i], NULL);
	}
	free(thread);
	free(beside);
}

/* Where intervals count from the first sample, no part knows where they begin. */
static bool is_divisible(const struct crew_job *job)
{
	return !is_alone(job) && job->complete == NULL &&
	       (job->options->build.interval <= 0 || job->options->utc);
}

bool crew_read(const struct crew_job *job, struct builder *to, struct diag *diag)
{
	struct sampler_options sampling = samples_options(job->sampling, job->options);
	struct roster *roster;
	struct blocks blocks;
	struct member *member;
	bool fine;
	size_t n;

	if (job->options->n_parts > 0 && !is_divisible(job))
		return true; /* format_read_bare() tells that this was no part */
	blocks_start(&blocks, job->in, job->from, job->quote);
	blocks.part = job->options->part;
	blocks.n_parts = job->options->n_parts;
	if (blocks.n_parts > 0)
		build_part(to);
	n = is_alone(job) || blocks_are_few(&blocks) ? 1 : count_processors();
	roster = roster_new(&sampling, n);
	member = xcalloc(n, sizeof(*member));
	for (size_t i = 0; i < n; i++)
		hire(&member[i], job, &blocks, roster, diag);
	work_together(member, n);
	fine = tell_failure(member, n, diag) && merge(roster, member, n, diag) &&
	       roster_push(roster, to);
	for (size_t i = 0; i < n; i++)
		dismiss(&member[i]);
	free(member);
	roster_free(roster);
	blocks_release(&blocks);
	return fine;
}
