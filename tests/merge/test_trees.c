/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The law of merging: random profiles, written as osprof(5), are added up at once and by
 * random trees whose inner nodes are written and read again.  The bytes are the same, or
 * all are refused.
 *
 * usage: test_trees [TRIALS [SEED]]
 */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/out.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "profile/merge.h"
#include "profile/profile.h"

enum { MAX_SHARDS = 9, N_SCHEMES = 5, TRIALS = 2000 };

static unsigned trials = TRIALS, first_seed = 1;

/* What the shards of one trial have in common, most of the time. */
struct kinds {
	unsigned scheme[8]; /* of each operation */
	bool untimed, epoch;
	const char *unit;
};

static bool one_in(struct rng *r, unsigned n)
{
	return rng_below(r, n) == 0;
}

/* --- one random profile ------------------------------------------------------------- */

static const char *const names[] = {
	"read", "write", "a b", "\"q\\n\"", "fsync", "\"\"", "z", "cpu"
};

/* The number of the last row that it has. */
static int put_scheme(struct rng *r, struct out *o, unsigned kind)
{
	static const unsigned resolution[] = { 1, 2, 3, 4, 6, 12 };
	static const double steps[] = { 1, 2, 4, 8, 0.5, 3 };
	unsigned drawn = rng_below(r, one_in(r, 30) ? 6 : 5);
	int last = 8;

	switch (kind) {
	case 0:
		return 8;
	case 1:
		out_printf(o, "buckets log2 %u", resolution[drawn]);
		if (one_in(r, 2))
			out_printf(o, " from %d", (int)rng_below(r, 9) - 6);
		if (one_in(r, 3))
			out_printf(o, " open %d", 24 + (int)rng_below(r, 40));
		break;
	case 2:
		out_printf(o, "buckets loglinear %u %g", 1u << rng_below(r, 6), steps[drawn]);
		break;
	case 3:
		out_printf(o, "buckets linear %d %g",
			   one_in(r, 30) ? 1 : 8 * ((int)rng_below(r, 3) - 1), steps[drawn]);
		if (one_in(r, 3))
			out_printf(o, " from %d", (int)rng_below(r, 4) - 2);
		if (one_in(r, 3))
			out_printf(o, " open %d", 9 + (int)rng_below(r, 40));
		break;
	default:
		out_text(o, "buckets edges");
		last = -2;
		for (int edge = 1; edge < 9; edge++) {
			if (!one_in(r, 3) || edge == 4 || edge == 8) {
				out_printf(o, " %g", edge * 0.25);
				last++;
			}
		}
		break;
	}
	out_char(o, '\n');
	return last;
}

static uint64_t random_count(struct rng *r)
{
	if (one_in(r, 2000))
		return UINT64_MAX - rng_below(r, 3);
	return 1 + rng_u64(r) % (one_in(r, 8) ? UINT64_MAX >> 12 : 100);
}

static uint64_t put_rows(struct rng *r, struct out *o, unsigned kind, int last)
{
	uint64_t sum = 0;

	for (int i = kind == 2 ? 1 : 0; i <= last; i++) {
		uint64_t count = random_count(r);

		if (!one_in(r, 3) || UINT64_MAX - sum < count)
			continue;
		out_printf(o, "%d %llu\n", i, (unsigned long long)count);
		sum += count;
	}
	return sum;
}

static void put_stated(struct rng *r, struct out *o, bool called)
{
	if (one_in(r, called ? 2 : 200))
		out_printf(o, "total %s%u.%u\n", one_in(r, 9) ? "-" : "", rng_below(r, 900),
			   rng_below(r, 1000));
	if (one_in(r, 2))
		out_printf(o, "min %s\n", one_in(r, 9) ? "-0" : one_in(r, 2) ? "0" : "3.5");
	if (one_in(r, 2))
		out_printf(o, "max %u\n", 40 + rng_below(r, 9));
}

/* Calls by buckets, only counted, or none; whose scheme is put between what is stated and rows. */
struct calls {
	unsigned kind;
	bool summary;
	int last; /* row */
};

