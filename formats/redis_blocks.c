/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/redis_blocks.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* --- gathering ------------------------------------------------------------------------ */

struct redis_block *redis_block_add(struct redis_blocks *b, struct str title, struct arena *a)
{
	bool is_new;
	size_t command = str_table_add(&b->titles, title, a, &is_new);
	struct redis_block *block;

	b->command = xgrow(b->command, &b->cap_commands, command + 1, sizeof(*b->command));
	if (is_new)
		b->command[command] = (struct redis_command){ .n_blocks = 0 };
	b->command[command].n_blocks++;
	b->block = xgrow(b->block, &b->cap, b->n + 1, sizeof(*b->block));
	block = &b->block[b->n++];
	*block = (struct redis_block){ .title = title, .command = command };
	block->first = block->middle = block->end = b->n_marks;
	return block;
}

void redis_mark_add(struct redis_blocks *b, int64_t at, uint64_t below, struct str where)
{
	b->mark = xgrow(b->mark, &b->cap_marks, b->n_marks + 1, sizeof(*b->mark));
	b->mark[b->n_marks++] = (struct redis_mark){ at, below, where };
}

void redis_blocks_release(struct redis_blocks *b)
{
	str_table_release(&b->titles);
	free(b->block);
	free(b->mark);
	free(b->command);
}

/* --- edges that a table may have --------------------------------------------------------- */

enum { FINE_STEP = 100 };

int64_t redis_edge_above(int64_t us)
{
	enum { BUCKETS = 2048, NARROWEST = 8 };
	int64_t width = NARROWEST;

	while (us / BUCKETS >= width)
		width *= 2;
	return (us / width + 1) * width;
}

/* Edges are those of the buckets that hold 100, 200, ... 2100, 3100, 4100 us ... */
bool redis_edge_before(int64_t edge, int64_t *ret)
{
	int64_t step = edge <= redis_edge_above(REDIS_FINE_END + FINE_STEP) ? FINE_STEP : REDIS_MS;
	int64_t level = (edge - 1 - FINE_STEP) / step * step + FINE_STEP;

	if (level <= 0 || redis_edge_above(level) != edge)
		return false;
	while (redis_edge_above(level) == edge)
		level -= step;
	*ret = level > 0 ? redis_edge_above(level) : 0;
	return true;
}

/* The latency behind `us` at which each histogram has an edge, so that runs can be compared:
 * where all tables may have one up to 16 ms, and 16 in each doubling from there on. */
static int64_t next_level(const struct redis_block *block, const struct redis_command *c,
			  int64_t us)
{
	int64_t fine = FINE_STEP, step = REDIS_MS, late = FINE_STEP;

	if (block->by_share) {
		fine = c->step > 0 ? c->step : REDIS_MS;
		late = 0;
	}
	if (us < REDIS_FINE_END + late)
		return us + fine;
	for (int64_t octave = 16 * REDIS_MS; us >= octave + late; octave *= 2)
		step *= 2;
	return us + step;
}

/* --- pushing ------------------------------------------------------------------------------- */

/* The buckets of a block, as its edges become known. */
struct cut {
	struct input *in;
	struct diag *diag;
	double *edge;		  /* us */
	struct redis_mark *below; /* what lies below it */
	size_t n, cap_edges, cap_below;
};

static bool add_edge(struct cut *cut, const struct redis_mark *mark)
{
	const struct redis_mark *last = cut->n > 0 ? &cut->below[cut->n - 1] : NULL;
	bool again = last != NULL && mark->at == last->at;

	if (last != NULL && (mark->below < last->below || (again && mark->below > last->below)))
		return format_fail(cut->in, cut->diag, DIAG_BUCKET_ORDER, mark->where,
				   "the other table has %llu calls up to %.3f ms",
				   (unsigned long long)last->below,
				   (double)(last->at - 1) / REDIS_MS);
	if (again)
		return true;
	cut->edge = xgrow(cut->edge, &cut->cap_edges, cut->n + 1, sizeof(*cut->edge));
	cut->below = xgrow(cut->below, &cut->cap_below, cut->n + 1, sizeof(*cut->below));
	cut->edge[cut->n] = (double)mark->at;
	cut->below[cut->n++] = *mark;
	return true;
}

