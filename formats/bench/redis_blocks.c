/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bench/redis_blocks.h"

#include <stdlib.h>
#include <string.h>

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
	for (size_t i = 0; i < b->titles.n; i++)
		free(b->command[i].fine);
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

/* Regular edges are those of the buckets that contain 100, 200, ... 2100, 3100, 4100 us ... */
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

/* Returns the latency of the regular edge after `us`.  All histograms use the same edges, so that
 * runs can be compared: those that all tables may have up to 16 ms, and then 16 per octave. */
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

/* --- edges of percentiles --------------------------------------------------------------------- */

/* Finds the number of calls below an edge, searching from *at.  False when the block does not show
 * it: it does at its percentiles, below the first and above the last of them. */
static bool find_below(const struct redis_blocks *b, const struct redis_block *block, size_t *at,
		       int64_t edge, struct redis_mark *ret)
{
	const struct redis_mark *mark = b->mark;

	while (*at < block->middle && mark[*at].at < edge)
		++*at;
	*ret = (struct redis_mark){ .at = edge, .where = block->title };
	if (*at == block->middle)
		ret->below = mark[*at - 1].below;
	else if (mark[*at].at == edge)
		*ret = mark[*at];
	else if (*at > block->first)
		return false;
	return true;
}

/* Keeps only the command's edges for which this block has a count, too.  Adds edges of this block
 * that are below or above all of the previous blocks', for which those have a count. */
static void keep_common_edges(const struct redis_blocks *b, const struct redis_block *block,
			      struct redis_command *c)
{
	const struct redis_mark *mark = b->mark;
	size_t at = block->first, n = 0, lower = block->first, higher = block->middle;
	struct redis_mark ignored;

	while (lower < block->middle && (!c->has_fine || mark[lower].at < c->min))
		lower++;
	while (higher > lower && mark[higher - 1].at > c->max)
		higher--;
	for (size_t i = 0; i < c->n_fine; i++) {
		if (find_below(b, block, &at, c->fine[i], &ignored))
			c->fine[n++] = c->fine[i];
	}
	at = lower - block->first;
	c->n_fine = at + n + block->middle - higher;
	c->fine = xgrow(c->fine, &c->cap_fine, c->n_fine, sizeof(*c->fine));
	memmove(c->fine + at, c->fine, n * sizeof(*c->fine));
	for (size_t i = 0; i < at; i++)
		c->fine[i] = mark[block->first + i].at;
	for (size_t i = higher; i < block->middle; i++)
		c->fine[at + n + i - higher] = mark[i].at;
	if (!c->has_fine || mark[block->first].at < c->min)
		c->min = mark[block->first].at;
	if (!c->has_fine || mark[block->middle - 1].at > c->max)
		c->max = mark[block->middle - 1].at;
	c->has_fine = true;
}

static void find_common_edges(const struct redis_blocks *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct redis_block *block = &b->block[i];

		if (block->first < block->middle)
			keep_common_edges(b, block, &b->command[block->command]);
	}
	/* A block without percentiles has no counts for their edges. */
	for (size_t i = 0; i < b->n; i++) {
		if (b->block[i].first == b->block[i].middle)
			b->command[b->block[i].command].n_fine = 0;
	}
}

/* --- pushing ------------------------------------------------------------------------------- */

/* The edges of a block found so far. */
struct cut {
	struct input *in;
	struct diag *diag;
	double *edge;		  /* us */
	struct redis_mark *below; /* calls below each edge */
	size_t n, cap_edges, cap_below;
	struct redis_mark *fine; /* marks at edges of percentiles */
	size_t n_fine, cap_fine;
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

/* Iterates over the marks of both tables of a block in ascending order. */
struct walk {
	const struct redis_mark *fine, *fine_end; /* marks of percentiles */
	const struct redis_mark *rest, *end;
	struct redis_mark last; /* last mark passed in `rest` */
};

/* Passes all marks up to an edge.  Marks of percentiles become edges; `edge` does if `wanted`. */
static bool walk_to(struct walk *w, int64_t edge, bool wanted, struct cut *cut)
{
	for (;;) {
		bool fine = w->fine < w->fine_end && w->fine->at <= edge;
		bool rest = w->rest < w->end && w->rest->at <= edge;

		if (!fine && !rest)
			return true;
		if (fine && (!rest || w->fine->at < w->rest->at)) {
			if (!add_edge(cut, w->fine++))
				return false;
			continue;
		}
		w->last = *w->rest++;
		if (wanted && !add_edge(cut, &w->last))
			return false;
	}
}

static void find_fine(const struct redis_blocks *b, const struct redis_block *block,
		      struct cut *cut)
{
	const struct redis_command *c = &b->command[block->command];
	size_t at = block->first;

	cut->fine = xgrow(cut->fine, &cut->cap_fine, c->n_fine, sizeof(*cut->fine));
	for (cut->n_fine = 0; cut->n_fine < c->n_fine; cut->n_fine++)
		(void)find_below(b, block, &at, c->fine[cut->n_fine], &cut->fine[cut->n_fine]);
}

/* Finds all edges of a block, or, if the command has several blocks, those that all of them have.
 */
static bool find_edges(const struct redis_blocks *b, const struct redis_block *block,
		       struct cut *cut)
{
	const struct redis_command *c = &b->command[block->command];
	bool alone = c->n_blocks == 1;
	struct walk w = { .rest = b->mark + block->middle,
			  .end = b->mark + block->end,
			  .last = { .where = block->title } };
	int64_t level = 0, edge = 0;

	find_fine(b, block, cut);
	w.fine = cut->fine;
	w.fine_end = cut->n_fine > 0 ? cut->fine + cut->n_fine : cut->fine;
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

/* No calls are below the first edge; the last bucket has all remaining ones. */
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

static bool redis_blocks_push_summary(const struct redis_block *block, uint64_t calls,
				      struct builder *to, struct input *in, struct diag *diag)
{
	struct decimal total;

	if (!block->has_summary || calls == 0)
		return true;
	build_min(to, block->min);
	if (block->max >= REDIS_LONGEST) /* max is capped, and the mean is affected */
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
	uint64_t calls = last->below;

	cut->n = 0;
	if (!find_edges(b, block, cut) ||
	    !build_operation_in(to, UNIT_US, STR(""), block->title, block->title))
		return false;
	return push_cut(cut, last, to, block->title) &&
	       build_count(to, calls < block->requests ? calls : block->requests, block->title) &&
	       redis_blocks_push_summary(block, calls, to, cut->in, cut->diag);
}

bool redis_blocks_push(struct redis_blocks *b, struct builder *to, struct input *in,
		       struct diag *diag)
{
	struct cut cut = { .in = in, .diag = diag };
	bool fine = true;

	find_common_edges(b);
	for (size_t i = 0; i < b->n && fine; i++)
		fine = push_block(b, &b->block[i], &cut, to);
	free(cut.edge);
	free(cut.below);
	free(cut.fine);
	return fine;
}