static void put_calls(struct rng *r, struct out *o, const struct calls *c, struct str scheme)
{
	struct out *table = out_to_memory();
	uint64_t sum = 0;
	bool halved;

	if (!c->summary && !one_in(r, 4))
		sum = put_rows(r, table, c->kind, c->last);
	if (c->summary && !one_in(r, 3))
		sum = random_count(r);
	put_stated(r, o, sum > 0);
	halved = !c->summary && one_in(r, 20);
	if (one_in(r, 2) || c->summary)
		out_printf(o, "count %llu\n", (unsigned long long)(halved ? sum / 2 : sum));
	out_bytes(o, scheme);
	if (scheme.n > 0 && sum == 0 && one_in(r, 3))
		out_printf(o, "%d 0\n",
			   c->kind == 2); /* the whole run has none, whatever follows */
	out_bytes(o, out_memory(table));
	out_free(table);
}

static void put_operation(struct rng *r, struct out *o, const struct kinds *k, size_t number)
{
	struct calls c = { .kind = k->scheme[number] % N_SCHEMES,
			   .summary = k->scheme[number] == N_SCHEMES };
	struct out *scheme = out_to_memory();
	static const char *const flags[] = { "rounded-totals", "fixed-duration", "approximate" };

	if (one_in(r, 300)) { /* what does not fit the others */
		c.kind = rng_below(r, N_SCHEMES);
		c.summary = false;
	}
	out_printf(o, "op %s\n", names[number]);
	if (number == 7)
		out_text(o, "unit plain\n");
	if (one_in(r, 4))
		out_printf(o, "lost %u\n", rng_below(r, 9));
	if (one_in(r, 4))
		out_printf(o, "threshold %u\n", 1 + rng_below(r, 3));
	if (!one_in(r, 3))
		out_printf(o, "granularity %u\n", 1 + rng_below(r, 2));
	if (one_in(r, 4))
		out_printf(o, "%s\n", flags[rng_below(r, 3)]);
	c.last = put_scheme(r, scheme, c.kind);
	put_calls(r, o, &c, c.summary ? STR("") : out_memory(scheme));
	for (unsigned i = rng_below(r, 6); i < 3; i++) {
		out_printf(o, "interval %u %u\n", i, i + 1);
		put_calls(r, o, &c, STR(""));
	}
	out_free(scheme);
}

static void put_operations(struct rng *r, struct out *o, const struct kinds *k)
{
	size_t order[COUNT_OF(names)];

	for (size_t i = 0; i < COUNT_OF(order); i++) {
		size_t other = rng_below(r, (unsigned)i + 1);

		order[i] = order[other];
		order[other] = i;
	}
	for (unsigned layer = 0; layer < 2; layer++) {
		if (layer == 1)
			out_text(o, "layer vfs\n");
		for (size_t i = 0; i < COUNT_OF(order); i++) {
			if (one_in(r, 3))
				put_operation(r, o, k, order[i]);
		}
	}
}

