/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What redis-benchmark printed (formats/bench/redis_benchmark.c describes it), gathered before it
 * becomes histograms: which edges those have follows from all blocks of a command.
 */
#ifndef FORMATS_BENCH_REDIS_BLOCKS_H
#define FORMATS_BENCH_REDIS_BLOCKS_H

#include "base/decimal.h"
#include "base/str_table.h"
#include "formats/lines.h"

enum {
	REDIS_MS = 1000,	 /* us */
	REDIS_FINE_END = 2000,	 /* us; up to here edges lie close together */
	REDIS_LONGEST = 3000000, /* us; what takes longer is counted there */
};

/* An edge in us, and how many calls lie below it. */
struct redis_mark {
	int64_t at;
	uint64_t below;
	struct str where;
};

/* What is printed of a command once. */
struct redis_block {
	struct str title;
	size_t command;
	uint64_t requests;
	bool by_share;		   /* as up to Redis 6.0: percentages only */
	size_t first, middle, end; /* marks: up to `middle` of percentiles, then of the rest */
	bool has_summary;
	struct decimal mean; /* this and what follows in us */
	double min, max;
};

/* What all blocks of a title have in common. */
struct redis_command {
	size_t n_blocks;
	int64_t step;  /* by share: of latencies below REDIS_FINE_END; 0: there were none */
	int64_t *fine; /* edges of percentiles that all blocks tell of, ascending */
	size_t n_fine, cap_fine;
	int64_t least, most; /* of percentiles of all blocks */
	bool has_fine;	     /* some block was looked at */
};

/* All blocks of a file, by the command that was measured. */
struct redis_blocks {
	struct redis_block *block;
	size_t n, cap;
	struct redis_mark *mark; /* of all of them */
	size_t n_marks, cap_marks;
	struct str_table titles;
	struct redis_command *command; /* by number of title */
	size_t cap_commands;
};

/* Where the bucket of HdrHistogram ends that holds so many us. */
int64_t redis_edge_above(int64_t us);
/* The edge before this one in the table of regular edges; false when that has no such edge. */
MUST_CHECK bool redis_edge_before(int64_t edge, int64_t *ret);

/* A new block with this title, in the arena; it stays valid until the next one is added. */
struct redis_block *redis_block_add(struct redis_blocks *b, struct str title, struct arena *a);
/* Adds to the last block that `below` calls took at most `at`. */
void redis_mark_add(struct redis_blocks *b, int64_t at, uint64_t below, struct str where);
/* Frees the blocks. */
void redis_blocks_release(struct redis_blocks *b);

/* Pushes each block as an operation; false when an error was reported. */
MUST_CHECK bool redis_blocks_push(struct redis_blocks *b, struct builder *to, struct input *in,
				  struct diag *diag);

#endif