/* The marks of a block, of both tables in ascending order. */
struct walk {
	const struct redis_mark *fine, *middle; /* of percentiles */
	const struct redis_mark *rest, *end;
	struct redis_mark last; /* that was passed of the rest */
};

/* All of them up to an edge; they are edges, too, if they are `wanted`. */
static bool walk_to(struct walk *w, int64_t edge, bool wanted, struct cut *cut)
{
	for (;;) {
		bool fine = w->fine < w->middle && w->fine->at <= edge;
		bool rest = w->rest < w->end && w->rest->at <= edge;

		if (!fine && !rest)
			return true;
		if (fine && (!rest || w->fine->at < w->rest->at)) {
			if (wanted && !add_edge(cut, w->fine))
				return false;
			w->fine++;
			continue;
		}
		w->last = *w->rest++;
		if (wanted && !add_edge(cut, &w->last))
			return false;
	}
}

/* A block that is `alone` has all edges that are known, others those that all have. */
static bool find_edges(const struct redis_blocks *b, const struct redis_block *block, bool alone,
		       struct cut *cut)
{
	const struct redis_command *c = &b->command[block->command];
	struct walk w = { .fine = b->mark + block->first,
			  .middle = b->mark + block->middle,
			  .rest = b->mark + block->middle,
			  .end = b->mark + block->end,
			  .last = { .where = block->title } };
	int64_t level = 0, edge = 0;

	while (edge <= REDIS_LONGEST) {
		if (!walk_to(&w, edge, alone, cut))
			return false;
		w.last.at = edge;
		if (!add_edge(cut, &w.last))
			return false;
		level = next_level(block, c, level);
		edge = block->by_share ? level : redis_edge_above(level);
	}
	return walk_to(&w, block->by_share ? INT64_MAX : REDIS_LONGEST, alone, cut);
}

/* What lies below the first edge is nothing, and the last has all above. */
static bool push_cut(const struct cut *cut, const struct redis_mark *last, struct builder *to,
		     struct str where)
{
	struct bucket_scheme scheme = bucket_edges(cut->edge, cut->n);

	scheme.limit = (int)cut->n - 1;
	if (!build_scheme(to, &scheme, where))
		return false;
	for (size_t i = 0; i < cut->n; i++) {
		const struct redis_mark *above = i + 1 < cut->n ? &cut->below[i + 1] : last;
		uint64_t count = above->below - cut->below[i].below;

		if (count > 0 && !build_bucket(to, (int)i, count, above->where))
			return false;
	}
	return true;
}

static bool push_moments(const struct redis_block *block, uint64_t calls, struct builder *to,
			 struct input *in, struct diag *diag)
{
	struct decimal total;

	if (!block->has_moments || calls == 0)
		return true;
	build_min(to, block->min);
	if (block->max >= REDIS_LONGEST) /* cut off, and so is the mean */
		return true;
	build_max(to, block->max);
	build_rounded_totals(to);
	return decimal_times(block->mean, calls, &total)
		       ? build_total(to, total, block->title)
		       : format_fail(in, diag, DIAG_TOTAL_OVERFLOW, block->title,
				     "mean times calls");
}

static bool push_block(const struct redis_blocks *b, const struct redis_block *block,
		       struct cut *cut, struct builder *to)
{
	const struct redis_mark *last = &b->mark[block->end - 1];
	bool alone = b->command[block->command].n_blocks == 1;
	uint64_t calls = last->below;

	cut->n = 0;
	if (!find_edges(b, block, alone, cut) ||
	    !build_operation(to, STR(""), block->title, block->title))
		return false;
	build_unit(to, UNIT_US, UNIT_STATED);
	return push_cut(cut, last, to, block->title) &&
	       build_count(to, calls < block->requests ? calls : block->requests, block->title) &&
	       push_moments(block, calls, to, cut->in, cut->diag);
}

bool redis_blocks_push(const struct redis_blocks *b, struct builder *to, struct input *in,
		       struct diag *diag)
{
	struct cut cut = { .in = in, .diag = diag };
	bool fine = true;

	for (size_t i = 0; i < b->n && fine; i++)
		fine = push_block(b, &b->block[i], &cut, to);
	free(cut.edge);
	free(cut.below);
	return fine;
}