static void put_profile(struct rng *r, struct out *o, const struct kinds *k)
{
	out_text(o, "osprof 1\n");
	if (!one_in(r, 4))
		out_printf(o, "machine %s\n", one_in(r, 4) ? "other" : "board");
	if (one_in(r, 2))
		out_printf(o, "kernel %s\n", one_in(r, 4) ? "6.2" : "6.1");
	out_printf(o, "unit %s\n", one_in(r, 400) ? "ms" : k->unit);
	if (one_in(r, 400))
		out_text(o, "hz 1000000000\n");
	if (one_in(r, 3))
		out_printf(o, "elapsed %u.5%s\n", 1 + rng_below(r, 5),
			   one_in(r, 2) ? "" : " timestamps");
	if (!one_in(r, 9))
		out_printf(o, "concurrency %u\n", 1 + rng_below(r, 9));
	if (!one_in(r, 9))
		out_text(o, "fixed-duration\n");
	if (one_in(r, 2))
		out_printf(o, "started 1763855000.%u\n", 1 + rng_below(r, 9));
	if (one_in(r, 2))
		out_printf(o, "cpu-speed %u.5e9\n", 1 + rng_below(r, 9));
	if (one_in(r, 3))
		out_printf(o, "contention %u %u %llu %u\n", rng_below(r, 99), 99 + rng_below(r, 99),
			   (unsigned long long)(one_in(r, 9) ? UINT64_MAX : rng_below(r, 99)),
			   rng_below(r, 99));
	if (k->untimed && one_in(r, 2))
		out_text(o, "untimed\n");
	if (one_in(r, 4))
		out_printf(o, "lost %llu\n",
			   (unsigned long long)(one_in(r, 9) ? UINT64_MAX : rng_below(r, 99)));
	if (k->epoch != one_in(r, 300))
		out_text(o, "epoch\n");
	for (unsigned i = rng_below(r, 3); i < 2; i++)
		out_printf(o, "host web%u\n", rng_below(r, 30));
	if (one_in(r, 4))
		out_printf(o, "missing web%u\n", rng_below(r, 30));
	if (k->unit[0] == 'u')
		out_text(o, "profile-unit us\n");
	if (!one_in(r, 8))
		put_operations(r, o, k);
}

/* A file; one without an operation has to say so. */
static struct str random_text(struct rng *r, struct out *o, const struct kinds *k)
{
	put_profile(r, o, k);
	if (!str_contains(out_memory(o), STR("\nop ")))
		out_text(o, "end 0\n");
	return out_memory(o);
}

/* --- reading, adding up, writing ------------------------------------------------------ */

static void keep_code(void *ctx, const struct diag_msg *msg)
{
	*(enum diag_code *)ctx = msg->code;
}

static struct profile *try_to_parse(struct str text, enum diag_code *ret_code)
{
	struct read_options options = { 0 };
	struct diag diag = { .emit = keep_code, .ctx = ret_code };
	struct profile *p;
	struct input in;

	input_borrow(&in, "shard", text.p, text.n);
	p = format_read(format_by_name(STR("osprof")), &in, &options, &diag);
	input_release(&in);
	return p;
}

static struct profile *parsed(struct str text)
{
	enum diag_code code = DIAG_USAGE;
	struct profile *p = try_to_parse(text, &code);

	if (p == NULL)
		fail_msg("%s\n%.*s", diag_name(code), STR_ARG(text));
	return p;
}

/* One that is refused for sums that pass 2^64-1 by itself is none. */
static struct profile *random_shard(struct rng *r, const struct kinds *k, struct out *text)
{
	enum diag_code code = DIAG_USAGE;
	struct profile *p;

	do {
		out_reset(text);
		p = try_to_parse(random_text(r, text, k), &code);
	} while (p == NULL && code == DIAG_COUNT_OVERFLOW);
	if (p == NULL)
		fail_msg("%s\n%.*s", diag_name(code), STR_ARG(out_memory(text)));
	return p;
}

/* The text of the sum; NULL where it is refused. */
static struct out *merged(struct profile **p, size_t n)
{
	struct diag diag = { 0 };
	struct profile *sum = profile_merge((const struct profile *const *)p, n, &diag);
	struct out *text;

	if (sum == NULL)
		return NULL;
	text = out_to_memory();
	assert_true(format_by_name(STR("osprof"))->write(sum, text, &diag));
	profile_free(sum);
	return text;
}

/* Of text[0] to text[n - 1], in an order and by a tree that are drawn. */
static struct out *merged_by_tree(struct rng *r, struct str *text, size_t n)
{
	size_t n_nodes = n == 1 ? 1 : 1 + rng_below(r, (unsigned)n), at = 0;
	struct out *node[MAX_SHARDS], *sum = NULL;
	struct profile *p[MAX_SHARDS];
	bool ok = true;

