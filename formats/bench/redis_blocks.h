/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the output of redis-benchmark (described in formats/bench/redis_benchmark.c) before
 * making histograms, because their edges depend on all blocks of a command.
 */
#ifndef FORMATS_BENCH_REDIS_BLOCKS_H
#define FORMATS_BENCH_REDIS_BLOCKS_H

#include "base/decimal.h"
#include "base/tables/str_table.h"
#include "formats/lines.h"

enum {
	REDIS_MS = 1000,	 /* us */
	REDIS_FINE_END = 2000,	 /* us; up to here, edges are close together */
	REDIS_LONGEST = 3000000, /* us; longer calls are counted as this */
};

/* An edge in us, and the number of calls below it. */
struct redis_mark {
	int64_t at;
	uint64_t below;
	struct str where;
};

/* One report about a command. */
struct redis_block {
	struct str title;
	size_t command;
	uint64_t requests;
	bool by_share;		   /* percentages only, as up to Redis 6.0 */
	size_t first, middle, end; /* marks: from `first` percentiles, from `middle` the rest */
	bool has_summary;
	struct decimal mean; /* in us, like min and max */
	double min, max;
};

/* The common properties of all blocks of a title. */
struct redis_command {
	size_t n_blocks;
	int64_t step;  /* by share: step of latencies below REDIS_FINE_END; 0: there are none */
	int64_t *fine; /* edges of percentiles known in all blocks, ascending */
	size_t n_fine, cap_fine;
	int64_t min, max; /* range of percentiles of all blocks */
	bool has_fine;	  /* a block was processed */
};

/* All blocks of a file, and their commands. */
struct redis_blocks {
	struct redis_block *block;
	size_t n, cap;
	struct redis_mark *mark; /* marks of all blocks */
	size_t n_marks, cap_marks;
	struct str_table titles;
	struct redis_command *command; /* by number of title */
	size_t cap_commands;
};

/* Returns the upper edge of the HdrHistogram bucket that contains `us`. */
int64_t redis_edge_above(int64_t us);
/* Finds the regular edge before this one; false when `edge` is not a regular edge. */
MUST_CHECK bool redis_edge_before(int64_t edge, int64_t *ret);

/* Adds a block, which borrows the title; the arena holds the table of titles.  The result is valid
 * until the next call. */
struct redis_block *redis_block_add(struct redis_blocks *b, struct str title, struct arena *a);
/* Adds a mark to the last block: `below` calls are below the edge `at`. */
void redis_mark_add(struct redis_blocks *b, int64_t at, uint64_t below, struct str where);
/* Frees the blocks. */
void redis_blocks_release(struct redis_blocks *b);

/* Pushes each block as an operation; false when an error was reported. */
MUST_CHECK bool redis_blocks_push(struct redis_blocks *b, struct builder *to, struct input *in,
				  struct diag *diag);

#endif
