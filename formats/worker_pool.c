/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/worker_pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag_kept.h"
#include "base/parallel.h"
#include "base/platform.h"
#include "base/xalloc.h"
#include "profile/accumulator/operation_table.h"

enum { MAX_MEMBERS = 8 }; /* one thread can read for that many, and memory stays small */

struct member {
	const struct worker_pool_job *job;
	struct blocks *blocks;
	struct samples samples;
	void *own;
	struct diag diag;
	struct diag_kept kept;
	bool failed;
	uint64_t failed_in; /* the number of the block */
};

static bool worker_pool_read_block(struct member *m, struct block *block)
{
	m->samples.in = &block->part;
	return m->job->read(m->own, block, &m->samples);
}

static void read_blocks(void *members, size_t i)
{
	struct member *m = (struct member *)members + i;
	struct block block = { .room = NULL };
	enum block_next what;

	while ((what = blocks_next(m->blocks, &block, m->samples.diag)) == BLOCK_TAKEN) {
		if (!worker_pool_read_block(m, &block)) {
			blocks_stop(m->blocks);
			what = BLOCK_FAILED;
			break;
		}
	}
	m->failed = what == BLOCK_FAILED;
	m->failed_in = block.number;
	/* Where the end of the file is missing, what was read counts. */
	if ((!m->failed || m->job->task->options->partial) && m->job->finish != NULL)
		m->job->finish(m->own);
	block_release(&block);
}

static void start_member(struct member *m, const struct worker_pool_job *job, struct blocks *blocks,
			 struct operation_table *operation_table)
{
	*m = (struct member){ .job = job, .blocks = blocks };
	m->diag = (struct diag){ .emit = diag_keep,
				 .ctx = &m->kept,
				 .lenient = job->task->diag->lenient };
	samples_start(&m->samples, job->task->in, job->task->options, job->sampling,
		      job->task->diag);
	operation_table_register(operation_table, m->samples.accumulator);
	m->samples.in_worker_pool = true;
	if (job->first != NULL)
		accumulator_begin(m->samples.accumulator, *job->first);
	if (job->start != NULL)
		m->own = job->start(job->ctx, m->samples.accumulator);
	else if (job->size > 0)
		m->own = memcpy(xcalloc(1, job->size), job->ctx, job->size);
}

/* Does nothing when called again. */
static void release_member(struct member *m)
{
	if (m->job == NULL)
		return;
	(m->job->release != NULL ? m->job->release : free)(m->own);
	m->job = NULL;
	samples_release(&m->samples);
	diag_kept_release(&m->kept);
}

/* Variables are recorded in the order of calls, and a tap sees samples in file order. */
static bool is_alone(const struct worker_pool_job *job)
{
	return job->alone || job->task->options->variables != NULL ||
	       job->task->options->tap != NULL;
}

static size_t count_processors(void)
{
	size_t n = platform_count_processors();

	return n < MAX_MEMBERS ? n : MAX_MEMBERS;
}

/* Blocks are handed out in order, so every block before the first failure was read. */
static bool report_failure(struct member *member, size_t n, struct diag *diag)
{
	struct member *first = NULL;

	for (size_t i = 0; i < n; i++) {
		if (member[i].failed && (first == NULL || member[i].failed_in < first->failed_in))
			first = &member[i];
	}
	if (first == NULL)
		return true;
	diag_forward(&first->kept, diag);
	return false;
}

static void report_skipped(const struct samples *s, const struct worker_pool_job *job)
{
	for (size_t i = 0; i < SAMPLES_REASONS; i++) {
		if (s->skipped[i] > 0)
			diag_file(job->task->diag, job->skipped[i].code, job->task->in, "%llu %s",
				  (unsigned long long)s->skipped[i], job->skipped[i].what);
	}
}

/* Adds up the counts of all members in the operation table and joins their state into the first
 * member; frees the others. */
static bool merge_members(struct operation_table *operation_table, struct member *member, size_t n)
{
	const struct worker_pool_job *job = member->job;

	for (size_t i = 1; i < n; i++) {
		for (size_t k = 0; k < SAMPLES_REASONS; k++)
			member->samples.skipped[k] += member[i].samples.skipped[k];
		if (job->join != NULL)
			job->join(member->own, member[i].own);
	}
	member->samples.in = job->task->in;
	member->samples.diag = job->task->diag;
	if (job->complete != NULL && !job->complete(member->own, &member->samples))
		return false;
	for (size_t i = 0; i < n; i++) {
		operation_table_merge(operation_table, member[i].samples.accumulator);
		member[i].samples.accumulator = NULL;
		if (i > 0)
			release_member(&member[i]);
	}
	if (job->conclude != NULL)
		job->conclude(member->own, operation_table, job->task->in, job->task->diag);
	report_skipped(&member->samples, job);
	return true;
}

static void work_together(struct member *member, size_t n)
{
	/* Messages are held back until all members are done. */
	for (size_t i = 0; i < n && n > 1; i++)
		member[i].samples.diag = &member[i].diag;
	parallel_run(n, read_blocks, member);
}

/* Intervals that count from the first sample need the whole file to know where they begin. */
static bool is_divisible(const struct worker_pool_job *job)
{
	return !is_alone(job) && job->complete == NULL &&
	       (job->task->options->build.interval <= 0 || job->task->options->utc);
}

bool worker_pool_read(const struct worker_pool_job *job)
{
	const struct read_options *options = job->task->options;
	struct accumulator_options sampling = samples_options(job->sampling, options);
	struct operation_table *operation_table;
	struct blocks blocks;
	struct member *member;
	bool ok;
	size_t n;

	if (options->n_parts > 0 && !is_divisible(job))
		return true; /* format_read_bare() reports that this was not a part */
	blocks_start(&blocks, job->task->in, job->from, job->quote);
	blocks.part = options->part;
	blocks.n_parts = options->n_parts;
	if (blocks.n_parts > 0)
		build_part(job->task->to);
	n = is_alone(job) || blocks_are_few(&blocks) ? 1 : count_processors();
	operation_table = operation_table_new(&sampling, n);
	member = xcalloc(n, sizeof(*member));
	for (size_t i = 0; i < n; i++)
		start_member(&member[i], job, &blocks, operation_table);
	work_together(member, n);
	ok = report_failure(member, n, job->task->diag) || format_ends_early(job->task);
	ok = ok && merge_members(operation_table, member, n) &&
	     operation_table_push(operation_table, job->task->to);
	for (size_t i = 0; i < n; i++)
		release_member(&member[i]);
	free(member);
	operation_table_free(operation_table);
	blocks_release(&blocks);
	return ok;
}