	for (size_t i = 0; i < n; i++) {
		size_t other = rng_below(r, (unsigned)i + 1);
		struct str moved = text[i];

		text[i] = text[other];
		text[other] = moved;
	}
	for (size_t i = 0; i < n_nodes; i++) {
		size_t until = n * (i + 1) / n_nodes;

		node[i] = NULL;
		if (until - at == 1 || n_nodes == 1) {
			p[i] = ok ? parsed(text[at]) : NULL;
			if (n_nodes == 1 && ok) {
				profile_free(p[0]);
				for (size_t k = 0; k < n; k++)
					p[k] = parsed(text[k]);
			}
		} else {
			node[i] = ok ? merged_by_tree(r, text + at, until - at) : NULL;
			ok = ok && node[i] != NULL;
			p[i] = ok ? parsed(out_memory(node[i])) : NULL;
		}
		at = until;
	}
	if (ok)
		sum = merged(p, n_nodes == 1 ? n : n_nodes);
	for (size_t i = 0; i < (n_nodes == 1 ? n : n_nodes); i++)
		profile_free(p[i]);
	for (size_t i = 0; i < n_nodes; i++)
		out_free(node[i]);
	return sum;
}

/* --- the law ---------------------------------------------------------------------------- */

static void assert_same_sum(struct out *once, struct out *tree, const struct str *text, size_t n,
			    unsigned seed)
{
	if (once == NULL && tree == NULL)
		return;
	if (once != NULL && tree != NULL && str_eq(out_memory(once), out_memory(tree)))
		return;
	for (size_t i = 0; i < n; i++)
		(void)fprintf(stderr, "--- shard %zu\n%.*s", i, STR_ARG(text[i]));
	(void)fprintf(stderr, "--- at once\n%.*s--- by a tree\n%.*s",
		      STR_ARG(once != NULL ? out_memory(once) : STR("refused\n")),
		      STR_ARG(tree != NULL ? out_memory(tree) : STR("refused\n")));
	fail_msg("seed %u: a tree gives something else than all at once", seed);
}

static struct kinds random_kinds(struct rng *r)
{
	struct kinds k = { .untimed = one_in(r, 8),
			   .epoch = one_in(r, 3),
			   .unit = one_in(r, 3) ? "us" : "ns" };

	for (size_t i = 0; i < COUNT_OF(k.scheme); i++)
		k.scheme[i] = rng_below(r, N_SCHEMES + 1);
	return k;
}

static bool one_trial(unsigned seed)
{
	struct rng r = { seed * 0x9e3779b97f4a7c15ULL + 1 };
	struct kinds k = random_kinds(&r);
	size_t n = 1 + rng_below(&r, MAX_SHARDS);
	struct out *shard[MAX_SHARDS], *once, *tree;
	struct profile *p[MAX_SHARDS];
	struct str text[MAX_SHARDS];
	bool ok;

	for (size_t i = 0; i < n; i++) {
		shard[i] = out_to_memory();
		p[i] = random_shard(&r, &k, shard[i]);
		text[i] = out_memory(shard[i]);
	}
	once = merged(p, n);
	for (int i = 0; i < 3; i++) {
		tree = merged_by_tree(&r, text, n);
		assert_same_sum(once, tree, text, n, seed);
		out_free(tree);
	}
	ok = once != NULL;
	for (size_t i = 0; i < n; i++) {
		profile_free(p[i]);
		out_free(shard[i]);
	}
	out_free(once);
	return ok;
}

static void every_tree_gives_the_same_bytes(void **state)
{
	unsigned refused = 0;

	(void)state;
	for (unsigned i = 0; i < trials; i++)
		refused += !one_trial(first_seed + i);
	print_message("%u trials, %u of them refused\n", trials, refused);
	assert_true(refused < trials / 2); /* or nothing was tried */
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_tree_gives_the_same_bytes) };
	uint64_t number;

	if (argc > 1 && number_u64(str_from(argv[1]), &number) == NUMBER_OK)
		trials = (unsigned)number;
	if (argc > 2 && number_u64(str_from(argv[2]), &number) == NUMBER_OK)
		first_seed = (unsigned)number;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
